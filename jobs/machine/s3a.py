"""What Spark needs to reach S3: Hadoop's S3A with the few modules of the AWS SDK that it uses, and a log store for Delta."""

import hashlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from jobs.errors import VarveError
from jobs.machine.jars import DELTA_VERSION, JarsMissingError, cache, delta_jars, fetch, fetch_alone
from jobs.machine.java import find_java
from jobs.settings import resolve
from jobs.storage import Bucket, Location

_HADOOP = "org.apache.hadoop:hadoop-aws:3.4.2"
_SDK = "software.amazon.awssdk:{}:2.29.52"
_SDK_MODULES = ("s3-transfer-manager", "sts")
_OURS = ("software.amazon.", "org.reactivestreams_")
"""Of what the SDK brings, what Spark has not: its netty, httpclient and slf4j are Spark's own."""

_NO_ANSWER = (
    "Unable to execute HTTP request",
    "AWSClientIOException",
    "AWSNoResponseException",
    "ConnectException",
)

_SOURCE = Path(__file__).with_name("ConditionalLogStore.scala")
_COMPILE_TIMEOUT_S = 300


def s3_jars() -> list[Path]:
    """The jars with which Spark reads and writes S3, for `spark.jars`. Raises JarsMissingError when they cannot be had."""
    sdk = [jar for jar in fetch(_SDK.format("s3")) if jar.name.startswith(_OURS)]
    more = [jar for module in _SDK_MODULES for jar in fetch_alone(_SDK.format(module))]
    hadoop = fetch_alone(_HADOOP)
    return [*hadoop, *sdk, *more, _log_store([*hadoop, *sdk])]


def s3_settings(bucket: Bucket) -> dict[str, str]:
    """The session's settings for a lake in S3; they hold no secret, because every user of the host can read them."""
    if bucket.scheme != "s3":
        raise VarveError(
            f"Spark cannot reach {bucket} yet: a lake that Varve writes lies in a folder or in S3 and what speaks it"
        )
    settings = {
        "spark.jars": ",".join(str(jar) for jar in s3_jars()),
        "spark.delta.logStore.s3.impl": "varve.ConditionalLogStore",
        "spark.hadoop.fs.s3.impl": "org.apache.hadoop.fs.s3a.S3AFileSystem",
        # The buffer on disk does not work beside the session's raw local files, and what is written is small.
        "spark.hadoop.fs.s3a.fast.upload.buffer": "bytebuffer",
        # Each file that is being written takes so much memory from its first byte on, outside the heap.
        "spark.hadoop.fs.s3a.multipart.size": "8M",
        # Nobody asks whether a folder is there: nothing but Delta's log is written where something might be, and that only if absent.
        "spark.hadoop.fs.s3a.performance.flags": "create,mkdir,delete",
        # An object that is to be there is there at once: nothing is asked twice, and a store that does not answer is said soon.
        "spark.hadoop.fs.s3a.attempts.maximum": "4",
        "spark.hadoop.fs.s3a.retry.limit": "4",
        "spark.hadoop.fs.s3a.connection.establish.timeout": "5s",
    }
    if bucket.endpoint:
        settings["spark.hadoop.fs.s3a.endpoint"] = bucket.endpoint
        settings["spark.hadoop.fs.s3a.path.style.access"] = "true"
    if bucket.endpoint or bucket.region:
        settings["spark.hadoop.fs.s3a.endpoint.region"] = bucket.region or "us-east-1"
    return settings


def give_credentials(spark: SparkSession, bucket: Bucket) -> None:
    """Tell a session's Hadoop the keys; what a JVM is started with, everybody on the host can see."""
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    if bucket.access_key and bucket.secret_key:
        hadoop.set("fs.s3a.access.key", resolve(bucket.access_key))
        hadoop.set("fs.s3a.secret.key", resolve(bucket.secret_key))
        return
    # The whole chain of the SDK: the environment, a profile, a web identity, the role of a container or an instance.
    chain = "software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider"
    hadoop.set("fs.s3a.aws.credentials.provider", chain)


@contextmanager
def explained_by_s3a(lake: Location) -> Iterator[None]:
    """Raises StoreError for what Spark says when the store of a lake does not answer it, instead of a page of Java."""
    try:
        yield
    except (Py4JError, PySparkException) as error:
        if not isinstance(lake, Bucket) or not any(each in str(error) for each in _NO_ANSWER):
            raise
        from jobs.storage.explain import NO_ANSWER, StoreError

        raise StoreError(f"{lake}: {NO_ANSWER}") from None


def _log_store(s3a: list[Path]) -> Path:
    """The jar of the log store, compiled once with the Scala compiler that PySpark brings."""
    made_from = f"{_SOURCE.read_text(encoding='utf-8')}|{DELTA_VERSION}|{pyspark.__version__}"
    jar = cache() / "log-store" / f"{hashlib.sha256(made_from.encode()).hexdigest()[:16]}.jar"
    if not jar.exists():
        jar.parent.mkdir(parents=True, exist_ok=True)
        unfinished = jar.with_suffix(f".{os.getpid()}.jar")
        _compile(unfinished, [*delta_jars(), *s3a])
        unfinished.replace(jar)
    return jar


def _compile(jar: Path, needs: list[Path]) -> None:
    of_spark = Path(pyspark.__file__).parent / "jars" / "*"
    classpath = ":".join(map(str, [of_spark, *needs]))
    command = [str(find_java()), "-cp", classpath, "scala.tools.nsc.Main", "-usejavacp"]
    done = subprocess.run(
        [*command, "-d", str(jar), str(_SOURCE)],
        capture_output=True,
        text=True,
        timeout=_COMPILE_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        raise JarsMissingError(f"{_SOURCE.name} could not be compiled:\n{done.stdout}{done.stderr}")
