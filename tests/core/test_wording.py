"""The sentences of verdicts: the fact first, what differs by name, never a score."""

from __future__ import annotations

import pytest

from quoteview.core.captions.track import Origin
from quoteview.core.importing import CaptionFile
from quoteview.core.review import review_files
from quoteview.core.wording import character_name, clock, sentence

CAPTIONS = """WEBVTT

00:00:05.000 --> 00:00:08.000
we can't trust a map

00:00:08.000 --> 00:00:12.000
um drawn from fifty other maps in the harbour

00:00:20.000 --> 00:00:23.000
coo\u00adperate with us

00:00:30.000 --> 00:00:33.000
le cafe\u0301 est ferme

00:00:40.000 --> 00:00:43.000
we can't trust a map

00:01:00.000 --> 00:01:20.500
a long cue that lasts

00:02:00.000 --> 00:02:03.000
the bridge is shut, unless it rains, and stays shut
""".encode()


def said(draft: str) -> str:
    """Return the sentence for the one claim of a draft."""
    found = review_files([CaptionFile("a.vtt", CAPTIONS, Origin.HUMAN, "en")], [("draft.txt", draft.encode())]).drafts[0]
    [claim], [verdict] = found.claims, found.verdicts
    return sentence(claim, verdict, origin=Origin.HUMAN)


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        ("“drawn from fifty other maps” (0:08)", "Matches the captions (human), character for character, at 0:08."),
        ("“we can't trust a map” (0:06)", "said 2 times, nearest at 0:05"),
        ("“a long cue” (1:02)", "the cue lasts 20 s"),
        ("“drawn from fifty other maps” (0:18)", "The words match at 0:08, not 0:18. Enter corrects the time."),
        ("“we can't trust a map”", "The words match at 0:05 and 0:40. Choose which you mean."),
        ("“drawn from fifty other maps,” (0:08)", "The comma before your closing mark is not in the captions."),
        ("“we can’t trust a map” (0:06)", "curly apostrophe (U+2019)"),
        ("“we can trust a map” (0:06)", "Listen."),
        ("“drawn from fifteen other maps” (0:08)", "You write ‘fifteen’; the captions say ‘fifty’. Listen."),
        ("“drawn from 50 other maps” (0:08)", "You write 50; the captions say ‘fifty’."),
        ("“Drawn from fifty other maps” (0:08)", "You write ‘Drawn’, the captions ‘drawn’."),
        ("“cooperate with us” (0:21)", "soft hyphen (U+00AD)"),
        (
            "“le café est ferme” (0:31)",
            "Looks the same, but é is one character in your draft and two in the captions.",
        ),
        ("“the bridge is shut … and stays shut” (2:01)", "Both parts match, in order"),
        ("“an invented sentence about whales entirely” (0:08)", "Nothing close in these captions."),
        ("“drawn from fifty other maps", "never closes"),
    ],
)
def test_each_verdict_has_its_sentence(draft: str, words: str) -> None:
    assert words in said(draft)


def test_no_sentence_gives_a_score() -> None:
    for draft in ("“we can trust a map” (0:06)", "“drawn from fifteen other maps” (0:08)"):
        assert "%" not in said(draft)
        assert "probably" not in said(draft).lower()


def test_characters_and_moments_are_named() -> None:
    assert character_name("\u00a0") == "no-break space (U+00A0)"
    assert character_name("\x07") == "character (U+0007)"
    assert (clock(767_000), clock(3_723_500), clock(-5_000)) == ("12:47", "1:02:03.5", "−0:05")
