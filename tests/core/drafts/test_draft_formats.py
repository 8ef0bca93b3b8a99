"""Markdown and HTML drafts: what a reader sees, what is markup, and block quotations."""

from __future__ import annotations

import pytest

from quoteview.core.drafts.draft import ClaimKind, Draft, DraftFormat, MarkRole
from quoteview.core.drafts.reading import format_of, read_draft
from quoteview.core.errors import DraftError


def _md(text: str) -> Draft:
    return read_draft(text.encode(), "draft.md")


def _html(text: str) -> Draft:
    return read_draft(text.encode(), "draft.html")


def _texts(draft: Draft) -> list[str]:
    return [claim.text for claim in draft.claims]


def _roles(draft: Draft) -> list[tuple[str, MarkRole | None]]:
    return [(draft.data[slice(*mark.bytes)].decode(), mark.role) for mark in draft.marks]


# Markdown.


def test_emphasis_and_links_are_left_out() -> None:
    draft = _md('She said "we **never** sold [the farm](https://example.org/x "plot map")" (0:22).\n')
    assert _texts(draft) == ["we never sold the farm"]
    assert [draft.data[start:end] for start, end in draft.claims[0].bytes] == [b"we ", b"never", b" sold ", b"the farm"]
    assert _roles(draft) == [
        ('"', MarkRole.OPENS),
        ('"', MarkRole.MARKUP),
        ('"', MarkRole.MARKUP),
        ('"', MarkRole.CLOSES),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"call it \*home\*", "call it *home*"),
        ("snake_case_name is fine", "snake_case_name is fine"),
        ("*all of it*", "all of it"),
        ("_so_ **very** ***much*** ~~not~~", "so very much not"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("run `ls -l` first", "run ls -l first"),
        ("R&amp;D &eacute;t&#233;", "R&D été"),
        ("AT&T &notanentity;", "AT&T &notanentity;"),
        ("see <https://example.org> now", "see https://example.org now"),
        ("a<br>b", "a b"),
        ("a  \nb\\\nc", "a b c"),
        ("a [ref][one] b [one] c", "a ref b one c"),
        ("an image ![alt “text”](x.png) here", "an image  here"),
        ("a <em>b</em> <!-- “no” --> c", "a b c"),
        ("noted[^1] here", "noted here"),
    ],
)
def test_the_text_is_what_a_reader_sees(written: str, shown: str) -> None:
    draft = _md(f"He said “{written}” (0:22).\n\n[one]: https://example.org 'title'\n\n[^1]: A note.\n")
    assert " ".join(draft.claims[0].text.split()) == " ".join(shown.split())
    assert all(mark.role is not None for mark in draft.marks)


def test_code_holds_no_claims() -> None:
    draft = _md('Say `print("x")`:\n\n```\n“a” "b"\n```\n\n    "indented"\n\nand “c”.\n')
    assert _texts(draft) == ["c"]
    assert [role for _, role in _roles(draft)] == [MarkRole.CODE] * 8 + [MarkRole.OPENS, MarkRole.CLOSES]


def test_front_matter_and_comments_hold_no_claims() -> None:
    draft = _md('---\ntitle: "A “b” c"\n---\n\n<!-- “secret” -->\n\n“seen” (0:05)\n')
    assert _texts(draft) == ["seen"]
    assert {role for _, role in _roles(draft)[:4]} == {MarkRole.METADATA}
    assert {role for _, role in _roles(draft)[4:6]} == {MarkRole.COMMENT}
    assert _texts(_md('+++\ntitle = "A"\n+++\n“seen”\n')) == ["seen"]


def test_a_block_quotation_is_a_claim() -> None:
    draft = _md("Intro:\n\n> the orchard was\n> planted *in May*\n\nAfter.\n")
    (claim,) = draft.claims
    assert (claim.kind, claim.text) == (ClaimKind.BLOCK, "the orchard was planted in May")
    assert [draft.data[start:end] for start, end in claim.bytes] == [b"the orchard was\n", b"planted ", b"in May"]
    assert (claim.open_mark, claim.close_mark, claim.line, claim.column) == (None, None, 3, 3)
    assert _roles(draft) == [(">", MarkRole.OPENS)]


def test_marks_that_enclose_a_block_quotation_make_the_claim() -> None:
    draft = _md("> “the orchard was\n> planted in May” (0:25)\n")
    (claim,) = draft.claims
    assert (claim.kind, claim.text) == (ClaimKind.MARKS, "the orchard was planted in May")
    assert claim.claimed is not None and claim.claimed.start_ms == 25_000
    assert [role for _, role in _roles(draft)] == [MarkRole.MARKUP, MarkRole.OPENS, MarkRole.CLOSES]


def test_marks_that_do_not_enclose_a_block_stand_inside() -> None:
    draft = _md("> “Go,” she said, “now.”\n")
    (claim,) = draft.claims
    assert (claim.kind, claim.text) == (ClaimKind.BLOCK, "“Go,” she said, “now.”")
    assert [role for _, role in _roles(draft)] == [MarkRole.OPENS] + [MarkRole.INSIDE] * 4


def test_times_and_the_attribution_are_no_text_of_a_block() -> None:
    for block in (
        "> we left at six (0:37)\n",
        "> [0:37] we left at six\n",
        "> 0:37 – we left at six\n",
        "> we left at six\n> — Jane Doe, 0:37\n",
        "> we left at six\n>\n> -- Jane Doe (0:37)\n",
        "> we left (0:37) at six\n",
    ):
        (claim,) = _md(block).claims
        assert claim.text == "we left at six", block
        assert claim.claimed is not None and claim.claimed.start_ms == 37_000, block


def test_a_dash_on_the_only_line_is_text() -> None:
    assert _texts(_md("> — We left at six.\n")) == ["— We left at six."]


def test_quotations_in_an_attribution_are_claims_of_their_own() -> None:
    draft = _md("> we left at six\n> — Jane, in “My Book”\n")
    assert _texts(draft) == ["we left at six", "My Book"]


def test_paragraphs_of_a_block_join() -> None:
    draft = _md("> we left at six\n>\n> and came back\n\n> another one\n")
    assert _texts(draft) == ["we left at six and came back", "another one"]
    assert _texts(_md("> “we left at six\n>\n> “and came back” (0:05)\n")) == ["we left at six and came back"]


def test_an_unclosed_mark_around_a_block_is_unclosed() -> None:
    (claim,) = _md("> “we left at six (0:05)\n").claims
    assert (claim.is_closed, claim.text) == (False, "we left at six")


def test_nested_block_quotations_are_one_claim() -> None:
    draft = _md("> outer words\n>\n> > inner words\n")
    assert _texts(draft) == ["outer words inner words"]
    assert [role for _, role in _roles(draft)] == [MarkRole.OPENS, MarkRole.INSIDE]


def test_an_empty_block_quotation_is_markup() -> None:
    draft = _md(">\n\nText.\n")
    assert draft.claims == ()
    assert [role for _, role in _roles(draft)] == [MarkRole.MARKUP]


def test_a_quotation_may_cross_emphasis() -> None:
    assert _texts(_md("**“we never sold”** (0:22) and *“so”*.\n")) == ["we never sold", "so"]


def test_tables_pair_within_cells() -> None:
    draft = _md('| Time | Quote |\n|---|---|\n| 0:22 | “we never” |\n| 0:30 | "so it \\| goes" |\n| 5" | “x |\n')
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [
        ("we never", True),
        ("so it | goes", True),
        ("x", False),
    ]
    assert [claim.claimed and claim.claimed.start_ms for claim in draft.claims] == [22_000, 30_000, None]


def test_html_inside_markdown_is_read() -> None:
    draft = _md('<blockquote>\n\n“we left” (0:05)\n\n</blockquote>\n\n<div title="“no”">\n<q>we stayed</q> (0:09)\n</div>\n')
    assert _texts(draft) == ["we left", "we stayed"]
    assert None not in {role for _, role in _roles(draft)}
    assert _texts(_md("<div hidden>\n\n“unseen”\n\n</div>\n\n“seen”\n")) == ["seen"]


def test_lists_keep_their_paragraphs_apart() -> None:
    draft = _md("- “one (0:01)\n- “two” (0:02)\n  and “three” (0:03)\n\n  > block\n1. “four”\n")
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [
        ("one (0:01)", False),
        ("two", True),
        ("three", True),
        ("block", True),
        ("four", True),
    ]


# HTML.


def test_entities_q_and_br() -> None:
    draft = _html("<p>&ldquo;The tide was late,&rdquo; she said (0:33). He: <q>nobody <b>saw</b> it</q> (0:35).</p>")
    assert _texts(draft) == ["The tide was late,", "nobody saw it"]
    assert _roles(draft) == [
        ("&ldquo;", MarkRole.OPENS),
        ("&rdquo;", MarkRole.CLOSES),
        ("<q>", MarkRole.OPENS),
        ("</q>", MarkRole.CLOSES),
    ]
    assert _texts(_html("<p>&quot;we left<br>at\n   six&quot; (0:37)</p>")) == ["we left at six"]


def test_what_is_not_shown_is_no_text() -> None:
    page = (
        '<head><title>“T”</title><style>p::before{content:"“s”"}</style></head><script>var s = "x";</script><!-- “c” -->'
        '<p hidden>“h”</p><p style="display: none">“d”</p><template>“t”</template><p title="“a”">“seen”</p>'
    )
    draft = _html(page)
    assert _texts(draft) == ["seen"]
    assert None not in {role for _, role in _roles(draft)}


def test_html_block_quotation_with_footer() -> None:
    draft = _html("<blockquote><p>we left</p>\n<p>at six</p><footer>— Jane, 0:37</footer></blockquote><p>x</p>")
    (claim,) = draft.claims
    assert (claim.kind, claim.text) == (ClaimKind.BLOCK, "we left at six")
    assert claim.claimed is not None and claim.claimed.start_ms == 37_000
    assert _roles(draft) == [("<blockquote>", MarkRole.OPENS), ("</blockquote>", MarkRole.CLOSES)]


def test_paragraphs_without_end_tags_end() -> None:
    draft = _html("<p>“one<p>“two” (0:02)<ul><li>“three<li>“four”</ul>")
    assert [(claim.text, claim.is_closed) for claim in draft.claims] == [
        ("one two", True),
        ("three", False),
        ("four", True),
    ]


def test_a_link_is_text_and_its_address_is_not() -> None:
    draft = _html('<p>“we <a href="https://x.org/?a=&quot;b&quot;" title="“t”">left</a> early”</p>')
    assert _texts(draft) == ["we left early"]
    assert None not in {role for _, role in _roles(draft)}


def test_unfinished_html_is_read() -> None:
    for page in ("<p>“a” <", "<p>“a” <b", '<p>“a” <b c="', "<p>“a” <!--", "<p>“a” </", "<p>“a” &", "<p>“a” <script>“b”"):
        assert _texts(_html(page)) == ["a"], page


# Files.


def test_the_format_goes_by_name_then_by_content() -> None:
    assert format_of("<p>x", "a.txt") is DraftFormat.PLAIN
    assert format_of("x", "a.MD") is DraftFormat.MARKDOWN
    assert format_of("<!doctype html><p>x", "draft") is DraftFormat.HTML
    assert format_of("# Title\n\nx", "draft.draft") is DraftFormat.MARKDOWN
    assert format_of("just words", "draft") is DraftFormat.PLAIN


def test_an_empty_draft_has_no_claims() -> None:
    for file in ("a.txt", "a.md", "a.html"):
        assert read_draft(b"", file).claims == ()


@pytest.mark.parametrize(
    ("data", "offset", "said"),
    [
        ("“café”".encode("cp1252"), 0, "line 1"),
        (b"one\ntwo \xff three", 8, "line 2"),
        (b"a\0b", 1, "NUL"),
        (b"PK\x03\x04rest", 0, "HTML, Markdown or plain text"),
        (b"%PDF-1.7", 0, "PDF"),
        (b"\xff\xfea", 2, "UTF-16"),
    ],
)
def test_other_files_are_refused_with_the_place_and_a_way_out(data: bytes, offset: int, said: str) -> None:
    with pytest.raises(DraftError, match=said) as caught:
        read_draft(data, "draft.txt")
    assert caught.value.offset == offset and caught.value.remedy


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marked_encodings_map_to_their_own_bytes(encoding: str) -> None:
    data = "é 🙂 “we 🎉 left” (0:05)".encode(encoding)
    draft = read_draft(data, "draft.txt")
    (claim,) = draft.claims
    codec = draft.encoding.removesuffix("-sig")
    assert "".join(data[start:end].decode(codec) for start, end in claim.bytes) == claim.text == "we 🎉 left"
    assert claim.claimed is not None and data[slice(*claim.claimed.bytes)].decode(codec) == "0:05"
