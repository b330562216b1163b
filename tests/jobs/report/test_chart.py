"""Lines over time as inline SVG."""

from datetime import UTC, datetime, timedelta

from jobs.report.chart import Line, Mark, draw, spread

START = datetime(2026, 11, 21, tzinfo=UTC)


def line(name: str, *values: int) -> Line:
    return Line(
        name, [(START + timedelta(minutes=10 * number), value) for number, value in enumerate(values)]
    )


def test_a_picture_names_each_line_with_its_newest_value_and_its_axis_as_utc() -> None:
    svg = draw([line("offline", 0, 1), line("under-replicated", 0, 1204)])

    assert ">offline: 1<" in svg
    assert ">under-replicated: 1,204<" in svg
    assert ">UTC, 2026-11-21<" in svg


def test_a_picture_holds_no_address_no_script_and_no_reference() -> None:
    svg = draw([line("offline", 0, 1)], [Mark(START, "controller 2")])

    assert svg.startswith("<svg ")
    assert ">controller 2<" in svg
    assert not [word for word in ("http", "<script", "url(", "href", "xmlns") if word in svg]


def test_a_hostile_name_is_text_in_a_picture() -> None:
    svg = draw([line("</text><script>alert(1)</script>", 0, 1)])
    assert "<script" not in svg
    assert "&lt;script&gt;alert(1)" in svg


def test_small_counts_have_whole_numbers_on_their_axis() -> None:
    svg = draw([line("offline", 0, 0)])
    assert (svg.count(">0<"), svg.count(">1<")) == (1, 1)


def test_a_picture_of_values_far_from_zero_shows_what_moved() -> None:
    assert ">0<" not in draw([line("high watermark", 100_000, 100_400)], from_zero=False)


def test_names_that_would_lie_on_each_other_are_moved_apart() -> None:
    assert spread([5, 5, 0, 100], 10) == [10, 20, 0, 100]


def test_names_that_are_far_apart_stay_at_their_lines() -> None:
    assert spread([30, 0, 11], 10) == [30, 0, 11]
