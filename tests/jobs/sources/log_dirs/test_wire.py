import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.wire import Reader


@pytest.mark.parametrize(
    ("content", "number"),
    [(b"\x00", 0), (b"\x7f", 127), (b"\xac\x02", 300), (b"\xff\xff\xff\xff\x0f", 2**32 - 1)],
)
def test_an_unsigned_varint_has_seven_bits_a_byte_the_lowest_first(content: bytes, number: int) -> None:
    assert Reader(content).unsigned_varint() == number


@pytest.mark.parametrize(
    ("content", "number"), [(b"\x00", 0), (b"\x01", -1), (b"\x02", 1), (b"\xff\xff\xff\xff\x0f", -(2**31))]
)
def test_a_signed_varint_is_zigzag_encoded(content: bytes, number: int) -> None:
    assert Reader(content).varint() == number
    assert Reader(content).varlong() == number


def test_a_varint_of_more_than_32_bits_is_refused_and_a_varlong_may_have_64() -> None:
    assert Reader(b"\xff" * 9 + b"\x01").varlong() == -(2**63)
    with pytest.raises(ParseError, match=r"^Varint is too long, byte 5 of it says that there are more$"):
        Reader(b"\xff" * 9 + b"\x01").varint()
    with pytest.raises(ParseError, match=r"^Varint is too long, byte 10 of it says that there are more$"):
        Reader(b"\xff" * 20).varlong()


def test_a_varint_that_is_cut_is_refused() -> None:
    with pytest.raises(ParseError, match=r"^Varint ends after the last byte available$"):
        Reader(b"\x80\x80").unsigned_varint()


def test_numbers_are_big_endian() -> None:
    reader = Reader(b"\x23\x84\xff\xff\xff\xfe\x01\x00")
    assert (reader.number("H"), reader.number("i"), reader.boolean(), reader.boolean()) == (
        9092,
        -2,
        True,
        False,
    )


def test_an_id_is_in_kafkas_22_characters() -> None:
    assert Reader(bytes(15) + b"\x01").uuid() == "AAAAAAAAAAAAAAAAAAAAAQ"


def test_a_string_is_preceded_by_its_length_plus_one_and_0_is_null() -> None:
    reader = Reader(b"\x03r1\x01\x00")
    assert (reader.nullable_string(), reader.string(), reader.nullable_string()) == ("r1", "", None)
    with pytest.raises(ParseError, match=r"^non-nullable string was serialized as null$"):
        Reader(b"\x00").string()


def test_a_string_that_is_no_utf_8_is_refused_without_being_shown() -> None:
    with pytest.raises(ParseError, match=r"^a string of 2 byte\(s\) is not UTF-8$"):
        Reader(b"\x03\xff\xfe").string()


def test_what_is_longer_than_the_bytes_left_is_refused_before_anything_is_allocated() -> None:
    with pytest.raises(
        ParseError, match=r"^Error reading byte array of 4294967294 byte\(s\): only 1 byte\(s\) available$"
    ):
        Reader(b"\xff\xff\xff\xff\x0fx").string()
    with pytest.raises(
        ParseError, match=r"^Tried to allocate a collection of size 4294967294, but there are only 1 bytes"
    ):
        Reader(b"\xff\xff\xff\xff\x0fx").array(Reader.boolean)
    with pytest.raises(ParseError, match=r"^non-nullable array was serialized as null$"):
        Reader(b"\x00").array(Reader.boolean)


def test_tagged_fields_are_found_by_their_tag_and_end_where_they_say() -> None:
    fields = Reader(b"\x02\x00\x01\x07\x05\x02\x08\x09").tagged_fields()
    assert {tag: field.take(field.remaining) for tag, field in fields.items()} == {0: b"\x07", 5: b"\x08\x09"}
    with pytest.raises(ParseError, match=r"^Error reading byte array of 9 byte\(s\)"):
        Reader(b"\x01\x00\x09\x07").tagged_fields()


def test_a_reader_of_a_part_does_not_read_behind_it() -> None:
    part = Reader(b"abcdef", 1, 3)
    assert part.take(2) == b"bc"
    with pytest.raises(ParseError, match=r"only 0 byte\(s\) available$"):
        part.take(1)


@settings(deadline=None)
@given(
    st.binary(max_size=40),
    st.lists(
        st.sampled_from(
            ["varint", "varlong", "uuid", "string", "nullable_string", "tagged_fields", "boolean"]
        )
    ),
)
def test_no_bytes_make_it_fail_in_another_way_or_read_too_far(content: bytes, reads: list[str]) -> None:
    reader = Reader(content)
    for read in reads:
        try:
            getattr(reader, read)()
        except ParseError:
            break
    assert 0 <= reader.position <= len(content)
