"""SAMI: paragraphs and their ends, classes, tags and references, and the near misses of each."""

from __future__ import annotations

import pytest

from quoteview.core.captions import sami
from quoteview.core.captions.scan import view_of
from quoteview.core.captions.track import OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind
from quoteview.core.locking import lock

HEAD = (
    b'<SAMI><HEAD><STYLE TYPE="text/css"><!--\n.ENCC {Name: English; lang: en-US;}\n.FRCC {Name: French; lang: fr-FR;}\n'
    b"--></STYLE></HEAD><BODY>\n"
)


def read(body: bytes, head: bytes = HEAD) -> Track:
    data = head + body
    view = view_of(lock(data, "a.smi"))
    assert sami.recognises(view)
    track = sami.read(view)
    assert sum(track.ledger.totals().values()) == len(data)
    return track


def test_a_cue_ends_at_the_next_sync_and_a_blank_one_only_ends() -> None:
    track = read(
        b"<SYNC Start=1000><P Class=ENCC>One\n<SYNC Start=2000><P Class=ENCC>&nbsp;\n"
        b"<SYNC Start=3000><P Class=ENCC>Two\n<SYNC Start=4000><P Class=ENCC>&nbsp;\n</BODY></SAMI>\n"
    )
    assert [(cue.text, cue.time) for cue in track.cues] == [("One", (1000, 2000)), ("Two", (3000, 4000))]
    assert (track.language, track.order, track.remarks) == ("en-US", (), ())
    assert track.ledger.totals()["unread"] == 0


def test_a_cue_that_nothing_follows_has_no_end() -> None:
    track = read(b"<SYNC Start=1000><P Class=ENCC>One")
    assert track.cues[0].time == (1000, 1000)
    assert [defect.fault for defect in track.order] == [OrderFault.NO_END]


@pytest.mark.parametrize(
    "sync", [b'<sync START = "1000">', b"<Sync start='1000'>", b"<SYNC Start=1000ms>", b"<SYNC x=1 Start=1000 End=9>"]
)
def test_attributes_are_read_in_any_case_and_with_any_quotes(sync: bytes) -> None:
    assert read(sync + b"<p class=encc>One<SYNC Start=2000><P>").cues[0].time == (1000, 2000)


def test_tags_are_markup_and_breaks_end_lines() -> None:
    track = read(b"<SYNC Start=1><P Class=ENCC>\n  It's <i>so</i><br/>very<BR>\n odd\n<SYNC Start=2><P>&nbsp;")
    assert track.cues[0].text == "It's so very odd"


def test_references_are_htmls_and_decoded_once() -> None:
    track = read(b"<SYNC Start=1><P Class=ENCC>&quot;Q&amp;A&quot; &eacute; &amp;lt; AT&T 2 < 3<SYNC Start=2><P>&nbsp;")
    assert track.cues[0].text == '"Q&A" é &lt; AT&T 2 < 3'


def test_of_several_classes_the_one_with_most_text_is_read_and_that_is_said() -> None:
    track = read(
        b"<SYNC Start=1000><P Class=FRCC>Un<P Class=ENCC>One<SYNC Start=2000><P Class=ENCC>Two"
        b"<SYNC Start=2500><P Class=FRCC>Deux<SYNC Start=3000><P Class=ENCC>Three<SYNC Start=4000><P Class=ENCC>&nbsp;"
    )
    assert [(cue.text, cue.time) for cue in track.cues] == [("One", (1000, 2000)), ("Two", (2000, 3000)), ("Three", (3000, 4000))]
    assert track.language == "en-US"
    assert len(track.remarks) == 1
    assert "ENCC" in track.remarks[0] and "FRCC" in track.remarks[0]


def test_of_two_classes_with_as_much_text_the_first_is_read() -> None:
    body = b"<SYNC Start=1><P Class=FRCC>Un<P Class=ENCC>One<SYNC Start=2><P Class=FRCC>&nbsp;<P Class=ENCC>&nbsp;"
    assert [cue.text for cue in read(body).cues] == ["Un"]


def test_two_paragraphs_of_one_class_in_one_sync_are_two_lines_of_a_cue() -> None:
    assert read(b"<SYNC Start=1><P Class=ENCC>One<P Class=ENCC>two<SYNC Start=2><P>&nbsp;").cues[0].text == "One two"


def test_comments_are_metadata() -> None:
    track = read(b"<SYNC Start=1><P Class=ENCC>One <!-- not said > -->two<SYNC Start=2><P>&nbsp;")
    assert track.cues[0].text == "One two"


def test_text_outside_a_sync_and_tags_never_closed_are_unread() -> None:
    track = read(b"stray<SYNC Start=1><P Class=ENCC>One <b two\nthree<SYNC Start=x><P>lost<SYNC Start=2><P>&nbsp;</SYNC>after")
    assert track.cues[0].text == "One  three"
    assert len(track.ledger.spans(EntryKind.UNREAD)) == 5


def test_a_tag_cut_off_at_the_end_is_refused() -> None:
    with pytest.raises(CaptionError, match="middle of a cue"):
        read(b"<SYNC Start=1><P Class=ENCC>One<SYNC Sta")


def test_only_blank_paragraphs_are_refused() -> None:
    with pytest.raises(CaptionError, match="no cues"):
        read(b"<SYNC Start=1><P Class=ENCC>&nbsp;<SYNC Start=2><P Class=ENCC>&nbsp;")


def test_a_head_without_its_end_tag_hides_no_cue() -> None:
    assert read(b"<BODY><SYNC Start=1><P>One<SYNC Start=2><P>&nbsp;", b"<SAMI><HEAD><TITLE>x</TITLE>").cues[0].text == "One"


@pytest.mark.parametrize("data", [b"<html><body>SAMI</body></html>", b"<SAMIX>", b"text <SAMI>"])
def test_what_has_another_root_is_not_recognised(data: bytes) -> None:
    assert not sami.recognises(view_of(lock(data, "a.smi")))


def test_many_open_angles_and_quotes_take_linear_time() -> None:
    assert read(b"<SYNC Start=1><P Class=ENCC>One" + b"<a'" * 100_000 + b"<!-- " * 100_000 + b"\n<SYNC Start=2><P>&nbsp;").cues


def test_two_paragraphs_of_a_class_under_one_sync_both_last_until_the_next() -> None:
    data = (
        b"<SAMI><BODY><SYNC Start=1000><P Class=EN>a<P Class=FR>b<P Class=EN>c<SYNC Start=2500><P Class=EN>d"
        b"<SYNC Start=4000><P Class=EN>&nbsp;</BODY></SAMI>"
    )
    found = sami.read(view_of(lock(data, "a.smi")))
    assert [(cue.text, *cue.time) for cue in found.cues] == [("a", 1000, 2500), ("c", 1000, 2500), ("d", 2500, 4000)]
