"""Whether a draft looks cut off."""

from __future__ import annotations

import pytest

from quoteview.core.drafts.reading import read_draft


def _reasons(text: str, file: str = "draft.md", end_mark: str = "") -> list[str]:
    return [defect.reason for defect in read_draft(text.encode(), file, end_mark=end_mark).defects]


@pytest.mark.parametrize(
    "ending",
    [
        "She left.",
        "Did she leave?",
        "“She left.” (0:05)",
        "She said “we left” (0:05).",
        "She left. [More](https://example.org)",
        "She **left.**",
        "彼女は去った。",
        "- item one",
        "1. item one",
        "| a | b |\n|---|---|\n| c | d |",
        "```\ncode\n```",
        "![image](x.png)",
        "[More](https://example.org)",
        "https://example.org/more",
        "Source: the archive",
        "She left …",
        "> we left at six.",
    ],
)
def test_a_whole_draft_has_no_defects(ending: str) -> None:
    assert _reasons(f"# Title\n\nText.\n\n{ending}\n") == []


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("She left and", "last line"),
        ("She said “we left” (0:05)", "last line"),
        ("Jane: and then we", "last line"),
        ("```\ncode", "fence"),
        ("She said “we left.", "quotation"),
        ("She (who left.", "bracket"),
        ("See [more](https://example.org/a.", "bracket"),
        ("## Chapter", "heading"),
        ("<!-- note.", "comment"),
        ("<blockquote>we left.", "blockquote"),
        ("She left. <q>so.", "q"),
    ],
)
def test_a_draft_that_stops_is_seen(ending: str, said: str) -> None:
    reasons = _reasons(f"# Title\n\nText.\n\n{ending}\n")
    assert any(said in reason for reason in reasons), reasons


def test_front_matter_that_never_closes_is_seen() -> None:
    assert any("front matter" in reason for reason in _reasons("---\ntitle: x\n\nText.\n"))
    assert _reasons("---\ntitle: x\n---\n\nText.\n") == []
    assert _reasons("---\n\nText.\n") == []


def test_a_heading_needs_something_under_it() -> None:
    assert _reasons("# A\n\n## B\n\nText.\n") == []
    assert len(_reasons("## A\n\n## B\n\nText.\n")) == 1
    assert _reasons("# A\n\n![x](y.png)\n\n# B\n\nText.\n") == []
    assert len(_reasons("<h2>A</h2><h2>B</h2><p>Text.</p>", "draft.html")) == 1


def test_an_end_mark_that_is_asked_for_is_there() -> None:
    assert _reasons("Text.\n\n— END —.\n", "draft.txt", "— END —.") == []
    assert any("end mark" in reason for reason in _reasons("Text.\n", "draft.txt", "— END —"))


def test_what_stands_before_the_end_mark_is_the_last_line() -> None:
    for name, whole in (
        ("draft.md", "Whole.\n\n###\n"),
        ("draft.md", "Whole.\n###\n"),
        ("draft.txt", "Whole.\n###"),
        ("draft.txt", "Whole. ###\n"),
    ):
        assert _reasons(whole, name, "###") == [], whole
        assert len(_reasons(whole.replace("Whole.", "Cut off at"), name, "###")) == 1, whole
    assert _reasons("<p>Whole.</p><p>-30-</p>", "draft.html", "-30-") == []
    assert _reasons("###\n", "draft.md", "###") == ["The draft holds no text."]
    assert _reasons("Whole.\n\n-30-\n", "draft.md") == ["The last line ends in “-30-”, not at a sentence's end."]


def test_smileys_and_list_numbers_are_no_open_brackets() -> None:
    assert _reasons("1) She left :( and 2) came back :-(.\n", "draft.txt") == []


def test_an_empty_draft_is_cut_off() -> None:
    assert _reasons("") == ["The draft holds no text."]


def test_defects_name_their_line() -> None:
    (defect,) = read_draft(b"One.\n\nTwo (three.\n\nFour.\n", "draft.txt").defects
    assert defect.line == 3
