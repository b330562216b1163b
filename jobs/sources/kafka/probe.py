"""Says for `varve doctor` what can be asked of a cluster."""

from kafka.errors import KafkaError, UnsupportedVersionError

from jobs.errors import SourceUnavailableError
from jobs.sources.kafka.client import KafkaClient, connected
from jobs.sources.kafka.gaps import explain, raise_for
from jobs.sources.kafka.settings import Settings
from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """Whether brokers answer, and whether the metadata quorum does."""
    what = f"Kafka at {settings.bootstrap_servers}"
    try:
        with connected(settings) as client:
            brokers = client.cluster()["brokers"]
            return [Probe(what, True, f"{len(brokers)} brokers"), _quorum(client)]
    except SourceUnavailableError as error:
        return [Probe(what, False, str(error))]
    except KafkaError as error:
        return [Probe(what, False, explain(error, "what the cluster is", "check the brokers")[1])]


def _quorum(client: KafkaClient) -> Probe:
    what = "metadata quorum"
    try:
        reply = client.quorum()
        raise_for(reply)
        quorum = reply["topics"][0]["partitions"][0]
        raise_for(quorum)
    except UnsupportedVersionError:
        return Probe(what, True, "none: this cluster lives on ZooKeeper")
    except KafkaError as error:
        return Probe(what, False, explain(error, "its metadata quorum", "look at the controllers")[1])
    return Probe(what, True, f"led by node {quorum['leader_id']}, epoch {quorum['leader_epoch']}")
