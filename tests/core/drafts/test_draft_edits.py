"""Edits: after the patches the draft reads as intended, and no other byte differs."""

from __future__ import annotations

import pytest

from quoteview.core.drafts.draft import Draft, Patch, patched
from quoteview.core.drafts.edits import close_at, move_mark_out, narrow, replace_part, replace_text, retract, set_time, split
from quoteview.core.drafts.reading import read_draft
from quoteview.core.drafts.time_notation import written_like
from quoteview.core.errors import DraftError
from quoteview.core.spans import TextSpan


def _read(text: str, file: str = "draft.txt") -> Draft:
    return read_draft(text.encode(), file)


def _after(draft: Draft, patches: tuple[Patch, ...]) -> str:
    return patched(draft.data, patches).decode()


def _span(text: str, part: str) -> TextSpan:
    return TextSpan(text.index(part), text.index(part) + len(part))


def test_no_patches_change_nothing() -> None:
    data = "“é” \r\n\ufeff(0:05)".encode()
    assert patched(data, ()) == data


def test_overlapping_patches_are_refused() -> None:
    with pytest.raises(DraftError):
        patched(b"abc", (Patch(0, 2, b""), Patch(1, 3, b"")))


def test_new_words_keep_emphasis_and_link() -> None:
    draft = _read('She said "we **never** sold [the farm](https://example.org/x "plot map")" (0:22).\n', "draft.md")
    patches = replace_text(draft, draft.claims[0], "we always sold the barn")
    assert _after(draft, patches) == 'She said "we **always** sold [the barn](https://example.org/x "plot map")" (0:22).\n'
    assert sum(patch.end - patch.start for patch in patches) <= len("never") + len("farm")


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("“we sold it” (0:22)", "We sold it", "“We sold it” (0:22)"),
        ("“we sold it” (0:22)", "we sold", "“we sold” (0:22)"),
        ("“we sold it” (0:22)", "so we sold it", "“so we sold it” (0:22)"),
        ("“we sold it” (0:22)", "we never sold it.", "“we never sold it.” (0:22)"),
        ("“we sold it” (0:22)", "R&D <b> *x*", "“R&D <b> *x*” (0:22)"),
        ("“we\nsold it” (0:22)", "we never sold it", "“we\nnever sold it” (0:22)"),
    ],
)
def test_only_what_differs_is_written(before: str, new: str, after: str) -> None:
    draft = _read(before)
    assert _after(draft, replace_text(draft, draft.claims[0], new)) == after


def test_words_are_written_in_the_formats_own_notation() -> None:
    draft = _read("“we sold it” (0:22)\n", "draft.md")
    assert _after(draft, replace_text(draft, draft.claims[0], "we *sold* [it] a_b")) == "“we \\*sold\\* \\[it\\] a_b” (0:22)\n"
    draft = _read("<p>&ldquo;we sold it&rdquo; (0:22)</p>", "draft.html")
    changed = _after(draft, replace_text(draft, draft.claims[0], "R&D <i> sold it"))
    assert changed == "<p>&ldquo;R&amp;D &lt;i> sold it&rdquo; (0:22)</p>"


def test_a_soft_line_end_in_a_block_goes_with_its_prefix() -> None:
    draft = _read("> the orchard was\n> planted in May\n", "draft.md")
    patches = replace_text(draft, draft.claims[0], "the orchard wasplanted in May")
    assert _after(draft, patches) == "> the orchard wasplanted in May\n"


def test_entities_and_escapes_are_replaced_whole() -> None:
    draft = _read("“call it \\*home\\* &amp; more” (0:29)\n", "draft.md")
    assert _after(draft, replace_text(draft, draft.claims[0], "call it home & more")) == "“call it home &amp; more” (0:29)\n"


def test_a_part_is_replaced() -> None:
    draft = _read("“we shall rebuild … by June” (1:10)")
    claim = draft.claims[0]
    assert (
        _after(draft, replace_part(draft, claim, _span(claim.text, "…"), "the school"))
        == "“we shall rebuild the school by June” (1:10)"
    )


def test_words_that_would_end_the_quotation_are_refused() -> None:
    draft = _read('"we sold it" (0:22)')
    with pytest.raises(DraftError):
        replace_text(draft, draft.claims[0], 'we "sold" it')


def test_other_encodings_are_kept() -> None:
    data = "é “we sold it” (0:22)".encode("utf-16")
    draft = read_draft(data, "draft.txt")
    changed = patched(data, replace_text(draft, draft.claims[0], "we never sold 🎉"))
    assert changed.decode("utf-16") == "é “we never sold 🎉” (0:22)"


@pytest.mark.parametrize(
    ("sample", "moment_ms", "written"),
    [
        ("0:05", 754_900, "12:34"),
        ("00:05", 65_000, "01:05"),
        ("0:05", 3_723_000, "1:02:03"),
        ("62:03", 3_800_000, "63:20"),
        ("00:00:05", 754_000, "00:12:34"),
        ("1:02:03", 5_000, "0:00:05"),
        ("00:12:34.500", 754_250, "00:12:34.250"),
        ("12:34,5", 754_250, "12:34,2"),
        ("1h2m3s", 3_724_000, "1h2m4s"),
        ("62m03s", 3_724_000, "62m04s"),
        ("754s", 755_000, "755s"),
        ("754", 755_000, "755"),
        ("3m", 240_000, "4m"),
        ("3m", 250_000, "4m10s"),
        ("12m34s", 3_723_000, "1h2m3s"),
    ],
)
def test_a_time_is_written_like_another(sample: str, moment_ms: int, written: str) -> None:
    assert written_like(sample, moment_ms) == written


@pytest.mark.parametrize(
    ("before", "moment_ms", "after"),
    [
        ("“a b” (0:05).", 754_000, "“a b” (12:34)."),
        ("“a b” [00:00:05].", 754_000, "“a b” [00:12:34]."),
        ("“a b” (0:05–0:20).", 7_000, "“a b” (0:07–0:20)."),
        ("“a b” (0:05–0:20).", 30_000, "“a b” (0:30)."),
        ("“a b” (1:75).", 30_000, "“a b” (0:30)."),
        ("“a b” (https://youtu.be/abcdefghijk?t=5).", 30_000, "“a b” (https://youtu.be/abcdefghijk?t=30)."),
        ("“a b” is so.", 30_000, "“a b” (0:30) is so."),
        ("“a b” is so. “c d” [00:09].", 30_000, "“a b” [00:30] is so. “c d” [00:09]."),
        ("“a b,” she said (0:05).", 30_000, "“a b,” she said (0:30)."),
        ("“a” and “b” (0:05).", 30_000, "“a” (0:30) and “b” (0:05)."),
        ("[0:05] “a b”", 30_000, "[0:30] “a b”"),
    ],
)
def test_a_time_is_corrected_or_inserted(before: str, moment_ms: int, after: str) -> None:
    draft = _read(before)
    assert _after(draft, set_time(draft, draft.claims[0], moment_ms)) == after


def test_a_links_address_follows_its_text() -> None:
    draft = _read("“a b” [0:05](https://youtu.be/abcdefghijk?t=5)\n", "draft.md")
    changed = _after(draft, set_time(draft, draft.claims[0], 754_000))
    assert changed == "“a b” [12:34](https://youtu.be/abcdefghijk?t=754)\n"
    draft = _read('<p>“a b” <a href="https://x.org/?v=1&amp;t=5">0:05</a></p>', "draft.html")
    changed = _after(draft, set_time(draft, draft.claims[0], 754_000))
    assert changed == '<p>“a b” <a href="https://x.org/?v=1&amp;t=754">12:34</a></p>'


def test_a_block_gets_its_time_inside() -> None:
    draft = _read("> we left\n> at six\n\nAfter.\n", "draft.md")
    assert _after(draft, set_time(draft, draft.claims[0], 5_000)) == "> we left\n> at six (0:05)\n\nAfter.\n"


def test_a_retracted_quotation_leaves_its_words_or_goes() -> None:
    draft = _read("He said “we **left**” (0:05) and “so” on.\n", "draft.md")
    assert _after(draft, retract(draft, draft.claims[0], True)) == "He said we **left** (0:05) and “so” on.\n"
    assert _after(draft, retract(draft, draft.claims[0], False)) == "He said and “so” on.\n"
    draft = _read("“One\n\n“two” (0:05)\n")
    assert _after(draft, retract(draft, draft.claims[0], True)) == "One\n\ntwo (0:05)\n"
    draft = _read("<p><q>we left</q> early</p>", "draft.html")
    assert _after(draft, retract(draft, draft.claims[0], True)) == "<p>we left early</p>"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("He said [“we left”](https://example.org/watch?t=5) and went.", "He said and went."),
        ("He said [“we left”](<https://example.org/a b> 'Tides') and went.", "He said and went."),
        ("He said [**“we left”**](https://example.org/a_(b)) and went.", "He said and went."),
        ("He said [“we left”][tides] and went.\n\n[tides]: https://example.org", "He said and went.\n\n[tides]: https://example.org"),
        ("He said ***“we left”*** and went.", "He said and went."),
        ("He said <em>“we left”</em> and went.", "He said and went."),
        ("He said [so: “we left”](https://example.org) and went.", "He said [so: ](https://example.org) and went."),
        ("He said **so: “we left”** and went.", "He said **so: ** and went."),
        ("He said \\[“we left”](x) and went.", "He said \\[](x) and went."),
        ("He said *“we left”** and went.", "He said *** and went."),
    ],
)  # fmt: skip
def test_a_quotation_cut_out_takes_the_markup_along_that_held_nothing_else(written: str, left: str) -> None:
    draft = read_draft(written.encode(), "draft.md")
    assert _after(draft, retract(draft, draft.claims[0], False)) == left


def test_an_element_around_a_quotation_cut_out_of_a_page_goes_with_it() -> None:
    draft = read_draft(
        "<p>He said <a href='https://example.org'><b>“we left”</b></a> and <b>went “x”</b>.</p>".encode(), "draft.html"
    )
    assert _after(draft, retract(draft, draft.claims[0], False)) == "<p>He said and <b>went “x”</b>.</p>"
    assert _after(draft, retract(draft, draft.claims[1], False)).endswith("<b>went </b>.</p>")


def test_a_retracted_block_is_a_paragraph() -> None:
    draft = _read("Intro.\n\n> we left\n> at six\n\nAfter.\n", "draft.md")
    assert _after(draft, retract(draft, draft.claims[0], True)) == "Intro.\n\nwe left\nat six\n\nAfter.\n"
    assert "we left" not in _after(draft, retract(draft, draft.claims[0], False))
    draft = _read("<blockquote>we left</blockquote><p>x</p>", "draft.html")
    assert _after(draft, retract(draft, draft.claims[0], True)) == "we left<p>x</p>"


def test_the_closing_mark_moves_before_the_stop() -> None:
    draft = _read("He said “we left.” (0:05)")
    assert _after(draft, move_mark_out(draft, draft.claims[0], 1)) == "He said “we left”. (0:05)"
    draft = _read("Il dit « nous partons. » (0:05)")
    assert _after(draft, move_mark_out(draft, draft.claims[0], 1)) == "Il dit « nous partons ». (0:05)"
    draft = _read("<p>&ldquo;we <b>left.</b>&rdquo; (0:05)</p>", "draft.html")
    assert _after(draft, move_mark_out(draft, draft.claims[0], 1)) == "<p>&ldquo;we <b>left&rdquo;.</b> (0:05)</p>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("“we shall … by June” (0:05).", "“we shall” (0:05) … “by June” (1:20)."),
        ("(0:05) “we shall … by June”.", "(0:05) “we shall” … “by June” (1:20)."),
        ("“we shall … by June” is so.", "“we shall” … “by June” (1:20) is so."),
        ("“we shall … by June,” she said (0:05).", "“we shall” (0:05) … “by June,” (1:20) she said (0:05)."),
        ("« we shall … by June » [00:05].", "« we shall » [00:05] … « by June » [01:20]."),
        ("“we shall … by June” (0:05–0:09).", "“we shall” (0:05) … “by June” (1:20)."),
    ],
)
def test_a_cut_becomes_two_quotations_each_with_its_time(before: str, after: str) -> None:
    draft = _read(before)
    claim = draft.claims[0]
    second = TextSpan(claim.text.index("by June"), len(claim.text))
    patches = split(draft, claim, _span(claim.text, "we shall"), second, 80_000)
    assert _after(draft, patches) == after


def test_a_bracketed_cut_splits_in_markdown() -> None:
    draft = _read('She: "we **shall** […] by *June*" ([0:05](https://youtu.be/abcdefghijk?t=5))\n', "draft.md")
    claim = draft.claims[0]
    patches = split(draft, claim, _span(claim.text, "we shall"), _span(claim.text, "by June"), 80_000)
    changed = _after(draft, patches)
    assert changed == 'She: "we **shall**" (0:05) […] "by *June*" ([1:20](https://youtu.be/abcdefghijk?t=80))\n'


def test_marks_move_inward() -> None:
    draft = _read("He said “well we left early, too” (0:05).")
    claim = draft.claims[0]
    assert _after(draft, narrow(draft, claim, _span(claim.text, "we left early"))) == "He said well “we left early”, too (0:05)."
    draft = _read("He said “well we left” (0:05) and « [they] left » (0:09).")
    claim = draft.claims[1]
    assert (
        _after(draft, narrow(draft, claim, _span(claim.text, "left")))
        == "He said “well we left” (0:05) and [they] « left » (0:09)."
    )


def test_an_open_quotation_is_closed() -> None:
    draft = _read("He said “the water was rising and went home (1:10).\n\nThen “it fell” (1:20).\n")
    claim = draft.claims[0]
    changed = _after(draft, close_at(draft, claim, len("the water was rising")))
    assert changed == "He said “the water was rising” and went home (1:10).\n\nThen “it fell” (1:20).\n"
    draft = _read("Er sagte „wir gehen und ging.")
    assert _after(draft, close_at(draft, draft.claims[0], len("wir gehen"))) == "Er sagte „wir gehen“ und ging."
    draft = _read("<p>&ldquo;we left and</p>", "draft.html")
    assert _after(draft, close_at(draft, draft.claims[0], len("we left"))) == "<p>&ldquo;we left&rdquo; and</p>"


def test_an_opening_mark_with_nothing_behind_it_is_not_closed() -> None:
    draft = _read("She said “\n\nThen “it fell” (1:20).\n")
    with pytest.raises(DraftError, match="by hand"):
        close_at(draft, draft.claims[0], 0)
    draft = _read("She said “I\n\nThen “it fell” (1:20).\n")
    assert _after(draft, close_at(draft, draft.claims[0], 1)) == "She said “I”\n\nThen “it fell” (1:20).\n"


def test_a_block_quotation_has_no_mark_to_move() -> None:
    draft = _read("> we left.\n", "draft.md")
    with pytest.raises(DraftError, match="by hand"):
        move_mark_out(draft, draft.claims[0], 1)
