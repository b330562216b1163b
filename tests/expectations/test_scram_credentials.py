from collections.abc import Callable

Broken = Callable[..., dict[str, str | None]]


def test_a_credential_has_4096_iterations_at_least(broken_by: Broken) -> None:
    rows = [
        {"user": user, "mechanism": "SCRAM-SHA-256", "iterations": iterations}
        for user, iterations in [("alice", 4096), ("bob", 4095), ("carol", None)]
    ]
    assert broken_by("scram_credentials", *rows) == {
        "iterations are 4096 at least": "1 row, such as bob, SCRAM-SHA-256"
    }
