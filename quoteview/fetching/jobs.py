"""From a link to a job: ask, plan, fetch, lock, in one step that leaves everything or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from quoteview.core.errors import FetchError
from quoteview.core.job import Job, Policy, Standing, with_draft, with_media
from quoteview.core.journal import Journal
from quoteview.core.store import OpenedJob, create_job, draft_path
from quoteview.fetching.client import Client
from quoteview.fetching.inventory import Inventory, take_inventory
from quoteview.fetching.tracks import Fetched, Progress, fetch_tracks


def ask(address: str, client: Client, *, translated: Sequence[str] = ()) -> Inventory:
    """Return the inventory of a link; raises `FetchError`. A link to many videos has them in `videos` and no offers."""
    return take_inventory(client.ask(address), address=address, translated=translated)


def job_of(inventory: Inventory, fetched: Sequence[Fetched], *, title: str = "") -> Job:
    """Return the job of what was fetched; it may hold no locked track at all, which its gates then say."""
    return Job(
        title=title or inventory.source.title or inventory.source.address,
        source=inventory.source,
        language="",
        tracks=tuple(one.record for one in fetched),
        drafts=(),
        policy=Policy(),
        journal=Journal(),
    )


def fetch_job(
    address: str,
    folder: Path,
    client: Client,
    *,
    translated: Sequence[str] = (),
    title: str = "",
    progress: Progress | None = None,
) -> OpenedJob:
    """Inventory a link, fetch and lock its tracks, and return the job made in `folder`.

    Partial success is kept: what was not obtained is recorded with its reason and closes the `inventory` gate. Raises
    `FetchError` where there is nothing to lock at all; then, and when cancelled, no folder is left.
    """
    inventory = ask(address, client, translated=translated)
    refuse_unfetchable(address, inventory)
    return keep(inventory, fetch_tracks(inventory, client, progress=progress), folder, title=title)


def refuse_unfetchable(address: str, inventory: Inventory) -> None:
    """Raise `FetchError` where a link leads to many videos or to an empty list, or its source offers no track."""
    if inventory.videos:
        raise FetchError(address, f"this link leads to {len(inventory.videos)} videos", remedy="Give the link of one of them.")
    if inventory.is_list:
        raise FetchError(address, "this link leads to a list without a video", remedy="Give the link of one video.")
    if not inventory.offers:
        raise FetchError(address, "the source offers no caption tracks", remedy="Bring a caption file with quoteview new.")


def keep(
    inventory: Inventory,
    fetched: Sequence[Fetched],
    folder: Path,
    *,
    title: str = "",
    language: str = "",
    media: str = "",
    drafts: Sequence[tuple[str, bytes]] = (),
) -> OpenedJob:
    """Make the job of what was fetched, with drafts as (file name, bytes): all of it or nothing.

    `language` is the one that a person states, `media` the path of a recording that they have.
    Raises `FetchError` where not one track was obtained.
    """
    refuse_nothing(inventory.source.address, fetched)
    placed: dict[str, bytes] = {}
    job = replace(job_of(inventory, fetched, title=title), language=language)
    if media:
        job = with_media(job, media)
    for name, content in drafts:
        path = draft_path(name, {known.removeprefix("drafts/").casefold() for known in placed})
        placed[path] = content
        job = with_draft(job, path)
    tracks = {one.record.id: one.body for one in fetched if one.body is not None}
    return create_job(folder, job, tracks, drafts=placed)


def refuse_nothing(address: str, fetched: Sequence[Fetched]) -> None:
    """Raise `FetchError` where not one track was obtained, with the first reason."""
    if any(one.body is not None for one in fetched):
        return
    failed = [one.record for one in fetched if one.record.standing is Standing.NOT_OBTAINED]
    if failed:
        reasons = "; ".join(f"{record.id}: {record.reason}" for record in failed)
        said = "\n".join(dict.fromkeys(value for record in failed for name, value in record.received if name == "said"))
        raise FetchError(
            address, f"no track could be obtained ({reasons})", remedy="Try again later.", detail=said, is_passing=True
        )
    raise FetchError(address, "only machine translations are offered", remedy="Ask for one with --translated LANGUAGE.")
