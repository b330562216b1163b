"""SQL over lists of broker ids, which keep their order."""


def without(numbers: str, others: str) -> str:
    """Those of a list that are not in another; null where either is."""
    return f"list_filter({numbers}, lambda each: NOT list_contains({others}, each))"
