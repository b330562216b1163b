"""A Spark session that reads the views it was given and can do nothing else."""

from collections.abc import Iterator
from typing import Any

from pyspark.errors import ParseException
from pyspark.sql import DataFrame, SparkSession

from jobs.errors import UsageError

_REACHES_OUT = ("reflect", "java_method", "try_reflect", "from_protobuf", "to_protobuf")
_READS_ANY_TABLE = ("table_changes", "table_changes_by_path")
_RUNS_A_PROGRAM = "ScriptTransformation"
_READ_ONLY = (
    "Spark answers one query at a time: the lake can be read, never written; "
    "SHOW TABLES and DESCRIBE X are answered without --engine spark"
)


def locked(spark: SparkSession) -> SparkSession:
    """A session beside this one, in which no path is a table and no function reads files or runs a method of Java."""
    session = spark.newSession()
    session.conf.set("spark.sql.runSQLOnFiles", "false")
    state = _java(session).sessionState()
    identifier = session._jvm.org.apache.spark.sql.catalyst.FunctionIdentifier  # type: ignore[union-attr]
    for registry, names in (
        (state.functionRegistry(), _REACHES_OUT),
        (state.tableFunctionRegistry(), _READS_ANY_TABLE),
    ):
        for name in names:
            registry.dropFunction(identifier(name))
    return session


def ask(session: SparkSession, sql: str) -> DataFrame:
    """The answer to one query. Raises UsageError when it is no query.

    Spark executes a command where it is read: only what can stand in parentheses is handed to it, which no command can.
    """
    sql = sql.rstrip("; \n")
    statement = f"({sql}\n)"
    parser = _java(session).sessionState().sqlParser()
    try:
        parser.parsePlan(sql)
    except ParseException as error:
        raise UsageError(f"This is no SQL that Spark understands: {explain(error)}") from error
    try:
        plan = parser.parsePlan(statement)
    except ParseException as error:
        raise UsageError(_READ_ONLY) from error
    if _RUNS_A_PROGRAM in {node.getClass().getSimpleName() for node in _nodes(plan)}:
        raise UsageError("A query that runs a program, with TRANSFORM … USING, is not answered")
    return session.sql(statement)


def explain(error: Exception) -> str:
    """Spark's error message: its first line."""
    return str(error).strip().split("\n")[0]


def _nodes(plan: Any) -> Iterator[Any]:
    """Every node of a parsed query, at any depth."""
    yield plan
    for branches in (plan.children(), plan.innerChildren(), plan.subqueries()):
        for number in range(branches.size()):
            yield from _nodes(branches.apply(number))


def _java(session: SparkSession) -> Any:
    return session._jsparkSession
