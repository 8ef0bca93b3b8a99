"""The report is one whole page that nothing in a draft or in captions can steer."""

from __future__ import annotations

import re
from pathlib import Path

from quoteview.core.bundle.report import moment_link, plain
from tests.bundles import label, make_job
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
