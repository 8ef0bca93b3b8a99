"""The command line's frame: usage, exit codes, streams, and one line for everything that goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quoteview import __version__, cli
from quoteview.commands.arguments import command_names
from quoteview.commands.console import in_one_line

VTT = b"WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada>good morning\n\n00:04.000 --> 00:06.000\n<v Ben>sit down\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return exit code, standard output and standard error."""
    code = cli.main(arguments)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out, captured.err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must be refused with exit code 2 and one line; return the line."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("quoteview: ") and err.endswith(".\n") and err.count("\n") == 1, err
    return err


def test_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"quoteview {__version__}\n", "")
    assert run(capsys, "check", "--version") == (0, f"quoteview {__version__}\n", "")


@pytest.mark.parametrize("command", ["", *command_names()])
def test_help_of_every_command_names_the_exit_codes(capsys: pytest.CaptureFixture[str], command: str) -> None:
    code, out, err = run(capsys, *filter(None, [command]), "--help")
    assert (code, err) == (0, "")
    assert "exit codes:" in out and "blocked" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--nonsense"),
        ("check", "--tolerance", "2.001", "job"),
        ("check", "--tolerance", "-1", "job"),
        ("check", "--tolerance", "nan", "job"),
        ("check", "--tolerance", "0.0001", "job"),
        ("check", "--tolerance", "two", "job"),
        ("cues",),
        ("new", "job"),
        ("label", "job"),
        ("export", "job", "--format", "docx"),
        ("fetch", "https://example.org/v"),
        ("open", "--size", "wide"),
        ("open", "--scale", "9"),
        ("chekc", "job"),
        ("/no/such/path",),
    ],
)
def test_bad_usage_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    refused(capsys, *arguments)


def test_a_misspelled_command_is_told_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, "chekc")
    assert "chekc" in line and "check" in line and "selftest" in line


def test_common_options_may_stand_before_the_command_or_after_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    file.write_bytes(VTT)
    before = run(capsys, "--json", "cues", str(file))
    after = run(capsys, "cues", str(file), "--json")
    assert before == after
    assert before[0] == 0 and json.loads(before[1])["format"] == "webvtt"


def test_window_without_a_display_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert "no display" in refused(capsys)
    assert "no display" in refused(capsys, "demo")


def test_an_unexpected_error_is_one_line_and_a_traceback_in_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("quoteview.commands.cues.cues", broken)
    line = refused(capsys, "cues", "x")
    log = home / "log" / "quoteview.log"
    assert "by nought" in line and str(log) in line
    assert "Traceback" in log.read_text("utf-8")


def test_ctrl_c_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("quoteview.commands.cues.cues", stopped)
    code, out, err = run(capsys, "cues", "x")
    assert (code, out, err.count("\n")) == (130, "", 1)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    cues = (f"\n{n // 60:02}:{n % 60:02}.000 --> {n // 60:02}:{n % 60:02}.900\nwords of a cue\n" for n in range(3000))
    file.write_text("WEBVTT\n" + "".join(cues), "utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "quoteview", "cues", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    file.write_bytes(VTT)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "quoteview", "cues", str(file)], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"quoteview: No space left") and done.stderr.count(b"\n") == 1


def test_output_is_utf_8_in_a_pipe_whatever_the_locale(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    file.write_bytes("WEBVTT\n\n00:01.000 --> 00:03.000\nÄpfel 日本\n".encode())
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    for options in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-m", "quoteview", "cues", str(file), *options],
            capture_output=True,
            timeout=60,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Äpfel 日本" in done.stdout.decode("utf-8")


def test_no_command_but_the_window_imports_qt(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    file.write_bytes(VTT)
    program = (
        "import sys\nfrom quoteview.cli import main\n"
        f"code = main(['cues', {str(file)!r}, '--json'])\n"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))]\n"
        "sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_caption_can_not_steer_the_terminal() -> None:
    assert in_one_line("a\x1b[31mb\x07\nc\u202ed\te") == "a\\x1b[31mb\\x07 c\\u202ed e"
    assert in_one_line("café “so” 日本 👩‍🚀") == "café “so” 日本 👩‍🚀"
