from __future__ import annotations

import pytest

from quoteview.core.captions.track import Origin
from quoteview.core.errors import CaptionError
from quoteview.core.importing import CaptionFile, import_track
from quoteview.core.job import Standing

VTT = b"WEBVTT\nLanguage: de\n\n00:00:01.000 --> 00:00:03.000\nder Hafen war zugefroren\n"


def test_a_brought_file_is_locked_as_it_is_under_a_name_of_the_jobs_own() -> None:
    found = import_track(CaptionFile("../My talk.vtt", VTT, Origin.HUMAN, "en"), ["en.human"])
    record = found.record
    assert (record.id, record.standing, record.is_imported) == ("en.human-2", Standing.LOCKED, True)
    assert record.lock == found.source.lock
    assert found.source.lock.file == "tracks/en.human-2.vtt"
    assert (found.source.data, record.name, record.format) == (VTT, "../My talk.vtt", "webvtt")


def test_the_files_own_language_is_taken_where_nobody_said_one() -> None:
    assert import_track(CaptionFile("a.vtt", VTT), []).record.language == "de"
    assert import_track(CaptionFile("a.vtt", VTT, language="en"), []).record.language == "en"


def test_an_origin_that_nobody_said_is_told_from_one_stated_as_unknown() -> None:
    assert not import_track(CaptionFile("a.vtt", VTT), []).record.is_origin_stated
    stated = import_track(CaptionFile("a.vtt", VTT, Origin.UNKNOWN), []).record
    assert stated.is_origin_stated and stated.origin is Origin.UNKNOWN


def test_without_a_job_the_persons_name_stays() -> None:
    assert import_track(CaptionFile("a b.vtt", VTT), [], file="a b.vtt").source.lock.file == "a b.vtt"


def test_what_is_no_track_is_refused_under_the_persons_name() -> None:
    with pytest.raises(CaptionError, match=r"^a\.vtt"):
        import_track(CaptionFile("a.vtt", b"<!doctype html><html></html>"), [])
