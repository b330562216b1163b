"""In a time in which nothing changed only those snapshots are judged at which the judgement may be another."""

from collections.abc import Sequence

import pytest

from jobs.rebuild.replay import to_judge


def judged(told: Sequence[str]) -> str:
    """What is known after each snapshot, when only those are judged; the first always is."""
    chosen = [0, *to_judge(range(len(told)), lambda part: told[part[0]] == told[part[-1]])]
    assert chosen == sorted(set(chosen))
    return "".join(told[max(each for each in chosen if each <= now)] for now in range(len(told)))


@pytest.mark.parametrize(
    "told", ["a", "ab", "aa", "aab", "abb", "aaaaaaab", "abbbbbbb", "aaaabbbbbbbcc", "abcd"]
)
def test_where_the_judgement_changes_it_is_judged(told: str) -> None:
    assert judged(told) == told


def test_a_long_time_without_a_change_is_judged_at_its_end_only() -> None:
    asked: list[tuple[int, int]] = []

    def are_alike(part: Sequence[int]) -> bool:
        asked.append((part[0], part[-1]))
        return True

    assert list(to_judge(range(10_000), are_alike)) == []
    assert asked == [(0, 9_999)]


def test_a_change_in_a_long_time_is_found_by_halves() -> None:
    told = [each >= 6_000 for each in range(10_000)]
    chosen = list(to_judge(range(10_000), lambda part: told[part[0]] == told[part[-1]]))
    assert 6_000 in chosen
    assert len(chosen) <= 2
