from collections.abc import Callable
from typing import Any

import pytest
from py4j.clientserver import ClientServerConnection
from py4j.protocol import REFLECTION_COMMAND_NAME, Py4JError
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Py4J asked about names while the test ran."""
    commands: list[str] = []
    send: Callable[..., Any] = ClientServerConnection.send_command

    def sent(self: ClientServerConnection, command: str, *args: Any) -> Any:
        if command.startswith(REFLECTION_COMMAND_NAME):
            commands.append(command)
        return send(self, command, *args)

    monkeypatch.setattr(ClientServerConnection, "send_command", sent)
    return commands


def test_the_jvm_is_asked_once_what_a_name_means(spark: SparkSession, asked: list[str]) -> None:
    assert str(F.bit_length("a")) == "Column<'bit_length(a)'>"
    first = len(asked)
    assert str(F.bit_length("b")) == "Column<'bit_length(b)'>"
    assert spark.range(3).agg(F.sum("id")).first() == (3,)
    assert not [command for command in asked[first:] if "bit_length" in command]
    assert first > 0


def test_a_name_that_the_jvm_does_not_know_is_not_remembered(spark: SparkSession, asked: list[str]) -> None:
    jvm: Any = spark.sparkContext._jvm
    for _ in range(2):
        with pytest.raises(Py4JError, match="noSuchFunction does not exist"):
            jvm.functions.noSuchFunction()
    assert len([command for command in asked if "noSuchFunction" in command]) == 2
