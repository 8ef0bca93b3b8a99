"""The inventory: every caption track that a source offers, of which origin, and what will be fetched and why.

It is a pure function of the information that yt-dlp's extractor returns; nothing is asked of the network here.

- `subtitles` are people's, `automatic_captions` are not; where a site puts both in one place (Vimeo's `x-autogen`,
  YouTube's `kind=asr`), the address and the language tag tell them apart.
- YouTube lists a translation of one track into each of some 150 languages as automatic: `tlang=` in the address.
  `kind=asr` without it is the original recognition, listed as `en-orig` and again as `en`; an automatic entry
  with neither is a copy of the human track.
- Copies of one track (the same address but for the format) are one track. Two files of one format under one key (a page's
  `captions` and `subtitles` in one language, two renditions of a stream) are two tracks; the same file as a whole
  and in pieces is one.
- A language is what YouTube's address says, else the source's key where that begins as a language tag does; three letters
  become two where there are two (`eng` is `en`). Of a key that is no tag the language is unknown, and unknown is no other
  language than the spoken one.
- Chat replays, comments and danmaku are no caption tracks.
- All human tracks and the original automatic one are planned to be fetched, both even where they share a language;
  translations are only listed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePosixPath
from urllib.parse import parse_qsl, urlencode, urlsplit

from quoteview.core.captions.track import Origin
from quoteview.core.job import SourceRecord
from quoteview.fetching.recordings import NO_RECORDINGS, Recordings, recordings_of

_CHAT = frozenset({"live_chat", "rechat", "danmaku", "comments", "chat"})
_CHAT_PROTOCOLS = ("youtube_live_chat", "websocket")
_AUTOMATIC_FORMATS = ("json3", "vtt", "srv3", "ttml", "srt", "srv2", "srv1")
_HUMAN_FORMATS = ("vtt", "ttml", "dfxp", "srt", "ass", "ssa", "json3", "srv3", "sbv", "srv2", "srv1", "json")
_FORMAT_KEYS = frozenset({"fmt", "format", "ext"})
_TIMEDTEXT_KEYS = frozenset({"v", "lang", "kind", "name", "tlang"})
"""What tells one of YouTube's tracks from another; everything else signs the request and differs from one client to the next."""


class Plan(StrEnum):
    """What will be done with a track that is offered."""

    FETCH = "fetch"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class OfferedFormat:
    """One format of a track. `address` "" where the extractor gives the text itself as `inline`."""

    ext: str
    address: str
    inline: str | None
    values: Mapping[str, object]

    @property
    def is_in_pieces(self) -> bool:
        """Whether it is a list of pieces (HLS, DASH) instead of one file."""
        return _text(self.values, "protocol").startswith(("m3u8", "http_dash"))


@dataclass(frozen=True, slots=True)
class Offer:
    """One track that the source offers. `formats` are ordered, the one that keeps most first; `second` is read beside it.

    `key` is the source's own name for it (`en-orig`), `also_as` the keys of copies. `why` says in a sentence why it is
    fetched or only listed. `of` is the language it is translated from, "" for an original.
    """

    key: str
    origin: Origin
    language: str
    name: str
    formats: tuple[OfferedFormat, ...]
    plan: Plan
    why: str
    also_as: tuple[str, ...] = ()
    of: str = ""

    @property
    def best(self) -> OfferedFormat:
        """The format that will be locked."""
        return self.formats[0]

    @property
    def second(self) -> OfferedFormat | None:
        """A second format worth reading beside it: WebVTT of an automatic track that comes as json3."""
        if self.origin is not Origin.AUTOMATIC or self.best.ext != "json3":
            return None
        return next((offered for offered in self.formats if offered.ext == "vtt"), None)


@dataclass(frozen=True, slots=True)
class Video:
    """One video of a link to many: its address and title."""

    address: str
    title: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a source offers. `offers` are in the order human, automatic, translated; `videos` only for a link to many, which
    `is_list` says even where there is none in it. `recordings` are the files that the recording itself can be had as."""

    source: SourceRecord
    offers: tuple[Offer, ...]
    videos: tuple[Video, ...] = ()
    is_list: bool = False
    recordings: Recordings = NO_RECORDINGS

    @property
    def planned(self) -> tuple[Offer, ...]:
        """The tracks that will be fetched."""
        return tuple(offer for offer in self.offers if offer.plan is Plan.FETCH)

    def with_translated(self, keys: Collection[str]) -> Inventory:
        """Return the inventory with just these translations asked for, by the source's own keys."""
        asked = [
            _planned(offer, self.source.language, [offer.key] if offer.key in keys else [])
            if offer.origin is Origin.TRANSLATED
            else offer
            for offer in self.offers
        ]
        return replace(self, offers=tuple(asked))


def take_inventory(facts: Mapping[str, object], *, address: str = "", translated: Sequence[str] = ()) -> Inventory:
    """Return the inventory of what an extractor returned. `translated` are languages whose translations are asked for."""
    if facts.get("_type") in ("playlist", "multi_video"):
        return Inventory(_source(facts, address), (), tuple(_videos(facts)), is_list=True)
    found = [*_offers(facts, "subtitles"), *_offers(facts, "automatic_captions")]
    offers = _without_copies(found)
    spoken = _spoken(offers, _text(facts, "language"))
    order = [Origin.HUMAN, Origin.AUTOMATIC, Origin.TRANSLATED, Origin.UNKNOWN]
    planned = [_planned(offer, spoken, translated) for offer in offers]
    planned.sort(
        key=lambda offer: (order.index(offer.origin), bool(spoken) and offer.language != spoken, not offer.language, offer.key)
    )
    source = replace(_source(facts, address), language=spoken)
    return Inventory(source, tuple(planned), recordings=recordings_of(facts))


def _spoken(offers: Sequence[Offer], told: str) -> str:
    """Return the spoken language: the recognition's; of several (dubbed voices have their own) the one that the source says."""
    heard = [offer.language for offer in offers if offer.origin is Origin.AUTOMATIC and offer.language]
    return next((language for language in heard if _primary(language) == _primary(told)), heard[0] if heard else told)


def _offers(facts: Mapping[str, object], where: str) -> Iterator[Offer]:
    listed = facts.get(where)
    for name, entries in listed.items() if isinstance(listed, Mapping) else ():
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            continue
        key = str(name) if name else "und"
        if key in _CHAT or any(_is_chat(entry) for entry in entries):
            continue
        found = [offered for entry in entries if isinstance(entry, Mapping) and (offered := _format(entry)) is not None]
        for formats in _apart(found):
            yield _offer(key, formats, is_listed_as_automatic=where == "automatic_captions")


def _offer(key: str, formats: list[OfferedFormat], *, is_listed_as_automatic: bool) -> Offer:
    address = formats[0].address
    query = dict(parse_qsl(urlsplit(address).query))
    origin, of = _origin(key, address, query, is_listed_as_automatic=is_listed_as_automatic)
    best_first = _AUTOMATIC_FORMATS if origin is not Origin.HUMAN else _HUMAN_FORMATS
    ranks = {ext: number for number, ext in enumerate(best_first)}
    formats.sort(key=lambda offered: (ranks.get(offered.ext, len(ranks)), offered.is_in_pieces))
    name = next(filter(None, (_text(offered.values, "name") for offered in formats)), "")
    return Offer(key, origin, _language(key, address, query), name, tuple(formats), Plan.LIST, "", of=of)


def _apart(found: Sequence[OfferedFormat]) -> list[list[OfferedFormat]]:
    """Return the tracks that stand under one key, each with its formats; a file that is listed twice counts once."""
    if len({(offered.ext, offered.is_in_pieces) for offered in found}) == len(found):
        return [list(found)] if found else []
    tracks: list[list[OfferedFormat]] = []
    seen: dict[tuple[str, bool], list[str]] = {}
    for offered in found:
        known = seen.setdefault((offered.ext, offered.is_in_pieces), [])
        identity = _same_but_format(offered) or f"inline:{offered.inline}"
        if identity in known:
            continue
        if len(known) == len(tracks):
            tracks.append([])
        tracks[len(known)].append(offered)
        known.append(identity)
    return tracks


def _format(entry: Mapping[str, object]) -> OfferedFormat | None:
    address, inline = _text(entry, "url"), entry.get("data")
    if not address and not isinstance(inline, str):
        return None
    ext = _text(entry, "ext") or PurePosixPath(urlsplit(address).path).suffix.removeprefix(".").lower() or "vtt"
    return OfferedFormat(ext, address, inline if isinstance(inline, str) else None, entry)


def _is_chat(entry: object) -> bool:
    return isinstance(entry, Mapping) and _text(entry, "protocol").startswith(_CHAT_PROTOCOLS)


def _origin(key: str, address: str, query: Mapping[str, str], *, is_listed_as_automatic: bool) -> tuple[Origin, str]:
    """Return a track's origin, and the language it is translated from."""
    if query.get("tlang"):
        return Origin.TRANSLATED, query.get("lang", "")
    if query.get("kind") == "asr" or "autogen" in key:
        return Origin.AUTOMATIC, ""
    if is_listed_as_automatic and not _is_timedtext(address):
        return Origin.AUTOMATIC, ""
    return Origin.HUMAN, ""


def _is_timedtext(address: str) -> bool:
    """Whether an address is of YouTube's caption service, whose parameters tell the origin."""
    return urlsplit(address).path.endswith("/timedtext")


def _language(key: str, address: str, query: Mapping[str, str]) -> str:
    """Return a track's language tag, "" where the key is none: `en-orig` and `en-x-autogen` are `en`."""
    if _is_timedtext(address) and (told := query.get("tlang") or query.get("lang")):
        return told
    wanted = key.removesuffix("-orig").partition("-x-")[0].removeprefix("a.").replace("_", "-")
    match = re.match(r"([A-Za-z]{2,3})((?:-[A-Za-z0-9]{2,8})*)(?![A-Za-z0-9])", wanted)
    if match is None or match[1].lower() == "und":
        return ""
    return _short(match[1]) + match[2]


def _short(code: str) -> str:
    if len(code) == 2:
        return code
    from yt_dlp.utils import ISO639Utils

    return ISO639Utils.long2short(code.lower()) or code


def _without_copies(found: Sequence[Offer]) -> list[Offer]:
    """Return each track once, the first listed; people's come first, so a copy of theirs does not hide them."""
    kept: dict[tuple[str, str], Offer] = {}
    for offer in found:
        first = offer.formats[0]
        identity = (offer.origin, _same_but_format(first) or f"inline:{offer.key}:{first.inline}")
        if identity in kept:
            known = kept[identity]
            kept[identity] = replace(known, also_as=(*known.also_as, offer.key))
        else:
            kept[identity] = offer
    return list(kept.values())


def _same_but_format(offered: OfferedFormat) -> str:
    """Return an address without what only chooses the format, parameters in order."""
    parts = urlsplit(offered.address)
    is_known = _is_timedtext(offered.address)
    query = sorted(
        (key, value)
        for key, value in parse_qsl(parts.query, keep_blank_values=True)
        if (key in _TIMEDTEXT_KEYS if is_known else key not in _FORMAT_KEYS)
    )
    path = parts.path
    if not parts.query and "." in path.rpartition("/")[2]:
        path = path.rpartition(".")[0]
    return f"{parts.netloc}{path}?{urlencode(query)}" if offered.address else ""


def _planned(offer: Offer, spoken: str, translated: Sequence[str]) -> Offer:
    match offer.origin:
        case Origin.HUMAN:
            other = bool(spoken and offer.language) and _primary(offer.language) != _primary(spoken)
            why = f"made by people; a translation, since {spoken} is spoken" if other else "made by people"
            return replace(offer, plan=Plan.FETCH, why=why)
        case Origin.AUTOMATIC:
            dubbed = bool(spoken and offer.language) and _primary(offer.language) != _primary(spoken)
            why = "speech recognition of a dubbed voice" if dubbed else "speech recognition in the spoken language"
            return replace(offer, plan=Plan.FETCH, why=why)
        case _:
            if offer.language in translated or offer.key in translated:
                return replace(offer, plan=Plan.FETCH, why="a machine translation that was asked for")
            return replace(offer, plan=Plan.LIST, why="a machine translation of another track; fetched only on request")


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _source(facts: Mapping[str, object], address: str) -> SourceRecord:
    seconds = facts.get("duration")
    length = round(seconds * 1000) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None
    return SourceRecord(
        address=public_address(_text(facts, "webpage_url") or address),
        title=_text(facts, "title"),
        duration_ms=length,
        language=_text(facts, "language"),
        asked_human=True,
        asked_automatic=True,
    )


def _videos(facts: Mapping[str, object]) -> Iterator[Video]:
    entries = facts.get("entries")
    for entry in entries if isinstance(entries, Sequence) else ():
        if isinstance(entry, Mapping):
            address = _text(entry, "webpage_url") or _text(entry, "url")
            if address:
                yield Video(address, _text(entry, "title") or address)


def public_address(address: str) -> str:
    """Return an address as it may be recorded: without user and password."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{host}{port}").geturl() if parts.username or parts.password else address


def _text(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
