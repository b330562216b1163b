"""Settings under which Kafka elects without asking are found on real clusters, and taken back as the runbook says."""

from jobs.lab.topics import create_topic
from tests.integration.pages.followed import Followed

CHECK = "unclean-election-possible"
SETTING = "unclean.leader.election.enable"


def test_what_allows_an_unclean_election_is_found_and_taken_back(followed: Followed) -> None:
    create_topic(followed.living, "metrics", [[1, 2]], {SETTING: "true"})
    create_topic(followed.living, "orders", [[1, 2]])
    for brokers in (["--entity-default"], ["--entity-name", "2"]):
        followed.tool(
            "kafka-configs.sh",
            "--entity-type",
            "brokers",
            *brokers,
            "--alter",
            "--add-config",
            f"{SETTING}=true",
        )
    followed.look()
    assert {subject: facts["source"] for subject, (_, facts) in followed.found(CHECK).items()} == {
        "metrics": "the topic's own config",
        "broker 1": "DYNAMIC_DEFAULT_BROKER_CONFIG",
        "broker 2": "DYNAMIC_BROKER_CONFIG",
        "broker 3": "DYNAMIC_DEFAULT_BROKER_CONFIG",
    }
    topic, broker = {"TOPIC": "metrics"}, {"NODE": "2"}
    followed.printed(CHECK, "--entity-name TOPIC --add-config", topic)
    followed.printed(CHECK, "--entity-default --add-config")
    followed.printed(CHECK, "--entity-name NODE --delete-config", broker)
    off = f"  {SETTING}=false "
    assert off in followed.printed(CHECK, "--entity-type topics --entity-name TOPIC --all", topic)
    assert off in followed.printed(CHECK, "--entity-type brokers --entity-name NODE --all", broker)
    followed.look()
    assert followed.found(CHECK) == {}
