"""Names of topics, clients and paths are anybody's words: what they say is shown, never obeyed."""


def printable(text: str) -> str:
    """The text with controls, terminal escapes and direction marks written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
