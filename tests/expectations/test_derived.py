from expectations.derived import derived
from schemas.table import Column, Kind, Table

DISH = Column("dish", "STRING", "what is served", required=True)
SIZE = Column("size", "STRING", "how big", one_of=("small", "chef's"))
STARS = Column("stars", "INT", "how good", one_of=(1, 2))


def table(*columns: Column, key: tuple[str, ...] = ("dish",), kind: Kind = Kind.STATE) -> Table:
    return Table(name="menu", kind=kind, meaning="what is served", columns=columns, key=key)


def rules(of: Table) -> dict[str, tuple[str, str]]:
    return {rule.text: (rule.breaches, rule.severity) for rule in derived(of)}


def test_a_required_column_is_never_null_and_the_key_is_unique() -> None:
    unique = "count_if(TRUE) - count(DISTINCT struct(`dish`)) FILTER (WHERE TRUE)"
    assert rules(table(DISH)) == {
        "dish is never null": ("count_if(`dish` IS NULL)", "critical"),
        "dish is unique": (unique, "critical"),
    }


def test_a_column_with_named_values_has_no_other() -> None:
    found = rules(table(DISH, SIZE, STARS))
    assert found["size is one of small, chef's"] == (
        "count_if(`size` NOT IN ('small', 'chef\\'s'))",
        "warning",
    )
    assert found["stars is one of 1, 2"] == ("count_if(`stars` NOT IN (1, 2))", "warning")


def test_a_column_that_is_neither_required_nor_of_named_values_is_free() -> None:
    assert len(derived(table(DISH, Column("price", "INT", "in cents")))) == len(derived(table(DISH)))


def test_an_empty_value_can_be_read_in_the_text() -> None:
    assert "size is one of big, ''" in rules(table(DISH, Column("size", "STRING", "", one_of=("big", ""))))


def test_a_key_of_several_columns_is_unique_as_a_whole() -> None:
    assert "(dish, size) is unique" in rules(table(DISH, SIZE, key=("dish", "size")))


def test_a_state_without_a_key_has_at_most_one_row() -> None:
    assert "there is at most one row" in rules(table(DISH, key=()))


def test_what_every_snapshot_appends_is_unique_within_each() -> None:
    assert "(dish, snapshot_id) is unique" in rules(table(DISH, kind=Kind.SERIES))
    assert "snapshot_id is unique" in rules(table(DISH, key=(), kind=Kind.LOG))
