from __future__ import annotations

from collections.abc import Callable

from quoteview.app.selection import Selection
from quoteview.app.session import Session

OpenJob = Callable[..., Session]
DRAFT = (
    "One “the mill is shut” (0:05). Two “nobody said this” (0:10). Three “it didn't open” (0:10). Four “nor this one” (0:20).\n"
)


def test_walking_what_is_to_do_goes_round(open_job: OpenJob) -> None:
    session = open_job(DRAFT.encode())
    selection = Selection(session)
    selection.next_to_do()
    assert selection.claim_id == 2
    selection.next_to_do()
    assert selection.claim_id == 4
    selection.next_to_do()
    assert selection.claim_id == 2
    selection.previous_to_do()
    assert selection.claim_id == 4


def test_walking_all_claims_stops_at_the_ends(open_job: OpenJob) -> None:
    selection = Selection(open_job(DRAFT.encode()))
    selection.select_claim(4)
    selection.next_claim()
    assert selection.claim_id == 4
    for _ in range(9):
        selection.previous_claim()
    assert selection.claim_id == 1


def test_a_claim_brings_its_cue_and_a_cue_its_claim(open_job: OpenJob) -> None:
    selection = Selection(open_job(DRAFT.encode()))
    selection.select_claim(3)
    assert selection.cue_index == 1
    selection.select_cue(0)
    assert selection.claim_id == 1
    selection.select_cue(2)
    assert selection.cue_index == 2


def test_the_selection_stays_on_its_claim_while_claims_come_and_go_before_it(open_job: OpenJob) -> None:
    session = open_job(DRAFT.encode())
    selection = Selection(session)
    selection.select_claim(3)
    session.edit(0, 0, "New “quotation” first. ")
    assert selection.claim_id == 4
    assert session.claims[3].text == "it didn't open"
    session.undo()
    assert session.claims[(selection.claim_id or 0) - 1].text in ("it didn't open", "the mill is shut")


def test_hovering_is_told_once(open_job: OpenJob) -> None:
    selection = Selection(open_job(DRAFT.encode()))
    told: list[int | None] = []
    selection.hover_changed.connect(lambda: told.append(selection.hovered_id))
    selection.hover(2)
    selection.hover(2)
    selection.hover(None)
    assert told == [2, None]
