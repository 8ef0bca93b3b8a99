"""The bytes of the tracks: fetched one at a time, locked at the moment of arrival, and refused with a reason.

Every track that was planned ends as locked or as not obtained with its reason; none is silently absent. A copy of a
track gets a record of its own and the same bytes, without a second request. What was refused: an empty body, a
web page, a length other than announced, a file without cues.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from quoteview.core.captions.reading import read_track
from quoteview.core.errors import CaptionError, FetchError
from quoteview.core.job import Standing, TrackRecord, free_track_id, track_file
from quoteview.core.locking import lock
from quoteview.fetching.client import Answer, Client
from quoteview.fetching.inventory import Inventory, Offer, OfferedFormat, Plan, public_address

Progress = Callable[[str, int, int], None]
"""Takes a track's id, bytes done and bytes in all (0 where unknown); raises `Cancelled` to stop."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A track's record and its bytes; None where it was not obtained, or only listed."""

    record: TrackRecord
    body: bytes | None


def fetch_tracks(
    inventory: Inventory, client: Client, *, taken: Sequence[str] = (), progress: Progress | None = None
) -> tuple[Fetched, ...]:
    """Return every track of an inventory, those that were planned fetched, the others listed; in the inventory's order.

    One at a time, as is decent. Raises `Cancelled` when `progress` does; then nothing is left behind.
    """
    names = set(taken)
    fetched: list[Fetched] = []
    with tempfile.TemporaryDirectory(prefix="quoteview-fetch-") as folder:
        for number, offer in enumerate(inventory.offers):
            first = _one(offer, offer.best, client, Path(folder) / f"{number}", names, progress, "")
            fetched.append(first)
            if first.body is None and offer.plan is Plan.LIST:
                continue
            if offer.second is not None:
                fetched.append(
                    _one(offer, offer.second, client, Path(folder) / f"{number}-second", names, progress, first.record.id)
                )
            fetched += [_copy(first, key, names) for key in offer.also_as]
    return tuple(fetched)


def refusal(body: bytes, answer: Answer | None, file: str) -> str:
    """Return why a body is no caption track, "" where it is one."""
    if not body:
        return "the server sent an empty body"
    if answer is not None and answer.length is not None and not answer.is_compressed and answer.length != len(body):
        return f"the server announced {answer.length:,} bytes and sent {len(body):,}"
    try:
        read_track(lock(body, file))
    except CaptionError as error:
        return error.reason
    return ""


def _one(
    offer: Offer,
    offered: OfferedFormat,
    client: Client,
    folder: Path,
    names: set[str],
    progress: Progress | None,
    second_of: str,
) -> Fetched:
    record = _record(offer, offered, names, second_of)
    if offer.plan is Plan.LIST:
        return Fetched(record, None)
    try:
        body, answer = _body(offered, client, folder, record.id, progress)
    except FetchError as error:
        return Fetched(_not_obtained(record, error.reason, is_passing=error.is_passing, detail=error.detail), None)
    reason = refusal(body, answer, track_file(record.id, record.format))
    if reason:
        return Fetched(_not_obtained(record, reason, is_passing=True), None)
    return Fetched(_locked(record, body, answer), body)


def _body(
    offered: OfferedFormat, client: Client, folder: Path, track_id: str, progress: Progress | None
) -> tuple[bytes, Answer | None]:
    if offered.inline is not None:
        return offered.inline.encode("utf-8"), None

    def report(done: int, total: int) -> None:
        if progress is not None:
            progress(track_id, done, total)

    report(0, 0)
    return client.fetch(offered.values, folder, report)


def _record(offer: Offer, offered: OfferedFormat, names: set[str], second_of: str) -> TrackRecord:
    track_id = free_track_id(offer.language or offer.key, offer.origin, names)
    names.add(track_id)
    return TrackRecord(
        id=track_id,
        origin=offer.origin,
        language=offer.language,
        standing=Standing.LISTED,
        name=offer.name,
        format=offered.ext,
        address=public_address(offered.address),
        reason=offer.why,
        copy_of=second_of,
    )


def _locked(record: TrackRecord, body: bytes, answer: Answer | None) -> TrackRecord:
    track = read_track(lock(body, record.id))
    file = track_file(record.id, track.format.value)
    source = lock(body, file)
    facts: Mapping[str, str] = {} if answer is None else _facts(answer)
    return replace(
        record,
        standing=Standing.LOCKED,
        lock=source.lock,
        format=track.format.value,
        fetched_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        library=library_version(),
        received=tuple(facts.items()),
    )


def _not_obtained(record: TrackRecord, reason: str, *, is_passing: bool, detail: str = "") -> TrackRecord:
    facts = (("said", detail),) if detail else ()
    return replace(record, standing=Standing.NOT_OBTAINED, reason=reason, is_passing=is_passing, received=facts)


def _copy(first: Fetched, key: str, names: set[str]) -> Fetched:
    """Return the record of a copy under its own name, with the same bytes."""
    record = first.record
    track_id = free_track_id(key, record.origin, names)
    names.add(track_id)
    same = replace(record, id=track_id, copy_of=record.id, name=record.name or key)
    if first.body is None or record.lock is None:
        return Fetched(replace(same, standing=Standing.LISTED, reason=f"a copy of {record.id}"), None)
    return Fetched(replace(same, lock=replace(record.lock, file=track_file(track_id, record.format))), first.body)


def _facts(answer: Answer) -> Mapping[str, str]:
    facts = {"status": str(answer.status), "type": answer.kind, "from": public_address(answer.address)}
    if answer.length is not None:
        facts["length"] = str(answer.length)
    return {name: value for name, value in facts.items() if value}


def library_version() -> str:
    """Return the name and version of the library that fetches."""
    from yt_dlp.version import __version__

    return f"yt-dlp {__version__}"
