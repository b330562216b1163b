"""A support bundle is read where it is, and only its plain files."""

import io
import os
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from jobs.bundles.bundle import open_bundle
from jobs.errors import NotReadError, UsageError
from jobs.sources.log_dirs.files import Budget

MODES = {"plain": "w", "gzip": "w:gz", "bzip2": "w:bz2", "xz": "w:xz"}


def everything(_path: str, head: bytes) -> list[str]:
    return [head.decode()]


def tar_of(path: Path, members: Iterable[tuple[str, bytes]], mode: str = "w", **kinds: bytes) -> Path:
    with tarfile.open(path, mode) as tar:  # type: ignore[call-overload]
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.type = kinds.get(name, tarfile.REGTYPE)
            info.linkname = "/etc/passwd" if name in kinds else ""
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_a_tar_is_read_compressed_or_not(tmp_path: Path, mode: str) -> None:
    path = tar_of(tmp_path / "bundle", [("./a/b", b"one"), ("/var/c", b"two")], mode)
    with open_bundle(path) as bundle:
        assert bundle.find(everything) == {"one": ["a/b"], "two": ["var/c"]}
        assert bundle.read("var/c") == b"two"
        assert bundle.read("a/b") == b"one"
    assert [each.name for each in tmp_path.iterdir()] == ["bundle"]


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "x/y").mkdir(parents=True)
    (tmp_path / "x/y/2").write_text("same")
    (tmp_path / "x/1").write_text("same")
    with open_bundle(tmp_path) as bundle:
        assert bundle.find(everything) == {"same": ["x/1", "x/y/2"]}
        assert bundle.read("x/y/2") == b"same"


def test_what_leads_out_of_a_tar_or_is_no_file_is_refused(tmp_path: Path) -> None:
    members = [
        ("../out", b"x"),
        ("a/../../out", b"x"),
        *((name, b"") for name in ("soft", "hard", "device", "pipe")),
        ("fine", b"fine"),
    ]
    kinds = {
        "soft": tarfile.SYMTYPE,
        "hard": tarfile.LNKTYPE,
        "device": tarfile.CHRTYPE,
        "pipe": tarfile.FIFOTYPE,
    }
    with open_bundle(tar_of(tmp_path / "b.tar", members, "w", **kinds)) as bundle:
        assert bundle.find(everything) == {"fine": ["fine"]}
        assert [each.split(" ", 1) for each in bundle.refused] == [
            ["../out", "(leads out of it)"],
            ["a/../../out", "(leads out of it)"],
            ["soft", "(no regular file)"],
            ["hard", "(no regular file)"],
            ["device", "(no regular file)"],
            ["pipe", "(no regular file)"],
        ]


def test_links_and_pipes_in_a_folder_are_refused(tmp_path: Path) -> None:
    inside = tmp_path / "bundle"
    inside.mkdir()
    (tmp_path / "secret").write_text("secret")
    (inside / "link").symlink_to(tmp_path / "secret")
    (inside / "folder").symlink_to(tmp_path)
    os.mkfifo(inside / "pipe")
    with open_bundle(inside) as bundle:
        assert bundle.find(everything) == {}
        assert sorted(bundle.refused) == [f"{name} (no regular file)" for name in ("folder", "link", "pipe")]
        with pytest.raises(OSError, match="symbolic link"):
            bundle.open("link")


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "bundle"
    inside.mkdir()
    (inside / "caf\udce9").write_text("x")
    for path in (inside, tar_of(tmp_path / "b.tar", [("caf\udce9", b"x")])):
        with open_bundle(path) as bundle:
            assert bundle.find(everything) == {}
            assert bundle.refused == ["caf\udce9 (its name is no UTF-8)"]


def test_of_two_members_of_one_name_the_later_one_counts(tmp_path: Path) -> None:
    with open_bundle(tar_of(tmp_path / "b.tar", [("a", b"old"), ("a", b"new")])) as bundle:
        bundle.find(lambda *_: ["its"])
        assert bundle.read("a") == b"new"


def test_a_file_longer_than_expected_is_not_read(tmp_path: Path) -> None:
    with open_bundle(tar_of(tmp_path / "b.tar", [("a", b"12345")])) as bundle:
        bundle.find(lambda *_: ["its"])
        assert bundle.read("a", limit=5) == b"12345"
        with pytest.raises(NotReadError, match=r"a in .* is longer than 4 bytes"):
            bundle.read("a", limit=4)


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
def test_a_tar_cut_anywhere_is_said_to_be(tmp_path: Path, mode: str) -> None:
    whole = tar_of(tmp_path / "whole", [("a", os.urandom(700)), ("b", os.urandom(700))], mode).read_bytes()
    cut = tmp_path / "cut"
    ends = range(0, 3 * 1024, 100) if mode == "w" else range(0, len(whole) - 200, 50)
    for end in ends:
        cut.write_bytes(whole[:end])
        with pytest.raises(UsageError, match="cut off"), open_bundle(cut) as bundle:
            bundle.find(everything_named)


def everything_named(path: str, _head: bytes) -> list[str]:
    return [path]


@pytest.mark.parametrize(
    "content", [b"", b"a text\n" * 200, b"\x1f\x8b\x08 not gzip", b"PK\x03\x04" + b"\0" * 600]
)
def test_a_file_that_is_no_tar_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(UsageError, match="neither a folder nor a tar"), open_bundle(tmp_path / "file"):
        pass


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no .*/nowhere"), open_bundle(tmp_path / "nowhere"):
        pass


def test_a_header_that_is_no_header_is_said(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("fine"))
        broken = tarfile.TarInfo("a")
        broken.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": "many"}
        tar.addfile(broken)
    with open_bundle(tmp_path / "b.tar") as bundle, pytest.raises(UsageError, match="damaged or cut off"):
        bundle.find(everything_named)


def test_a_second_tar_behind_the_first_is_not_taken_for_nothing(tmp_path: Path) -> None:
    first, second = (tar_of(tmp_path / name, [(name, b"x")]) for name in "ab")
    (tmp_path / "both").write_bytes(first.read_bytes() + second.read_bytes())
    with (
        open_bundle(tmp_path / "both") as bundle,
        pytest.raises(UsageError, match="it goes on after its end: send one tar, not several"),
    ):
        bundle.find(everything_named)


def test_a_tar_of_more_small_files_than_are_kept_costs_the_log_dirs_alone(tmp_path: Path) -> None:
    deep = "/".join(["a"] * 101)
    members = [(f"{deep}/meta.properties", b""), ("notes", b"fine")]
    with open_bundle(tar_of(tmp_path / "b.tar", members), Budget(1 << 30, 1 << 28)) as bundle:
        assert "fine" in bundle.find(everything)
        with pytest.raises(NotReadError, match="holds more of log dirs than is kept in memory"):
            bundle.disk()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything: run the tests as another user")
def test_a_tar_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    tar_of(tmp_path / "b.tar", []).chmod(0)
    with pytest.raises(UsageError, match="may not be read"), open_bundle(tmp_path / "b.tar"):
        pass
