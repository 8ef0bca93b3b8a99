"""The structures that the installed yt-dlp's own parsers build today are the ones that the inventory understands."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from yt_dlp import YoutubeDL
from yt_dlp.extractor.common import InfoExtractor

from quoteview.core.captions.track import Origin
from quoteview.fetching.inventory import Inventory, take_inventory
from quoteview.fetching.recordings import MediaKind


@pytest.fixture
def extractor() -> Iterator[InfoExtractor]:
    with YoutubeDL(cast("Any", {"quiet": True, "cachedir": False}), auto_init=False) as library:
        yield InfoExtractor(library)


def rows(inventory: Inventory) -> list[tuple[str, Origin, str, str]]:
    return [(offer.key, offer.origin, offer.language, offer.best.address.rpartition("/")[2]) for offer in inventory.offers]


PAGE = """<video><source src="/talk.mp4" type="video/mp4">
<track kind="captions" srclang="en" src="/sdh.vtt"><track kind="subtitles" srclang="en" src="/en.vtt">
<track src="/unnamed.vtt"><track kind="subtitles" label="Deutsch" src="/de.vtt">
<track kind="chapters" srclang="en" src="/chapters.vtt"></video>"""


def test_a_page_with_track_elements(extractor: InfoExtractor) -> None:
    (facts,) = extractor._parse_html5_media_entries("https://example.org/page", PAGE, "x")
    inventory = take_inventory(facts)
    assert rows(inventory) == [
        ("en", Origin.HUMAN, "en", "sdh.vtt"),
        ("en", Origin.HUMAN, "en", "en.vtt"),
        ("Deutsch", Origin.HUMAN, "", "de.vtt"),
        ("und", Origin.HUMAN, "", "unnamed.vtt"),
    ]
    video = inventory.recordings.of(MediaKind.VIDEO)
    assert video is not None
    assert (video.address, video.values["http_headers"]) == (
        "https://example.org/talk.mp4",
        {"Referer": "https://example.org/page"},
    )


MASTER = """#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English (SDH)",LANGUAGE="en",URI="sdh.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="French",LANGUAGE="fra",URI="fr.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Some",URI="some.vtt"
#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1,mp4a",SUBTITLES="s"
low.m3u8
"""


def test_the_subtitles_of_a_stream(extractor: InfoExtractor) -> None:
    formats, subtitles = extractor._parse_m3u8_formats_and_subtitles(MASTER, "https://example.org/hls/master.m3u8", ext="mp4")
    inventory = take_inventory({"subtitles": subtitles, "formats": formats})
    assert rows(inventory) == [
        ("en", Origin.HUMAN, "en", "en.m3u8"),
        ("en", Origin.HUMAN, "en", "sdh.m3u8"),
        ("fra", Origin.HUMAN, "fr", "fr.m3u8"),
        ("und", Origin.HUMAN, "", "some.vtt"),
    ]
    assert inventory.offers[0].best.is_in_pieces
    assert "in pieces only" in inventory.recordings.absence(MediaKind.AUDIO)


MANIFEST = """<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" mediaPresentationDuration="PT60S" type="static"><Period>
<AdaptationSet mimeType="text/vtt" lang="en"><Representation id="s-en" bandwidth="256"><BaseURL>en.vtt</BaseURL></Representation>
</AdaptationSet><AdaptationSet mimeType="audio/mp4" lang="en"><Representation id="a" bandwidth="128000" codecs="mp4a.40.2">
<BaseURL>a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>"""


def test_the_subtitles_of_a_dash_manifest(extractor: InfoExtractor) -> None:
    parse = cast("Any", extractor)._parse_mpd_formats_and_subtitles
    formats, subtitles = parse(ElementTree.fromstring(MANIFEST), mpd_base_url="https://example.org/dash/")
    inventory = take_inventory({"subtitles": subtitles, "formats": formats})
    assert rows(inventory) == [("en", Origin.HUMAN, "en", "en.vtt")]


def test_text_in_place_of_an_address(extractor: InfoExtractor) -> None:
    written = extractor._merge_subtitles({"en": [{"ext": "srt", "data": "1\n00:00:01,000 --> 00:00:02,000\nhello\n"}]}, {})
    (offer,) = take_inventory({"subtitles": written}).offers
    assert (offer.best.ext, offer.best.address) == ("srt", "")


def test_what_the_youtube_extractor_writes_is_what_origins_are_told_by() -> None:
    """Its answer cannot be had without YouTube; the marks that the inventory goes by must still stand in its source."""
    module = importlib.import_module("yt_dlp.extractor.youtube._video")
    source = inspect.getsource(module)
    for mark in (
        "caption_track.get('kind') != 'asr'",
        "'tlang': trans_code",
        "f'{trans_code}-orig'",
        "'name': sub_name",
        "'impersonate': True",
        "['live_chat']",
        "'youtube_live_chat_replay'",
    ):
        assert mark in source
    assert set(module.YoutubeIE._SUBTITLE_FORMATS) == {"json3", "srv1", "srv2", "srv3", "ttml", "srt", "vtt"}
