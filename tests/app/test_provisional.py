"""A long draft judged at once after a change: as the whole draft would be, with only the changed paragraph's claims checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.app import provisional
from quoteview.app.provisional import judged_near
from quoteview.core.acts import ResolutionKind
from quoteview.core.captions.track import Origin
from quoteview.core.checking import check
from quoteview.core.drafts.draft import Claim, Patch, patched
from quoteview.core.importing import CaptionFile
from quoteview.core.job import with_act
from quoteview.core.reference import Reference
from quoteview.core.resolving import Resolved, resolution_of
from quoteview.core.review import FilesOptions, Review, rejudge_draft, rejudge_journal, review_files
from quoteview.core.verdicts import Verdict

CAPTIONS = b"""WEBVTT

00:05.000 --> 00:08.000
the mill is shut

00:10.000 --> 00:13.000
it didn't open in the morning

00:20.000 --> 00:23.000
we measured 42 m of water
"""
PARAGRAPHS = (
    "He said “the mill is shut” (0:05) and “it never opened” (0:10).",
    "She said “we measured 42 m of water” (0:20), and “the mill is shut” (0:05) again.",
    "They said “it didn’t open” (0:10).",
)
TEXT = "\n\n".join(PARAGRAPHS)


def reviewed(text: str = TEXT) -> Review:
    captions = [CaptionFile("talk.vtt", CAPTIONS, Origin.HUMAN, "en")]
    return review_files(captions, [("draft.md", text.encode())], FilesOptions())


def replaced(old: str, new: str) -> Patch:
    start = TEXT.encode().index(old.encode())
    return Patch(start, start + len(old.encode()), new.encode())


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the claims that are checked from now on while one types."""
    asked: list[str] = []

    def counted(
        reference: Reference, claims: Sequence[Claim], *, tolerance_ms: int, others: Sequence[Reference]
    ) -> tuple[Verdict, ...]:
        asked.extend(claim.text for claim in claims)
        return check(reference, claims, tolerance_ms=tolerance_ms, others=others)

    monkeypatch.setattr(provisional, "check", counted)
    return asked


@pytest.mark.parametrize(
    ("patch", "fresh"),
    [
        (replaced("never opened", "didn't open"), ["it didn't open"]),
        (replaced("She said", "She has said"), []),  # nothing that a verdict depends on
        (replaced(" again", " again\nand on"), []),  # later lines and bytes move
        (replaced("“we measured 42 m of water” (0:20), and ", ""), []),  # a claim less: later ones have other numbers
        (replaced("again.", "again, “the mill” (0:05) too."), ["the mill"]),  # one more
        (replaced("(0:20)", "(0:21)"), ["we measured 42 m of water"]),
        (replaced("(0:10).", "(0:11)."), ["it never opened"]),
        (replaced("They said", "A word.\n\nThey said"), []),  # a paragraph more
        (replaced("it didn’t open", "it didn't open"), ["it didn't open"]),  # in the last one
    ],
)
def test_it_is_as_the_whole_draft_would_be_and_only_what_changed_is_checked(
    patch: Patch, fresh: list[str], checked: list[str]
) -> None:
    known = reviewed()
    content = patched(TEXT.encode(), (patch,))
    near = judged_near(known, 0, content, (patch,))
    assert near is not None
    assert checked == fresh
    whole = rejudge_draft(known, 0, content).drafts[0]
    found = near.drafts[0]
    assert found.claims == whole.claims
    assert found.verdicts == whole.verdicts
    assert found.standing == whole.standing
    assert near.material.drafts == (content,)


def test_several_changes_far_apart_are_judged_over_all_between_them(checked: list[str]) -> None:
    known = reviewed()
    patches = (replaced("never opened", "didn't open"), replaced("it didn’t open", "it didn't open"))
    content = patched(TEXT.encode(), patches)
    near = judged_near(known, 0, content, patches)
    assert near is not None
    assert checked == ["it didn't open", "it didn't open"]
    assert near.drafts[0].verdicts == rejudge_draft(known, 0, content).drafts[0].verdicts


def test_verdicts_that_stay_are_the_very_same_ones() -> None:
    known = reviewed()
    patch = replaced("never opened", "didn't open")
    near = judged_near(known, 0, patched(TEXT.encode(), (patch,)), (patch,))
    assert near is not None
    assert all(near.drafts[0].verdicts[at] is known.drafts[0].verdicts[at] for at in (0, 2, 3, 4))
    assert near.drafts[0].verdicts[1] is not known.drafts[0].verdicts[1]


def test_a_quotation_over_several_paragraphs_that_is_cut_is_not_judged_by_a_part() -> None:
    text = "“one\n\n“two\n\n“three” (0:05)\n\nEnd."
    known = reviewed(text)
    assert any(b"\n\n" in text.encode()[claim.outer.start : claim.outer.end] for claim in known.drafts[0].claims)
    patch = Patch(text.encode().index(b"two"), text.encode().index(b"two") + 3, b"2")
    assert judged_near(known, 0, patched(text.encode(), (patch,)), (patch,)) is None


def test_words_around_the_claims_of_other_paragraphs_are_those_of_the_whole_draft() -> None:
    known = reviewed("\n\n".join((*PARAGRAPHS, "“the mill is shut” (0:05), he said.", *PARAGRAPHS)))
    text = known.material.drafts[0]
    assert isinstance(text, bytes)
    for typed in (b"They ", b"said ", b" (0:10).\n\n\xe2\x80\x9cthe mill is", b", he said."):
        patch = Patch(text.index(typed), text.index(typed), b"really, ")
        content = patched(text, (patch,))
        near = judged_near(known, 0, content, (patch,))
        assert near is not None
        assert near.drafts[0].claims == rejudge_draft(known, 0, content).drafts[0].claims


def test_a_claim_set_aside_stays_so_while_one_types_in_the_paragraph_before_it() -> None:
    known = reviewed("A long introduction of several words.\n\n“the mill” is a name.\n\nAnd so on, for a while, to its end.")
    act = resolution_of(known.drafts[0].claims, [1], ResolutionKind.NOT_A_QUOTATION)
    record = known.job.track(known.choice.track_id)
    assert record is not None
    assert record.lock is not None
    path, sha256 = known.drafts[0].path, record.lock.sha256
    job = with_act(known.job, act, by="Ada", at="2026-05-01T10:00:00Z", track=sha256, draft=path)
    known = rejudge_journal(known, job)
    text = known.material.drafts[0]
    assert isinstance(text, bytes)
    assert isinstance(known.drafts[0].standing[0], Resolved)
    for at in (text.index(b"And"), len(text), text.index(b" is a")):
        patch = Patch(at, at, b" x")
        content = patched(text, (patch,))
        near = judged_near(known, 0, content, (patch,))
        assert near is not None
        assert near.drafts[0].standing == rejudge_draft(known, 0, content).drafts[0].standing


WORDS = st.sampled_from(
    ["word ", "“the mill” ", "“never said” (0:20) ", "\n\n", "\n", "*so* ", "`code` ", "> ", "# ", "(0:05) ", "é", " ", "don’t "]
)
"""Marks stand in pairs: one alone pairs with what may be pages away, which only a reading of the whole draft sees."""


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=40), st.lists(WORDS, max_size=3), st.integers(0, 10_000), st.integers(0, 40))
def test_whatever_is_typed_wherever_the_claims_are_those_of_the_whole_draft(
    words: list[str], typed: list[str], at: int, removed: int
) -> None:
    known = reviewed("".join(words))
    before = "".join(words)
    start = at % (len(before) + 1)
    old = before[start : start + removed]
    patch = Patch(len(before[:start].encode()), len((before[:start] + old).encode()), "".join(typed).encode())
    content = patched(before.encode(), (patch,))
    near = judged_near(known, 0, content, (patch,))
    if near is not None:
        whole = rejudge_draft(known, 0, content).drafts[0]
        assert [unclaimed(claim) for claim in near.drafts[0].claims] == [unclaimed(claim) for claim in whole.claims]


def unclaimed(claim: Claim) -> Claim:
    return replace(claim, claimed=None, notes=())
