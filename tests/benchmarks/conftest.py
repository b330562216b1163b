"""What the benchmarks share: one file of results beside them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

RESULTS = Path(__file__).with_name("results.json")


@pytest.fixture
def record() -> Callable[[str, dict[str, float]], None]:
    """Print a benchmark's figures and keep them in results.json."""

    def keep(name: str, figures: dict[str, float]) -> None:
        rounded = {key: round(value, 2) for key, value in figures.items()}
        results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps(results | {name: rounded}, indent=1))
        print(f"\n{name}: " + ", ".join(f"{key} {value:,}" for key, value in rounded.items()))

    return keep
