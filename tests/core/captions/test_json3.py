"""YouTube's json3: events, breaks, word times, escapes, and both ways through the reader."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.captions import json3
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How
from quoteview.core.locking import lock
from tests.readings import bytes_of, proven

HEAD = b'{"wireMagic": "pb3", "pens": [{}], "events": ['
WINDOW = b'{"tStartMs": 0, "dDurationMs": 60000, "id": 1, "wpWinPosId": 0}, '
WORDS = (
    b'{"tStartMs": 5000, "dDurationMs": 3000, "wWinId": 1, "segs": [{"utf8": "we", "acAsrConf": 0}, '
    b'{"utf8": " bought", "tOffsetMs": 300}, {"utf8": " it", "tOffsetMs": 600}]}'
)
BREAK = b', {"tStartMs": 7000, "dDurationMs": 1000, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\\n"}]}'
COARSE = b', {"tStartMs": 12000, "dDurationMs": 2000, "segs": [{"utf8": "sold for one pound"}]}'


def read(data: bytes) -> Track:
    view = view_of(lock(data, "auto.en.json3"))
    assert json3.recognises(view)
    return proven(json3.read(view))


def event(members: bytes) -> Track:
    return read(HEAD + b"{" + members + b"}]}")


def test_windows_and_breaks_are_no_cues_and_words_have_their_times() -> None:
    track = read(HEAD + WINDOW + WORDS + BREAK + COARSE + b"]}")
    assert [(cue.text, cue.time) for cue in track.cues] == [
        ("we bought it", (5000, 8000)),
        ("sold for one pound", (12000, 14000)),
    ]
    data = track.source.data
    assert [(data[word.start : word.start + 2], word.start_ms) for word in track.cues[0].word_times] == [
        (b"we", 5000),
        (b"bo", 5300),
        (b"it", 5600),
    ]
    assert track.cues[1].word_times == ()
    assert bytes_of(track, EntryKind.TIMING) == [b"5000", b"3000", b"12000", b"2000"]
    assert bytes_of(track, EntryKind.LAYOUT) == [b"\\n"]


def test_a_break_with_a_word_in_it_is_a_cue() -> None:
    track = read(HEAD + WORDS + BREAK.replace(b"\\n", b"\\no") + b"]}")
    assert [cue.text for cue in track.cues] == ["we bought it", "o"]


def test_a_blank_event_that_is_not_appended_is_an_empty_cue() -> None:
    track = read(HEAD + WORDS + BREAK.replace(b'"aAppend": 1, ', b"") + b"]}")
    assert [cue.text for cue in track.cues] == ["we bought it", ""]


def test_an_escaped_line_end_ends_a_line_and_an_escaped_backslash_does_not() -> None:
    cue = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": "one\\ntwo \\u000d\\n a\\\\nb"}]').cues[0]
    assert cue.text == r"one two a\nb"
    assert [(run.text, run.how) for run in cue.runs] == [("one", How.LITERAL), ("two", How.LITERAL), (r"a\nb", How.ESCAPE)]


def test_escapes_decode_once_and_pairs_together() -> None:
    assert event(b'"tStartMs": 1, "segs": [{"utf8": "caf\\u00e9 \\ud83d\\ude00 \\\\u00e9 \\"x\\" &amp;"}]').cues[0].text == (
        'café 😀 \\u00e9 "x" &amp;'
    )


def test_a_lone_surrogate_is_unread_and_the_rest_is_read() -> None:
    track = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": "a\\ud83db"}]')
    assert track.cues[0].text == "a\ufffdb"
    assert bytes_of(track, EntryKind.UNREAD) == [b"\\ud83d"]


def test_a_byte_that_does_not_decode_is_unread() -> None:
    track = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": "\xc3\xa9\xc3\xa9 \xff!"}]')
    assert track.cues[0].text == "éé \ufffd!"
    assert bytes_of(track, EntryKind.UNREAD) == [b"\xff"]


def test_a_missing_duration_is_reported_and_a_missing_start_is_zero() -> None:
    track = event(b'"segs": [{"utf8": "a"}]')
    assert track.cues[0].time == (0, 0)
    assert [defect.fault for defect in track.order] == [OrderFault.NO_END]


def test_leading_space_of_a_line_is_layout_and_inner_space_is_text() -> None:
    track = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": " a"}, {"utf8": "  b "}]')
    assert track.cues[0].text == "a  b"
    assert bytes_of(track, EntryKind.LAYOUT) == [b" ", b" "]


def test_a_chant_is_not_taken_for_roll_up() -> None:
    line = b'{"tStartMs": %d, "dDurationMs": 1000, "segs": [{"utf8": "row"}, {"utf8": " on", "tOffsetMs": 9}]}'
    track = read(HEAD + b",".join(line % (n * 1000) for n in range(6)) + b"]}")
    assert [cue.text for cue in track.cues] == ["row on"] * 6


@pytest.mark.parametrize(
    "segs",
    [
        b'[{"utf8": "a", "note": "x"}]', b'[{"utf8": "a", "acAsrConf": true}]', b'[{"\\u0075tf8": "a"}]', b'[{"utf8": "a"}, {}]',
        b'[{"utf8": "a"}, {"tOffsetMs": "3"}]', b'[{"utf8": "a", "deep": {"utf8": "not this"}}]',
    ],
)  # fmt: skip
def test_anything_unusual_in_an_event_is_read_by_the_slower_parser(segs: bytes) -> None:
    track = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": ' + segs)
    assert [cue.text for cue in track.cues] == ["a"]


def test_of_a_repeated_text_the_last_counts_as_in_every_parser() -> None:
    track = event(b'"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": "a", "utf8": "b"}]')
    assert track.cues[0].text == "b"
    assert b"a" in bytes_of(track, EntryKind.METADATA)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**6),
            st.integers(0, 10**4),
            st.lists(st.tuples(st.text(max_size=7), st.none() | st.integers(0, 999)), max_size=4),
            st.booleans(),
        ),
        max_size=5,
    ),
    st.booleans(),
    st.sampled_from([None, 1]),
)
def test_both_ways_through_the_reader_agree(
    events: list[tuple[int, int, list[tuple[str, int | None]], bool]], is_ascii: bool, indent: int | None
) -> None:
    document = {
        "wireMagic": "pb3",
        "events": [
            {
                "tStartMs": start,
                "dDurationMs": duration,
                **({"aAppend": 1} if is_append else {}),
                "segs": [{"utf8": text, **({} if offset is None else {"tOffsetMs": offset})} for text, offset in segs],
            }
            for start, duration, segs, is_append in events
        ],
    }
    text = json.dumps(document, ensure_ascii=is_ascii, indent=indent)
    quick = text.encode("utf-8", "backslashreplace")
    slow = quick.replace(b'"tStartMs":', b'"x": "y", "tStartMs":')
    outcomes: list[object] = []
    for data in (quick, slow):
        try:
            outcomes.append([(c.text, c.time, [w.start_ms for w in c.word_times]) for c in read(data).cues])
        except CaptionError as error:
            outcomes.append([error.reason])
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (HEAD + b"]}", "holds no cues"),
        (HEAD + WINDOW[:-2] + b"]}", "holds no cues"),
        (HEAD + b'{"tStartMs": 1, "segs": [{"utf8": " "}]}]}', "all its cues are empty"),
        (HEAD + WORDS, "ends in the middle"),
        (HEAD + WORDS[:60], "ends in the middle"),
        (HEAD + WORDS + b"]} x", "something follows"),
        (HEAD + WORDS + b",]}", "not valid JSON"),
        (b'{"wireMagic": "pb3"}', "no list of events"),
        (b'{"wireMagic": "pb3", "events": 3}', "no list of events"),
        (HEAD + b"[" * 100_000, "nests too deeply"),
        (HEAD + WORDS.replace(b"5000", b"NaN") + b"]}", "not valid JSON"),
    ],
)
def test_what_is_no_track_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(CaptionError, match=reason):
        read(data)


def test_other_json_is_not_json3() -> None:
    assert not json3.recognises(view_of(lock(b'{"segments": [{"text": "events"}]}', "a")))
    assert not json3.recognises(view_of(lock(b'{"events": [{"name": "tea"}]}', "a")))


@pytest.mark.parametrize("words", [["a", " b", " c"], [" a", "b ", " c"], ["a", "", " c"], ["a", " ", "b"], [" "], ["a"]])
@pytest.mark.parametrize("offsets", [[None, 100, 200], [50, None, 200], [None, None, None]])
def test_a_plain_event_is_read_as_one_with_an_escape_is(words: list[str], offsets: list[int | None]) -> None:
    def cues(escape: bool) -> list[tuple[object, ...]]:
        segs = [
            {"utf8": word} if offset is None else {"utf8": word, "tOffsetMs": offset}
            for word, offset in zip(words, offsets, strict=False)
        ]
        events = [
            {"tStartMs": 1000, "dDurationMs": 500, "segs": segs},
            {"tStartMs": 2000, "dDurationMs": 500, "segs": [{"utf8": "end"}]},
        ]
        written = json.dumps({"wireMagic": "pb3", "events": events})
        if escape:
            written = written.replace('"utf8": "a', '"utf8": "\\u0061').replace('"utf8": " a', '"utf8": " \\u0061')
        found = json3.read(view_of(lock(written.encode(), "a.json3")))
        return [(cue.text, cue.time, [run.text for run in cue.runs], [w.start_ms for w in cue.word_times]) for cue in found.cues]

    assert cues(escape=False) == cues(escape=True)
