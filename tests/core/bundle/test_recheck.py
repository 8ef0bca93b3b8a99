"""The bundle's own program: it accepts every true bundle, refuses every mutated one, and never differs from the core."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quoteview.core.errors import QuoteviewError
from quoteview.core.rechecking import recheck
from tests.bundles import PROGRAM, label, make_job, program, rebag, resolve, write_bag
from tests.corpus import Material, materials
from tests.mutations import mutants

MATERIALS = materials()
MUTATED = ("webvtt", "markdown", "html", "accepted", "roll-up")
EACH = int(os.environ.get("QUOTEVIEW_MUTANTS", "200")) // len(MUTATED)


def bundle(folder: Path, material: Material) -> tuple[dict[str, bytes], Path]:
    """Return the files and the folder of a labelled bundle of a material."""
    job = make_job(folder / "job", material.captions, material.drafts)
    for resolved in material.resolved:
        resolve(job, resolved.texts, exception=resolved.exception, reason=resolved.reason)
    issued, place = label(job)
    return dict(issued.files), place


def by_the_program(folder: Path) -> list[str]:
    """Return the problems that the program finds; whatever ends it early is one."""
    checker = program()
    try:
        return checker.recheck(folder, lambda line: None)
    except (checker.Refused, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return [f"refused: {error}"]


def by_the_core(folder: Path) -> list[str]:
    try:
        return list(recheck(folder).problems)
    except QuoteviewError as error:
        return [str(error)]


@pytest.mark.parametrize("name", MATERIALS)
def test_a_true_bundle_passes_in_the_program_and_in_the_core(tmp_path: Path, name: str) -> None:
    _, place = bundle(tmp_path, MATERIALS[name])
    assert by_the_program(place) == []
    assert by_the_core(place) == []


@pytest.mark.parametrize("name", MUTATED)
def test_a_mutated_bundle_is_refused_by_both(tmp_path: Path, name: str) -> None:
    files, _ = bundle(tmp_path, MATERIALS[name])
    passed: list[str] = []
    for number, (what, changed) in enumerate(mutants(files, 7, EACH)):
        place = write_bag(tmp_path / f"mutant-{number}", changed)
        passed += [f"the program passed {what}"] if not by_the_program(place) else []
        passed += [f"the core passed {what}"] if not by_the_core(place) else []
    assert passed == []


def test_it_prints_a_line_for_each_claim_and_one_verdict_and_exits_0_or_1(tmp_path: Path) -> None:
    files, place = bundle(tmp_path, MATERIALS["webvtt"])
    inside = place / "data" / "recheck.py"
    done = subprocess.run([sys.executable, "-I", str(inside)], capture_output=True, check=False)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split(":")[0] for line in lines] == ["claim 1", "claim 2", "claim 3", "claim 4", "verified", "PASSED"]
    draft = next(name for name in files if name.startswith("data/draft/"))
    (place / draft).write_bytes(files[draft].replace(b"ships", b"boats"))
    done = subprocess.run([sys.executable, "-I", str(inside), str(place)], capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith(b"REFUSED")


def test_a_format_that_it_cannot_read_again_is_named_line_by_line_and_is_no_pass(tmp_path: Path) -> None:
    ttml = (
        b'<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="1s" end="5s">Nobody told the pilots.</p>'
        b'<p begin="5s" end="9s">You cannot steer by a map.</p></div></body></tt>'
    )
    draft = "“Nobody told the pilots.” (0:02) “You cannot steer by a map.” (0:06)\n".encode()
    _, place = bundle(tmp_path, Material({"human.en.ttml": ttml}, {"draft.md": draft}))
    said: list[str] = []
    assert program().recheck(place, said.append)
    assert all("the format ttml: digest only" in line for line in said[:2])
    assert by_the_core(place) == []


@pytest.mark.skipif(not Path("/root/.pyenv/versions/3.9.18/bin/python").exists(), reason="Python 3.9 is not on this machine")
def test_it_runs_on_python_3_9(tmp_path: Path) -> None:
    _, place = bundle(tmp_path, MATERIALS["markdown"])
    command = ["/root/.pyenv/versions/3.9.18/bin/python", "-I", str(place / "data" / "recheck.py")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def test_it_needs_the_standard_library_alone_and_is_short_enough_to_be_read() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    found = {
        name.name.split(".")[0] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for name in node.names
    }
    found |= {str(node.module).split(".")[0] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert found <= set(sys.stdlib_module_names)
    assert source.count("\n") < 1000


def test_sha256sum_and_bagit_pass_the_unmutated_bundle(tmp_path: Path) -> None:
    import bagit  # type: ignore[import-untyped]

    files, place = bundle(tmp_path, MATERIALS["accepted"])
    done = subprocess.run(["sha256sum", "-c", "--quiet", "manifest-sha256.txt"], cwd=place, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    bagit.Bag(str(place)).validate()
    assert rebag(files).keys() == files.keys()


def test_a_link_in_place_of_a_file_is_refused_by_both(tmp_path: Path) -> None:
    _, place = bundle(tmp_path, MATERIALS["webvtt"])
    draft = next((place / "data" / "draft").iterdir())
    elsewhere = tmp_path / "elsewhere"
    draft.rename(elsewhere)
    draft.symlink_to(elsewhere)
    assert by_the_program(place)
    assert by_the_core(place)
