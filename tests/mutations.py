# ruff: noqa: E501  (rows of what is forged are easier to read on one line)
"""Ways in which a bundle is damaged or forged, drawn with a seed: each must be refused by both checks.

Three kinds of attackers. Damage changes files and nothing else. The second makes the manifests anew as well. The third
knows how a statement is made: digests, sizes, counts, words, report, annotations, journal's head and seal are made to fit.
What a person could truthfully have written, such as another name or title, is no mutation: only a signature shows that.
"""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.bundles import rebag, sealed

Json = dict[str, object]
STATEMENT, JOURNAL = "data/statement.json", "data/journal.jsonl"
APPENDED = {
    "html": (
        "<p>&ldquo;nobody proved this&rdquo;</p>", "<p>&#8220;nobody&#8221;</p>", "<Q>nobody</Q>", "<blockquote>nobody</blockquote>",
        "<!-->“nobody proved this”<!-- -->", "<script>1</script>“nobody”", "<p title='>'>“nobody”</p>", "<p hidden></p>“nobody”",
        "<textarea>“nobody”</textarea>", "a < b “nobody” c > d", "<p>&quot;nobody&quot;", "<template></template>'nobody'",
    ),
    "markdown": (
        "\n\n“nobody proved this”\n", "\n\n> nobody proved this\n", "\n\n\"nobody\"\n", "\n\n&ldquo;nobody&rdquo;\n", "\n\n\\`“nobody”\\`\n",
        "\n\n‘nobody at all’\n", "\n\n<q>nobody</q>\n", "\n\n„nobody“\n", "\n\n```\n```\n\n“nobody”\n", "\n\n- item\n\n    “nobody”\n",
    ),
    "text": ("\n\n“nobody proved this”\n", "\n\n'nobody at all'\n", "\n\n»nobody«\n", "\n\n`“nobody”`\n", "\n\n『nobody』\n"),
}  # fmt: skip


class NoPlace(Exception):
    """This bundle has no place for the mutation: draw another."""


@dataclass
class Forgery:
    """A bundle that is being forged: its files, and its statement as JSON."""

    files: dict[str, bytes]
    draw: random.Random
    document: Json = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.document = json.loads(self.files[STATEMENT])

    @property
    def predicate(self) -> Json:
        return _table(self.document["predicate"])

    def rows(self, key: str) -> list[Json]:
        rows = self.predicate[key]
        assert isinstance(rows, list)
        return rows

    def some(self, key: str, fits: Callable[[Json], bool] = lambda row: True) -> Json:
        rows = [row for row in self.rows(key) if fits(row)]
        if not rows:
            raise NoPlace
        return self.draw.choice(rows)

    def exact(self) -> Json:
        return self.some("claims", lambda claim: claim["state"] == "green")

    def resolved(self) -> Json:
        return self.some("claims", lambda claim: claim["state"] == "resolved")

    def text_of_draft(self) -> str:
        draft = _table(self.predicate["draft"])
        return self.files[str(draft["file"])].decode(str(draft["encoding"]))

    def fit(self) -> None:
        """Make every digest, size, count and sentence fit what the statement and the files now say."""
        predicate = self.predicate
        claims = self.rows("claims")
        green = [claim for claim in claims if claim["state"] == "green"]
        resolutions = [_table(claim["resolution"]) for claim in claims if claim["state"] == "resolved" and claim["resolution"]]
        exceptions = [str(entry["class"]) or "other" for entry in resolutions if entry["is_exception"]]
        old = _table(predicate["counts"])
        counts: Json = {
            "claims": len(claims), "exact": len(green), "resolved": len(resolutions), "set_aside": len(resolutions) - len(exceptions),
            "exceptions": len(exceptions), "by_class": {name: exceptions.count(name) for name in dict.fromkeys(exceptions)},
            "marks": len(self.rows("marks")), "long_cues": old["long_cues"],
        }  # fmt: skip
        predicate["counts"] = counts
        before = (int(str(old["exact"])), int(str(old["exact"])) + int(str(old["exceptions"])))
        now = (len(green), len(green) + len(exceptions))
        sentence = str(predicate["sentence"]).replace(f"{before[0]} of {before[1]}", f"{now[0]} of {now[1]}")
        if not exceptions and old["exceptions"]:
            sentence = f"Quotations match the captions. {now[0]} of {now[1]} quotations" + sentence.partition(" match")[2]
        self.swap_words(str(predicate["sentence"]), sentence)
        label = "verified" if not exceptions else f"verified with {len(exceptions)} exception{'s' if len(exceptions) > 1 else ''}"
        self.swap_words(str(predicate["label"]), label)
        predicate["sentence"], predicate["label"] = sentence, label
        files = _table(predicate["files"])
        report = str(_table(files["report"])["file"])
        head, _, _ = self.files[report].rpartition(b"<!-- report whole:")
        if head:
            self.files[report] = head + b"<!-- report whole: %d claims -->\n" % len(claims)
        notes = str(_table(files["annotations"])["file"])
        try:
            page = json.loads(self.files[notes])
            texts = [claim["text"] for claim in green]
            page["items"] = [row for row in page["items"] if row["body"]["selector"]["exact"] in texts]
            self.files[notes] = (json.dumps(page, ensure_ascii=False, indent=1) + "\n").encode()
        except (ValueError, KeyError, TypeError):
            pass
        lines = self.files[JOURNAL].split(b"\n")[:-1]
        head_digest = hashlib.sha256(lines[-1]).hexdigest() if lines else "0" * 64
        predicate["journal"] = {"file": JOURNAL, "length": len(lines), "head": head_digest}
        subjects = self.document["subject"]
        assert isinstance(subjects, list)
        for record in [_table(predicate["draft"]), *self.rows("tracks"), *map(_table, files.values())]:
            data = self.files.get(str(record["file"]), b"")
            record["sha256"], record["size"] = hashlib.sha256(data).hexdigest(), len(data)
            for subject in subjects:
                if subject["name"] == record["file"]:
                    subject["digest"]["sha256"] = record["sha256"]

    def swap_words(self, old: str, new: str) -> None:
        for name in ("data/report.html",):
            self.files[name] = self.files[name].replace(old.encode(), new.encode())

    def finished(self) -> dict[str, bytes]:
        self.files[STATEMENT] = sealed(self.document)
        return rebag(self.files)


def mutants(files: dict[str, bytes], seed: int, count: int) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield (what was done, files of the bag) of as many mutated bundles, kinds in turn."""
    made = 0
    attempt = 0
    while made < count:
        number = attempt
        attempt += 1
        draw = random.Random(f"{seed}:{number}")
        kind = KINDS[number % len(KINDS)]
        try:
            what, changed = kind(dict(files), draw)
        except NoPlace:
            continue
        if changed == files:
            continue
        made += 1
        yield f"{kind.__name__}: {what} ({seed}:{number})", changed


Mutation = Callable[[dict[str, bytes], random.Random], tuple[str, dict[str, bytes]]]


# Damage, with the manifests as they were or made anew.


def flip_byte(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    name = draw.choice(sorted(name for name, data in files.items() if data))
    at = draw.randrange(len(files[name]))
    changed = bytearray(files[name])
    changed[at] ^= 1 << draw.randrange(8)
    return _damaged(files, {name: bytes(changed)}, draw, f"bit of byte {at} of {name}")


def flip_in_statement(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    at = draw.randrange(len(files[STATEMENT]))
    changed = bytearray(files[STATEMENT])
    changed[at] = draw.choice(b'0123456789abcdef"{}[],: ')
    if changed[at] in b" \n" and files[STATEMENT][at] in b" \n":
        raise NoPlace
    if _same(bytes(changed), files[STATEMENT]):
        raise NoPlace
    return f"byte {at} of the statement", rebag({**files, STATEMENT: bytes(changed)})


def cut_short(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    name = draw.choice(sorted(name for name, data in files.items() if len(data) > 2))
    at = draw.randrange(len(files[name]) - 2)
    return _damaged(files, {name: files[name][:at]}, draw, f"{name} cut short at {at}")


def drop_file(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    name = draw.choice(sorted(files))
    if name == JOURNAL and not files[name]:
        raise NoPlace
    left = {key: data for key, data in files.items() if key != name}
    return f"{name} dropped", rebag(left) if name.startswith("data/") and draw.random() < 0.5 else left


def add_file(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    name = draw.choice(
        ("data/more.txt", "data/tracks/en.other.vtt", "data/draft/other.md", "extra.txt", "data/statement.json.sig")
    )
    return _damaged(files, {name: draw.choice((b"", b"more\n", files["data/report.html"]))}, draw, f"{name} added")


def swap_files(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    one, other = draw.sample(sorted(name for name in files if name.startswith("data/")), 2)
    return _damaged(files, {one: files[other], other: files[one]}, draw, f"{one} and {other} swapped")


def double_key(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    old, new = draw.choice(
        ((b'"label": "', b'"label": "verified",\n  "label": "'), (b'"exact": ', b'"exact": 99,\n   "exact": '), (b'"_type": ', b'"_type": "x", "_type": '),
         (b'"verdict": ', b'"verdict": "altered",\n    "verdict": '), (b'"bytes": ', b'"bytes": [],\n    "bytes": '))
    )  # fmt: skip
    return f"{old!r} written twice", rebag({**files, STATEMENT: files[STATEMENT].replace(old, new, 1)})


def upper_case(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    name = draw.choice(("manifest-sha256.txt", "tagmanifest-sha256.txt"))
    lines = files[name].split(b"\n")
    at = draw.randrange(len(lines) - 1)
    digest, _, rest = lines[at].partition(b"  ")
    lines[at] = digest.upper() + b"  " + rest
    changed = {**files, name: b"\n".join(lines)}
    if name == "manifest-sha256.txt":
        tags = ("bag-info.txt", "bagit.txt", "manifest-sha256.txt")
        listed = "".join(f"{hashlib.sha256(changed[tag]).hexdigest()}  {tag}\n" for tag in tags)
        changed["tagmanifest-sha256.txt"] = listed.encode()
    return f"digest in capitals in {name}", changed


def upper_case_in_statement(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    part = draw.choice(
        [_table(forged.predicate["draft"]), *forged.rows("tracks"), *map(_table, _table(forged.predicate["files"]).values())]
    )
    part["sha256"] = str(part["sha256"]).upper()
    if part["sha256"] == str(part["sha256"]).lower():
        raise NoPlace
    return f"digest of {part['file']} in capitals", forged.finished()


# Forgery: the statement says something else, and everything that can be made to fit, fits.


def remove_claim(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claims = forged.rows("claims")
    if len(claims) < 2:
        raise NoPlace
    gone = draw.choice(claims)
    claims.remove(gone)
    number = int(str(gone["id"]))
    way = draw.choice(("kept", "removed", "apostrophe", "prime", "code", "comment", "metadata", "markup", "inside"))
    marks = forged.rows("marks")
    for mark in list(marks):
        if mark["claim"] == number:
            if way == "removed":
                marks.remove(mark)
            elif way == "inside":
                mark["role"], mark["claim"] = "inside", draw.choice(claims)["id"]
            elif way != "kept":
                mark["role"], mark["claim"] = way, None
    if draw.random() < 0.8:
        for new, claim in enumerate(claims, 1):
            for mark in marks:
                if mark["claim"] == claim["id"] and new != claim["id"]:
                    mark["claim"] = -new
            claim["id"] = new
        for mark in marks:
            if isinstance(mark["claim"], int) and mark["claim"] < 0:
                mark["claim"] = -mark["claim"]
    forged.fit()
    return f"claim {number} removed, its marks {way}", forged.finished()


def change_count(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    counts = _table(forged.predicate["counts"])
    key = draw.choice([key for key in counts if key != "by_class"])
    counts[key] = int(str(counts[key])) + draw.choice((1, 2, 10))
    return f"{key} counted otherwise", forged.finished()


def change_words(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    sentence, label = str(forged.predicate["sentence"]), str(forged.predicate["label"])
    number = int(str(_table(forged.predicate["counts"])["exact"]))
    new = draw.choice(
        (
            ("sentence", sentence.replace(f"{number} of ", f"{number + 1} of ", 1)),
            (
                "sentence",
                sentence.replace("Not checked: whether the captions are right, who spoke, the context, other facts. ", ""),
            ),
            ("sentence", "Everything in this article was said exactly so."),
            ("label", "verified" if label != "verified" else "verified with 2 exceptions"),
            ("label", "Verified"),
        )
    )
    forged.swap_words(str(forged.predicate[new[0]]), new[1])
    forged.predicate[new[0]] = new[1]
    _digests(forged)
    return f"{new[0]}: {new[1][:40]}", forged.finished()


def shift_range(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = forged.exact()
    spans = _table(claim["match"])["bytes"]
    assert isinstance(spans, list)
    spans[draw.choice((0, -1))][draw.randrange(2)] += draw.choice((-1, 1))
    return f"ranges of claim {claim['id']} shifted", forged.finished()


def drop_or_split_range(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = forged.exact()
    match = _table(claim["match"])
    spans = match["bytes"]
    assert isinstance(spans, list)
    if len(spans) > 1 and draw.random() < 0.5:
        del spans[draw.randrange(len(spans))]
    else:
        low, high = spans[0]
        spans[0:1] = [[low, low + 3], [low + 4, high]]
    return f"a byte left out of the ranges of claim {claim['id']}", forged.finished()


def shift_in_draft(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = draw.choice(forged.rows("claims"))
    target = draw.choice(("outer", "pieces"))
    if target == "outer":
        outer = claim["outer"]
        assert isinstance(outer, list)
        outer[draw.randrange(2)] += draw.choice((-1, 1))
    else:
        pieces = claim["pieces"]
        assert isinstance(pieces, list)
        draw.choice(pieces)[draw.choice((1, 2))] += draw.choice((-1, 1))
    return f"{target} of claim {claim['id']} shifted", forged.finished()


def change_text(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Let the claim say another word, in its text and its piece."""
    forged = Forgery(files, draw)
    claim = forged.exact()
    pieces = claim["pieces"]
    assert isinstance(pieces, list)
    piece = draw.choice([piece for piece in pieces if len(piece[0]) > 3])
    word = str(piece[0])
    new = draw.choice((word[1:], word[:-1], word.swapcase(), word.replace(" ", "  ", 1), word + "s", word.replace("e", "é", 1)))
    if new == word:
        raise NoPlace
    old = str(claim["text"])
    piece[0] = new
    claim["text"] = "".join(each[0] for each in pieces)
    forged.files["data/annotations.jsonld"] = forged.files["data/annotations.jsonld"].replace(
        json.dumps(old, ensure_ascii=False).encode(), json.dumps(claim["text"], ensure_ascii=False).encode()
    )
    forged.swap_words(old, str(claim["text"]))
    _digests(forged)
    return f"text of claim {claim['id']} is {new[:30]!r}", forged.finished()


def change_draft(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Change a character inside a claim in the draft, of the same size."""
    forged = Forgery(files, draw)
    claim = forged.exact()
    pieces = claim["pieces"]
    assert isinstance(pieces, list)
    piece = draw.choice([piece for piece in pieces if len(piece[0]) > 3])
    name = str(_table(forged.predicate["draft"])["file"])
    at = draw.randrange(piece[1], piece[2])
    changed = bytearray(forged.files[name])
    if not 97 <= changed[at] <= 122:
        raise NoPlace
    changed[at] = 97 + (changed[at] - 96) % 26
    forged.files[name] = bytes(changed)
    forged.fit()
    return f"byte {at} of the draft, in claim {claim['id']}", forged.finished()


def change_track(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Change a letter of the captions inside a claim's ranges, or a digit of its cue's time."""
    forged = Forgery(files, draw)
    claim = forged.exact()
    track = forged.some("tracks", lambda row: row["is_reference"] is True)
    spans = _table(claim["match"])["bytes"]
    assert isinstance(spans, list)
    low, high = draw.choice(spans)
    at = draw.randrange(low, high)
    changed = bytearray(forged.files[str(track["file"])])
    if not 97 <= changed[at] <= 122:
        raise NoPlace
    changed[at] = 97 + (changed[at] - 96) % 26
    forged.files[str(track["file"])] = bytes(changed)
    forged.fit()
    return f"byte {at} of the captions, in claim {claim['id']}", forged.finished()


def append_to_draft(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Write a quotation into the draft that the statement does not know, in ways that a careless count misses."""
    forged = Forgery(files, draw)
    draft = _table(forged.predicate["draft"])
    more = draw.choice(APPENDED[str(draft["format"])])
    forged.files[str(draft["file"])] += more.encode(
        str(draft["encoding"]).replace("utf-16", "utf-16-le")
        if draft["encoding"] == "utf-16"
        else str(draft["encoding"]).replace("utf-8-sig", "utf-8")
    )
    forged.fit()
    return f"{more!r} behind the draft", forged.finished()


def hide_claim(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Write a quotation into the draft and list its marks with a role that hides them."""
    forged = Forgery(files, draw)
    draft = _table(forged.predicate["draft"])
    encoding = str(draft["encoding"])
    if not encoding.startswith("utf-8"):
        raise NoPlace
    opening, closing = draw.choice(("“”", "‘’", '""', "''", "’’", "«»"))
    name = str(draft["file"])
    at = len(forged.files[name])
    added = f"\n\n{opening}nobody proved this{closing} (0:01).\n".encode()
    forged.files[name] += added
    role = draw.choice(("apostrophe", "prime", "code", "comment", "metadata", "markup", "inside", "opens", None))
    first = added.index(opening.encode())
    last = added.rindex(closing.encode())
    owner = draw.choice(forged.rows("claims"))["id"] if role in ("inside", "opens") else None
    for low, mark in ((first, opening), (last, closing)):
        forged.rows("marks").append({"bytes": [at + low, at + low + len(mark.encode())], "role": role, "claim": owner})
    forged.fit()
    return f"{opening}…{closing} behind the draft as {role}", forged.finished()


def change_verdict(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = draw.choice(forged.rows("claims"))
    if claim["state"] == "green":
        claim["verdict"] = draw.choice(("altered", "mistimed", "not_found", "unclosed", "untimed", "true"))
    else:
        old, way = claim["verdict"], draw.randrange(3)
        if way == 0:
            claim["state"] = "green"
        elif way == 1:
            claim["state"], claim["verdict"], claim["resolution"] = "green", "exact", None
        else:
            claim["verdict"] = draw.choice([word for word in ("exact", "mistimed", "untimed", "unclosed") if word != old])
    forged.fit()
    return f"claim {claim['id']} is {claim['state']}, {claim['verdict']}", forged.finished()


def forge_resolution(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = forged.resolved()
    resolution = _table(claim["resolution"])
    key = draw.choice(list(resolution))
    values: Json = {
        "kind": "accept" if resolution["kind"] != "accept" else "not_a_quotation", "class": draw.choice(("cut", "wording", "none")),
        "reason": "Because.", "by": "Another Person", "at": "2020-01-01T00:00:00Z", "entry": draw.choice(("0" * 64, "f" * 64)),
        "is_exception": not resolution["is_exception"],
    }  # fmt: skip
    if resolution[key] == values[key]:
        raise NoPlace
    resolution[key] = values[key]
    forged.fit()
    return f"{key} of the resolution of claim {claim['id']}", forged.finished()


def resolve_without_journal(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Say of an exact claim, or of another resolved one, that a person resolved it, by an entry that is about something else."""
    forged = Forgery(files, draw)
    claim = forged.exact()
    donors = [row for row in forged.rows("claims") if row["state"] == "resolved"]
    made: Json = {
        "kind": "not_a_quotation",
        "class": "",
        "reason": "x",
        "by": "A",
        "at": "2027-03-03T10:00:00Z",
        "entry": "0" * 64,
        "is_exception": True,
    }
    claim["resolution"] = copy.deepcopy(draw.choice(donors)["resolution"]) if donors else made
    claim["state"], claim["match"] = "resolved", None
    forged.fit()
    return f"claim {claim['id']} resolved by nobody", forged.finished()


def change_journal(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Drop, change or add a line, with the chain and the head made anew or not."""
    forged = Forgery(files, draw)
    lines = forged.files[JOURNAL].split(b"\n")[:-1]
    used = {str(_table(claim["resolution"])["entry"]) for claim in forged.rows("claims") if claim["resolution"]}
    way = draw.choice(("dropped", "swapped", "added", "changed"))
    if way == "added":
        lines.append(b'{"kind":"nothing","previous":"%s"}' % hashlib.sha256(lines[-1] if lines else b"").hexdigest().encode())
    elif not lines:
        raise NoPlace
    elif way == "dropped":
        places = [at for at, line in enumerate(lines) if hashlib.sha256(line).hexdigest() in used]
        del lines[draw.choice(places or [0])]
    elif way == "swapped":
        if len(lines) < 2:
            raise NoPlace
        lines[0], lines[1] = lines[1], lines[0]
    else:
        at = draw.randrange(len(lines))
        old, new = draw.choice(
            (
                (b'"text":"', b'"text":"x'),
                (b'"by":"', b'"by":"x'),
                (b'"reason":"', b'"reason":"x'),
                (b'"before":"', b'"before":"q'),
            )
        )
        if old not in lines[at]:
            raise NoPlace
        lines[at] = lines[at].replace(old, new, 1)
    is_chained = draw.random() < 0.5
    if is_chained:
        lines = _chained(lines)
    forged.files[JOURNAL] = b"".join(line + b"\n" for line in lines)
    if draw.random() < 0.7 or is_chained:
        forged.fit()
    return f"a line {way}", forged.finished()


def another_reference(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    tracks = forged.rows("tracks")
    if len(tracks) < 2:
        track = tracks[0]
        track["origin"] = "translated"
        return "the reference is a translation", forged.finished()
    other = draw.choice([track for track in tracks if not track["is_reference"]])
    for track in tracks:
        track["is_reference"] = track is other
    _table(forged.predicate["reference"])["id"] = other["id"]
    for claim in forged.rows("claims"):
        if claim["match"]:
            _table(claim["match"])["track"] = other["id"]
    return f"{other['id']} is the reference", forged.finished()


def change_times(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    claim = forged.exact()
    match = _table(claim["match"])
    key = draw.choice(("cue_ms", "last_cue_ms", "offset_ms", "claimed_ms", "time_bytes", "claimed_end_ms"))
    if key in ("cue_ms", "last_cue_ms"):
        values = match[key]
        assert isinstance(values, list)
        values[draw.randrange(2)] += draw.choice((-1, 1, 1000))
    elif key == "offset_ms":
        match[key] = int(str(match[key])) + draw.choice((-1, 1))
    elif key == "claimed_ms":
        claim[key] = int(str(claim[key])) + draw.choice((-1000, 1000, 1))
    elif key == "time_bytes":
        claim[key] = draw.choice((None, [0, 2]))
    else:
        claim[key] = 999_999 if claim[key] is None else None
    return f"{key} of claim {claim['id']}", forged.finished()


def change_gate(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    gates = _table(forged.predicate["gates"])
    name = draw.choice(list(gates))
    if draw.random() < 0.4:
        del gates[name]
    else:
        _table(gates[name])["open"] = draw.choice((False, None, "true", 1))
    return f"gate {name}", forged.finished()


def change_mark(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    marks = forged.rows("marks")
    mark = draw.choice([each for each in marks if each["role"] in ("opens", "closes")])
    way = draw.choice(("removed", "no role", "another claim", "twice", "shifted"))
    if way == "removed":
        marks.remove(mark)
    elif way == "no role":
        mark["role"] = None
    elif way == "another claim":
        mark["claim"] = int(str(mark["claim"])) + draw.choice((-1, 1))
    elif way == "twice":
        marks.insert(marks.index(mark), copy.deepcopy(mark))
    else:
        span = mark["bytes"]
        assert isinstance(span, list)
        span[0] -= 1
    forged.fit()
    return f"a mark {way}", forged.finished()


def change_frame(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    predicate = forged.predicate
    way = draw.randrange(9)
    if way == 0:
        predicate["tolerance_ms"] = 5000
    elif way == 1:
        predicate["rules"] = 2
    elif way == 2:
        forged.document["_type"] = "https://in-toto.io/Statement/v0.1"
    elif way == 3:
        predicate["more"] = "x"
    elif way == 4:
        forged.some("tracks", lambda row: row["is_reference"] is True)["encoding"] = "latin-1x"
    elif way == 5:
        forged.some("tracks", lambda row: row["is_reference"] is True)["format"] = "ttml"
    elif way == 6:
        _table(predicate["draft"])["format"] = "markdown" if _table(predicate["draft"])["format"] == "html" else "html"
        raise NoPlace
    elif way == 7:
        predicate["signature"] = "ssh"
        sentence = str(predicate["sentence"]).replace("unsigned.", "signed.")
        forged.swap_words(str(predicate["sentence"]), sentence)
        predicate["sentence"] = sentence
        _digests(forged)
    else:
        subjects = forged.document["subject"]
        assert isinstance(subjects, list)
        subjects.pop()
    return f"frame {way}", forged.finished()


def change_report(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    """Let report or annotations say something else, with digests that fit."""
    forged = Forgery(files, draw)
    way = draw.randrange(3)
    if way == 0:
        claim = forged.exact()
        forged.swap_words(str(claim["text"])[:12], "Something el")
        if forged.files["data/report.html"] == files["data/report.html"]:
            raise NoPlace
    elif way == 1:
        forged.swap_words(str(forged.predicate["sentence"]), "All of this was said.")
    else:
        page = json.loads(forged.files["data/annotations.jsonld"])
        page["items"].pop()
        forged.files["data/annotations.jsonld"] = json.dumps(page).encode()
    _digests(forged)
    return f"report or annotations {way}", forged.finished()


def change_spoken_language(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    automatic = [track for track in forged.rows("tracks") if track["origin"] == "automatic" and track["language"]]
    source = _table(forged.predicate["source"])
    if not automatic:
        raise NoPlace
    way = draw.choice(("source", "offered", "standing"))
    if way == "source":
        source["language"] = draw.choice(("de", str(automatic[0]["language"]) + "-XX", ""))
    elif way == "standing":
        forged.rows("offered").append({**_OFFERED, "standing": "locked"})
    else:
        forged.rows("offered").append({**_OFFERED, "origin": "translated"})
    forged.fit()
    return f"the spoken language by {way}", forged.finished()


_OFFERED: Json = {"id": "fr.human", "origin": "human", "language": "fr", "standing": "listed", "copy_of": "", "reason": "x"}


def change_tolerance(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    forged.predicate["tolerance_ms"] = draw.choice((0, 1, 500, 1_000, 1_999, 2_001, 60_000, 2.0, True))
    forged.fit()
    return "another tolerance", forged.finished()


def change_form_of_journal(files: dict[str, bytes], draw: random.Random) -> tuple[str, dict[str, bytes]]:
    forged = Forgery(files, draw)
    lines = files[JOURNAL].split(b"\n")[:-1]
    if not lines:
        raise NoPlace
    entry = json.loads(lines[-1])
    way = draw.choice(("more", "less", "spaces", "order", "nobody", "moment", "kind", "digest"))
    if way == "more":
        entry["reasons"] = entry.get("reason", "")
    elif way == "less":
        del entry["note" if "note" in entry else "reason"]
    elif way in ("nobody", "moment", "kind", "digest"):
        key, value = {
            "nobody": ("by", " "),
            "moment": ("at", "yesterday"),
            "kind": ("exception", "fair"),
            "digest": ("track", "x"),
        }[way]
        entry[key] = value
    plain = json.dumps(
        entry, ensure_ascii=False, separators=(",", ": ") if way == "spaces" else (",", ":"), sort_keys=way != "order"
    )
    lines[-1] = (
        plain if way != "order" else json.dumps(dict(reversed(entry.items())), ensure_ascii=False, separators=(",", ":"))
    ).encode()
    old, new = (hashlib.sha256(each).hexdigest() for each in (files[JOURNAL].split(b"\n")[-2], lines[-1]))
    forged.files[JOURNAL] = b"".join(line + b"\n" for line in lines)
    for claim in forged.rows("claims"):
        if claim["resolution"] and _table(claim["resolution"])["entry"] == old:
            _table(claim["resolution"]).update({"entry": new, "by": entry["by"], "at": entry["at"]})
    forged.fit()
    return f"the journal's last line written otherwise: {way}", forged.finished()


KINDS: tuple[Mutation, ...] = (
    flip_byte, flip_in_statement, cut_short, drop_file, add_file, swap_files, double_key, upper_case, upper_case_in_statement,
    remove_claim, change_count, change_words, shift_range, drop_or_split_range, shift_in_draft, change_text, change_draft,
    change_track, append_to_draft, hide_claim, change_verdict, forge_resolution, resolve_without_journal, change_journal,
    another_reference, change_times, change_gate, change_mark, change_frame, change_report, flip_byte, remove_claim, hide_claim,
    change_spoken_language, change_form_of_journal, change_tolerance,
)  # fmt: skip


def _damaged(files: dict[str, bytes], changed: dict[str, bytes], draw: random.Random, what: str) -> tuple[str, dict[str, bytes]]:
    after = {**files, **changed}
    if all(name.startswith("data/") for name in changed) and draw.random() < 0.5:
        return f"{what}, manifests made anew", rebag(after)
    return what, after


def _digests(forged: Forgery) -> None:
    for record in _table(forged.predicate["files"]).values():
        row = _table(record)
        data = forged.files[str(row["file"])]
        row["sha256"], row["size"] = hashlib.sha256(data).hexdigest(), len(data)


def _chained(lines: list[bytes]) -> list[bytes]:
    previous, result = "0" * 64, []
    for line in lines:
        entry = json.loads(line)
        entry["previous"] = previous
        for claim in entry.get("claims", []) if entry.get("kind") == "resolution" else ():
            basis = {key: claim[key] for key in claim if key != "sha256"}
            claim["sha256"] = hashlib.sha256(_canonical(basis)).hexdigest()
        made = _canonical(entry)
        result.append(made)
        previous = hashlib.sha256(made).hexdigest()
    return result


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _same(one: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(one) == json.loads(other))
    except ValueError:
        return False


def _table(value: object) -> Json:
    assert isinstance(value, dict)
    return value
