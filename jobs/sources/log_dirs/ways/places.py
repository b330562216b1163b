"""Finds a broker's log dirs among the folders of an archive, whatever stands before their paths there."""

from collections.abc import Collection, Mapping, Sequence

from jobs.errors import NotReadError
from jobs.sources.log_dirs.explain import storable
from schemas.snapshots import GapReason

_SHOWN = 5


def places(paths: Sequence[str], folders: Collection[str], where: str) -> Mapping[str, str | NotReadError]:
    """For each path of a broker the one folder whose own path ends most like it.

    `d0`, `kafka/d0` and `bundle/var/kafka/d0` are all `/var/kafka/d0`; the archive itself is it where the broker
    has one log dir only. A folder that is it from `/` on leaves the others behind. `where` says in messages what was searched.
    """
    best = {path: _most_alike(path, folders, len(paths) == 1) for path in paths}
    taken = [folder for alike in best.values() for folder in alike]
    return {
        path: alike[0] if len(alike) == 1 and taken.count(alike[0]) == 1 else _not_found(path, folders, where)
        for path, alike in best.items()
    }


def _most_alike(path: str, folders: Collection[str], is_only: bool) -> list[str]:
    if path.strip("/") in folders:
        return [path.strip("/")]
    scores = {folder: _alike(path, folder) for folder in folders}
    if is_only and "" in scores:
        scores[""] = 1
    best = max(scores.values(), default=0)
    return [folder for folder, score in scores.items() if score == best > 0]


def _alike(path: str, folder: str) -> int:
    """How many names at their ends the two have in common."""
    pairs = zip(reversed(path.strip("/").split("/")), reversed(folder.split("/")), strict=False)
    count = 0
    for wanted, there in pairs:
        if wanted != there:
            break
        count += 1
    return count


def _not_found(path: str, folders: Collection[str], where: str) -> NotReadError:
    shown = ", ".join(storable(folder) or "its top" for folder in sorted(folders)[:_SHOWN])
    there = f"it holds log dirs at {shown}" if folders else "it holds no log dir"
    return NotReadError(
        GapReason.MISSING,
        f"There is not one log dir in {where} that is {path}: {there}; compare them with `paths`.",
    )
