"""Where Spark runs, as `spark` in varve.yaml says."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

LOCAL = "local[2]"

_LOCAL = re.compile(r"local(\[(\d+|\*)(,\d+)?\])?")
_CLUSTER = re.compile(r"spark://[^/]+:\d+|k8s://.+|yarn")
_SECRET = re.compile(r"(secret|password|token|(access|secret)[.-]?key)$", re.IGNORECASE)
_OURS = (
    "spark.app.name",
    "spark.databricks.delta.",
    "spark.delta.logStore.",
    "spark.master",
    "spark.sql.catalog.spark_catalog",
    "spark.sql.extensions",
    "spark.sql.parquet.outputTimestampType",
    "spark.sql.session.timeZone",
    "spark.submit.deployMode",
)
"""What a lake's rows, or its one writer, depend on."""


def _a_master(value: str) -> str:
    if not _LOCAL.fullmatch(value) and not _CLUSTER.fullmatch(value):
        raise ValueError(
            f"{value!r} is no master of Spark: name local[N], spark://host:port, yarn or k8s://https://host:port"
        )
    return value


def _written_as_text(conf: object) -> object:
    """YAML's numbers and truths as Spark writes them."""
    return {key: _text(value) for key, value in conf.items()} if isinstance(conf, dict) else conf


def _text(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


def _can_be_set(conf: dict[str, str]) -> dict[str, str]:
    for key in conf:
        if wrong := _wrong(key):
            raise PydanticCustomError("conf", "{said}", {"said": wrong, "at": (key,)})
    return conf


def _wrong(key: str) -> str:
    if not key.startswith("spark."):
        return "is no setting of Spark: they begin with spark."
    if key.startswith(_OURS):
        return "is set by Varve, whose lake depends on it: remove it"
    if _SECRET.search(key):
        return "would stand on a command line that everybody on the host can read: the lake's keys belong to `storage`"
    return ""


class SparkSettings(BaseModel):
    """The cluster that `varve process` and `varve sql --engine spark` run on, in client mode, and settings of Spark's own."""

    model_config = ConfigDict(extra="forbid")

    master: Annotated[str, AfterValidator(_a_master)] = LOCAL
    conf: Annotated[dict[str, str], BeforeValidator(_written_as_text), AfterValidator(_can_be_set)] = {}
    lake_is_mounted: bool = False
    """Every host of the cluster has the lake's folder mounted at the same path."""

    @property
    def is_local(self) -> bool:
        """Whether Spark runs in one JVM on this host."""
        return bool(_LOCAL.fullmatch(self.master))

    @property
    def reaches_folders(self) -> bool:
        """Whether what writes for Spark sees the folders of this host."""
        return self.is_local or self.lake_is_mounted
