"""Which tracks a source offers, of which origin: on the structures that yt-dlp's extractors build for several sites."""

from __future__ import annotations

import pytest

from quoteview.core.captions.track import Origin
from quoteview.fetching.inventory import Inventory, Plan, public_address, take_inventory

YOUTUBE = "https://www.youtube.com/api/timedtext?v=vid00000001&ei=x&caps=asr"


def entries(address: str, *, name: str = "") -> list[dict[str, str]]:
    """Return a track's formats as the YouTube extractor lists them."""
    return [
        {"ext": ext, "url": f"{address}&fmt={ext}", **({"name": name} if name else {})}
        for ext in ("json3", "srv1", "srv2", "srv3", "ttml", "srt", "vtt")
    ]


def youtube(translations: int = 155) -> dict[str, object]:
    """Return a video with a human English and German track, recognition in English, and its translations."""
    automatic = {f"t{n}": entries(f"{YOUTUBE}&lang=en&kind=asr&tlang=t{n}") for n in range(translations)}
    return {
        "id": "vid00000001",
        "title": "A briefing",
        "webpage_url": "https://www.youtube.com/watch?v=vid00000001",
        "duration": 3730,
        "language": "en",
        "subtitles": {
            "en": entries(f"{YOUTUBE}&lang=en", name="English"),
            "de": entries(f"{YOUTUBE}&lang=de", name="Deutsch"),
            "live_chat": [{"ext": "json", "url": "https://www.youtube.com/watch?v=x", "protocol": "youtube_live_chat_replay"}],
        },
        "automatic_captions": {
            **automatic,
            "en-orig": entries(f"{YOUTUBE}&lang=en&kind=asr", name="English (Original)"),
            "en": entries(f"{YOUTUBE}&lang=en&kind=asr", name="English"),
        },
    }


def rows(inventory: Inventory) -> list[tuple[str, Origin, Plan]]:
    return [(offer.key, offer.origin, offer.plan) for offer in inventory.offers]


def test_youtube_offers_people_recognition_and_translations_apart() -> None:
    inventory = take_inventory(youtube())
    assert rows(inventory)[:3] == [
        ("en", Origin.HUMAN, Plan.FETCH),
        ("de", Origin.HUMAN, Plan.FETCH),
        ("en-orig", Origin.AUTOMATIC, Plan.FETCH),
    ]
    assert inventory.offers[2].also_as == ("en",)
    assert all(offer.origin is Origin.TRANSLATED and offer.plan is Plan.LIST for offer in inventory.offers[3:])
    assert len(inventory.offers) == 3 + 155
    assert not any("chat" in offer.key for offer in inventory.offers)


def test_youtube_recognition_comes_as_json3_with_webvtt_beside_it_and_people_as_webvtt() -> None:
    inventory = take_inventory(youtube())
    human, _, automatic = inventory.offers[:3]
    assert (human.best.ext, human.second) == ("vtt", None)
    assert automatic.best.ext == "json3"
    assert automatic.second is not None
    assert automatic.second.ext == "vtt"


def test_a_human_track_in_another_language_than_the_spoken_one_is_called_a_translation() -> None:
    inventory = take_inventory(youtube())
    why = {offer.key: offer.why for offer in inventory.offers if offer.origin is Origin.HUMAN}
    assert "translation" in why["de"]
    assert "translation" not in why["en"]


def test_an_automatic_entry_without_tlang_or_asr_is_a_copy_of_the_human_track() -> None:
    facts = youtube(0)
    facts["automatic_captions"] = {"en": entries(f"{YOUTUBE}&lang=en", name="English")}
    inventory = take_inventory(facts)
    assert [(offer.key, offer.origin, offer.also_as) for offer in inventory.offers] == [
        ("en", Origin.HUMAN, ("en",)),
        ("de", Origin.HUMAN, ()),
    ]


def test_a_translation_is_fetched_where_it_was_asked_for() -> None:
    inventory = take_inventory(youtube(), translated=["t7"])
    assert [offer.key for offer in inventory.planned if offer.origin is Origin.TRANSLATED] == ["t7"]


def test_vimeo_puts_recognition_among_the_subtitles() -> None:
    facts = {
        "title": "A talk",
        "webpage_url": "https://vimeo.com/1",
        "subtitles": {
            "en": [{"ext": "vtt", "url": "https://player.vimeo.com/texttrack/1.vtt?token=a", "name": "English"}],
            "en-x-autogen": [{"ext": "vtt", "url": "https://player.vimeo.com/texttrack/2.vtt?token=b", "name": "English (auto)"}],
        },
        "automatic_captions": {},
    }
    inventory = take_inventory(facts)
    assert rows(inventory) == [("en", Origin.HUMAN, Plan.FETCH), ("en-x-autogen", Origin.AUTOMATIC, Plan.FETCH)]
    assert inventory.offers[1].language == "en"
    assert inventory.source.language == "en"


def test_ted_offers_one_subtitle_in_two_formats() -> None:
    facts = {
        "title": "A talk",
        "webpage_url": "https://www.ted.com/talks/x",
        "subtitles": {
            "en": [
                {"ext": "srt", "url": "https://www.ted.com/talks/subtitles/id/1/lang/en/format/srt"},
                {"ext": "vtt", "url": "https://hls.ted.com/1/subtitles/en/full.vtt"},
            ]
        },
    }
    inventory = take_inventory(facts)
    assert [(offer.key, offer.best.ext, offer.origin) for offer in inventory.offers] == [("en", "vtt", Origin.HUMAN)]


def test_a_generic_page_with_a_track_element_gives_a_human_track() -> None:
    facts = {
        "title": "Page",
        "webpage_url": "https://example.org/page",
        "subtitles": {"und": [{"url": "https://example.org/captions.vtt"}]},
        "automatic_captions": {},
    }
    inventory = take_inventory(facts)
    assert [(offer.key, offer.best.ext) for offer in inventory.offers] == [("und", "vtt")]


def test_hls_subtitles_are_offered_with_their_playlist() -> None:
    facts = {
        "title": "Stream",
        "webpage_url": "https://example.org/stream",
        "subtitles": {"fr": [{"ext": "vtt", "url": "https://example.org/fr.m3u8", "protocol": "m3u8_native"}]},
    }
    inventory = take_inventory(facts)
    assert inventory.offers[0].best.values["protocol"] == "m3u8_native"
    assert rows(inventory) == [("fr", Origin.HUMAN, Plan.FETCH)]


def test_danmaku_and_comments_are_no_tracks() -> None:
    facts = {
        "title": "Video",
        "subtitles": {
            "danmaku": [{"ext": "xml", "url": "https://example.org/d.xml"}],
            "comments": [{"ext": "json", "data": "[]"}],
            "rechat": [{"ext": "json", "url": "https://example.org/rechat"}],
        },
    }
    assert take_inventory(facts).offers == ()


def test_text_that_an_extractor_gives_itself_is_offered() -> None:
    facts = {"title": "Video", "subtitles": {"en": [{"ext": "srt", "data": "1\n00:00:01,000 --> 00:00:02,000\nhello\n"}]}}
    offered = take_inventory(facts).offers[0].best
    assert (offered.address, offered.ext) == ("", "srt")
    assert offered.inline is not None


def test_a_link_to_many_videos_offers_them_singly() -> None:
    facts = {
        "_type": "playlist",
        "title": "A series",
        "entries": [
            {"_type": "url", "url": "https://www.youtube.com/watch?v=a", "title": "First"},
            {"_type": "url", "url": "https://www.youtube.com/watch?v=b"},
            None,
        ],
    }
    inventory = take_inventory(facts)
    assert [(video.address[-1], video.title) for video in inventory.videos] == [
        ("a", "First"),
        ("b", "https://www.youtube.com/watch?v=b"),
    ]
    assert inventory.offers == ()


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"subtitles": None},
        {"subtitles": {"en": None}},
        {"subtitles": {"en": [{}]}},
        {"subtitles": {"en": "x"}},
        {"entries": 3},
    ],
)
def test_structures_without_tracks_offer_nothing(facts: dict[str, object]) -> None:
    assert take_inventory(facts).offers == ()


def test_an_address_is_recorded_without_user_and_password() -> None:
    assert public_address("https://user:secret@example.org:8080/en.vtt?a=1") == "https://example.org:8080/en.vtt?a=1"
    assert public_address("https://example.org/en.vtt") == "https://example.org/en.vtt"
