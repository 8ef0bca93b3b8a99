"""Roll-up folds what scrolled, and nothing that was said twice."""

from __future__ import annotations

import pytest

from quoteview.core.captions.track import Track
from quoteview.core.ledger import EntryKind
from tests.builders import vtt
from tests.readings import bytes_of, proven


def cue(start_ms: int, end_ms: int, *lines: str) -> bytes:
    times = " --> ".join(f"00:{ms // 60000:02}:{ms // 1000 % 60:02}.{ms % 1000:03}" for ms in (start_ms, end_ms))
    return (times + "\n" + "\n".join(lines) + "\n\n").encode()


def read(*cues: bytes) -> Track:
    return proven(vtt(b"".join(cues)))


def texts(*cues: bytes) -> list[str]:
    return [cue.text for cue in read(*cues).cues]


ROLLING = (
    cue(0, 2000, "one", "two"),
    cue(2000, 4000, "two", "three"),
    cue(4000, 6000, "three", "four"),
)


def test_a_rolling_track_without_word_times_is_folded() -> None:
    found = read(*ROLLING)
    assert [cue.text for cue in found.cues] == ["one two", "three", "four"]
    assert found.is_roll_up
    assert bytes_of(found, EntryKind.REPEAT) == [b"two", b"three"]
    for start, of in found.ledger.repeats.items():
        again = b"".join(found.source.data[a:b] for a, b in of)
        assert found.source.data[start : start + len(again)] == again


def test_a_repeat_must_follow_within_50_ms() -> None:
    assert texts(ROLLING[0], cue(2050, 4000, "two", "three"), cue(4000, 6000, "three", "four")) == ["one two", "three", "four"]
    late = texts(ROLLING[0], cue(2051, 4000, "two", "three"), cue(4000, 6000, "three", "four"))
    assert late == ["one two", "two three", "four"]


def test_one_changed_letter_is_no_repeat() -> None:
    assert texts(ROLLING[0], cue(2000, 4000, "Two", "three"), cue(4000, 6000, "three", "four")) == [
        "one two",
        "Two three",
        "four",
    ]


def test_a_line_with_word_times_of_its_own_was_said_again() -> None:
    again = cue(2000, 4000, "<00:00:03.000>two", "three")
    assert texts(ROLLING[0], again, cue(4000, 6000, "three", "four"))[1] == "two three"


def test_the_only_line_of_a_cue_of_at_most_50_ms_is_a_repeat_whenever_it_comes() -> None:
    rolling = (cue(0, 2000, "one", "<00:00:01.000>two"), cue(5000, 5050, "two"), cue(5050, 7000, "two", "<00:00:06.000>three"))
    assert texts(*rolling) == ["one two", "", "three"]
    assert texts(rolling[0], cue(5000, 5051, "two"), *rolling[2:]) == ["one two", "two", "three"]


@pytest.mark.parametrize("count", [2, 3, 9])
def test_a_chant_is_not_folded(count: int) -> None:
    assert texts(*(cue(2000 * n, 2000 * n + 2000, "Again!") for n in range(count))) == ["Again!"] * count


def test_less_than_half_of_the_cues_is_no_roll_up() -> None:
    rest = [cue(6000 + 1000 * n, 7000 + 1000 * n, f"line {n}") for n in range(4)]
    assert not read(*ROLLING[:2], *rest).is_roll_up
    assert read(*ROLLING, *rest[:2]).is_roll_up


def test_a_line_of_several_runs_is_compared_as_a_whole() -> None:
    found = texts(cue(0, 2000, "one", "t<i>w</i>o"), cue(2000, 4000, "tw<b>o</b>", "three"), cue(4000, 6000, "th<c>ree", "four"))
    assert found == ["one two", "three", "four"]


def test_blank_lines_are_passed_over_and_unread_bytes_never_repeat() -> None:
    assert texts(cue(0, 2000, "one", "two", " "), cue(2000, 4000, " ", "two", "three"), ROLLING[2]) == [
        "one two",
        "three",
        "four",
    ]
    assert texts(cue(0, 2000, "one", "t<x>wo"), cue(2000, 4000, "t<x>wo", "three"), ROLLING[2]) == [
        "one two",
        "two three",
        "four",
    ]
