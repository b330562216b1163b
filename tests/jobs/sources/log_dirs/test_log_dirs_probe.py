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
