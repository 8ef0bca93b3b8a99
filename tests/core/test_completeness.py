from __future__ import annotations

from dataclasses import replace

from quoteview.core.completeness import draft_seen, transcript_defects, transcript_seen
from quoteview.core.drafts.draft import Completeness
from quoteview.core.drafts.reading import read_draft
from tests.builders import vtt

HOUR = 3_600_000


def cue(start_s: int, end_s: int) -> bytes:
    """Return a cue of WebVTT."""

    def clock(seconds: int) -> str:
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000"

    return f"{clock(start_s)} --> {clock(end_s)}\nwords\n\n".encode()


def every_minute(end_s: int) -> bytes:
    """Return cues that last a minute each, the last one until a second."""
    return b"".join(cue(start, min(start + 60, end_s)) for start in range(0, end_s, 60))


def test_an_end_within_a_minute_of_the_recordings_is_whole_and_a_millisecond_more_is_not() -> None:
    track = vtt(cue(0, 100))
    assert transcript_defects(track, 160_000) == ()
    assert transcript_defects(track, 160_001) == ("The transcript ends at 0:01:40, the recording at 0:02:40.",)


def test_two_percent_of_a_long_recording_are_whole_and_a_little_more_are_not() -> None:
    track = vtt(every_minute(3_528))
    assert transcript_defects(track, HOUR) == ()
    assert transcript_defects(vtt(every_minute(3_527)), HOUR)


def test_without_a_known_length_only_holes_tell() -> None:
    assert transcript_defects(vtt(cue(0, 10)), None) == ()


def test_ten_minutes_without_a_word_are_no_hole_and_a_second_more_is() -> None:
    assert transcript_defects(vtt(cue(0, 10) + cue(610, 611)), None) == ()
    assert transcript_defects(vtt(cue(0, 10) + cue(611, 612)), None) == ("Nothing stands between 0:00:10 and 0:10:11.",)


def test_a_beginning_that_is_missing_is_a_hole_too() -> None:
    assert transcript_defects(vtt(cue(600, 610)), None) == ()
    assert transcript_defects(vtt(cue(601, 610)), None)


def test_a_cue_that_lasts_over_the_hole_fills_it() -> None:
    assert transcript_defects(vtt(cue(0, 1_000) + cue(5, 6) + cue(1_200, 1_300)), None) == ()


def test_cues_out_of_order_make_no_hole() -> None:
    assert transcript_defects(vtt(cue(1_100, 1_200) + cue(0, 10) + cue(550, 560)), None) == ()


def test_captions_that_run_far_beyond_the_end_are_of_another_recording() -> None:
    assert transcript_defects(vtt(cue(0, 160)), 100_000) == ()
    assert "beyond the recording's end" in transcript_defects(vtt(cue(0, 161)), 100_000)[0]


def test_an_acknowledgement_is_bound_to_the_last_200_characters_and_the_kinds_of_defects() -> None:
    draft = read_draft(("é" * 300 + " and then he").encode(), "a.md")
    cut = replace(draft, defects=(Completeness("ends in the middle", 1),))
    seen = draft_seen(cut, "drafts/a.md")
    changed_before = replace(cut, data=b"x" + cut.data)
    assert draft_seen(changed_before, "drafts/a.md") == seen
    assert draft_seen(replace(cut, data=cut.data + b"x"), "drafts/a.md") != seen
    assert draft_seen(cut, "drafts/b.md") != seen
    assert draft_seen(replace(cut, defects=(Completeness("ends in the middle", 9),)), "drafts/a.md") == seen
    assert draft_seen(replace(cut, defects=(Completeness("another", 1),)), "drafts/a.md") != seen


def test_an_acknowledgement_of_a_transcript_is_bound_to_its_bytes_and_defects() -> None:
    one, other = vtt(cue(0, 10)), vtt(cue(0, 11))
    assert transcript_seen(one, ("a",)) == transcript_seen(one, ("a",))
    assert len({transcript_seen(one, ("a",)), transcript_seen(one, ("b",)), transcript_seen(other, ("a",))}) == 3
