from __future__ import annotations

from dataclasses import replace

import pytest

from quoteview.core.acts import Acknowledge, Act, ChooseReference, Waive, Withdraw, bases_of
from quoteview.core.drafts.draft import Claim
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import UsageError
from quoteview.core.journal import Journal
from quoteview.core.resolving import (
    Acknowledged,
    ExceptionClass,
    Open,
    Reopened,
    Reopening,
    ResolutionKind,
    Resolved,
    acknowledgements,
    chosen_reference,
    is_exception,
    needs_reason,
    resolution_of,
    standing,
    waivers,
    word_count,
)
from tests.builders import claim

REFERENCE = "a" * 64
OTHER = "b" * 64
DRAFT = "drafts/a.md"
AT = "2027-03-03T10:00:00Z"
TEXT = "He spoke of “the tide” at length.\n\nThen “we never went back to the house” (1:02) came up, and “the tide” again.\n"

ACCEPT = ResolutionKind.ACCEPT
ASIDE = ResolutionKind.NOT_A_QUOTATION


def claims_of(text: str) -> tuple[Claim, ...]:
    """Return the claims of a draft in Markdown."""
    return read_draft(text.encode(), "a.md").claims


def recorded(*acts: Act, journal: Journal | None = None, track: str = REFERENCE, draft: str = DRAFT) -> Journal:
    """Return a journal with these acts, one entry each."""
    made = journal or Journal()
    for act in acts:
        made = made.appended(act, by="Ada", at=AT, track=track, draft=draft)
    return made


def aside(text: str = TEXT, *ids: int, reason: str = "a term") -> Journal:
    """Return a journal in which these claims of a draft were set aside in one act."""
    return recorded(resolution_of(claims_of(text), ids, ASIDE, reason=reason))


def causes(journal: Journal, text: str, reference: str = REFERENCE) -> list[str]:
    """Return for each claim of a draft `resolved`, `open`, or why it was reopened."""
    words = []
    for each in standing(journal, DRAFT, claims_of(text), reference):
        words.append({Resolved: "resolved", Open: "open"}.get(type(each)) or (each.cause if isinstance(each, Reopened) else ""))
    return words


def test_a_resolution_holds_for_its_claim_and_no_other() -> None:
    assert causes(aside(TEXT, 1), TEXT) == ["resolved", "open", "open"]
    assert causes(aside(TEXT, 3), TEXT) == ["open", "open", "resolved"]
    assert causes(Journal(), TEXT) == ["open", "open", "open"]


def test_it_carries_who_when_why_and_the_entry() -> None:
    journal = aside(TEXT, 1)
    found = standing(journal, DRAFT, claims_of(TEXT), REFERENCE)[0]
    assert isinstance(found, Resolved)
    held = found.resolution
    assert (held.kind, held.reason, held.by, held.at, held.entry) == (ASIDE, "a term", "Ada", AT, journal.head)


def test_one_act_covers_each_claim_it_lists() -> None:
    assert causes(aside(TEXT, 1, 3), TEXT) == ["resolved", "open", "resolved"]


def test_another_drafts_resolution_does_not_hold_here() -> None:
    journal = recorded(resolution_of(claims_of(TEXT), [1], ASIDE), draft="drafts/b.md")
    assert causes(journal, TEXT) == ["open", "open", "open"]


def test_a_change_far_from_the_claim_leaves_it_resolved() -> None:
    text = TEXT.replace("came up", "came up, much later in the long conversation")
    assert causes(aside(TEXT, 1), text)[0] == "resolved"


def test_changed_words_around_it_reopen_it_and_say_only_that() -> None:
    assert causes(aside(TEXT, 1), TEXT.replace("at length", "at lengths"))[0] == Reopening.SURROUNDINGS


def test_another_claims_words_are_no_part_of_its_place() -> None:
    assert causes(aside(TEXT, 3), TEXT.replace("we never went back to the house", "we did"))[2] == "resolved"


def test_changed_words_reopen_it() -> None:
    assert causes(aside(TEXT, 1), TEXT.replace("“the tide” at", "“a tide” at"))[0] == Reopening.TEXT


def test_one_character_of_another_form_reopens_it() -> None:
    assert causes(aside(TEXT, 1), TEXT.replace("“the tide” at", "“the tidé” at"))[0] == Reopening.TEXT


def test_a_changed_time_reopens_it() -> None:
    assert causes(aside(TEXT, 2), TEXT.replace("1:02", "1:03"))[1] == Reopening.TIME


def test_another_reference_reopens_all() -> None:
    assert causes(aside(TEXT, 1, 2), TEXT, OTHER) == [Reopening.REFERENCE, Reopening.REFERENCE, "open"]


def test_a_claim_that_is_gone_reopens_nothing_else() -> None:
    assert causes(aside(TEXT, 2), "He spoke of “the tide” at length, and of “other things” too.\n") == ["open", "open"]


def test_the_reason_why_is_a_sentence_with_the_day() -> None:
    (found, *_) = standing(aside(TEXT, 1), DRAFT, claims_of(TEXT), OTHER)
    assert isinstance(found, Reopened)
    assert found.why == "Resolved by Ada on 2027-03-03; the reference track is another one since."


def test_of_two_claims_alike_in_everything_only_the_one_resolved_is() -> None:
    text = ("word " * 20 + "“the tide” " + "word " * 20 + "\n\n") * 2
    assert len({(each.text, each.before, each.after) for each in claims_of(text)}) == 1
    assert causes(aside(text, 2), text) == ["open", "resolved"]


def test_a_lost_resolution_goes_to_the_claim_whose_surroundings_are_most_alike() -> None:
    text = "A first “tide” came in.\n\nQuite another “tide” went out that night.\n"
    changed = text.replace("that night", "that day")
    assert causes(aside(text, 2), changed) == ["open", Reopening.SURROUNDINGS]


def test_undoing_is_another_entry_and_redoing_one_more() -> None:
    journal = aside(TEXT, 1, 3)
    undone = recorded(Withdraw(journal.head), journal=journal)
    assert causes(undone, TEXT) == ["open", "open", "open"]
    redone = recorded(Withdraw(undone.head), journal=undone)
    assert causes(redone, TEXT) == ["resolved", "open", "resolved"]


def test_undoing_can_be_for_one_claim_of_an_act() -> None:
    journal = aside(TEXT, 1, 3)
    basis = bases_of(claims_of(TEXT))[0]
    assert causes(recorded(Withdraw(journal.head, (basis.digest,)), journal=journal), TEXT) == ["open", "open", "resolved"]


def test_the_latest_entry_decides_and_its_withdrawal_brings_the_one_before_back() -> None:
    claims = claims_of(TEXT)
    journal = recorded(resolution_of(claims, [2], ASIDE, reason="from a film"))
    journal = recorded(resolution_of(claims, [2], ACCEPT, exception=ExceptionClass.CUT, reason="cut"), journal=journal)
    found = standing(journal, DRAFT, claims, REFERENCE)[1]
    assert isinstance(found, Resolved) and found.resolution.kind is ACCEPT
    found = standing(recorded(Withdraw(journal.head), journal=journal), DRAFT, claims, REFERENCE)[1]
    assert isinstance(found, Resolved) and found.resolution.kind is ASIDE


@pytest.mark.parametrize("kind", [each for each in ResolutionKind if not each.is_standing])
def test_what_edited_the_draft_is_history_and_resolves_nothing(kind: ResolutionKind) -> None:
    assert causes(recorded(resolution_of(claims_of(TEXT), [1], kind)), TEXT) == ["open", "open", "open"]


def test_to_accept_needs_a_reason_and_a_class() -> None:
    claims = claims_of(TEXT)
    for reason in ("", "  \n\u00a0"):
        with pytest.raises(UsageError, match="reason"):
            resolution_of(claims, [1], ACCEPT, exception=ExceptionClass.CUT, reason=reason)
    with pytest.raises(UsageError, match="class"):
        resolution_of(claims, [1], ACCEPT, reason="why")
    with pytest.raises(UsageError, match="class"):
        resolution_of(claims, [1], ASIDE, exception=ExceptionClass.CUT, reason="why")


def test_three_words_without_a_time_are_set_aside_without_a_reason_and_four_are_not() -> None:
    three, four = claim("all the tide", has_time=False), claim("all of the tide", has_time=False)
    assert not needs_reason(ASIDE, three) and not is_exception(ASIDE, three)
    assert needs_reason(ASIDE, four) and is_exception(ASIDE, four)
    resolution_of([three], [1], ASIDE)
    with pytest.raises(UsageError):
        resolution_of([four], [1], ASIDE)


def test_a_time_of_its_own_makes_one_word_an_exception_and_a_shared_one_does_not() -> None:
    own = claim("tide")
    assert own.claimed is not None
    shared = replace(own, claimed=own.claimed._replace(is_own=False))
    assert is_exception(ASIDE, own) and not is_exception(ASIDE, shared)


def test_words_of_scripts_without_spaces_are_counted_by_character() -> None:
    assert [word_count(text) for text in ("the tide", "冰海", "港は凍った", "ice 冰海 ice", "co-op", "", " … ")] == [
        2,
        2,
        5,
        4,
        1,
        0,
        1,
    ]


def test_in_one_act_the_claim_that_needs_a_reason_decides() -> None:
    with pytest.raises(UsageError):
        resolution_of(claims_of(TEXT), [1, 2], ASIDE)
    with pytest.raises(ValueError, match="name claims"):
        resolution_of(claims_of(TEXT), [1, 9], ASIDE)
    with pytest.raises(ValueError, match="name claims"):
        resolution_of(claims_of(TEXT), [], ASIDE)


def test_a_reason_that_came_to_be_required_reopens_what_has_none() -> None:
    free = claim("tide", has_time=False)
    journal = recorded(resolution_of([free], [1], ASIDE))
    assert isinstance(standing(journal, DRAFT, [free], REFERENCE)[0], Resolved)
    timed = claim("tide")
    assert timed.claimed is not None
    shared = replace(timed, claimed=timed.claimed._replace(is_own=False))
    journal = recorded(resolution_of([shared], [1], ASIDE))
    found = standing(journal, DRAFT, [timed], REFERENCE)[0]
    assert isinstance(found, Reopened) and found.cause is Reopening.REASON


def test_an_acceptance_without_a_reason_in_a_doctored_journal_does_not_hold() -> None:
    act = replace(resolution_of(claims_of(TEXT), [1], ACCEPT, exception=ExceptionClass.CUT, reason="x"), reason=" ")
    assert causes(recorded(act), TEXT)[0] == "open"


def test_exceptions_are_marked_as_such() -> None:
    claims = claims_of(TEXT)
    journal = recorded(
        resolution_of(claims, [1], ASIDE),
        resolution_of(claims, [2], ASIDE, reason="from a film"),
        resolution_of(claims, [3], ACCEPT, exception=ExceptionClass.WORDING, reason="as heard"),
    )
    found = [each.resolution.is_exception for each in standing(journal, DRAFT, claims, REFERENCE) if isinstance(each, Resolved)]
    assert found == [False, True, True]


def test_acknowledgements_waivers_and_choices_are_read_and_can_be_withdrawn() -> None:
    who = Acknowledged("Ada", AT, "seen")
    journal = recorded(Acknowledge("order", ("c" * 64,), "seen"), Waive("en.automatic", "seen"))
    assert acknowledgements(journal, "order") == {"c" * 64: who}
    assert acknowledgements(journal, "complete") == {}
    assert waivers(journal) == {"en.automatic": who}
    assert waivers(recorded(Withdraw(journal.head), journal=journal)) == {}
    assert waivers(recorded(Waive("en.automatic", " "))) == {}
    chosen = recorded(ChooseReference("en.automatic", "seen"))
    assert chosen_reference(chosen) == ("en.automatic", who)
    assert chosen_reference(recorded(ChooseReference("", "back to the rule"), journal=chosen)) is None
    assert chosen_reference(recorded(Withdraw(chosen.head), journal=chosen)) is None


def test_a_thousand_claims_stand_quickly_and_right_after_a_change_before_them_all() -> None:
    text = "".join(f"Line {number} names “term {number}” here and goes on for a while.\n\n" for number in range(1_000))
    journal = aside(text, *range(1, 1_001))
    assert set(causes(journal, text)) == {"resolved"}
    assert causes(journal, "An opening.\n\n" + text).count("resolved") >= 999
