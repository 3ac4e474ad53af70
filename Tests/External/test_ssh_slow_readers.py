"""A slow reader of `switchyard ssh` gets all output, and only the output waits for it."""

import signal
import subprocess
import time

import pytest

from harness.programs import eventually
from harness.ssh_fixtures import ask, far, needs_namespaces, start  # noqa: F401
from test_ssh_sessions import browse, nothing_is_left

pytestmark = needs_namespaces
# More than an unread terminal takes, and no more than the pipes on the way hold: the command itself can end.
MUCH = 160_000


def stop_reading(session):
    """The session's output stays unread, and is more than all buffers hold."""
    session.reads.clear()
    session.type("go\n")
    eventually(lambda: is_stuck(session), what="the session's output being full")


def is_stuck(session):
    """A thread of the session's waits in a write."""
    tasks = subprocess.run(
        f"cat /proc/{session.process.pid}/task/*/wchan /proc/{session.process.pid}/task/*/syscall", shell=True,
        capture_output=True, text=True).stdout
    return "pipe_write" in tasks or "n_tty_write" in tasks or "\n1 0x1 " in tasks or tasks.startswith("1 0x1 ")


def test_all_that_a_finished_command_has_written_comes_to_a_slow_reader(far, start):
    session = start(f"read go; head -c {MUCH} /dev/zero | tr '\\0' x; exit 3", terminal=False)
    stop_reading(session)
    # Longer than the program would wait for a stream without output.
    time.sleep(8)
    session.reads.set()
    assert session.end() == 3
    eventually(lambda: session.text.count("x") == MUCH, what="all of the output")
    nothing_is_left(far, session)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_session_whose_output_nobody_reads(far, start, number, terminal):
    session = start("read go; yes", ssh=("-t",) if terminal else (), terminal=terminal)
    stop_reading(session)
    session.process.send_signal(number)
    assert session.end() != 0
    nothing_is_left(far, session)


def test_a_signal_ends_a_session_that_is_over_and_whose_output_nobody_reads(far, start):
    session = start(f"read go; head -c {MUCH} /dev/zero | tr '\\0' x", terminal=False)
    stop_reading(session)
    eventually(lambda: not any("tr " in command for command in far.processes().values()), what="the command's end")
    session.process.send_signal(signal.SIGTERM)
    assert session.end() != 0
    nothing_is_left(far, session)


def test_a_sign_in_begins_while_nobody_reads_the_output(start, tmp_path):
    refused = "$BROWSER http://printer.contoso.com/"
    session = start(f"read go; (sleep 2; {refused}; {browse(tmp_path)}) & yes", terminal=False)
    stop_reading(session)
    # The first one has an unread line, too.
    assert ask(session.next_page() + "/continue", "POST") == 303


def test_a_reader_that_goes_away_ends_the_command(far, start):
    session = start("yes", terminal=False)
    session.wait_for("y")
    session.reads.clear()
    session.process.stdout.close()
    assert session.end() != 0
    nothing_is_left(far, session)
