"""The window as a process of its own: killed in the midst of work, started without a display, from a place with odd letters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from quoteview.app.states import ClaimState
from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.new_job import new_job
from quoteview.core.store import create_job
from tests.journeys.conftest import ROOT
from tests.journeys.hurried import shown_text
from tests.ui.conftest import OpenWindow

REVIEWER = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from quoteview.app.states import ClaimState, Phase
from quoteview.ui import application

app = application._application(is_picture=True, scale=None)
window = application._window("light", None)
session = window.session
session.set_reviewer("Ada")
session.open(Path(sys.argv[1]))
done = []

def work():
    if session.phase is not Phase.READY or not session.is_settled:
        return
    shown = [claim for claim in done if session.state(claim) is ClaimState.EXCEPTION]
    if len(shown) == 3:
        session.edit(0, 0, "unsaved ")
        session._keep_unsaved()
        session._writer.wait()
        print(*shown, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    if len(shown) == len(done):
        done.append(session.to_do()[-1])
        session.set_aside(done[-1], "words of another recording")

timer = QTimer()
timer.timeout.connect(work)
timer.start(10)
app.exec()
"""


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return kept | {"QUOTEVIEW_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"} | more


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_nothing_that_was_shown_as_done_is_lost_by_a_kill(
    open_window: OpenWindow, working_day: Path, home: Path, qtbot: QtBot
) -> None:
    command = [sys.executable, "-c", REVIEWER, str(working_day)]
    killed = subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert killed.returncode == -9, killed.stderr
    shown = [int(number) for number in killed.stdout.split()]
    assert len(shown) == 3
    window = open_window(working_day)
    session = window.session
    qtbot.waitUntil(lambda: session.is_settled, timeout=20_000)
    assert [session.state(claim) for claim in shown] == [ClaimState.EXCEPTION] * 3
    assert session.counts.exceptions == 3
    assert shown_text(window).startswith("unsaved # What")
    assert not session.is_read_only


def test_it_starts_without_a_display_from_a_place_with_a_space_and_an_accent_and_says_the_same(
    tmp_path: Path, home: Path
) -> None:
    place = tmp_path / "the é place"
    shutil.copytree(ROOT / "quoteview", place / "quoteview", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", place / "resources")
    for path in (*place.rglob("*"), place):
        path.chmod(0o555 if path.is_dir() else 0o444)
    vtt = b"WEBVTT\n\n00:05.000 --> 00:07.000\nhello from the bundle\n"
    draft = "“hello from the bundle” (0:05)\n".encode()
    made = new_job([CaptionFile("human.en.vtt", vtt, Origin.HUMAN, "en")], [("draft.txt", draft)], title="Hello")
    job = create_job(tmp_path / "job é", made.job, made.tracks, drafts=made.drafts).folder
    found = []
    for root in (place, ROOT):
        env = environment(home, PYTHONPATH=str(root), PYTHONDONTWRITEBYTECODE="1")
        check = [sys.executable, "-m", "quoteview", "check", str(job), "--json", "-q"]
        done = subprocess.run(check, env=env, capture_output=True, text=True, timeout=120, cwd=tmp_path)
        found.append([claim["verdict"] for claim in json.loads(done.stdout)["drafts"][0]["claims"]])
    assert found == [["exact"], ["exact"]]
    picture = tmp_path / "window.png"
    start = [sys.executable, "-m", "quoteview", "open", str(job), "--screenshot", str(picture)]
    shown = subprocess.run(
        start, env=environment(home, PYTHONPATH=str(place)), capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert shown.returncode == 0, shown.stderr
    assert picture.stat().st_size > 10_000
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
