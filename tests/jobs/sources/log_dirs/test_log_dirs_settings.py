from pathlib import Path

import pytest
from pydantic import ValidationError

from jobs.sources.log_dirs.settings import Settings, SshLogDirs


def test_log_dirs_are_named_per_broker() -> None:
    settings = Settings.model_validate(
        [{"broker": 1, "local": ["/d0", "/d1"]}, {"broker": 2, "local": ["/d0"]}]
    )
    assert [(entry.broker, len(entry.paths)) for entry in settings.brokers] == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ([{"broker": 1, "local": ["d0"]}], "d0 is not absolute"),
        ([{"broker": 1, "local": ["/d0", "/d0/"]}], "/d0 of broker 1 is named twice"),
        ([{"broker": 1, "local": []}], "at least 1 item"),
        ([{"broker": 1, "local": ["/d0"], "path": "/d1"}], "not permitted"),
        (
            [{"broker": 1, "paths": ["/d0"]}],
            "says no way to its log dirs: give one of local, ssh, exec, archive",
        ),
        ([{"broker": 1, "local": ["/d0"], "ssh": "b1"}], "not permitted"),
        ([{"broker": 1, "ssh": "a@b@c", "paths": ["/d0"]}], "write user@host or user@host:port"),
        ([{"broker": 1, "ssh": "b1", "paths": ["/d0"], "key_passphrase": "secret"}], "name an environment"),
        ([{"broker": 1, "exec": [], "paths": ["/d0"]}], "at least 1 item"),
        ([{"broker": 1, "archive": "drop.tar", "paths": ["/d0"]}], "drop.tar is not absolute"),
        ([{"broker": 1, "archive": "/drop.tar"}], "Field required"),
        ([], "at least 1 item"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong(raw: object, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Settings.model_validate(raw)


def test_each_way_has_words_of_its_own() -> None:
    settings = Settings.model_validate(
        {
            "brokers": [
                {"broker": 2, "ssh": "varve@b2:2222", "paths": ["/d0"], "key": "~/.ssh/varve"},
                {"broker": 3, "exec": ["docker", "exec", "b3", "tar", "-c", "/d0"], "paths": ["/d0"]},
                {"broker": 4, "archive": "/drop/broker-4.tar.gz", "paths": ["/d0"]},
            ],
            "at_once": 2,
            "timeout_s": 5,
        }
    )
    ssh = settings.brokers[0]
    assert isinstance(ssh, SshLogDirs)
    assert ssh.address == {"user": "varve", "host": "b2", "port": "2222"}
    assert ssh.key == Path.home() / ".ssh/varve"
    assert (settings.at_once, settings.timeout_s, settings.max_bytes) == (2, 5, 1 << 30)


@pytest.mark.parametrize("address", ["varve:hunter2@b2", "varve@b2:99999", "varve@b2:0"])
def test_an_address_with_a_password_or_no_port_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate([{"broker": 2, "ssh": address, "paths": ["/d0"]}])
    (error,) = refused.value.errors()
    assert error["msg"] == (
        "Value error, write user@host or user@host:port, without a password: Varve logs in with a key"
    )
