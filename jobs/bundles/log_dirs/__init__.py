"""Log dirs in a support bundle."""
