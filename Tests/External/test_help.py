"""The program's help, and the manual pages and completions that are made of it."""

import contextlib
import os
import pty
import re
import shutil
import subprocess
import threading
from types import SimpleNamespace

import pytest

from harness.programs import eventually, run


def commands():
    listed = run("--help").stdout.split("Commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+)  ", listed, re.M)


COMMANDS = commands()


def options(command):
    """Each option of a command with the word for its value, if it takes one, as `--help` lists them."""
    listed = run(command, "--help").stdout.split("\nOptions:\n")[1].split("\n\n")[0]
    return dict(re.findall(r"^  --([a-z-]+)(?: ('[^']+'|\S+))?(?:  |$)", listed, re.M))


def test_all_commands_are_found_here():
    assert {"serve", "check", "login", "help"} <= set(COMMANDS)
    assert options("serve") == {"config": "FILE", "pid-file": "FILE", "help": ""}
    assert options("demo") == {"keep-running": "", "certificates": "DIRECTORY", "help": ""}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_commands_help_has_its_usage_and_an_example(command):
    told = run(command, "--help").stdout
    usage = re.search(rf"^Usage: (switchyard {command}\b(?:.*\n)+?)\n", told, re.M)[1]
    assert re.search(rf"^Examples?:\n(?:  .*\n)*  (?:.*\()?switchyard {command}\b", told, re.M), told
    assert all(f"--{option}" in usage for option in options(command) if option != "help")
    assert run("help", command).stdout == told


@pytest.mark.parametrize("command", COMMANDS)
def test_only_the_optional_words_of_the_usage_can_be_left_out(command):
    usage = re.search(r"^Usage: switchyard (.*(?:\n {3,}.*)*)", run(command, "--help").stdout, re.M)[1]
    required = re.findall(r"(?<!\[)--([a-z-]+)", usage)
    for left_out in required:
        others = [word for other in required if other != left_out for word in (f"--{other}", "x")]
        done = run(command, *others)
        assert done.returncode == 2 and f"--{left_out} is missing" in done.stderr


def test_there_is_no_help_for_what_is_no_command():
    done = run("help", "fly")
    assert done.returncode == 2 and "fly" in done.stderr


def test_a_help_fits_a_terminal():
    """Except examples, which stay in one piece."""
    for command in COMMANDS:
        text = re.split(r"^Examples?:$", run(command, "--help").stdout, flags=re.M)[0]
        assert max(map(len, text.splitlines())) <= 80, text


# MARK: manual pages

@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("man") / "man1"
    folder.mkdir()
    done = run("help", "--man-pages", folder)
    assert done.returncode == 0, done.stderr
    return folder


def read(page):
    """As `man` shows it, without emphasis."""
    done = subprocess.run(
        ["man", "--warnings", "--encoding=UTF-8", "--local-file", page], capture_output=True, text=True,
        env=os.environ | {"MANWIDTH": "300", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""})
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return re.sub(r".\x08", "", done.stdout)


def test_each_command_has_a_manual_page_and_the_program_too(pages):
    assert {page.name for page in pages.iterdir()} == {"switchyard.1"} | {f"switchyard-{name}.1" for name in COMMANDS}
    text = read(pages / "switchyard.1")
    assert all(f"switchyard-{command}(1)" in text for command in COMMANDS)
    assert run("--version").stdout.split()[1] in text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_manual_page_says_all_that_the_help_says(command, pages):
    text = " ".join(read(pages / f"switchyard-{command}.1").split()).replace("...", "…")
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLE", "SEE ALSO"):
        assert heading in text
    for option, value in options(command).items():
        assert re.search(rf"--{option} {re.escape(value)}", text), option
    told = run(command, "--help").stdout
    for paragraph in told.split("\n\nUsage:")[0].split("\n\n"):
        assert " ".join(paragraph.replace("`", "").split()) in text
    for example in re.split(r"^Examples?:$", told, flags=re.M)[1].splitlines():
        assert " ".join(example.split()) in text


def test_a_directory_for_manual_pages_that_is_not_there_is_an_error(tmp_path):
    done = run("help", "--man-pages", tmp_path / "nowhere")
    assert done.returncode == 1 and "nowhere" in done.stderr


# MARK: completions

class Bash:
    """Completes without the package bash-completion, which merely finds the script."""

    name = "bash"
    SCRIPT = """
        source "$1"; shift
        COMP_WORDS=(switchyard "$@"); COMP_CWORD=$(($# ))
        _switchyard; printf '%s\\n' "${COMPREPLY[@]}"
    """

    @classmethod
    def complete(cls, script, words, folder):
        words = [part for word in words for part in re.split("(=)", word)]
        return subprocess.run(
            ["bash", "--norc", "-c", cls.SCRIPT, "bash", script, *words], capture_output=True, text=True, cwd=folder)


class Fish:
    name = "fish"

    @staticmethod
    def complete(script, words, folder):
        done = subprocess.run(
            ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, " ".join(["switchyard", *words])],
            capture_output=True, text=True, cwd=folder)
        done.stdout = re.sub(r"\t.*", "", done.stdout)
        return done


class Zsh:
    """zsh completes at a terminal only. Its candidates are the words that reach `compadd`."""

    name = "zsh"
    STARTUP = r"""
        autoload -Uz compinit; compinit -C -d $ZDOTDIR/dump
        source $SCRIPT
        compadd() {
            local -a offered
            # With one of these options it fills arrays, and offers no candidate.
            if [[ " ${@[1,(i)(-|--)]}" == *\ -[a-zA-Z]#[OAD]\ * ]]; then builtin compadd "$@"; return; fi
            builtin compadd -O offered "$@"
            print -rl -- $offered >> $OFFERED
            builtin compadd "$@"
        }
        finish() { print end >> $OFFERED }
        complete-and-finish() { zle complete-word; finish }
        zle -N complete-and-finish
        bindkey '^I' complete-and-finish
        zle-line-init() { print ready >> $OFFERED }
        zle -N zle-line-init
        setopt extendedglob
    """

    @classmethod
    def complete(cls, script, words, folder):
        offered = folder.parent / "offered"
        offered.write_text("")
        (folder.parent / ".zshrc").write_text(cls.STARTUP)
        terminal, other = pty.openpty()
        shell = subprocess.Popen(
            ["zsh", "--no-globalrcs", "-i"], stdin=other, stdout=other, stderr=other, cwd=folder, start_new_session=True,
            env=os.environ | {"ZDOTDIR": str(folder.parent), "SCRIPT": str(script), "OFFERED": str(offered), "TERM": "vt100"})
        os.close(other)
        threading.Thread(target=drain, args=(terminal,), daemon=True).start()
        try:
            eventually(lambda: offered.read_text() == "ready\n", what="a prompt")
            os.write(terminal, " ".join(["switchyard", *words]).encode() + b"\t")
            eventually(lambda: offered.read_text().endswith("end\n"), what="completions")
        finally:
            shell.kill()
            shell.wait()
        return SimpleNamespace(
            returncode=0, stderr="", stdout=offered.read_text().removeprefix("ready\n").removesuffix("end\n"))


def drain(terminal):
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass


@pytest.fixture(scope="module", params=[Bash, Fish, Zsh], ids=lambda shell: shell.name)
def complete(request, tmp_path_factory):
    """The candidates of a real shell behind some words, with the cursor at the last one."""
    shell = request.param
    assert shutil.which(shell.name), f"{shell.name} is missing"
    folder = tmp_path_factory.mktemp(shell.name)
    script = folder / "_switchyard"
    script.write_text(run("help", "--completions", shell.name).stdout)
    work = folder / "work"
    (work / "folder").mkdir(parents=True)
    (work / "file.yaml").touch()

    def offered(*words):
        done = shell.complete(script, words, work)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        return {line.strip().removesuffix("/") for line in done.stdout.splitlines() if line.strip()}

    return offered


def test_a_shell_completes_every_command(complete):
    assert set(COMMANDS) <= complete("")
    assert {command for command in COMMANDS if command.startswith("l")} <= complete("l") <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_shell_completes_every_option_of_a_command_and_no_other(complete, command):
    assert {option.rstrip("=") for option in complete(command, "--")} == {f"--{option}" for option in options(command)}


def test_a_shell_completes_values_by_their_kind(complete):
    assert {"file.yaml", "folder"} <= complete("serve", "--config", "")
    assert "folder" in complete("demo", "--certificates", "") and "file.yaml" not in complete("demo", "--certificates", "")
    assert complete("help", "--completions", "") == {"bash", "zsh", "fish"}
    assert {"file.yaml"} == {offer.split("=")[-1] for offer in complete("serve", "--config=fi")}
    assert complete("login", "--app", "") == set(), "nobody knows the apps here"


def test_a_shell_completes_words_that_a_command_takes(complete):
    assert "new" in complete("keys", "n")
    assert "check" in complete("help", "ch")


def test_there_are_no_completions_for_another_shell():
    done = run("help", "--completions", "tcsh")
    assert done.returncode == 2 and "bash, zsh, fish" in done.stderr
