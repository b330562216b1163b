"""Reads the inventory."""

import json

from jobs.sources.inventory.settings import Settings

from jobs.landing.landing import Landing
from schemas.snapshots import GapReason


def collect(settings: Settings, landing: Landing) -> None:
    """Land every broker's host; a broker whose host is not known is a gap."""
    for broker, host in json.loads(settings.file.read_text()).items():
        if host is None:
            landing.gap(
                f"/hosts/{broker}", GapReason.MISSING, f"The inventory knows no host of broker {broker}"
            )
        else:
            landing.rows("inventory", [(broker, host)])
