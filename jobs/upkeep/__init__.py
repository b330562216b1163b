"""What keeps a lake small: merged files, dropped pasts, and nothing kept that nobody can ask for."""
