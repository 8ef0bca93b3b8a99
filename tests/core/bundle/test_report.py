"""The report is one whole page that nothing in a draft or in captions can steer."""

from __future__ import annotations

import re
from pathlib import Path

from quoteview.core.acts import ExceptionClass
from quoteview.core.bundle.report import moment_link, plain
from tests.bundles import label, make_job, resolve
from tests.corpus import DRAFT, webvtt

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)> \u202eevil\u2066 \x07"


def page_of(folder: Path, *, source: str = "https://example.org/talk") -> str:
    captions = webvtt().replace(b"You cannot", b"&lt;script&gt;alert(2)&lt;/script&gt; You cannot")
    draft = DRAFT.replace("# The quay", f"The quay {EVIL}.")
    issued, _ = label(
        make_job(folder, {"human.en.vtt": captions}, {"../<b>draft.txt": draft.encode()}, source=source, title=EVIL)
    )
    return issued.files["data/report.html"].decode()


def test_markup_and_steering_characters_are_shown_as_plain_text(tmp_path: Path) -> None:
    page = page_of(tmp_path / "job")
    assert not re.search(r"<(?:script|img|b)\b", page)
    assert "&lt;script&gt;alert(1)" in page and "&lt;script&gt;alert(2)" in page
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08]", page)
    assert "⟨U+202E⟩" in page
    assert "../" not in page


def test_the_page_loads_nothing_runs_nothing_and_ends_whole(tmp_path: Path) -> None:
    page = page_of(tmp_path / "job")
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|@import|url\()\s*=?\s*[\"']?https?:", page)
    assert page.endswith("</html>\n<!-- report whole: 4 claims -->\n")


def test_a_source_that_is_no_web_address_is_no_link(tmp_path: Path) -> None:
    assert "javascript:" not in "".join(re.findall(r'href="[^"]*"', page_of(tmp_path / "job", source="javascript:alert(1)")))
    assert moment_link("javascript:alert(1)", 1000) == ""
    assert moment_link("https://example.org/a", 62_000) == "https://example.org/a#t=62"
    assert moment_link("https://www.youtube.com/watch?v=x&t=9", 62_000) == "https://www.youtube.com/watch?v=x&t=62s"


def test_plain_text_is_left_as_it_is() -> None:
    assert plain("Tōkyō – “ja” 日本\n") == "Tōkyō – “ja” 日本\n"
    assert plain("a\u202eb") == "a⟨U+202E⟩b"


def report_of(folder: Path, draft: bytes, name: str = "draft.md", **resolved: str) -> str:
    """Return the report of a job with one draft, as text."""
    job = make_job(folder / "job", {"human.en.vtt": webvtt()}, {name: draft})
    for reason, text in resolved.items():
        resolve(job, [text], exception=ExceptionClass.HOUSE_STYLE, reason=reason)
    issued, _ = label(job)
    return issued.files["data/report.html"].decode()


def test_the_two_labels_have_another_sign_and_frame_and_both_count_what_stands_there(tmp_path: Path) -> None:
    clean = report_of(tmp_path / "clean", DRAFT.encode())
    red = DRAFT.replace("ships this size", "boats this size").encode()
    mixed = report_of(tmp_path / "mixed", red, reason="The harbour was never meant to hold boats this size")
    assert '<header class="green">' in clean and '<header class="exception">' in mixed
    assert "The exception" not in clean and ">The exception</h2>" in mixed
    assert (
        "<strong>4</strong> exact" in clean and "<strong>3</strong> exact" in mixed and "<strong>1</strong> exception<" in mixed
    )
    assert "“The harbour was never meant to hold ships this size”" in mixed, "the captions' wording stands beside the draft's"
    assert "house style" in mixed and "3 March 2027" in mixed


def test_headings_and_tags_are_set_apart_and_no_character_of_the_draft_is_left_out(tmp_path: Path) -> None:
    quoted = "“nobody told the pilots” (0:05)"
    markdown = report_of(tmp_path / "markdown", f"# A &lt;b head\n\n{quoted} # none\n\nEnd.\n".encode())
    assert '<span class="heading"># A &amp;lt;b head</span>' in markdown
    assert markdown.count('class="heading"') == 1
    page = report_of(tmp_path / "html", f"<p title=x>{quoted} ends.</p>\n".encode(), "draft.html")
    assert '<span class="markup">&lt;p title=x&gt;</span>' in page


def test_a_time_beyond_all_reason_draws_no_more_than_a_few_labels(tmp_path: Path) -> None:
    text = "“nobody told the pilots” (0:05) and “no such words” (99999999:00:00).\n"
    page = report_of(tmp_path, text.encode(), reason="no such words")
    assert page.count("<text ") <= 8
    assert len(page) < 40_000


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    linear = [
        (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
        for value in (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_all_text_has_a_contrast_of_four_and_a_half_in_both_themes(tmp_path: Path) -> None:
    page = report_of(tmp_path, DRAFT.encode())
    light, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", block))
        for block in re.findall(r":root \{ (?:color-scheme: light dark; )?--[^}]*", page)
    )
    assert light.keys() == dark.keys() and len(light) > 8
    for theme in (light, dark):
        for text in ("text", "muted", "link", "green", "aside", "exception"):
            assert _contrast(theme[text], theme["page"]) >= 4.5, text
        for text, ground in (("text", "ground"), ("muted", "aside-soft"), ("link", "aside-soft")):
            assert _contrast(theme[text], theme[ground]) >= 4.5, (text, ground)
        for look in ("green", "aside", "exception"):
            assert _contrast(theme["text"], theme[f"{look}-soft"]) >= 4.5, look
            assert _contrast(theme[look], theme[f"{look}-soft"]) >= 4.5, look
            assert _contrast(theme["page"], theme[look]) >= 4.5, look
