"""Brokers beyond `max_brokers_asked` are not asked, and nobody may think that they were."""

from pathlib import Path

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.kafka.connection.client import KafkaClient
from jobs.sources.kafka.connection.identity import Identity
from jobs.sources.kafka.connection.servers import Servers
from jobs.sources.kafka.views import land_views
from jobs.storage import open_storage
from schemas.snapshots import GapReason


def test_each_broker_that_is_not_asked_is_a_gap_of_its_own(tmp_path: Path) -> None:
    landing = Landing(open_storage(tmp_path), "kafka", Redactor(None))
    with Servers([], Identity(None, None), 1) as nobody:
        land_views(KafkaClient(nobody), landing, ["orders"], [3, 1], most=0)
    assert [(gap.scope, gap.reason) for gap in landing.gaps] == [
        ("/views/3", GapReason.NOT_COLLECTED),
        ("/views/1", GapReason.NOT_COLLECTED),
    ]
    assert "max_brokers_asked in varve.yaml is 0" in landing.gaps[0].message
    assert landing.files["broker_views"] == []
