"""Which file of a source is its recording: on the formats that yt-dlp's extractors build for several sites."""

from __future__ import annotations

import pytest

from quoteview.fetching.recordings import MediaKind, Recording, recordings_of


def sound(name: str, abr: float | None, *, ext: str = "m4a", **more: object) -> dict[str, object]:
    address = f"https://r1.example/{name}"
    return {
        "format_id": name,
        "ext": ext,
        "vcodec": "none",
        "acodec": "x",
        "abr": abr,
        "url": address,
        "protocol": "https",
        **more,
    }


def video(name: str, height: int | None, *, acodec: str | None = "x", **more: object) -> dict[str, object]:
    address = f"https://r1.example/{name}"
    return {"format_id": name, "ext": "mp4", "vcodec": "x", "acodec": acodec, "height": height, "url": address, **more}


STORYBOARD: dict[str, object] = {
    "format_id": "sb0",
    "ext": "mhtml",
    "vcodec": "none",
    "acodec": "none",
    "url": "https://i.example/sb.jpg",
}
YOUTUBE: list[dict[str, object]] = [
    STORYBOARD,
    sound("139-drc", 48.8),
    sound("249", 50.1, ext="webm", filesize=23_000_000),
    sound("250", 70.2, ext="webm", filesize=31_000_000),
    sound("140", 129.5, filesize=58_000_000),
    sound("251", 160.0, ext="webm"),
    video("160", 144, acodec="none"),
    video("18", 360, filesize_approx=99_000_000.4),
    video("22", 720),
]


def chosen(formats: list[dict[str, object]], kind: MediaKind, **more: object) -> Recording | None:
    return recordings_of({"formats": formats, **more}).of(kind)


def name_of(formats: list[dict[str, object]], kind: MediaKind) -> str:
    found = chosen(formats, kind)
    return found.name if found else ""


def test_the_smallest_sound_that_carries_speech_is_the_audio() -> None:
    found = chosen(YOUTUBE, MediaKind.AUDIO)
    assert found is not None
    assert (found.name, found.ext, found.size, found.is_size_about, found.kind) == (
        "250",
        "webm",
        31_000_000,
        False,
        MediaKind.AUDIO,
    )


def test_a_small_video_with_sound_is_the_video() -> None:
    found = chosen(YOUTUBE, MediaKind.VIDEO)
    assert found is not None
    assert (found.name, found.size, found.is_size_about, found.kind) == ("18", 99_000_000, True, MediaKind.VIDEO)
    assert name_of([video("a", 144), video("b", 180)], MediaKind.VIDEO) == "b"


def test_where_every_sound_is_thin_the_best_is_taken() -> None:
    assert name_of([sound("a", 24.0), sound("b", 48.0), sound("c", 32.0)], MediaKind.AUDIO) == "b"


def test_where_no_rate_is_known_the_librarys_order_holds() -> None:
    assert name_of([sound("worse", None), sound("better", None)], MediaKind.AUDIO) == "better"


def test_the_recorded_language_comes_before_dubbed_ones() -> None:
    formats = [sound("140-de", 128.0, language_preference=-1), sound("140-en", 129.0, language_preference=10)]
    assert name_of(formats, MediaKind.AUDIO) == "140-en"
    assert name_of(formats[:1], MediaKind.AUDIO) == "140-de"


def test_where_sound_is_not_offered_alone_the_smallest_video_with_sound_is_taken() -> None:
    found = chosen([video("hd", 1080), video("sd", 480)], MediaKind.AUDIO)
    assert found is not None
    assert (found.name, found.kind) == ("sd", MediaKind.VIDEO)


@pytest.mark.parametrize(
    ("formats", "audio", "picture"),
    [
        ([], "offers no recording", "offers no recording"),
        ([STORYBOARD], "offers no recording", "offers no recording"),
        ([video("hls-1", 360, protocol="m3u8_native")], "in pieces only", "in pieces only"),
        ([sound("dash-a", 128.0, protocol="http_dash_segments")], "in pieces only", "in pieces only"),
        ([{"format_id": "x", "url": "https://a.example/list.m3u8?token=1", "ext": "mp4"}], "in pieces only", "in pieces only"),
        ([video("a", 360, has_drm=True)], "protected", "protected"),
        ([video("a", 360, acodec="none")], "no sound", "apart only"),
        ([video("a", 360, acodec="none"), sound("b", 128.0)], "", "apart only"),
        ([sound("b", 128.0)], "", "sound only"),
        ([{"format_id": "f", "url": "ftp://a.example/x.mp4", "ext": "mp4"}], "in pieces only", "in pieces only"),
    ],
)
def test_why_there_is_no_file_is_said(formats: list[dict[str, object]], audio: str, picture: str) -> None:
    found = recordings_of({"formats": formats})
    assert (found.audio is None) == bool(audio)
    assert audio in found.absence(MediaKind.AUDIO)
    assert found.video is None
    assert picture in found.absence(MediaKind.VIDEO)


def test_what_is_being_sent_just_now_is_no_recording_yet() -> None:
    assert recordings_of({"is_live": True, "formats": YOUTUBE}).audio is None
    assert recordings_of({"is_live": False, "formats": YOUTUBE}).audio is not None


def test_a_page_with_one_file_is_its_own_format() -> None:
    found = recordings_of({"url": "https://example.org/talk.mp3", "ext": "mp3", "format_id": "0"})
    assert found.audio is not None
    assert (found.audio.kind, found.audio.ext, found.video) == (MediaKind.AUDIO, "mp3", None)


@pytest.mark.parametrize(
    ("ext", "safe"), [("../../x", "x"), ("", "bin"), ("unknown_video", "bin"), ("M4A", "m4a"), ("a/b", "ab")]
)
def test_an_ending_is_safe_in_a_name(ext: str, safe: str) -> None:
    found = chosen([sound("a", 128.0, ext=ext)], MediaKind.AUDIO)
    assert found is not None
    assert found.ext == safe


@pytest.mark.parametrize("facts", [{}, {"formats": None}, {"formats": "x"}, {"formats": [3]}, {"url": 3}, {"formats": [{}]}])
def test_structures_without_a_file_offer_none(facts: dict[str, object]) -> None:
    assert recordings_of(facts).audio is None
