"""The settings in `varve.yaml`, validated when they are loaded, and the secrets that they name."""

import os
import re
from pathlib import Path
from typing import Annotated, Any

import yaml
from croniter import croniter
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)

from jobs.discovery import source_names, source_settings
from jobs.errors import SettingsError
from jobs.rules import IgnoreRule, Rules, Thresholds, check_thresholds
from jobs.spark_settings import SparkSettings
from jobs.storage.location import Bucket, Location
from schemas.judgement import Severity

_BUCKET = re.compile(r"(?P<scheme>s3|gs|abfss)://[A-Za-z0-9._@-]+(/[A-Za-z0-9._-]+)*")
_OF_S3 = {"endpoint", "region", "access_key", "secret_key"}
_SECRET = re.compile(r"^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$")


def _only_environment(value: str) -> str:
    if not _SECRET.match(value):
        raise ValueError("a secret is never written here: name an environment variable as ${NAME}")
    return value


Secret = Annotated[str, AfterValidator(_only_environment)]
"""The name of a secret, `${NAME}`; `resolve` gives its value."""


def _a_cron_expression(value: str) -> str:
    if not croniter.is_valid(value):
        raise ValueError(f"{value!r} is no cron expression: five fields such as */10 * * * *")
    return value


Schedule = Annotated[str, AfterValidator(_a_cron_expression)]
"""When snapshots are taken: a cron expression in UTC."""


def resolve(secret: str) -> str:
    """The value of a `Secret`. Raises SettingsError when its environment variable is not set."""
    name = secret[2:-1]
    if name not in os.environ:
        raise SettingsError(
            f"The environment variable {name} is not set, and varve.yaml asks for it: export {name}=…"
        )
    return os.environ[name]


class ClusterSettings(BaseModel):
    """One cluster to watch. Each source adds an optional field with its own name; see `source_settings`."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    schedule: Schedule = "*/10 * * * *"
    alarm: Severity | None = Severity.CRITICAL
    """A finding at least this severe that is new, worse or back makes a task of the DAG red; null for none."""
    ignore: list[IgnoreRule] = []
    checks: Annotated[Thresholds, AfterValidator(check_thresholds)] = {}

    @model_validator(mode="after")
    def _has_a_source(self) -> "ClusterSettings":
        if not self.sources:
            raise ValueError(f"has no source: give at least one of {', '.join(source_names())}")
        return self

    @property
    def rules(self) -> Rules:
        """How its findings are judged."""
        return Rules(tuple(self.ignore), self.checks)

    @property
    def sources(self) -> dict[str, BaseModel]:
        """The settings of each configured source, by the source's name."""
        configured = {name: getattr(self, name, None) for name in source_names()}
        return {name: settings for name, settings in configured.items() if settings is not None}


class History(BaseModel):
    """How long the past is kept, and when a state table opens a new era."""

    model_config = ConfigDict(extra="forbid")

    keep_days: int | None = Field(default=None, ge=1)
    """States, events and findings of so many days stay answerable; for ever where it is not named."""
    series_days: int = Field(default=14, ge=1)
    """What moves at every look, such as offsets, stays for so many days."""
    era_days: float = Field(default=30, gt=0)
    era_rows: int = Field(default=50_000, ge=1)
    era_files: int = Field(default=500, ge=1)
    """A new era opens when one of these is reached: its age, the changes in it (and half a keyframe), its files."""


class StorageSettings(BaseModel):
    """How an object store is reached, where the environment (`AWS_*`, an instance's role) does not say it; its local copies."""

    model_config = ConfigDict(extra="forbid")

    endpoint: str | None = Field(default=None, pattern=r"^https?://")
    region: str | None = None
    access_key: Secret | None = None
    secret_key: Secret | None = None
    cache_gb: float = Field(default=10, ge=0)
    """Copies on this machine of the files that were read take so much room."""
    cache_days: float = Field(default=30, ge=0)
    """A copy goes when nobody read it for so many days."""

    @model_validator(mode="after")
    def _has_both_keys(self) -> "StorageSettings":
        if bool(self.access_key) != bool(self.secret_key):
            raise ValueError("has one key of two: give access_key and secret_key, or neither")
        return self


class Settings(BaseModel):
    """The whole of `varve.yaml`."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    storage: StorageSettings = StorageSettings()
    spark: SparkSettings = SparkSettings()
    lake: Location
    fingerprint_key: Secret | None = None
    history: History = History()
    clusters: list[ClusterSettings] = Field(min_length=1)

    @field_validator("lake", mode="plain")
    @classmethod
    def _is_a_location(cls, lake: object, info: ValidationInfo) -> Location:
        """Where the lake is; a relative folder is relative to the folder of the settings file."""
        if not isinstance(lake, str) or not lake:
            raise ValueError(f"{lake!r} is no place for a lake: name a folder, or s3://bucket/prefix")
        storage = info.data.get("storage") or StorageSettings()
        if "://" in lake:
            return _bucket(lake, storage)
        if ":/" in lake:
            raise ValueError(f"{lake!r} is no folder, and an object store is named as s3://bucket/prefix")
        if storage.model_fields_set:
            raise ValueError(
                "is a folder, and `storage` says how to reach an object store: remove one of them"
            )
        if (spark := info.data.get("spark")) and not spark.reaches_folders:
            raise ValueError(
                f"is a folder, and the workers of {spark.master} would write to disks of their own: name an object store, "
                "or set spark.lake_is_mounted to true where every host of that cluster has this folder mounted"
            )
        return _folder((info.context or {})["folder"], lake)

    @field_validator("clusters")
    @classmethod
    def _names_are_unique(cls, clusters: list[ClusterSettings]) -> list[ClusterSettings]:
        names = [cluster.name for cluster in clusters]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"each needs a name of its own, used twice: {', '.join(repeated)}")
        return clusters

    def cluster(self, name: str) -> ClusterSettings:
        """The cluster of that name. Raises SettingsError when there is none."""
        for cluster in self.clusters:
            if cluster.name == name:
                return cluster
        known = ", ".join(cluster.name for cluster in self.clusters)
        raise SettingsError(f"There is no cluster {name!r} in varve.yaml; it has: {known}")


def _folder(base: Path, lake: str) -> Path:
    folder = (base / Path(lake).expanduser()).resolve()
    if unreadable := sorted(set("[]%^|\\`") & set(str(folder))):
        raise ValueError(
            f"deltalake cannot open {folder}, because {' and '.join(unreadable)} in a path mean something else to it: "
            "name another folder"
        )
    return folder


def _bucket(lake: str, storage: StorageSettings) -> Bucket:
    found = _BUCKET.fullmatch(lake.rstrip("/"))
    if not found:
        raise ValueError(
            f"{lake!r} is no object store that Varve knows: name it as s3://bucket/prefix, gs://bucket/prefix or "
            "abfss://container@account.dfs.core.windows.net/prefix, of letters, digits and . _ - only"
        )
    if found["scheme"] != "s3" and storage.model_fields_set & _OF_S3:
        raise ValueError(
            f"of {found['scheme']}:// the environment says all: remove {', '.join(sorted(_OF_S3))}"
        )
    return Bucket(lake.rstrip("/"), **storage.model_dump())


def _settings_model() -> type[Settings]:
    fields: dict[str, Any] = {name: (source_settings(name) | None, None) for name in source_names()}
    cluster = create_model("Cluster", __base__=ClusterSettings, **fields)
    return create_model("VarveYaml", __base__=Settings, clusters=(list[cluster], Field(min_length=1)))  # type: ignore[valid-type]


def settings_path(given: Path | None = None) -> Path:
    """The settings file: the given one, else that of `$VARVE_CONFIG`, else `varve.yaml` in this folder."""
    return given or Path(os.environ.get("VARVE_CONFIG", "varve.yaml"))


def load_settings(path: Path) -> Settings:
    """The validated settings. A relative `lake` is relative to the folder of the file.

    Raises SettingsError, which names the file, the line and the remedy.
    """
    try:
        text = path.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        raw = yaml.safe_load(text)
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read ({error.strerror}): write one, or name it with --config or $VARVE_CONFIG"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}" if mark else str(path)
        raise SettingsError(f"{where}: this is not YAML: {getattr(error, 'problem', error)}") from error
    try:
        settings = _settings_model().model_validate(raw, context={"folder": path.parent})
    except ValidationError as error:
        raise SettingsError("\n".join(_complaint(path, root, item) for item in error.errors())) from error
    return settings


def _complaint(path: Path, root: yaml.Node | None, error: Any) -> str:
    place = (*error["loc"], *error.get("ctx", {}).get("at", ()))
    location = ".".join(str(part) for part in place) or "the file"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        message = "there is no such setting"
    if error["type"] == "string_pattern_mismatch":
        message = _mismatch(error)
    if error["type"] == "missing":
        message = "is missing: add it here"
    return f"{path}, line {_line(root, place)}: {location}: {message}"


def _mismatch(error: Any) -> str:
    if error["loc"][-1] == "endpoint":
        return "is no address: name it with http:// or https://"
    return f"{error['input']!r} is no name: use a-z, 0-9, - and _, and begin with a letter or a digit"


def _line(node: yaml.Node | None, location: tuple[str | int, ...]) -> int:
    """The line of the setting at `location`, or of the nearest one around it that is in the file."""
    line = node.start_mark.line + 1 if node else 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            found = next((pair for pair in node.value if pair[0].value == part), None)
            if found is None:
                return line
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line
