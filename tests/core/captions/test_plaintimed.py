"""Transcripts in plain text and Markdown: heads, names, titles, and prose that is no transcript."""

from __future__ import annotations

import pytest

from quoteview.core.captions import plaintimed
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import CaptionFormat, OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import lock
from tests.builders import track
from tests.readings import bytes_of, proven


def read(text: str) -> Track:
    found = proven(track(text.encode(), file="transcript.txt"))
    assert found.format is CaptionFormat.PLAIN_TIMED
    return found


def shown(text: str) -> list[tuple[int, int, str | None, str]]:
    return [(*cue.time, cue.speakers[0] if cue.speakers else None, cue.text) for cue in read(text).cues]


def is_recognised(text: str) -> bool:
    return plaintimed.recognises(view_of(lock(text.encode(), "a.txt")))


@pytest.mark.parametrize(
    ("first", "second", "starts"),
    [
        ("[00:01:02] ", "[00:01:10] ", (62_000, 70_000)),
        ("[1:02] ", "[1:10.5] ", (62_000, 70_500)),
        ("(1:02) ", "(1:10) ", (62_000, 70_000)),
        ("1:02 ", "1:10 ", (62_000, 70_000)),
        ("00:01:02.250 ", "00:01:10,5 ", (62_250, 70_500)),
        ("- [1:02] ", "- [1:10] ", (62_000, 70_000)),
        ("**[00:01:02]** ", "**[00:01:10]** ", (62_000, 70_000)),
        ("**1:02** ", "**1:10** ", (62_000, 70_000)),
        ("[1:02](https://youtu.be/x?t=62) ", "[1:10](https://youtu.be/x?t=70) ", (62_000, 70_000)),
        ("1:02 - ", "1:10 - ", (62_000, 70_000)),
        ("100:03\n", "100:04\n", (6_003_000, 6_004_000)),
        ("> [1:02] ", "> [1:10] ", (62_000, 70_000)),
        ("## [1:02] ", "## [1:10] ", (62_000, 70_000)),
    ],
)
def test_heads_as_they_are_written(first: str, second: str, starts: tuple[int, int]) -> None:
    assert shown(f"{first}hello there\n\n{second}well, hi\n") == [
        (starts[0], starts[1], None, "hello there"),
        (starts[1], starts[1], None, "well, hi"),
    ]


@pytest.mark.parametrize(
    ("head", "end_ms"),
    [
        ("[00:01 --> 00:03] ", 3000),
        ("[1.0 - 2.9999999999999996] ", 3000),
        ("[1.0 - 2.5]: ", 2500),
        ("00:00:01 – 00:00:03 ", 3000),
        ("[0:01 to 0:03] ", 3000),
        ("[00:00:01.000 --> 00:00:02.750]  ", 2750),
    ],
)
def test_a_head_may_say_when_it_ends(head: str, end_ms: int) -> None:
    second = head.replace("1", "4", 1)
    assert shown(f"{head}hello\n{second}bye\n")[0] == (1000, end_ms, None, "hello")


@pytest.mark.parametrize(
    "form",
    [
        "[{t}] {n}: {w}\n\n",
        "[{t}] **{n}:** {w}\n\n",
        "**[{t}] {n}:** {w}\n\n",
        "{t} {n}: {w}\n",
        "{n} ({t}): {w}\n\n",
        "{n} ({t}):\n{w}\n\n",
        "{n}: [{t}] {w}\n\n",
        "**{n}** [{t}]\n{w}\n\n",
        "**{n}:** [{t}] {w}\n\n",
        "{n}   {t}\n{w}\n\n",
        "[{t}] _{n}_: {w}\n\n",
    ],
)
def test_names_are_speakers(form: str) -> None:
    text = form.format(t="0:01", n="Dana Reyes", w="We did not.") + form.format(
        t="0:05", n="Dr. Özil-O'Neil 2", w="You did: twice."
    )
    assert shown(text) == [(1000, 5000, "Dana Reyes", "We did not."), (5000, 5000, "Dr. Özil-O'Neil 2", "You did: twice.")]


def test_a_colon_after_few_heads_is_text() -> None:
    text = "[0:01] One thing: go.\n\n[0:05] Then stop.\n\n[0:09] And wait.\n"
    assert shown(text)[0] == (1000, 5000, None, "One thing: go.")


def test_paragraphs_without_a_head_belong_to_the_cue_before() -> None:
    found = read("[0:01] Ann: one\ntwo\n\nthree\n\n[0:05] Bob: four\n")
    assert [cue.text for cue in found.cues] == ["one two three", "four"]


def test_times_written_in_another_way_are_text() -> None:
    assert [cue.text for cue in read("[0:01] one\n[0:03] two\n10:30 is late\n[0:05] three\n").cues] == [
        "one",
        "two 10:30 is late",
        "three",
    ]


def test_an_impossible_time_stays_text() -> None:
    assert [cue.text for cue in read("[0:01] one\n[1:75] two\n[0:05] three\n").cues] == ["one [1:75] two", "three"]


def test_titles_are_metadata_and_sentences_before_the_first_time_are_unread() -> None:
    found = read(
        "---\ntitle: a. b.\n---\n# Talk\nRecorded 3 May\n\nSomebody coughs.\n\n[0:01] one\n\n## Part two\n\n[0:05] two\n"
    )
    assert bytes_of(found, EntryKind.UNREAD) == [b"Somebody coughs."]
    assert b"## Part two" in bytes_of(found, EntryKind.METADATA)
    assert [cue.text for cue in found.cues] == ["one", "two"]


def test_only_the_last_end_is_missing() -> None:
    found = read("[0:01] one\n[0:05] two\n[0:03] three\n[0:07] four\n")
    assert [tuple(defect) for defect in found.order] == [(2, OrderFault.GOES_BACK), (3, OrderFault.NO_END)]


@pytest.mark.parametrize(
    "text",
    [
        "We met at 10:30 and talked.\n\nThen it was 11:15, and we left.\n",
        "10:30 was the time.\n\nNobody came.\n\nWe waited.\n\nAnd waited.\n\n11:15 came.\n",
        "[0:01] only one time\n",
        "John 3:16 says so.\n\nAlso John 3:17.\n",
        "9:5 one\n\n9:6 two\n",
        "2-1 one\n\n3-2 two\n",
        "",
    ],
)
def test_prose_is_no_transcript(text: str) -> None:
    assert not is_recognised(text)


def test_times_that_mostly_run_backwards_are_no_transcript() -> None:
    assert not is_recognised("[0:09] a\n[0:08] b\n[0:07] c\n[0:06] d\n")
    assert is_recognised("[0:06] a\n[0:08] b\n[0:07] c\n[0:09] d\n")


def test_empty_cues_alone_are_refused() -> None:
    with pytest.raises(CaptionError, match="empty"):
        read("[0:01]\n[0:02]\n[0:03]\n")


@pytest.mark.parametrize(
    "body",
    [
        "[" * 200_000,
        "a " * 100_000,
        "1:" * 100_000,
        "*" * 200_000,
        "[0:01] x\n" * 20_000,
        "\n" * 200_000,
        "A: " * 60_000,
        "0:01 " * 40_000,
    ],
    ids=lambda body: repr(body[:8]),
)
def test_enormous_and_hostile_input_is_read_in_one_pass(body: str) -> None:
    read(f"[0:01] one\n[0:02] two\n[0:03] three\n{body}\n[0:04] four\n")
