"""The bytes of the tracks: fetched one at a time, locked at the moment of arrival, and refused with a reason.

Every track that was planned ends as locked or as not obtained with its reason; none is silently absent. A copy of a
track gets a record of its own and the same bytes, without a second request. What was refused: an empty body, a
web page, a length other than announced, a file without cues.

Where the format that keeps most is refused and the source offers the track in others, at most two of those are tried; the
record says which format was taken and why. A recognised track that is read a second time beside the first has its
other format anyway.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from quoteview.core.captions.reading import read_track
from quoteview.core.errors import CaptionError, FetchError
from quoteview.core.job import Standing, TrackRecord, free_track_id, track_file
from quoteview.core.locking import lock
from quoteview.fetching.client import Answer, Client
from quoteview.fetching.inventory import Inventory, Offer, OfferedFormat, Plan, public_address
from quoteview.fetching.library import library_version
from quoteview.fetching.wording import OF_THE_SERVER

MOST_OTHERS = 2
"""How many other formats of a track are asked for at most where the first is refused."""

Progress = Callable[[str, int, int], None]
"""Takes a track's id, bytes done and bytes in all (0 where unknown); raises `Cancelled` to stop."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A track's record and its bytes; None where it was not obtained, or only listed."""

    record: TrackRecord
    body: bytes | None


class Step(NamedTuple):
    """One record that a fetch makes: an offer in one of its formats. `copy_of` is the id of the step that it is a second
    format or a copy of, else ""; `copy_key` the source's name of a copy, which needs no request of its own."""

    track_id: str
    offer: Offer
    offered: OfferedFormat
    copy_of: str = ""
    copy_key: str = ""


def steps_of(inventory: Inventory, taken: Sequence[str] = ()) -> tuple[Step, ...]:
    """Return the records that `fetch_tracks` will make of an inventory, in its order, with the ids that they will have."""
    names = set(taken)
    steps: list[Step] = []

    def add(offer: Offer, offered: OfferedFormat, language: str, copy_of: str = "", copy_key: str = "") -> str:
        track_id = free_track_id(language, offer.origin, names)
        names.add(track_id)
        steps.append(Step(track_id, offer, offered, copy_of, copy_key))
        return track_id

    for offer in inventory.offers:
        first = add(offer, offer.best, offer.language or offer.key)
        if offer.plan is Plan.LIST:
            continue
        if offer.second is not None:
            add(offer, offer.second, offer.language or offer.key, first)
        for key in offer.also_as:
            add(offer, offer.best, key, first, key)
    return tuple(steps)


def fetch_tracks(
    inventory: Inventory,
    client: Client,
    *,
    taken: Sequence[str] = (),
    progress: Progress | None = None,
    arrived: Callable[[Fetched], None] | None = None,
) -> tuple[Fetched, ...]:
    """Return every track of an inventory, those that were planned fetched, the others listed; in the inventory's order.

    One at a time, as is decent; `arrived` hears of each as soon as it is there or refused. Raises `Cancelled` when
    `progress` or the client does; then nothing is left behind.
    """
    fetched: dict[str, Fetched] = {}
    with tempfile.TemporaryDirectory(prefix="quoteview-fetch-") as folder, client.kept_open():
        for number, step in enumerate(steps_of(inventory, taken)):
            if step.copy_key:
                one = _copy(fetched[step.copy_of], step)
            else:
                one = _one(step, client, Path(folder) / f"{number}", progress)
            fetched[step.track_id] = one
            if arrived is not None:
                arrived(one)
    return tuple(fetched.values())


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


def _one(step: Step, client: Client, folder: Path, progress: Progress | None) -> Fetched:
    record = _record(step)
    if step.offer.plan is Plan.LIST:
        return Fetched(record, None)
    refused: list[tuple[str, TrackRecord]] = []
    for number, offered in enumerate((step.offered, *_spare(step))):
        if refused:
            client.tell(
                f"{record.id} cannot be had as {refused[-1][0]} ({refused[-1][1].reason}): asking for it as {offered.ext}."
            )
        one = _as(record, offered, client, folder / f"{number}", progress)
        if one.body is not None:
            return _taken_instead(one, offered, refused)
        refused.append((offered.ext, one.record))
        if one.record.reason in OF_THE_SERVER:
            break
    first = refused[0][1]
    if len(refused) == 1:
        return Fetched(first, None)
    others = ", ".join(f"as {ext}: {failed.reason}" for ext, failed in refused[1:])
    is_passing = any(failed.is_passing for _ext, failed in refused)
    return Fetched(replace(first, reason=f"{first.reason} ({others})", is_passing=is_passing), None)


def _spare(step: Step) -> Sequence[OfferedFormat]:
    """Return the formats to try where the first is refused."""
    is_read_twice = bool(step.copy_of) or step.offer.second is not None
    return () if is_read_twice else step.offer.formats[1 : 1 + MOST_OTHERS]


def _as(record: TrackRecord, offered: OfferedFormat, client: Client, folder: Path, progress: Progress | None) -> Fetched:
    record = replace(record, format=offered.ext, address=public_address(offered.address))
    try:
        body, answer = _body(offered, client, folder, record.id, progress)
    except FetchError as error:
        return Fetched(_not_obtained(record, error.reason, is_passing=error.is_passing, detail=error.detail), None)
    reason = refusal(body, answer, track_file(record.id, record.format))
    if reason:
        return Fetched(_not_obtained(record, reason, is_passing=True), None)
    return Fetched(_locked(record, body, answer), body)


def _taken_instead(one: Fetched, offered: OfferedFormat, refused: Sequence[tuple[str, TrackRecord]]) -> Fetched:
    if not refused:
        return one
    why = "; ".join(f"as {ext}: {failed.reason}" for ext, failed in refused)
    return replace(one, record=replace(one.record, reason=f"{one.record.reason}; taken as {offered.ext}, since {why}"))


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


def _record(step: Step) -> TrackRecord:
    offer = step.offer
    return TrackRecord(
        id=step.track_id,
        origin=offer.origin,
        language=offer.language,
        standing=Standing.LISTED,
        name=offer.name,
        format=step.offered.ext,
        address=public_address(step.offered.address),
        reason=offer.why,
        copy_of=step.copy_of,
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
        library=f"yt-dlp {library_version()}",
        received=tuple(facts.items()),
    )


def _not_obtained(record: TrackRecord, reason: str, *, is_passing: bool, detail: str = "") -> TrackRecord:
    facts = (("said", detail),) if detail else ()
    return replace(record, standing=Standing.NOT_OBTAINED, reason=reason, is_passing=is_passing, received=facts)


def _copy(first: Fetched, step: Step) -> Fetched:
    """Return the record of a copy under its own name, with the same bytes."""
    record = first.record
    same = replace(record, id=step.track_id, copy_of=record.id, name=record.name or step.copy_key)
    if first.body is None or record.lock is None:
        return Fetched(replace(same, standing=Standing.LISTED, reason=f"a copy of {record.id}"), None)
    return Fetched(replace(same, lock=replace(record.lock, file=track_file(step.track_id, record.format))), first.body)


def _facts(answer: Answer) -> Mapping[str, str]:
    facts = {"status": str(answer.status), "type": answer.kind, "from": public_address(answer.address)}
    if answer.length is not None:
        facts["length"] = str(answer.length)
    return {name: value for name, value in facts.items() if value}
