import pytest

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.meta_properties import MetaProperties, parse_meta_properties


def test_version_1_has_a_node_id() -> None:
    content = (
        b"#\n#Sat Nov 21 01:42:54 UTC 2026\nnode.id=1\ndirectory.id=GD1g-r6SDneyr6cfq8wnqQ\n"
        b"version=1\ncluster.id=7a4WN04ORRCS7XRw8eKNyg\n"
    )
    assert parse_meta_properties(content) == MetaProperties(
        1, "7a4WN04ORRCS7XRw8eKNyg", 1, "GD1g-r6SDneyr6cfq8wnqQ"
    )


def test_version_0_has_a_broker_id_and_ignores_a_node_id() -> None:
    assert parse_meta_properties(b"version=0\nbroker.id=1\nnode.id=7\n") == MetaProperties(0, None, 1, None)


def test_an_empty_file_is_version_0_of_nobody() -> None:
    assert parse_meta_properties(b"") == MetaProperties(0, None, None, None)


@pytest.mark.parametrize(
    ("line", "cluster_id"),
    [
        (b"cluster.id=a\\=b\\:c", "a=b:c"),
        (b"cluster.id : a\\\n   b", "ab"),
        (b"cluster.id=\\u0041\\tb", "A\tb"),
        (b"cluster.id=a\ncluster.id=b", "b"),
        (b"! note\n  cluster.id   a b", "a b"),
        (b"\\u0063luster.id=z", "z"),
        (b"cluster.id=x\\\\", "x\\"),
        (b"cluster.id=\xe9", "é"),
        (b"cluster.id=\\ud83d\\ude00", "\U0001f600"),
        (b"cluster.id=\\ud83d", "�"),
    ],
)
def test_values_are_unescaped_as_java_properties(line: bytes, cluster_id: str) -> None:
    assert parse_meta_properties(line).cluster_id == cluster_id


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"version=2", "Unknown meta.properties version number 2"),
        (b"version=x", 'version: "x" is no number of 32 bits'),
        (b"version=1\ncluster.id=c", "there is no node.id"),
        (b"version=1\nnode.id=1", "there is no cluster.id"),
        (b"cluster.id=\\u00zz", "\\u00zz is no unicode escape"),
    ],
)
def test_what_kafka_cannot_read_is_a_problem(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as raised:
        parse_meta_properties(content)
    assert str(raised.value) == problem


def test_a_directory_id_that_is_none_is_a_problem() -> None:
    with pytest.raises(ParseError, match=r"^directory\.id: "):
        parse_meta_properties(b"directory.id=zzz")
