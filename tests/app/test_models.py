from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from quoteview.app.claim_model import ClaimFilter, ClaimModel, ClaimRole, ClaimSort
from quoteview.app.cue_model import CueModel, CueRole
from quoteview.app.session import Session
from quoteview.app.states import ClaimState

OpenJob = Callable[..., Session]
DRAFT = "“we measured 42 m” (0:20) then “nobody said this” (0:10) then “the mill is shut” (0:05).\n"


def ids(shown: ClaimFilter) -> list[int]:
    return [shown.index(row, 0).data(ClaimRole.CLAIM_ID) for row in range(shown.rowCount())]


def test_claims_come_in_the_drafts_order_with_state_time_and_word(open_job: OpenJob) -> None:
    model = ClaimModel(open_job(DRAFT.encode()))
    rows = [model.index(row) for row in range(model.rowCount())]
    assert [row.data(ClaimRole.TIME) for row in rows] == ["0:20", "0:10", "0:05"]
    assert [row.data(ClaimRole.WORD) for row in rows] == ["exact", "not_found", "exact"]
    assert rows[1].data(ClaimRole.STATE) == ClaimState.TO_DO
    assert rows[1].data(Qt.ItemDataRole.AccessibleTextRole).startswith("quotation 2 of 3, not found, claimed 0:10")


def test_a_tab_shows_its_claims_and_sorting_is_by_time_or_draft(open_job: OpenJob) -> None:
    shown = ClaimFilter(ClaimModel(open_job(DRAFT.encode())))
    assert ids(shown) == [1, 2, 3]
    shown.show_only(ClaimState.EXACT)
    assert ids(shown) == [1, 3]
    shown.order_by(ClaimSort.TIME)
    assert ids(shown) == [3, 1]
    shown.show_only(None, word="not_found")
    assert ids(shown) == [2]


def test_rows_follow_the_session(open_job: OpenJob) -> None:
    session = open_job(DRAFT.encode())
    shown = ClaimFilter(ClaimModel(session))
    shown.show_only(ClaimState.TO_DO)
    session.retract(2, keep_words=True)
    assert ids(shown) == []
    session.undo()
    assert ids(shown) == [2]


def test_cues_give_text_time_and_claims(open_job: OpenJob) -> None:
    session = open_job(DRAFT.encode())
    model = CueModel(session)
    assert model.rowCount() == 4
    assert model.index(2).data(CueRole.TIME) == "0:20.000"
    assert model.index(2).data(CueRole.CLAIMS) == (1,)
