"""Heights of many rows: places and rows agree with a plain sum, whatever was measured."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.ui.row_heights import RowHeights


@given(
    st.integers(0, 900),
    st.integers(1, 60),
    st.lists(st.tuples(st.integers(0, 899), st.integers(0, 200)), max_size=40),
)
@settings(max_examples=60, deadline=None)
def test_places_and_rows_agree_with_a_plain_sum(count: int, usual: int, measured: list[tuple[int, int]]) -> None:
    heights, plain = RowHeights(count, usual), [usual] * count
    for row, height in measured:
        if row < count:
            heights.measure(row, height)
            plain[row] = max(1, height)
            assert heights.is_measured(row)
    assert heights.total == sum(plain)
    for row in {0, 1, 255, 256, 257, 511, 512, count // 2, max(0, count - 1), count}:
        if row <= count:
            assert heights.top(row) == sum(plain[:row])
        if row < count:
            assert heights.height(row) == plain[row]
            assert heights.row_at(sum(plain[:row])) == row  # its first pixel
            assert heights.row_at(sum(plain[: row + 1]) - 1) == row  # its last one


def test_places_outside_are_the_first_and_the_last_row() -> None:
    heights = RowHeights(3, 10)
    assert (heights.row_at(-1), heights.row_at(30), heights.row_at(10_000)) == (0, 2, 2)
    assert RowHeights().row_at(5) == 0
