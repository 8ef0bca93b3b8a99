from __future__ import annotations

from quoteview.app.times import clock, duration


def test_a_moment_is_written_as_people_write_it() -> None:
    assert [clock(ms) for ms in (0, 392_000, 754_999, 3_723_000)] == ["0:00", "6:32", "12:34", "1:02:03"]


def test_fractions_are_cut_not_rounded() -> None:
    assert clock(754_999, tenths=True) == "12:34.9"
    assert clock(754_009, thousandths=True) == "12:34.009"


def test_a_moment_before_the_start_has_a_minus_sign() -> None:
    assert clock(-1_500, tenths=True) == "−0:01.5"


def test_a_length_grows_its_unit() -> None:
    assert [duration(ms) for ms in (300, 48_000, 725_000)] == ["0.3 s", "48 s", "12 min 5 s"]
