"""Says for `varve doctor` whether there is an inventory."""

from jobs.sources.inventory.settings import Settings

from jobs.sources.probe import Probe


def probe(settings: Settings) -> list[Probe]:
    """One line."""
    is_there = settings.file.exists()
    return [Probe(f"inventory {settings.file}", is_there, "found" if is_there else "there is no such file")]
