"""The JVM's class-data archive: with it a session starts with Spark's and Delta's classes loaded and verified.

Loading them takes most of a small session's first half minute. The JVM itself checks that an archive fits its version and
its class path, and goes on without one that does not.
"""

import hashlib
from pathlib import Path

import pyspark

from jobs.machine.jars import DELTA_VERSION, cache
from jobs.machine.java import find_java


def class_data_archive() -> Path:
    """Where the archive lies for this Java, this PySpark and this Delta; `make setup` writes it."""
    made_for = "|".join((str(find_java().resolve()), pyspark.__file__, pyspark.__version__, DELTA_VERSION))
    return cache() / "class-data" / f"{hashlib.sha256(made_for.encode()).hexdigest()[:16]}.jsa"


def use_archive() -> str:
    """The JVM's options to start with the archive, none where there is none."""
    archive = class_data_archive()
    # What the JVM has to say of an archive that does not fit would go to stdout, which belongs to the command.
    return (
        f'-Xshare:auto "-XX:SharedArchiveFile={archive}" -Xlog:disable -Xlog:all=error:stderr'
        if archive.exists()
        else ""
    )


def write_archive(archive: Path) -> str:
    """The JVM's options to write the archive of all the classes that it loaded, at its end."""
    return f'"-XX:ArchiveClassesAtExit={archive}" -Xlog:disable -Xlog:all=error:stderr'
