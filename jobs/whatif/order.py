"""In which order the brokers of a cluster can be restarted, and why one cannot be now."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jobs.lake.read import LakeReader
from jobs.whatif.election import PER_BROKER, per_broker
from jobs.wording import counted
from schemas.judgement import FindingStatus


class Restart(NamedTuple):
    """A broker's place in the order; `position` is null where it is not safe to restart it, and `why_not` says why."""

    position: int | None
    broker_id: int
    rack: str | None
    is_controller: bool
    is_fenced: bool
    partitions_offline: int
    partitions_unclean: int
    partitions_under_min_isr: int
    partitions_at_min_isr: int
    leaders_moved: int
    partitions_unknown: int
    why_not: str | None


_COUNTS = ", ".join(name for name, _ in PER_BROKER)
_CONTROLLER = "(SELECT max(controller_id) FROM controllers)"
_OPEN = f"SELECT subject FROM findings WHERE status = '{FindingStatus.OPEN}' AND check_id"
_MISMATCHED = f"""
SELECT broker_id, count(DISTINCT topic) AS mismatched FROM (SELECT topic, unnest(replicas) AS broker_id FROM partitions)
WHERE topic IN ({_OPEN} = 'topic-id-mismatch') GROUP BY broker_id
"""
_BROKERS = f"""
SELECT broker_id, rack, broker_id IS NOT DISTINCT FROM {_CONTROLLER} AS is_controller,
  coalesce(fenced, false) AS is_fenced, {_COUNTS}, is_current, coalesce(mismatched, 0)
FROM brokers JOIN ({per_broker()}) USING (broker_id) LEFT JOIN ({_MISMATCHED}) USING (broker_id)
ORDER BY is_controller, rack NULLS FIRST, broker_id
"""
_LATENT = f"SELECT count(*) FROM ({_OPEN} = 'topic-id-latent')"
_REASONS = (
    ("partitions_offline", "{} would go offline"),
    ("partitions_unclean", "{} would get a leader outside the ISR and may lose records"),
    ("partitions_under_min_isr", "{} would be under min ISR"),
    ("partitions_unknown", "{} not seen, or malformed"),
)


def restart_order(reader: LakeReader) -> list[Restart]:
    """Every registered broker of one cluster: rack by rack, the controller last, then those that are not safe.

    Each place holds for the state as it is, so all replicas have to be in sync again before the next restart.
    """
    ((latent,),) = reader.query(_LATENT).rows
    brokers = [_restart(row, latent) for row in reader.query(_BROKERS).rows]
    safe = [broker for broker in brokers if broker.why_not is None]
    placed = [broker._replace(position=place) for place, broker in enumerate(safe, start=1)]
    return [*placed, *(broker for broker in brokers if broker.why_not is not None)]


def _restart(row: Sequence[Any], latent: int) -> Restart:
    *facts, is_current, mismatched = row
    broker = Restart._make((None, *facts, None))
    reasons = list(_reasons(broker))
    if broker.is_fenced:
        reasons.append("it is fenced already")
    if not is_current:
        reasons.append("the snapshot did not see whether it is there")
    if mismatched:
        reasons.append(f"it could not rejoin {counted(mismatched, 'topic')} (topic-id-mismatch)")
    if latent and broker.is_controller:
        reasons.append(
            f"it is the controller, and {counted(latent, 'topic')} would get a new id (topic-id-latent)"
        )
    return broker._replace(why_not="; ".join(reasons) or None)


def _reasons(broker: Restart) -> Iterator[str]:
    for name, what in _REASONS:
        if count := getattr(broker, name):
            yield what.format(counted(count, "partition"))
