"""`quoteview fetch`: a recording's tracks, inventoried, fetched and locked in one step, and the recording itself on request.

Cookies, proxy and rate are those that the window's settings keep, unless an option says otherwise; none stands in the job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urldefrag, urlsplit

from quoteview.commands.console import Console, Report, in_one_line
from quoteview.core.drafts.timestamps import same_recording
from quoteview.core.errors import FetchError, QuoteviewError, StoreError, UsageError
from quoteview.core.job import Standing
from quoteview.core.joblock import JobLock
from quoteview.core.reference_choice import choose_reference
from quoteview.core.store import OpenedJob, is_job, open_job
from quoteview.fetching.client import BROWSERS, Client, FetchSettings
from quoteview.fetching.inventory import Inventory
from quoteview.fetching.jobs import ask, keep, refuse_nothing, refuse_unfetchable
from quoteview.fetching.media import FetchedMedia, add_media, fetch_media, fetch_media_or_say
from quoteview.fetching.recordings import MediaKind
from quoteview.fetching.settings import kept_settings
from quoteview.fetching.tracks import fetch_tracks


def fetch(
    console: Console,
    address: str,
    folder: str,
    settings: FetchSettings,
    *,
    media: str | None = None,
    media_limit: int,
    translated: Sequence[str] = (),
) -> int:
    """Make a job of a recording's tracks and return 0; `media_limit` counts bytes.

    Raises `FetchError` where there is nothing to lock, and where the recording was asked for and did not come: then the
    job of the tracks is there. Where JOB is a job of that source already, its recording alone is fetched.
    """
    path = Path(folder)
    kind = MediaKind(media) if media else None
    client = Client(settings, say=console.remark)
    if is_job(path):
        if kind is None:
            raise UsageError(f"{folder} is a job already. With --media audio its recording is fetched into it.")
        return _into(console, client, address, path, kind, media_limit)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise StoreError(folder, "something else is there already", remedy="Name a folder that does not exist yet.")
    with console.progress("Fetching the captions") as report:
        inventory = ask(address, client, translated=translated)
        refuse_unfetchable(address, inventory)
        fetched = fetch_tracks(inventory, client, progress=_by_track(report))
        refuse_nothing(inventory.source.address, fetched)
    with _part_is_kept(console), console.progress("Fetching the recording") as report:
        recorded = fetch_media_or_say(inventory, kind, client, progress=report, largest=media_limit)
    opened = keep(inventory, fetched, path)
    if isinstance(recorded, FetchedMedia):
        opened = add_media(path, recorded)
    _say(console, opened, recorded)
    if isinstance(recorded, QuoteviewError):
        raise _without_recording(recorded, opened)
    return 0


def settings_of(*, cookies: str | None, cookies_from_browser: str | None, proxy: str | None, rate: int | None) -> FetchSettings:
    """Return the settings that the window keeps with what the options say instead; an empty option unsets one."""
    settings = kept_settings()
    if cookies is not None or cookies_from_browser is not None:
        browser = (cookies_from_browser or "").lower()
        if browser and browser not in BROWSERS:
            raise UsageError(f"--cookies-from-browser {cookies_from_browser}: it must be one of {', '.join(BROWSERS)}.")
        settings = replace(settings, cookie_file=cookies or "", cookies_from_browser=browser)
    if proxy is not None:
        settings = replace(settings, proxy=proxy)
    return settings if rate is None else replace(settings, rate=rate)


def _into(console: Console, client: Client, address: str, path: Path, kind: MediaKind, largest: int) -> int:
    """Fetch the recording of a job that is there."""
    with JobLock.take(path):
        job = open_job(path).job
        if job.media:
            raise UsageError(f"{path} has a recording already: {job.media}.")
        with _part_is_kept(console), console.progress("Fetching the recording") as report:
            inventory = ask(address, client)
            _require_same(inventory, job.source.address, path)
            recorded = fetch_media(inventory, kind, client, progress=report, largest=largest)
        opened = add_media(path, recorded)
    _say(console, opened, recorded)
    return 0


@contextmanager
def _part_is_kept(console: Console) -> Iterator[None]:
    """Say after Ctrl-C that the recording's part is the one thing that stays."""
    try:
        yield
    except KeyboardInterrupt:
        console.remark("What has come of the recording is kept aside; the same command goes on from there.")
        raise


def _require_same(inventory: Inventory, known: str, path: Path) -> None:
    found = inventory.source.address
    is_known_site = (urlsplit(found).hostname or "").endswith(("youtube.com", "youtu.be"))  # whose links say which video
    is_same = urldefrag(found).url == urldefrag(known).url or (is_known_site and same_recording(found, known))
    if not known or not is_same:
        of = f"of {known}" if known else "of files, with no source"
        raise UsageError(f"{path} is a job {of}. Bring another recording with quoteview new --media FILE.")


def _without_recording(error: QuoteviewError, opened: OpenedJob) -> QuoteviewError:
    if not isinstance(error, FetchError):
        return error
    remedy = f"{error.remedy} The captions are locked in {opened.folder}; give the same command again for the recording."
    return FetchError(error.address, error.reason, remedy=remedy, detail=error.detail, is_passing=error.is_passing)


def _by_track(report: Report) -> Callable[[str, int, int], None]:
    return lambda _track_id, done, total: report(done, total)


def _say(console: Console, opened: OpenedJob, recorded: FetchedMedia | QuoteviewError | None) -> None:
    choice = choose_reference(opened.job)
    if console.is_json:
        tracks = [
            {
                "id": record.id,
                "origin": record.origin.value,
                "language": record.language,
                "standing": record.standing.value,
                "sha256": record.lock.sha256 if record.lock else "",
                "reason": record.reason,
            }
            for record in opened.job.tracks
        ]
        reference = {"id": choice.track_id, "why": choice.why}
        document = {"schema": 1, "job": str(opened.folder), "tracks": tracks, "reference": reference}
        console.document({**document, "recording": _recording(recorded)})
        return
    listed = sum(record.standing is Standing.LISTED for record in opened.job.tracks)
    for record in opened.job.tracks:
        if record.lock is not None:
            console.remark(f"locked {record.id}  {record.lock.sha256}")
        elif record.standing is Standing.NOT_OBTAINED:
            console.line(f"not obtained {record.id}: {in_one_line(record.reason)}")
    if listed:
        console.remark(f"{listed} more are listed and were not fetched (quoteview tracks shows them).")
    if isinstance(recorded, FetchedMedia):
        console.remark(f"recording {recorded.lock.file}  {recorded.lock.sha256}")
        if recorded.disagreement:
            console.line(recorded.disagreement)
    console.remark(f"Reference: {in_one_line(choice.why)}")
    console.remark(f"Next: quoteview add {in_one_line(str(opened.folder))} DRAFT")


def _recording(recorded: FetchedMedia | QuoteviewError | None) -> dict[str, object] | None:
    match recorded:
        case None:
            return None
        case FetchedMedia():
            return {
                "file": recorded.lock.file,
                "sha256": recorded.lock.sha256,
                "bytes": recorded.lock.size,
                "duration_ms": recorded.duration_ms,
                "duration_from": recorded.length_from.value,
            }
        case _:
            return {"file": "", "reason": recorded.reason if isinstance(recorded, FetchError) else str(recorded)}
