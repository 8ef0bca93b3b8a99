"""The window's fetcher: one thing at a time, told in the GUI thread, stopped at once, nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from quoteview.app.fetching import RECORDING, Fetcher, Made, MediaKind, Order, SourcePlan, host_of, is_link
from quoteview.app.jobs import abandonable
from quoteview.app.settings import Settings
from quoteview.core.errors import Cancelled, FetchError, StoreError
from quoteview.core.store import open_job
from tests.fetching.recorded import mp4
from tests.fetching.serving import AUTOMATIC, HUMAN, Page, Served, answer, file, in_turn, serving
from tests.fetching.site import facts_of, maker_of, pages

Started = Callable[..., tuple[Fetcher, Served]]


def never(error: Exception) -> None:
    raise AssertionError(error)


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path) -> Iterator[Started]:
    servers, fetchers = [], []

    def started(talk: Page | None = None, **changed: Page) -> tuple[Fetcher, Served]:
        server = serving({**pages(**changed), **({"/talk.m4a": talk} if talk else {})})
        served = server.__enter__()
        servers.append(server)
        settings = Settings(tmp_path / "settings.ini")
        formats = [{"url": f"{served.address}/talk.m4a", "ext": "m4a", "vcodec": "none", "format_id": "a"}] if talk else []
        fetcher = Fetcher(settings, make_client=maker_of(lambda: facts_of(served, formats=formats)))
        settings.setParent(fetcher)
        fetchers.append(fetcher)
        return fetcher, served

    yield started
    for fetcher in fetchers:
        fetcher.shut_down()
    for server in servers:
        server.__exit__(None, None, None)


def plan_of(fetcher: Fetcher, served: Served, qtbot: QtBot) -> SourcePlan:
    plans: list[SourcePlan] = []
    fetcher.ask(f"{served.address}/watch", plans.append, never)
    qtbot.waitUntil(lambda: bool(plans), timeout=10_000)
    return plans[0]


def test_a_plan_has_a_row_for_every_record_of_the_job(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    fetcher, served = start()
    plan = plan_of(fetcher, served, qtbot)
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", "A briefing"), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    assert [row.id for row in plan.rows()] == [record.id for record in open_job(tmp_path / "job").job.tracks]
    assert made[0].missing == ()
    assert plan.duration_ms == 9000


def test_progress_and_arrival_are_told_in_the_gui_thread(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    fetcher, served = start()
    plan = plan_of(fetcher, served, qtbot)
    told: list[tuple[str, bool]] = []
    here = QThread.currentThread()
    fetcher.track_moved.connect(lambda track_id, _done, _total: told.append((track_id, QThread.currentThread() is here)))
    fetcher.track_arrived.connect(lambda record: told.append((record.id, QThread.currentThread() is here)))
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", ""), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    assert {"en.human", "en.automatic", "en.automatic-2"} <= {track_id for track_id, _is_here in told}
    assert all(is_here for _track_id, is_here in told)


def test_a_wait_that_a_server_asks_for_is_said_and_can_be_stopped(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    fetcher, served = start(human=answer(429, b"", Retry_After="90"))
    plan = plan_of(fetcher, served, qtbot)
    outcomes: list[object] = []
    with qtbot.waitSignal(fetcher.said, timeout=10_000) as said:
        fetcher.fetch(Order(plan, tmp_path / "job", ""), outcomes.append, outcomes.append)
    assert said.args == ["The server asks to wait: trying again in 90 seconds."]
    fetcher.cancel()
    assert not fetcher.is_running
    qtbot.waitUntil(lambda: not any(one.name == "quoteview-network" for one in threading.enumerate()), timeout=5_000)
    assert outcomes == []
    assert not (tmp_path / "job").exists()
    assert served.count("/human.vtt") == 1


def test_a_newer_question_silences_the_older_one(start: Started, qtbot: QtBot) -> None:
    fetcher, served = start()
    first: list[SourcePlan] = []
    second: list[SourcePlan] = []
    fetcher.ask(f"{served.address}/watch?v=1", first.append, never)
    fetcher.ask(f"{served.address}/watch?v=2", second.append, never)
    qtbot.waitUntil(lambda: bool(second), timeout=10_000)
    assert first == []
    assert second[0].address.endswith("v=2")


def test_stopping_the_program_does_not_wait_for_a_silent_server(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    gate = threading.Event()

    def silent(handler: BaseHTTPRequestHandler, number: int) -> None:
        gate.wait(10)
        answer(200, HUMAN)(handler, number)

    fetcher, served = start(human=silent)
    plan = plan_of(fetcher, served, qtbot)
    fetcher.fetch(Order(plan, tmp_path / "job", ""), never, never)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: served.count("/human.vtt") == 1, timeout=10_000)
    fetcher.shut_down()
    assert not gate.is_set()
    assert not (tmp_path / "job").exists()
    gate.set()


def test_the_drafts_join_the_job_or_nothing_is_made(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    fetcher, served = start()
    plan = plan_of(fetcher, served, qtbot)
    one, other = tmp_path / "a" / "piece.md", tmp_path / "b" / "piece.md"
    for path in (one, other):
        path.parent.mkdir()
        path.write_text("“Dr. Okafor wrote the memo.” (0:05)\n", "utf-8")
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", "", "en", drafts=(one, other)), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    job = open_job(tmp_path / "job").job
    assert [draft.path for draft in job.drafts] == ["drafts/piece.md", "drafts/piece-2.md"]
    assert job.language == "en"
    failed: list[Exception] = []
    fetcher.fetch(Order(plan, tmp_path / "next", "", drafts=(tmp_path / "gone.md",)), never, failed.append)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bool(failed), timeout=10_000)
    assert isinstance(failed[0], StoreError)
    assert not (tmp_path / "next").exists()


def test_two_thirds_of_the_tracks_are_kept_and_the_rest_is_named(start: Started, qtbot: QtBot, tmp_path: Path) -> None:
    fetcher, served = start(automatic=in_turn(answer(404, b""), answer(200, AUTOMATIC)))
    plan = plan_of(fetcher, served, qtbot)
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", ""), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    assert [record.id for record in made[0].missing] == ["en.automatic"]


def test_the_recording_comes_with_the_job_where_it_is_asked_for(start: Started, qtbot: QtBot, tmp_path: Path, home: Path) -> None:
    fetcher, served = start(talk=file(mp4(9_400)))
    plan = plan_of(fetcher, served, qtbot)
    recording = plan.recording(MediaKind.AUDIO)
    assert recording is not None
    assert (recording.ext, recording.kind) == ("m4a", MediaKind.AUDIO)
    moved: list[str] = []
    fetcher.track_moved.connect(lambda track_id, _done, _total: moved.append(track_id))
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", "", recording=MediaKind.AUDIO), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    job = open_job(tmp_path / "job").job
    assert (job.media, job.source.duration_ms, made[0].about_recording) == ("media/audio.m4a", 9_400, "")
    assert RECORDING in moved
    fetcher.fetch(Order(plan, tmp_path / "without", ""), made.append, never)
    qtbot.waitUntil(lambda: len(made) == 2, timeout=10_000)
    assert open_job(tmp_path / "without").job.media == ""
    assert served.count("/talk.m4a") == 1


def test_a_recording_that_does_not_come_is_said_and_costs_no_track(
    start: Started, qtbot: QtBot, tmp_path: Path, home: Path
) -> None:
    fetcher, served = start(talk=answer(403, b""))
    plan = plan_of(fetcher, served, qtbot)
    made: list[Made] = []
    fetcher.fetch(Order(plan, tmp_path / "job", "", recording=MediaKind.AUDIO), made.append, never)
    qtbot.waitUntil(lambda: bool(made), timeout=10_000)
    assert "refuses to give it (403)" in made[0].about_recording
    job = open_job(tmp_path / "job").job
    assert (job.media, len(job.locked)) == ("", 3)


def test_stopping_while_the_recording_comes_leaves_no_job(start: Started, qtbot: QtBot, tmp_path: Path, home: Path) -> None:
    gate = threading.Event()

    def slow(handler: BaseHTTPRequestHandler, number: int) -> None:
        gate.wait(10)
        file(mp4(9_400))(handler, number)

    fetcher, served = start(talk=slow)
    plan = plan_of(fetcher, served, qtbot)
    fetcher.fetch(Order(plan, tmp_path / "job", "", recording=MediaKind.AUDIO), never, never)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: served.count("/talk.m4a") == 1, timeout=10_000)
    fetcher.cancel()
    gate.set()
    qtbot.waitUntil(lambda: not any(one.name == "quoteview-network" for one in threading.enumerate()), timeout=5_000)
    assert not (tmp_path / "job").exists()


def test_a_source_without_a_recording_says_why(start: Started, qtbot: QtBot) -> None:
    fetcher, served = start()
    plan = plan_of(fetcher, served, qtbot)
    assert plan.recording(MediaKind.AUDIO) is None
    assert plan.no_recording(MediaKind.VIDEO) == "the source offers no recording"


def test_no_network_is_an_error_with_a_sentence(start: Started, qtbot: QtBot) -> None:
    fetcher, _served = start()
    failed: list[Exception] = []
    fetcher.make_client = maker_of(dict)
    fetcher.ask("http://127.0.0.1:9/elsewhere", never, failed.append)  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: bool(failed), timeout=10_000)
    assert isinstance(failed[0], FetchError)


def test_work_is_given_up_when_its_report_says_so_and_its_outcome_dropped() -> None:
    gate = threading.Event()

    def report(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        abandonable(lambda: gate.wait(10), report)
    gate.set()
    assert abandonable(lambda: 7, lambda done, total: None) == 7
    with pytest.raises(KeyError):
        abandonable(lambda: dict[str, int]()["x"], lambda done, total: None)


@pytest.mark.parametrize("text", ["https://example.org/watch?v=1", " HTTP://example.org/a ", "http://127.0.0.1:80/"])
def test_a_link_is_one(text: str) -> None:
    assert is_link(text)


@pytest.mark.parametrize("text", ["", "example.org", "file:///etc/passwd", "https://", "https://a.org b", "see https://a.org"])
def test_what_is_no_link_is_none(text: str) -> None:
    assert not is_link(text)


def test_a_host_is_named_without_user_and_password() -> None:
    assert host_of("https://user:secret@example.org:8080/a") == "example.org"
