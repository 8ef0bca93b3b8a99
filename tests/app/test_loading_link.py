"""A job from a link alone: its tracks are fetched and locked, its drafts added, all by the real yt-dlp from a server of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoteview.app.loading import create
from quoteview.app.proposals import NewJob, recognise_one
from quoteview.core.errors import Cancelled, FetchError
from tests.fetching.serving import HUMAN, answer, serving

PAGE = (
    b"<html><head><title>A briefing</title></head><body><video src='/talk.mp4'>"
    b"<track kind='subtitles' srclang='en' src='/human.vtt'></video></body></html>"
)


def pages(**changed: bytes) -> dict[str, object]:
    return {"/watch": answer(200, PAGE, Content_Type="text/html"), "/human.vtt": answer(200, changed.get("human", HUMAN))}


def new_job(address: str, folder: Path, *drafts: Path) -> NewJob:
    return NewJob(
        folder=folder, title="A briefing", source=address, language="", proposals=tuple(recognise_one(draft) for draft in drafts)
    )


def test_a_link_alone_makes_a_job_with_its_draft(tmp_path: Path) -> None:
    draft = tmp_path / "piece.md"
    draft.write_text("“Dr. Okafor wrote the memo.” (0:05)\n", "utf-8")
    with serving(pages()) as served:  # type: ignore[arg-type]
        loaded = create(new_job(f"{served.address}/watch", tmp_path / "job", draft), lambda done, total: None)
    try:
        assert [record.id for record in loaded.review.job.locked] == ["en.human"]
        assert loaded.review.drafts[0].verdicts[0].is_green
    finally:
        loaded.file.release()


def test_a_link_that_gives_no_track_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    with serving(pages(human=b"")) as served, pytest.raises(FetchError, match="empty"):  # type: ignore[arg-type]
        create(new_job(f"{served.address}/watch", tmp_path / "job"), lambda done, total: None)
    assert not (tmp_path / "job").exists()


def test_stopping_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with serving(pages()) as served, pytest.raises(Cancelled):  # type: ignore[arg-type]
        create(new_job(f"{served.address}/watch", tmp_path / "job"), stop)
    assert not (tmp_path / "job").exists()
