"""How a cluster is asked that wants TLS and a login."""

from typing import Any

from kafka.admin import KafkaAdminClient, UserScramCredentialUpsertion

from jobs.lab.secured_mode import SecuredKRaftCluster
from jobs.sources.kafka.settings import Settings

SCRAM_USER = "reader=1,2"


def let_scram_in(cluster: SecuredKRaftCluster) -> None:
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    admin.alter_user_scram_credentials([UserScramCredentialUpsertion(SCRAM_USER, "SCRAM-SHA-512", "right")])
    admin.close()


def settings_of(
    cluster: SecuredKRaftCluster, user: str = "varve", mechanism: str = "PLAIN", **changed: Any
) -> Settings:
    """As `user` with the right password, over TLS, to the secured listener of the broker."""
    usual = {
        "bootstrap_servers": cluster.secured_servers,
        "timeout_s": 5,
        "auth": {"mechanism": mechanism, "user": user, "password": "${RIGHT}"},
        "tls": {"ca": cluster.keys.ca},
    }
    return Settings.model_validate({name: value for name, value in (usual | changed).items() if value})
