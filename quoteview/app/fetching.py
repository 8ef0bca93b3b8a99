"""The window's way to a source: the inventory as rows, the fetch with each track's progress, and looking for changes.

Everything runs in a worker, and the network in a thread that the worker can give up: stopping takes effect at once
however long a server keeps silent. The bytes stay in memory until all of them are there; only then is the job made, in one
step. So nothing is left of a fetch that was stopped.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal

from quoteview.app.jobs import Jobs, Report, abandonable
from quoteview.app.settings import Settings
from quoteview.core import store
from quoteview.core.atomic import store_error
from quoteview.core.captions.track import Origin
from quoteview.core.drafts.reading import read_draft
from quoteview.core.errors import Cancelled, QuoteviewError
from quoteview.core.job import Standing, TrackRecord
from quoteview.core.reference_choice import choose_reference
from quoteview.fetching.changes import Change, ChangeKind, look_for_changes
from quoteview.fetching.client import BROWSERS, Client, FetchSettings
from quoteview.fetching.inventory import Inventory, Plan, Video
from quoteview.fetching.jobs import ask, keep, refuse_nothing
from quoteview.fetching.library import Library, library
from quoteview.fetching.media import FetchedMedia, add_media, fetch_media_or_say
from quoteview.fetching.recordings import MediaKind, Recording
from quoteview.fetching.tracks import Fetched, fetch_tracks, steps_of

__all__ = [
    "BROWSERS",
    "RECORDING",
    "Change",
    "ChangeKind",
    "FetchSettings",
    "Fetcher",
    "Library",
    "MediaKind",
    "Order",
    "PlanRow",
    "Recording",
    "SourcePlan",
    "Video",
]

RECORDING = "media"
"""The id by which `track_moved` tells of the recording itself; no track has it."""

_TELL_EVERY_S = 0.04
"""A track's progress is told at most this often."""

Result = TypeVar("Result")


class PlanRow(NamedTuple):
    """One track of the inventory as the window lists it. `key` is the source's own name, by which a translation is asked for.

    `id` is the track's id in the job; of a translation that is only listed it stands for itself. `copy_of` is the id of
    the track that it is a copy or a second format of, "" for most.
    """

    id: str
    key: str
    origin: Origin
    language: str
    name: str
    format: str
    why: str
    is_planned: bool
    copy_of: str


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """What a source offers, and what would be fetched of it. `videos` are there for a link to many, with no rows."""

    address: str
    inventory: Inventory

    @property
    def title(self) -> str:
        """The recording's title, or its address."""
        return self.inventory.source.title or self.inventory.source.address or self.address

    @property
    def duration_ms(self) -> int | None:
        """The recording's length, None where the source does not say."""
        return self.inventory.source.duration_ms

    @property
    def videos(self) -> tuple[Video, ...]:
        """The videos of a link to many."""
        return self.inventory.videos

    def rows(self) -> tuple[PlanRow, ...]:
        """Return every track, human ones first, then automatic, then translated."""
        return tuple(
            PlanRow(
                step.track_id,
                step.offer.key,
                step.offer.origin,
                step.offer.language,
                step.offer.name or step.copy_key,
                step.offered.ext,
                _why(step.offer.why, step.copy_of, is_copy=bool(step.copy_key)),
                step.offer.plan is Plan.FETCH,
                step.copy_of,
            )
            for step in steps_of(self.inventory)
        )

    def recording(self, kind: MediaKind) -> Recording | None:
        """Return the file of the recording that would be fetched, with its size where the source says it; None without one."""
        return self.inventory.recordings.of(kind)

    def no_recording(self, kind: MediaKind) -> str:
        """Return why there is no file of a kind to fetch, for beside a tick that cannot be set."""
        return self.inventory.recordings.absence(kind)

    def with_translated(self, keys: Collection[str]) -> SourcePlan:
        """Return the plan with just these translations asked for."""
        return SourcePlan(self.address, self.inventory.with_translated(keys))


@dataclass(frozen=True, slots=True)
class Order:
    """A fetch as a person confirmed it: the plan, where the job goes, its title, the stated language, and drafts that join it.

    `media` is the path of a recording that they have; `recording` asks to fetch it from the source instead: its bytes
    are told of as `RECORDING`, and a break leaves a part that the next fetch of it goes on with.
    """

    plan: SourcePlan
    folder: Path
    title: str
    language: str = ""
    media: str = ""
    drafts: tuple[Path, ...] = ()
    recording: MediaKind | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """The job that was made, what it was not given of what was offered, and which track is its reference, and why.

    `about_recording` is a sentence for the editor where the recording that was asked for did not come, or is of another
    length than the source says; else "".
    """

    folder: Path
    missing: tuple[TrackRecord, ...]
    reference: str
    about_recording: str = ""


class ClientMaker(Protocol):
    """Makes the client of one piece of work; `Client` itself is one, tests give it a source of their own."""

    def __call__(
        self, settings: FetchSettings, *, wait: Callable[[float], None], say: Callable[[str], None], check: Callable[[], None]
    ) -> Client:
        """Return a client with these settings, whose waits and requests can be stopped."""


class Fetcher(QObject):
    """Asks and fetches for the window, one thing at a time: what is newly asked stops what ran.

    `said` carries a sentence on what is being waited for; `track_moved` a track's id with bytes done and in all (0 where
    unknown); `track_arrived` the record of a track that was locked or refused; `library_known` the
    `Library`. All are emitted in the GUI thread.
    """

    said = Signal(str)
    track_moved = Signal(str, int, int)
    track_arrived = Signal(object)
    library_known = Signal(object)
    said_in_thread = Signal(int, str)
    moved_in_thread = Signal(int, str, int, int)
    arrived_in_thread = Signal(int, object)

    def __init__(self, settings: Settings, parent: QObject | None = None, *, make_client: ClientMaker = Client) -> None:
        super().__init__(parent)
        self._settings = settings
        self._jobs = Jobs(1, self)
        self._number = 0
        self._stop = threading.Event()
        self.make_client = make_client
        self.said_in_thread.connect(self._on_said)
        self.moved_in_thread.connect(self._on_moved)
        self.arrived_in_thread.connect(self._on_arrived)

    @property
    def is_running(self) -> bool:
        """Whether something is being asked or fetched."""
        return not self._jobs.is_idle

    def ask(self, address: str, deliver: Callable[[SourcePlan], None], fail: Callable[[Exception], None]) -> None:
        """Ask a source what it offers; `deliver` gets the plan, `fail` what went wrong, in the GUI thread."""

        def work(client: Client, report: Report) -> SourcePlan:
            return SourcePlan(address, abandonable(lambda: ask(address, client), report))

        self._run(work, deliver, fail, self.tr("asking {host}").format(host=host_of(address)))

    def fetch(self, order: Order, deliver: Callable[[Made], None], fail: Callable[[Exception], None]) -> None:
        """Fetch and lock what is planned, and make the job with its drafts. A place that is taken fails before any request."""
        number = self._number + 1

        def work(client: Client, report: Report) -> Made:
            store.refuse_taken(order.folder)  # before anything is asked of a server for it
            drafts = tuple((path.name, _draft(path)) for path in order.drafts)
            arrived = partial(self._tell_arrived, number)
            moved = self._mover(number)
            inventory = order.plan.inventory
            fetched = abandonable(lambda: fetch_tracks(inventory, client, progress=moved, arrived=arrived), report)
            refuse_nothing(inventory.source.address, fetched)
            recorded = abandonable(
                lambda: fetch_media_or_say(inventory, order.recording, client, progress=partial(moved, RECORDING)), report
            )
            opened = keep(
                inventory,
                fetched,
                order.folder,
                title=order.title,
                language=order.language,
                media=order.media,
                drafts=drafts,
            )
            missing = tuple(one.record for one in fetched if one.record.standing is Standing.NOT_OBTAINED)
            return Made(opened.folder, missing, choose_reference(opened.job).why, _taken(opened.folder, recorded))

        self._run(work, deliver, fail, self.tr("fetching"))

    def look_for_changes(
        self, folder: Path, deliver: Callable[[tuple[Change, ...]], None], fail: Callable[[Exception], None]
    ) -> None:
        """Fetch a job's tracks again, into memory, and compare them with the lock. Nothing of the job is changed."""
        number = self._number + 1

        def work(client: Client, report: Report) -> tuple[Change, ...]:
            material = store.open_job(folder, report=report).material
            moved = self._mover(number)
            return abandonable(lambda: look_for_changes(material, client, progress=moved), report)

        self._run(work, deliver, fail, self.tr("looking for changes"))

    def look_at_library(self) -> None:
        """Find out, in the background, which version of the fetching library is in use; `library_known` tells it."""
        self._jobs.run(lambda _report: library(), self.library_known.emit, lambda _error: None, sentence="")

    def cancel(self) -> None:
        """Stop and silence what runs, at once: neither `deliver` nor `fail` is called any more."""
        self._stop.set()
        self._number += 1
        self._jobs.drop("fetch")

    def shut_down(self) -> None:
        """Stop everything, for the program's end."""
        self._stop.set()
        self._jobs.stop()

    def _run(
        self,
        work: Callable[[Client, Report], Result],
        deliver: Callable[[Result], None],
        fail: Callable[[Exception], None],
        sentence: str,
    ) -> None:
        self._stop.set()
        self._number += 1
        number, self._stop = self._number, threading.Event()
        stop = self._stop

        def check() -> None:
            if stop.is_set():
                raise Cancelled

        def wait(seconds: float) -> None:
            stop.wait(seconds)
            check()

        settings, make, say = self._settings.fetching, self.make_client, partial(self._tell_said, number, stop)
        self._jobs.run(
            lambda report: work(make(settings, wait=wait, say=say, check=check), report),
            deliver,
            fail,
            sentence=sentence,
            name="fetch",
        )

    def _tell_said(self, number: int, stop: threading.Event, sentence: str) -> None:
        if not stop.is_set():
            self.said_in_thread.emit(number, sentence)

    def _tell_arrived(self, number: int, fetched: Fetched) -> None:
        if number == self._number:
            self.arrived_in_thread.emit(number, fetched.record)

    def _mover(self, number: int) -> Callable[[str, int, int], None]:
        """Return a `Progress` that tells of each track now and then, and stops the fetch when it was given up."""
        told: dict[str, float] = {}

        def moved(track_id: str, done: int, total: int) -> None:
            if number != self._number:
                raise Cancelled
            now = time.monotonic()
            if now - told.get(track_id, 0.0) >= _TELL_EVERY_S:
                told[track_id] = now
                self.moved_in_thread.emit(number, track_id, done, total)

        return moved

    def _on_said(self, number: int, sentence: str) -> None:
        if number == self._number:
            self.said.emit(sentence)

    def _on_moved(self, number: int, track_id: str, done: int, total: int) -> None:
        if number == self._number:
            self.track_moved.emit(track_id, done, total)

    def _on_arrived(self, number: int, record: TrackRecord) -> None:
        if number == self._number:
            self.track_arrived.emit(record)


def host_of(address: str) -> str:
    """Return the host of an address, to be named in a sentence; the address where it has none."""
    return urlsplit(address).hostname or address


def is_link(text: str) -> bool:
    """Return whether a text is one link that a source may be asked by."""
    words = text.strip()
    return words.lower().startswith(("http://", "https://")) and len(words.split()) == 1 and bool(urlsplit(words).hostname)


def as_link(text: str) -> str:
    """Return the link that a person means by what they typed, `https://` put before it where they left that out; "" for none."""
    words = text.strip()
    if is_link(words):
        return words
    return f"https://{words}" if re.fullmatch(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?/\S+", words) else ""


def _why(why: str, copy_of: str, *, is_copy: bool) -> str:
    if is_copy:
        return f"the same bytes as {copy_of}"
    return f"a second reading of {copy_of}" if copy_of else why


def _taken(folder: Path, recorded: FetchedMedia | QuoteviewError | None) -> str:
    """Put the recording into the job that is there by now, and return what is to be said of it."""
    if not isinstance(recorded, FetchedMedia):
        return str(recorded or "")
    try:
        add_media(folder, recorded)
    except QuoteviewError as error:
        return str(error)
    return recorded.disagreement


def _draft(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise store_error(path, error) from error
    read_draft(content, path.name)
    return content
