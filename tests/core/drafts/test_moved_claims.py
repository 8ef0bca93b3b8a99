"""A claim that stands further on: equal in all to one that was read there, however often and in whatever order it is moved."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from quoteview.core.drafts.draft import Claim, moved_claim
from quoteview.core.drafts.reading import read_draft

TEXT = (
    "Once more than ever, and for all of them, [1:02](https://example.org/watch?t=62) “the mill *is* shut”.\n\n"
    "> a block quotation\n> of two lines (0:20–0:25)\n\n"
    "“&amp; \\*this\\*” was 1:75, and “never closed\n"
)
MORE = "First words — of several lines.\n\n\n"


def claims(text: str) -> tuple[Claim, ...]:
    return read_draft(text.encode(), "draft.md").claims


def by(text: str) -> tuple[int, int]:
    return len(text.encode()), text.count("\n")


@pytest.mark.parametrize("name", [field.name for field in fields(Claim)])
def test_each_of_its_facts_is_as_if_it_had_been_read_there(name: str) -> None:
    shift, lines = by(MORE)
    there = claims(MORE + TEXT)
    for claim, read in zip(claims(TEXT), there, strict=True):
        moved = moved_claim(claim, shift, read.id, claim.line + lines)
        assert getattr(moved, name) == getattr(read, name)
        assert getattr(moved, name) is getattr(moved, name)


def test_it_equals_what_was_read_there_and_counts_as_one_with_it() -> None:
    shift, lines = by(MORE)
    read = claims(MORE + TEXT)
    moved = tuple(moved_claim(claim, shift, claim.id, claim.line + lines) for claim in claims(TEXT))
    assert moved == read
    assert set(moved) == set(read)
    assert repr(moved) == repr(read)
    assert [(one.bytes, one.claimed_ms, one.has_own_time, one.has_word) for one in moved] == [
        (one.bytes, one.claimed_ms, one.has_own_time, one.has_word) for one in read
    ]


def test_moving_on_and_back_and_again_adds_up() -> None:
    for claim in claims(TEXT):
        on = moved_claim(claim, 7, claim.id, claim.line)
        assert on != claim
        looked_at = moved_claim(on, -7, claim.id, claim.line)
        assert looked_at == claim
        assert on.outer.start == claim.outer.start + 7
        assert moved_claim(on, -7, claim.id, claim.line) == claim
        assert moved_claim(moved_claim(on, 5, 9, 4), -12, claim.id, claim.line) == claim


def test_a_changed_copy_of_a_moved_one_keeps_the_rest() -> None:
    claim = claims(TEXT)[0]
    copy = replace(moved_claim(claim, 3, 1, 1), text="other")
    assert copy == replace(claims("abc" + TEXT)[0], text="other", column=claim.column, before=claim.before)
    assert replace(copy, text=claim.text) == moved_claim(claim, 3, 1, 1)


def test_it_has_no_other_names_and_cannot_be_changed() -> None:
    claim = claims(TEXT)[0]
    for one in (claim, moved_claim(claim, 3, 1, 1)):
        with pytest.raises(AttributeError, match="no wording"):
            one.wording  # type: ignore[attr-defined]  # noqa: B018
        with pytest.raises(FrozenInstanceError):
            one.text = "other"  # type: ignore[misc]
