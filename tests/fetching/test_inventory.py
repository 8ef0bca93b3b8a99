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


def test_a_page_with_two_tracks_of_one_language_and_format_has_both() -> None:
    """What a page's `captions` and `subtitles` in one language become: two entries under one key."""
    facts = {
        "webpage_url": "https://example.org/page",
        "subtitles": {
            "en": [{"ext": "vtt", "url": "https://example.org/sdh.vtt"}, {"ext": "vtt", "url": "https://example.org/plain.vtt"}]
        },
    }
    inventory = take_inventory(facts)
    names = [offer.best.address.rpartition("/")[2] for offer in inventory.planned]
    assert names == ["sdh.vtt", "plain.vtt"]


def test_one_file_listed_twice_is_one_track() -> None:
    entry = {"ext": "vtt", "url": "https://example.org/en.vtt"}
    assert len(take_inventory({"subtitles": {"en": [entry, dict(entry)]}}).offers) == 1


def test_one_track_whole_and_in_pieces_is_taken_whole() -> None:
    """Vimeo's and TED's own list and their stream name the same captions under one key."""
    facts = {
        "subtitles": {
            "en": [
                {"ext": "vtt", "url": "https://cdn.example/en.m3u8", "protocol": "m3u8_native"},
                {"ext": "vtt", "url": "https://player.example/texttrack/1.vtt?token=a"},
                {"ext": "srt", "url": "https://player.example/format/srt"},
            ]
        },
    }
    (offer,) = take_inventory(facts).offers
    assert [(offered.ext, offered.is_in_pieces) for offered in offer.formats] == [("vtt", False), ("vtt", True), ("srt", False)]


def test_youtubes_answers_to_two_of_its_clients_are_one_track() -> None:
    """The extractor lists each client's address under one key; they differ in what signs them."""
    first = entries(f"{YOUTUBE}&lang=en&signature=A&pot=B&c=WEB", name="English")
    second = entries("https://www.youtube.com/api/timedtext?v=vid00000001&ei=y&lang=en&signature=C&c=TV", name="English")
    facts = {"subtitles": {"en": [*first, *second]}}
    (offer,) = take_inventory(facts).offers
    assert (len(offer.formats), offer.name) == (7, "English")
    other = entries(f"{YOUTUBE}&lang=en&name=Commentary", name="English - Commentary")
    assert len(take_inventory({"subtitles": {"en": first, "en-nP7-2PuUl7o": other}}).offers) == 2


def test_a_named_youtube_track_has_the_language_of_its_address() -> None:
    facts = {"subtitles": {"en-nP7-2PuUl7o": entries(f"{YOUTUBE}&lang=en&name=Commentary", name="English - Commentary")}}
    (offer,) = take_inventory(facts).offers
    assert (offer.key, offer.language, offer.name) == ("en-nP7-2PuUl7o", "en", "English - Commentary")


def test_youtubes_translation_of_a_human_track_is_a_translation() -> None:
    """`German from English`: no `kind=asr`, but `tlang`."""
    facts = {"automatic_captions": {"de-en": entries(f"{YOUTUBE}&lang=en&tlang=de", name="German from English")}}
    (offer,) = take_inventory(facts).offers
    assert (offer.origin, offer.language, offer.of, offer.plan) == (Origin.TRANSLATED, "de", "en", Plan.LIST)
    assert take_inventory(facts, translated=["de"]).planned


def test_of_the_recognitions_of_several_voices_the_sources_language_is_the_spoken_one() -> None:
    facts = {
        "language": "en",
        "automatic_captions": {
            "es-orig": entries(f"{YOUTUBE}&lang=es&kind=asr", name="Spanish (Original)"),
            "en-orig": entries(f"{YOUTUBE}&lang=en&kind=asr", name="English (Original)"),
        },
    }
    inventory = take_inventory(facts)
    assert inventory.source.language == "en"
    assert [(offer.language, offer.why) for offer in inventory.offers] == [
        ("en", "speech recognition in the spoken language"),
        ("es", "speech recognition of a dubbed voice"),
    ]


@pytest.mark.parametrize(
    ("key", "language"),
    [
        ("en", "en"),
        ("pt_BR", "pt-BR"),
        ("zh-Hans", "zh-Hans"),
        ("es-419", "es-419"),
        ("eng", "en"),
        ("deu-AT", "de-AT"),
        ("yue", "yue"),
        ("en-x-autogen", "en"),
        ("a.en", "en"),
        ("und", ""),
        ("English", ""),
        ("lyrics", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_a_language_is_read_from_the_key_where_it_is_a_tag(key: str | None, language: str) -> None:
    (offer,) = take_inventory({"subtitles": {key: [{"ext": "vtt", "url": "https://example.org/x.vtt"}]}}).offers
    assert offer.language == language
    assert offer.key == (key or "und")


def test_a_track_of_unknown_language_is_not_called_a_translation() -> None:
    facts = {
        "language": "en",
        "subtitles": {None: [{"url": "https://example.org/a.vtt"}], "eng": [{"url": "https://example.org/b.vtt"}]},
    }
    assert {offer.why for offer in take_inventory(facts).offers} == {"made by people"}


@pytest.mark.parametrize(
    ("address", "ext"),
    [
        ("https://example.org/captions", "vtt"),
        ("https://example.org/en.SRT?x=a.b", "srt"),
        ("https://example.org/v1.2/captions", "vtt"),
        ("https://example.org", "vtt"),
    ],
)
def test_an_entry_without_an_ending_has_that_of_its_file(address: str, ext: str) -> None:
    (offer,) = take_inventory({"subtitles": {"en": [{"url": address}]}}).offers
    assert offer.best.ext == ext


def test_what_an_extractor_says_of_impersonation_goes_with_the_request() -> None:
    entry = {"ext": "vtt", "url": f"{YOUTUBE}&lang=en&fmt=vtt", "impersonate": True, "name": "English"}
    (offer,) = take_inventory({"subtitles": {"en": [entry]}}).offers
    assert offer.best.values["impersonate"] is True


@pytest.mark.parametrize("protocol", ["youtube_live_chat", "youtube_live_chat_replay", "websocket_frag"])
def test_a_chat_under_any_name_is_no_track(protocol: str) -> None:
    entry = {"ext": "json", "url": "https://example.org/c", "protocol": protocol}
    assert take_inventory({"subtitles": {"replay": [entry]}}).offers == ()


def test_text_of_two_formats_that_an_extractor_gives_itself_is_one_track() -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,000\nhello\n"
    facts = {
        "subtitles": {"en": [{"ext": "json", "data": "[]"}, {"ext": "srt", "data": srt}], "fr": [{"ext": "srt", "data": srt}]}
    }
    inventory = take_inventory(facts)
    assert [(offer.key, [offered.ext for offered in offer.formats]) for offer in inventory.offers] == [
        ("en", ["srt", "json"]),
        ("fr", ["srt"]),
    ]


def test_a_list_without_a_video_is_known_as_a_list() -> None:
    assert take_inventory({"_type": "playlist", "entries": []}).is_list
    assert not take_inventory({"subtitles": {}}).is_list


def test_a_password_in_the_sources_address_is_not_recorded() -> None:
    assert take_inventory({}, address="https://jane:secret@example.org/a").source.address == "https://example.org/a"


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
