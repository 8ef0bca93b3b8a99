"""The sample's files are those that the script beside their text makes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from quoteview.core.captions.reading import read_track
from quoteview.core.locking import lock
from quoteview.core.resources import resource

ROOT = Path(__file__).resolve().parent.parent


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_sample", ROOT / "packaging" / "sample" / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_sample_is_what_its_script_makes() -> None:
    for name, content in maker().files().items():
        assert resource("sample").joinpath(name).read_bytes() == content, name
    assert (ROOT / "tests" / "data" / "working-day.md").read_bytes() == maker().working_day()


def test_both_tracks_are_read_to_the_last_byte() -> None:
    for name, cues in (("tide-book.human.vtt", 80), ("tide-book.auto.json3", None)):
        content = (resource("sample") / name).read_bytes()
        track = read_track(lock(content, name))
        assert track.ledger.totals()["unread"] == 0 and track.order == ()
        assert cues is None or len(track.cues) == cues
    assert content.count(b"1,260") == 1, "the number that the recogniser got wrong"
