"""The shape of the code: imports point one way, and a few things happen in one place only.

Each rule takes the path of a file and its parsed text, and says what is wrong in it and what to do.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("schemas", "expectations", "jobs", "dags")
"""Each may import itself and those before it."""
CLIENTS = {
    "kazoo": ("jobs/sources/zookeeper/", "jobs/lab/"),
    "kafka": ("jobs/sources/kafka/", "jobs/init/", "jobs/lab/"),
}
READS_ENVIRONMENT = ("jobs/settings.py", "jobs/machine/java.py", "jobs/machine/jars.py")
WRITES_DELTA = "jobs/lake/write.py"
LAKE_ROOMS = tuple(
    f"jobs/{room}/"
    for room in ("gates", "incidents", "lake", "landing", "process", "rebuild", "report", "upkeep", "whatif")
)
"""They reach the lake's files through jobs/storage."""
OPENS_FILES = {"fcntl", "fileinput", "glob", "io", "os", "pathlib", "shutil", "tempfile"}
READS_ITS_OWN_CODE = "jobs/process/version.py"
SPARK_ROOMS = ("jobs/", "expectations/")
NAIVE = {"collect", "toPandas", "toLocalIterator"}
"""How rows leave Spark as Python's own objects."""
BRINGS_ARROW = ".toArrowBatchRdd()"
"""Of which an iterator brings Arrow, too."""
BUILDS_SESSION = "jobs/machine/session.py"

Rule = Callable[[str, ast.Module], Iterator[str]]


def imports_point_one_way(path: str, tree: ast.Module) -> Iterator[str]:
    layer = LAYERS.index(path.split("/")[0])
    for module in _imported(tree):
        package = module.split(".")[0]
        if package in LAYERS[layer + 1 :]:
            yield (
                f"imports {module}, but imports point one way: {' <- '.join(LAYERS)}; move what is needed into "
                f"{LAYERS[layer]} or below, or hand it in as an argument"
            )


def schemas_need_nothing_but_python(path: str, tree: ast.Module) -> Iterator[str]:
    for module in _imported(tree):
        package = module.split(".")[0]
        if path.startswith("schemas/") and package not in {"schemas", *sys.stdlib_module_names}:
            yield f"imports {module}, but schemas/ needs the standard library alone: do this in jobs/"


def the_environment_is_read_by_the_settings_only(path: str, tree: ast.Module) -> Iterator[str]:
    set_not_read = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    }
    touches = {f"os.{name}" for name in ("environ", "environb", "getenv")}
    for node in ast.walk(tree):
        if path in READS_ENVIRONMENT or node in set_not_read:
            continue
        if (isinstance(node, ast.Attribute) and ast.unparse(node) in touches) or (
            isinstance(node, ast.ImportFrom)
            and touches & {f"{node.module}.{each.name}" for each in node.names}
        ):
            yield (
                f"reads the environment in line {node.lineno}: make it a field of the settings in "
                "jobs/settings.py, or take it as an argument"
            )


def delta_is_written_in_one_place(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute | ast.alias | ast.Name) or path == WRITES_DELTA:
            continue
        spark_writer = isinstance(node, ast.Attribute) and (
            node.attr in {"writeTo", "writeStream", "saveAsTable", "insertInto"}
            or (isinstance(node.value, ast.Attribute) and node.value.attr == "write")
        )
        if spark_writer or "write_deltalake" in ast.unparse(node).split("."):
            yield f"writes in line {node.lineno}: only {WRITES_DELTA} writes to the lake; use DeltaTables"


def the_lakes_files_are_behind_one_door(path: str, tree: ast.Module) -> Iterator[str]:
    if not path.startswith(LAKE_ROOMS) or path == READS_ITS_OWN_CODE:
        return
    remedy = "only jobs/storage opens files of the lake; take a Storage and a path from jobs/lake/layout.py"
    for module in _imported(tree):
        if module.split(".")[0] in OPENS_FILES:
            yield f"imports {module}, but {remedy}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "open":
            yield f"opens a file in line {node.lineno}, but {remedy}"


def a_spark_session_is_built_in_one_place(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and path != BUILDS_SESSION:
            text = ast.unparse(node)
            if (
                text == "SparkSession.builder"
                or node.attr == "getOrCreate"
                or text.startswith("SparkContext.")
            ):
                yield f"builds a Spark session in line {node.lineno}: use spark_session of {BUILDS_SESSION}"


def a_client_library_stays_in_its_source(path: str, tree: ast.Module) -> Iterator[str]:
    for module in _imported(tree):
        allowed = CLIENTS.get(module.split(".")[0])
        if allowed and not path.startswith(allowed):
            yield f"imports {module}: only {' and '.join(allowed)} may; everything else reads what they landed"


def rows_leave_spark_as_arrow(path: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) and not node.args else None
        if not (path.startswith(SPARK_ROOMS) and isinstance(called, ast.Attribute) and called.attr in NAIVE):
            continue
        if not ast.unparse(called.value).endswith(BRINGS_ARROW):
            yield (
                f"calls {called.attr} in line {node.lineno}, which makes instants naive and local: wrong in the hour when "
                "clocks change; use toArrow"
            )


RULES: tuple[Rule, ...] = (
    imports_point_one_way,
    schemas_need_nothing_but_python,
    the_environment_is_read_by_the_settings_only,
    delta_is_written_in_one_place,
    the_lakes_files_are_behind_one_door,
    a_spark_session_is_built_in_one_place,
    a_client_library_stays_in_its_source,
    rows_leave_spark_as_arrow,
)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _code() -> list[Path]:
    return sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_code_keeps_the_rule(rule: Rule) -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {what}"
        for path in _code()
        for what in rule(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not broken, "\n" + "\n".join(broken)


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (imports_point_one_way, "expectations/x.py", "from jobs.errors import VarveError"),
        (imports_point_one_way, "jobs/x.py", "def f():\n    import dags.factory"),
        (schemas_need_nothing_but_python, "schemas/x.py", "import pydantic"),
        (the_environment_is_read_by_the_settings_only, "jobs/x.py", "import os\nos.environ.get('A')"),
        (the_environment_is_read_by_the_settings_only, "jobs/x.py", "import os\nos.getenv('A')"),
        (the_environment_is_read_by_the_settings_only, "jobs/x.py", "from os import environ"),
        (delta_is_written_in_one_place, "jobs/x.py", "frame.write.format('delta').save('x')"),
        (delta_is_written_in_one_place, "jobs/x.py", "from deltalake import write_deltalake"),
        (the_lakes_files_are_behind_one_door, "jobs/landing/x.py", "import shutil"),
        (the_lakes_files_are_behind_one_door, "jobs/lake/x.py", "from pathlib import Path"),
        (the_lakes_files_are_behind_one_door, "jobs/report/x.py", "def f():\n    import os.path"),
        (the_lakes_files_are_behind_one_door, "jobs/process/x.py", "open('x')"),
        (a_spark_session_is_built_in_one_place, "jobs/x.py", "SparkSession.builder.appName('x')"),
        (a_client_library_stays_in_its_source, "jobs/sources/kafka/x.py", "import kazoo.client"),
        (a_client_library_stays_in_its_source, "jobs/x.py", "from kafka.admin import KafkaAdminClient"),
        (rows_leave_spark_as_arrow, "jobs/x.py", "frame.where('a').collect()"),
        (rows_leave_spark_as_arrow, "expectations/x.py", "[row.a for row in frame.toLocalIterator()]"),
    ],
)
def test_the_rule_finds_what_breaks_it(rule: Rule, path: str, code: str) -> None:
    assert list(rule(path, ast.parse(code)))


@pytest.mark.parametrize(
    ("rule", "path", "code"),
    [
        (imports_point_one_way, "dags/x.py", "from jobs.errors import VarveError"),
        (
            imports_point_one_way,
            "jobs/x.py",
            "from schemas.table import Table\nfrom expectations import rule",
        ),
        (schemas_need_nothing_but_python, "schemas/x.py", "import enum\nfrom schemas.table import Table"),
        (the_environment_is_read_by_the_settings_only, "jobs/x.py", "import os\nos.environ['A'] = 'b'"),
        (the_environment_is_read_by_the_settings_only, "jobs/settings.py", "import os\nos.environ['A']"),
        (delta_is_written_in_one_place, "jobs/x.py", "file.write('text')\nframe.read.format('delta')"),
        (the_lakes_files_are_behind_one_door, "jobs/lab/x.py", "import os, shutil"),
        (
            the_lakes_files_are_behind_one_door,
            "jobs/landing/x.py",
            "from jobs.storage import open_storage\nstorage.open('x')",
        ),
        (a_spark_session_is_built_in_one_place, "jobs/x.py", "def f(spark: SparkSession) -> None: ..."),
        (a_client_library_stays_in_its_source, "jobs/lab/x.py", "import kafka, kazoo"),
        (a_client_library_stays_in_its_source, "jobs/x.py", "from jobs.sources.kafka import settings"),
        (rows_leave_spark_as_arrow, "jobs/x.py", "frame.toArrow()\ncollect(settings)\nF.collect_set('a')"),
        (rows_leave_spark_as_arrow, "jobs/x.py", "frame._jdf.toArrowBatchRdd().toLocalIterator()"),
    ],
)
def test_the_rule_lets_pass_what_only_looks_like_it(rule: Rule, path: str, code: str) -> None:
    assert not list(rule(path, ast.parse(code)))
