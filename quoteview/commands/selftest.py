"""`quoteview selftest`: changes planted in copies of a job, in memory, and what caught each."""

from __future__ import annotations

from pathlib import Path

from quoteview.commands.console import Console, Style, in_one_line
from quoteview.core.errors import UsageError
from quoteview.core.planting import PlantingReport
from quoteview.core.review import plant, review
from quoteview.core.store import open_job

_KINDS = {
    "a": "the raw bytes, with the old lock",
    "b": "the raw bytes, with the lock remade",
    "c": "the working copy alone",
    "d": "the text of an exact quotation",
    "e": "a claimed time, one millisecond too far",
    "f": "the journal",
    "g": "draft and transcript, cut short",
    "h": "a quotation's closing mark",
}


def selftest(console: Console, folder: str, seed: int | None) -> int:
    """Plant changes in every draft of a job; return 0 where all were caught, 1 where one passed unseen or none was planted."""
    opened = open_job(Path(folder))
    with console.progress("Checking") as report:
        found = review(opened.material, report=report)
    reports: list[tuple[str, PlantingReport | None]] = []
    for index, draft in enumerate(found.drafts):
        with console.progress("Planting changes") as report:
            found = plant(found, index, seed=seed, explains=True, report=report)
        reports.append((draft.path, found.planting(index)))
    if not reports:
        raise UsageError(f"{folder}: the job has no draft, so there is nothing to plant changes in. Add one with quoteview add.")
    if console.is_json:
        console.document({"schema": 1, "drafts": [_document(path, planted) for path, planted in reports]})
    else:
        for path, planted in reports:
            _print(console, path, planted)
    return 0 if all(planted is not None and planted.all_caught for _, planted in reports) else 1


def _document(path: str, planted: PlantingReport | None) -> dict[str, object]:
    if planted is None:
        return {"file": path, "seed": None, "planted": 0, "caught": 0, "redrawn": 0, "not_tried": [], "plants": []}
    return {
        "file": path,
        "seed": planted.seed,
        "planted": planted.planted,
        "caught": planted.caught,
        "redrawn": planted.redrawn,
        "not_tried": list(planted.not_tried),
        "plants": [{"kind": each.kind, "what": each.what, "caught_by": each.caught_by or None} for each in planted.plants],
    }


def _print(console: Console, path: str, planted: PlantingReport | None) -> None:
    console.line(console.styled(in_one_line(path), Style.BOLD))
    if planted is None:
        console.line("  Nothing could be planted: there is no track to check against, or the draft can't be read.")
        return
    kind = ""
    for each in planted.plants:
        if each.kind != kind:
            kind = each.kind
            console.line(f"  ({kind}) {_KINDS.get(kind, '')}")
        if each.caught_by:
            console.line(
                f"    {console.styled('✓', Style.GREEN)} {in_one_line(each.what)}: caught by {in_one_line(each.caught_by)}"
            )
        else:
            console.line(f"    {console.styled('✗ passed unseen', Style.RED)}: {in_one_line(each.what)}")
    for reason in planted.not_tried:
        console.line(f"  not tried: {in_one_line(reason)}")
    console.line(f"  {planted.caught} of {planted.planted} caught; seed {planted.seed}, {planted.redrawn} drawn again")
