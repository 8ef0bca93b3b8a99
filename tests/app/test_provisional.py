"""A long draft judged at once after a change: as the whole draft would be, with only the changed paragraph's claims checked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quoteview.app import provisional
from quoteview.app.provisional import judged_near
from quoteview.core.captions.track import Origin
from quoteview.core.checking import check
from quoteview.core.drafts.draft import Claim, Patch, patched
from quoteview.core.importing import CaptionFile
from quoteview.core.reference import Reference
from quoteview.core.review import FilesOptions, Review, rejudge_draft, review_files
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
    assert [(c.id, c.text, c.outer, c.line, c.claimed) for c in found.claims] == [
        (c.id, c.text, c.outer, c.line, c.claimed) for c in whole.claims
    ]
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
