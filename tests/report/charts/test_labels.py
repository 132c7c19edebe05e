import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from simcli.report.charts.labels import Box, fitted, place_labels, spread, text_width, wrapped

NAMES = st.text(alphabet="abcWij-/ (.x", min_size=1, max_size=80)


@given(NAMES)
@settings(max_examples=50, deadline=None)
def test_wrapped_names_fit_their_column(name: str) -> None:
    lines = wrapped(name, 100.0)
    assert len(lines) <= 2
    assert all(text_width(line) <= 100.0 for line in lines)


def test_a_long_path_keeps_both_ends() -> None:
    text = fitted("classic-from-a-very-long-folder/second", 100.0)
    assert text.startswith("classic")
    assert text.endswith("second")
    assert "…" in text


def test_names_break_after_hyphens() -> None:
    assert wrapped("first-bout-no-transfer-at-all", 100.0) == ["first-bout-no-", "transfer-at-all"]


@given(st.lists(st.floats(0, 400), max_size=25))
@settings(deadline=None)
def test_spread_places_keep_apart_in_order_and_within_bounds(wanted: list[float]) -> None:
    places = spread(sorted(wanted), 13.0, 0.0, 400.0)
    assert len(places) == len(wanted)
    assert all(-1e-6 <= place <= 400 + 1e-6 for place in places)
    assert all(b - a >= 13.0 - 1e-6 for a, b in itertools.pairwise(places))


def test_places_that_are_apart_stay_where_they_are() -> None:
    assert spread([10.0, 50.0, 90.0], 13.0, 0.0, 100.0) == [10.0, 50.0, 90.0]


def test_labels_of_a_crowd_cover_neither_each_other_nor_a_mark() -> None:
    points = [(150 + 7 * (k % 5), 100 + 9 * (k // 5)) for k in range(23)]
    marks = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    frame = Box(0, 0, 400, 300)
    placed = place_labels(points, [70.0] * 23, marks, frame)
    boxes = [label.box for label in placed]
    assert all(a.overlap(b) == 0 for a, b in itertools.combinations(boxes, 2))
    assert all(box.overlap(mark) == 0 for box in boxes for mark in marks)
    assert all(box.outside(frame) < 1e-6 for box in boxes)
