from pathlib import Path

from jobs.sources.log_dirs.probe import probe
from jobs.sources.log_dirs.settings import Settings
from jobs.sources.probe import Probe


def test_doctor_hears_of_every_log_dir(tmp_path: Path) -> None:
    (tmp_path / "d0/orders-3").mkdir(parents=True)
    settings = Settings.model_validate([{"broker": 1, "local": [tmp_path / "d0", tmp_path / "d1"]}])
    assert probe(settings) == [
        Probe(f"log dir {tmp_path}/d0 of broker 1", True, "1 replica directories"),
        Probe(
            f"log dir {tmp_path}/d1 of broker 1",
            False,
            f"There is no log dir {tmp_path}/d1 of broker 1: check the path under log_dirs in varve.yaml, "
            "and whether the disk is mounted.",
        ),
    ]


def test_doctor_hears_of_a_checkpoint_that_is_not_whole(tmp_path: Path) -> None:
    checkpoint = tmp_path / "d0/__cluster_metadata-0/00000000000000000047-0000000001.checkpoint"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.touch()
    (found,) = probe(Settings.model_validate([{"broker": 101, "local": [tmp_path / "d0"]}]))
    assert not found.ok
    assert found.message == (
        f"1 parts of it cannot be read, among them: {checkpoint} is not trusted: "
        "there is no SnapshotFooter in its 0 bytes: it was not finished, or cut."
    )


def test_doctor_hears_of_what_cannot_be_read_in_a_log_dir(tmp_path: Path) -> None:
    (tmp_path / "d0/orders-3/partition.metadata").mkdir(parents=True)
    (line,) = probe(Settings.model_validate([{"broker": 1, "local": [tmp_path / "d0"]}]))
    assert not line.ok
    assert line.message == (
        f"1 parts of it cannot be read, among them: {tmp_path}/d0/orders-3 cannot be read (Is a directory): "
        "check the disk."
    )


def test_doctor_takes_a_mount_point_without_its_disk_for_no_log_dir(tmp_path: Path) -> None:
    (tmp_path / "d0").mkdir()
    (line,) = probe(Settings.model_validate([{"broker": 1, "local": [tmp_path / "d0"]}]))
    assert (line.ok, "mount it" in line.message) == (False, True)


def test_doctor_hears_of_every_log_dir_behind_a_command_that_fails() -> None:
    entry = {"broker": 3, "exec": ["false"], "paths": ["/d0", "/d1"]}
    lines = probe(Settings.model_validate([entry]))
    assert [(line.what, line.ok) for line in lines] == [
        ("log dir /d0 of broker 3", False),
        ("log dir /d1 of broker 3", False),
    ]
    assert lines[0].message.startswith("The command false failed (exit code 1)")
