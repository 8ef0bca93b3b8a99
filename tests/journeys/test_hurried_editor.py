"""An hour's work of a hurried editor: whatever is done in whatever order, job, journal and window agree at the end.

`QUOTEVIEW_WALK_SEEDS=20 QUOTEVIEW_WALK_STEPS=300 pytest tests/journeys/test_hurried_editor.py` walks further;
`QUOTEVIEW_WALK_SEEDS=17:18` walks from one seed alone.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from quoteview import cli
from quoteview.app.session import Session
from quoteview.app.states import ClaimState, Saving
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.resolving import Resolved
from quoteview.core.review import review
from quoteview.core.store import create_job, open_job
from quoteview.ui.main_window import MainWindow
from tests.journeys.conftest import ROOT
from tests.journeys.hurried import HurriedEditor, shown_text
from tests.ui.conftest import OpenWindow

STEPS = int(os.environ.get("QUOTEVIEW_WALK_STEPS", "120"))
STATES = {ClaimState.EXACT: "green", ClaimState.TO_DO: "red"}
"""The command line's words for the window's states; the others are all "resolved" to it."""

SECOND = (
    "<!-- notes -->\r\n> “Every morning at seven somebody walks down to the slip” [0:18]\r\n\r\n"
    "🌊 “the first book” [2:23], „a wedding“ [0:43] and “the water”.\r\n\r\n"
    "She “never throws anything away [3:32] and “go back to the water” (3:46)\r\n"
)
THIRD = "<p>It is &ldquo;the longest record of its kind on this coast&rdquo; [0:51], “a boy called <em>Piet</em>” [1:57].</p>\n"


def seeds() -> list[int]:
    first, _, last = os.environ.get("QUOTEVIEW_WALK_SEEDS", "2").rpartition(":")
    return list(range(int(first or 0), int(last)))


@pytest.fixture
def three_drafts(tmp_path: Path) -> Path:
    sample = ROOT / "resources" / "sample"
    tracks = [
        CaptionFile("tide-book.human.vtt", (sample / "tide-book.human.vtt").read_bytes(), Origin.HUMAN, "en"),
        CaptionFile("tide-book.auto.json3", (sample / "tide-book.auto.json3").read_bytes(), Origin.AUTOMATIC, "en"),
    ]
    drafts = [
        ("working-day.md", (ROOT / "tests" / "data" / "working-day.md").read_bytes()),
        ("second.md", SECOND.encode()),
        ("third.html", THIRD.encode()),
    ]
    made = new_job(tracks, drafts, title="The tide book")
    return create_job(tmp_path / "hurried.quoteview", made.job, made.tracks, drafts=made.drafts).folder


@pytest.mark.parametrize("seed", seeds())
def test_job_journal_and_window_agree_after_whatever_was_done(
    seed: int,
    open_window: OpenWindow,
    three_drafts: Path,
    tmp_path: Path,
    qtbot: QtBot,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _place: True)  # nothing outside is started
    editor: HurriedEditor | None = None
    try:
        with qtbot.captureExceptions() as raised:
            editor = HurriedEditor(seed, three_drafts, open_window, qtbot)
            editor.walk(STEPS)
            editor.come_to_an_end()
        assert not raised, raised
        _agree_with_the_disk(editor.window, three_drafts)
        _agree_with_a_fresh_check(editor.window, three_drafts, capsys)
    except BaseException:
        print("\n".join(editor.steps[-60:] if editor is not None else []), file=sys.stderr)
        raise


def _agree_with_the_disk(window: MainWindow, folder: Path) -> None:
    """The journal replayed from the disk gives the window's resolutions, and the files have the very text that is shown."""
    session = window.session
    assert session.saving is Saving.SAVED
    assert session.review is not None
    opened = open_job(folder)
    fresh = review(opened.material)
    assert opened.job.journal.data == session.review.job.journal.data
    for index, (here, there) in enumerate(zip(session.review.drafts, fresh.drafts, strict=True)):
        assert [type(one) for one in here.standing] == [type(one) for one in there.standing]
        assert here.standing == there.standing
        assert here.claims == there.claims
        assert [verdict.kind for verdict in here.verdicts] == [verdict.kind for verdict in there.verdicts]
        session.switch_draft(index)
        content = (folder / opened.job.drafts[index].path).read_bytes()
        assert session.text is not None
        assert session.text.draft_bytes == content
        assert shown_text(window) == content.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        recorded = {claim.id for claim in session.claims if session.resolution(claim.id) is not None}
        assert recorded == {number for number, one in enumerate(there.standing, 1) if isinstance(one, Resolved)}


def _agree_with_a_fresh_check(window: MainWindow, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The program that knows nothing of the window finds the same verdict for every claim."""
    session = window.session
    shown: list[list[tuple[str, str, str]]] = []
    for index in range(len(session.drafts)):
        session.switch_draft(index)
        shown.append([(claim.text, *_words(session, claim.id)) for claim in session.claims])
    capsys.readouterr()
    cli.main(["check", str(folder), "--json", "-q"])
    document = json.loads(capsys.readouterr().out)
    found = [[(claim["text"], claim["verdict"], claim["state"]) for claim in draft["claims"]] for draft in document["drafts"]]
    assert found == shown


def _words(session: Session, claim_id: int) -> tuple[str, str]:
    verdict = session.verdict(claim_id)
    assert verdict is not None
    return str(verdict.kind), STATES.get(session.state(claim_id), "resolved")
