from typing import Any

from jobs.events import topics

OLD, NEW = "vV5u0_NiSR-iJzmV8S97dg", "c8DXNpGiSY2eJOVY1qqjbA"


def _topic(name: str, topic_id: str | None, czxid: int | None = 7, partitions: int = 3) -> dict[str, Any]:
    return {"topic": name, "topic_id": topic_id, "czxid": czxid, "partitions": partitions}


def _malformed(name: str) -> dict[str, Any]:
    return _topic(name, None) | {"problem": "the znode is not a JSON object"}


def test_topics_come_go_and_change_their_ids(changes: Any, rows_of: Any, told: Any) -> None:
    changed = changes(
        "topics",
        (None, _topic("created", OLD)),
        (_topic("deleted", OLD), None),
        (_topic("recreated", OLD), _topic("recreated", NEW, czxid=99)),
        (_topic("recreated-kraft", OLD, None), _topic("recreated-kraft", NEW, None)),
        (_topic("migrated", OLD), _topic("migrated", OLD, None)),  # told by another source now
        (_topic("no-id-over-the-api", OLD), _topic("no-id-over-the-api", None, None)),
        (_topic("lost", OLD), _topic("lost", None, partitions=5)),
        (_topic("malformed", OLD), _malformed("malformed")),
        (_malformed("whole-again"), _topic("whole-again", OLD)),
        (_malformed("lost-unseen"), _topic("lost-unseen", None)),
        (_malformed("long-lost"), _topic("long-lost", None)),
        (_malformed("replaced-unseen"), _topic("replaced-unseen", NEW)),
        (_topic("restored", None), _topic("restored", OLD)),
        (_topic("minted", None), _topic("minted", NEW)),
        (_topic("replaced", OLD), _topic("replaced", NEW)),
        (_topic("first", None), _topic("first", NEW)),
        (_topic("first-of-the-api", None, None), _topic("first-of-the-api", NEW, None)),
    )
    known = ("restored", "minted", "lost", "whole-again", "lost-unseen", "long-lost", "replaced-unseen")
    history = rows_of(
        "topics_history",
        *[_topic(name, OLD) | {"written_by": "1"} for name in known],
        *[_topic(name, None) | {"written_by": "2"} for name in ("restored", "long-lost")],
        *[_malformed(name) | {"written_by": "3"} for name in ("whole-again", "lost-unseen", "long-lost")],
    )
    assert told(topics, changed, history) == {
        ("topic-created", "created", None, OLD, 3),
        ("topic-deleted", "deleted", OLD, None, 3),
        ("topic-recreated", "recreated", OLD, NEW, 3),
        ("topic-recreated", "recreated-kraft", OLD, NEW, 3),
        ("topic-id-lost", "lost", OLD, None, 5),
        ("partitions-added", "lost", "3", "5", 5),
        ("topic-id-lost", "lost-unseen", OLD, None, 3),
        ("topic-id-replaced", "replaced-unseen", OLD, NEW, 3),
        ("topic-id-restored", "restored", None, OLD, 3),
        ("topic-id-replaced", "minted", OLD, NEW, 3),
        ("topic-id-replaced", "replaced", OLD, NEW, 3),
        ("topic-id-assigned", "first", None, NEW, 3),
        ("topic-id-assigned", "first-of-the-api", None, NEW, 3),
    }


def test_a_znode_that_was_only_written_again_is_no_event(changes: Any, told: Any) -> None:
    unknown = {"topic": "unknown"}
    changed = changes(
        "topics",
        (_topic("orders", OLD), _topic("orders", OLD) | {"data_version": 9, "deletion_pending": True}),
        (unknown, unknown | {"problem": "the znode is not a JSON object"}),
    )
    assert told(topics, changed) == set()


def test_a_topic_that_waits_for_its_deletion_is_told_when_it_was_marked(changes: Any, told: Any) -> None:
    waits, lives = ({"topic": "orders", "partitions": 3, "deletion_pending": flag} for flag in (True, False))
    assert told(topics, changes("topics", (lives, waits))) == {
        ("topic-deletion-started", "orders", "false", "true", 3)
    }
    assert told(topics, changes("topics", (waits, lives))) == set()


def test_a_recreated_topic_with_more_partitions_has_had_none_added(changes: Any, told: Any) -> None:
    changed = changes("topics", (_topic("orders", OLD), _topic("orders", NEW, czxid=99, partitions=6)))
    assert told(topics, changed) == {("topic-recreated", "orders", OLD, NEW, 6)}
