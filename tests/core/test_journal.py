from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.acts import (
    Acknowledge,
    Act,
    ChooseEncoding,
    ChooseReference,
    ClaimBasis,
    ExceptionClass,
    IssueLabel,
    ResolutionKind,
    Resolve,
    Waive,
    Withdraw,
)
from quoteview.core.journal import BEGINNING, Journal, JournalRecord, digest_of, split_lines

BASIS = ClaimBasis("the harbour", 754_000, None, "she said ", " (12:34)")
ACTS: tuple[Act, ...] = (
    Resolve(ResolutionKind.ACCEPT, (BASIS,), ExceptionClass.CUT, "both parts “exact”\u2028", "note", "passage"),
    Resolve(ResolutionKind.NOT_A_QUOTATION, (BASIS, ClaimBasis("AI", None, None, "", "", 1))),
    Withdraw("a" * 64, ("b" * 64,)),
    Acknowledge("order", ("c" * 64,), "live captions"),
    Waive("en.automatic", "throttled for a week"),
    ChooseReference("en.automatic", "the human one is a summary"),
    ChooseEncoding("en.human", "cp1252", "seen"),
    IssueLabel("verified", "d" * 64, "e" * 64, "bundles/one"),
)


def journal(count: int = 4) -> Journal:
    """Return a journal of acknowledgements that differ in their reasons."""
    made = Journal()
    for number in range(count):
        made = made.appended(Acknowledge("order", ("c" * 64,), f"reason {number}"), by="Ada", at="2027-03-03T10:00:00Z")
    return made


def test_every_act_comes_back_as_it_was_recorded() -> None:
    made = Journal()
    for act in ACTS:
        made = made.appended(act, by="Ada", at="2027-03-03T10:00:00Z", track="f" * 64, draft="drafts/a.md")
    assert tuple(entry.act for entry in made.entries) == ACTS
    assert {(entry.by, entry.track, entry.draft) for entry in made.entries} == {("Ada", "f" * 64, "drafts/a.md")}
    assert made.verify(made.record) == ()


def test_a_line_is_one_line_whatever_was_typed() -> None:
    typed = "first\nsecond\r\u2028\x00 “é” \ud83d"
    made = Journal().appended(Waive("en.human", typed), by="A\nB", at="2027-03-03T10:00:00Z")
    assert b"\n" not in made.lines[0]
    (entry,) = split_lines(made.data)[0].entries
    assert isinstance(entry.act, Waive)
    assert (entry.act.reason, entry.by) == (typed, "A\nB")


def test_each_line_holds_the_digest_of_the_one_before_without_its_line_end() -> None:
    made = journal(2)
    assert json.loads(made.lines[0])["previous"] == BEGINNING
    assert json.loads(made.lines[1])["previous"] == digest_of(made.lines[0])


def test_a_whole_journal_has_no_defect_and_an_empty_one_neither() -> None:
    assert journal().verify(journal().record) == ()
    assert Journal().verify(JournalRecord()) == ()


def test_a_line_that_was_changed_is_named() -> None:
    made = journal()
    lines = list(made.lines)
    lines[1] = lines[1].replace(b"reason 1", b"reason X")
    (defect,) = Journal(tuple(lines)).verify(made.record)
    assert "line 3" in defect


def test_the_last_line_changed_is_seen_though_none_follows_it() -> None:
    made = journal()
    changed = Journal((*made.lines[:-1], made.lines[-1].replace(b"reason 3", b"reason X")))
    assert "last line recorded" in changed.verify(made.record)[0]


def test_a_line_dropped_swapped_or_cut_off_is_seen() -> None:
    made = journal()
    a, b, c, d = made.lines
    for lines in ((a, b, d), (a, c, b, d), (a, b, c), (b, c, d), ()):
        assert Journal(lines).verify(made.record)


def test_the_tail_cut_is_seen_by_the_recorded_length_alone() -> None:
    made = journal()
    shorter = Journal(made.lines[:3])
    assert shorter.verify(shorter.record) == ()
    assert "cut off" in shorter.verify(made.record)[0]


def test_a_chain_made_anew_after_a_change_does_not_end_in_the_recorded_digest() -> None:
    made = journal()
    forged = Journal().appended(Acknowledge("order", (), "forged"), by="Eve", at="2027-03-03T10:00:00Z")
    for _ in range(3):
        forged = forged.appended(Acknowledge("order", (), "x"), by="Eve", at="2027-03-03T10:00:00Z")
    assert forged.verify(forged.record) == ()
    assert forged.verify(made.record)


def test_lines_that_were_announced_may_be_there_or_not_after_a_crash() -> None:
    whole = journal(4)
    announced = JournalRecord(2, digest_of(whole.lines[1]), (digest_of(whole.lines[2]), digest_of(whole.lines[3])))
    for count in (2, 3, 4):
        assert Journal(whole.lines[:count]).verify(announced) == ()
    assert Journal(whole.lines[:1]).verify(announced)


def test_a_line_that_nobody_announced_is_never_taken_up() -> None:
    whole = journal(3)
    assert "added outside" in whole.verify(journal(2).record)[0]
    other = journal(2).appended(Waive("en.human", "x"), by="Eve", at="2027-03-03T10:00:00Z")
    announced = JournalRecord(2, journal(2).head, (digest_of(whole.lines[2]),))
    assert whole.verify(announced) == ()
    assert other.verify(announced)


def test_a_line_that_is_no_entry_is_named_with_its_place() -> None:
    for line in (b"", b"{", b"[]", b'{"previous":1}', b'{"a":1,"a":2}', b"\xff", b'{"previous":NaN}', b"[" * 100_000):
        made = Journal((line,))
        assert any("line 1" in defect for defect in made.verify(made.record)), line


def test_a_claim_whose_digest_is_not_its_own_is_no_entry() -> None:
    made = Journal().appended(Resolve(ResolutionKind.NOT_A_QUOTATION, (BASIS,)), by="Ada", at="2027-03-03T10:00:00Z")
    forged = Journal((made.lines[0].replace(b"the harbour", b"the sea"),))
    assert forged.entries == ()
    assert forged.verify(forged.record)


def test_bytes_after_the_last_line_end_are_told_apart() -> None:
    made = journal(2)
    assert split_lines(made.data + b'{"prev') == (made, b'{"prev')
    assert split_lines(b"") == (Journal(), b"")


@given(st.data())
def test_flipping_any_bit_of_a_journal_is_seen(draw: st.DataObject) -> None:
    made = journal(3)
    data = bytearray(made.data)
    data[draw.draw(st.integers(0, len(data) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    changed, rest = split_lines(bytes(data))
    assert rest or changed.verify(made.record)
