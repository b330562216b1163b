"""What must hold of every table that anybody adds; each message says what to change."""

import ast
import re
from pathlib import Path

import pytest

from schemas.registry import collected_by, derived, tables
from schemas.table import Column, Kind, Table

ROOT = Path(__file__).parents[2]
PLACEHOLDER = re.compile(r"\{(\w+)\}")
SIMPLE_TYPES = {"STRING", "INT", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMP", "DATE"}

every_table = pytest.mark.parametrize("table", tables().values(), ids=lambda table: table.name)
every_derived_table = pytest.mark.parametrize("table", derived(), ids=lambda table: table.name)


def test_the_tables_of_every_module_are_found() -> None:
    one_of_each_module = {
        "acls",
        "admin_topics",
        "brokers",
        "disk_replicas",
        "findings",
        "metadata_checkpoints",
    }
    one_of_each_module |= {
        "cluster_id",
        "legacy_offsets",
        "pending_requests",
        "quorum",
        "snapshots",
        "znodes",
    }
    assert one_of_each_module <= set(tables())


def test_a_source_knows_the_tables_it_lands() -> None:
    assert [table.name for table in collected_by("zookeeper")] == ["znodes"]
    assert [table.name for table in collected_by("nobody")] == []


@every_table
def test_everything_has_a_meaning(table: Table) -> None:
    silent = [column.name for column in table.columns if not column.meaning.strip()]
    assert table.meaning.strip(), f"say in schemas/ what a row of {table.name} is"
    assert not silent, f"say in schemas/ what {silent} of {table.name} mean"


@every_table
def test_every_key_is_a_column_named_once(table: Table) -> None:
    missing = set(table.key) - set(table.column_names)
    assert not missing, f"add {sorted(missing)} to the columns of {table.name}, or take them from its key"
    assert len(table.key) == len(set(table.key)), f"the key of {table.name} names a column twice"


@every_table
def test_every_placeholder_of_a_scope_is_a_column(table: Table) -> None:
    for source, template in table.scopes.items():
        unknown = set(PLACEHOLDER.findall(template)) - set(table.column_names)
        assert not unknown, f"the {source} scope of {table.name} names {sorted(unknown)}: name its columns"


@every_table
def test_a_scope_is_a_path(table: Table) -> None:
    # A template that is one placeholder takes a column that is a path already.
    odd = [t for t in table.scopes.values() if not (t.startswith("/") or PLACEHOLDER.fullmatch(t))]
    assert not odd, f"begin {odd} of {table.name} with /, else no gap will ever cover a row"


@every_table
def test_a_collected_state_or_series_table_says_where_its_rows_stand(table: Table) -> None:
    needs_scope = bool(table.source) and table.kind is not Kind.LOG
    assert not needs_scope or table.source in table.scopes, (
        f"give {table.name} a scope for {table.source}: without one its rows vanish under a coverage gap"
    )


@every_table
def test_every_input_is_a_table(table: Table) -> None:
    unknown = {name for names in table.inputs.values() for name in names} - set(tables())
    assert not unknown, f"{table.name} is made from {sorted(unknown)}: add such tables or correct its inputs"


@every_derived_table
def test_the_inputs_of_a_source_are_collected_by_it_or_by_none_that_a_table_follows(table: Table) -> None:
    # What a disk adds to a row of another source stands where that row stands.
    for source, names in table.inputs.items():
        others = {tables()[name].source for name in names} - {source, "log_dirs"}
        assert not others, f"name the inputs of {table.name} from {sorted(others)} under their own source"


@every_derived_table
def test_a_derived_table_says_where_its_rows_stand_in_each_source_it_is_made_from(table: Table) -> None:
    missing = set(table.inputs) - set(table.scopes)
    assert not missing, (
        f"give {table.name} a scope for {sorted(missing)}: else a gap there reads as deletions"
    )


@every_derived_table
def test_a_row_of_a_derived_table_stands_in_a_subtree_that_it_is_made_from(table: Table) -> None:
    start = table.scopes.get("zookeeper", "").partition("{")[0]
    holds = [path for path in table.subtrees if path.startswith(start) or start.startswith(f"{path}/")]
    assert holds or not table.subtrees, (
        f"name the subtree of {start} among those of {table.name}: a gap there must make it anew when it is gone"
    )


@every_derived_table
def test_a_derived_table_has_a_function_for_each_source_that_takes_its_inputs(table: Table) -> None:
    path = ROOT / "jobs" / "tables" / f"{table.name}.py"
    needed = {f"from_{source}": names for source, names in table.inputs.items()}
    assert path.exists(), f"write {sorted(needed)} in jobs/tables/{table.name}.py"
    functions = {
        node.name: tuple(argument.arg for argument in node.args.args)
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("from_")
    }
    assert functions == needed, f"jobs/tables/{table.name}.py needs these functions with these parameters"


@every_table
def test_every_type_is_one_that_all_readers_know(table: Table) -> None:
    words = {word for column in table.columns for word in re.findall(r"[A-Z]{2,}", column.type)}
    assert words <= SIMPLE_TYPES | {"ARRAY", "STRUCT"}, f"{table.name}: {words} are not all plain Delta types"


@every_table
def test_a_derived_table_has_room_for_a_problem(table: Table) -> None:
    assert not table.inputs or "problem" in table.column_names, f"add PROBLEM to the columns of {table.name}"


def test_a_table_with_a_contradiction_cannot_be_made() -> None:
    name = Column("name", "STRING", "its name")
    with pytest.raises(ValueError, match="key columns \\['id'\\] are not columns"):
        Table("things", Kind.STATE, "things", (name,), key=("id",))
    with pytest.raises(ValueError, match="a column is named twice"):
        Table("things", Kind.STATE, "things", (name, name), key=())
    with pytest.raises(ValueError, match="says no scope for its source disk"):
        Table("things", Kind.STATE, "things", (name,), key=(), source="disk")
    tree = {"zookeeper": ("znodes",)}
    with pytest.raises(ValueError, match="collected or derived, not both"):
        Table("things", Kind.LOG, "things", (name,), key=(), source="disk", inputs=tree)
    with pytest.raises(ValueError, match="says no scope for \\['zookeeper'\\], which it has inputs of"):
        Table("things", Kind.STATE, "things", (name,), key=(), inputs=tree)
    paths = {"zookeeper": "/things", "kafka": "/things"}
    with pytest.raises(ValueError, match="says no inputs of \\['kafka'\\], which it has a scope for"):
        Table("things", Kind.STATE, "things", (name,), key=(), inputs=tree, scopes=paths)
    with pytest.raises(ValueError, match="\\['era'\\] are written by the lake itself"):
        Table("things", Kind.STATE, "things", (Column("era", "STRING", "age"),), key=())
