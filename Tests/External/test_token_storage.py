"""Where tokens live: two processes at a time, and a real gnome-keyring."""

import random
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.keyring import Desktop, without_libsecret
from harness.programs import eventually

pytestmark = pytest.mark.early

ITEM, ASIDE = "org.switchyard.TokenCache", "org.switchyard.TokenCache.SetAside"


@pytest.fixture
def bare(tmp_path):
    """A session without a bus, as on a server."""
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


@pytest.fixture
def desktop(bare):
    return bare.start_bus().start_keyring()


@pytest.fixture(params=["file", "keyring"])
def place(request, desktop):
    """Each place that processes share."""
    return request.param


def counters(document):
    assert document.startswith("document "), document
    return {name: int(count) for name, count in (pair.split("=") for pair in document.split()[1:])}


def test_two_processes_under_load_lose_no_update(desktop, place):
    one, two = desktop.probe(place), desktop.probe(place)
    one.say("count one 100")
    two.say("count two 100")
    assert one.answer() == "done" and two.answer() == "done"
    assert counters(one.ask("read")) == {"one": 100, "two": 100}


def test_a_process_killed_in_the_middle_leaves_a_whole_document(desktop, place):
    survivor = desktop.probe(place)
    assert survivor.ask("count survivor 1") == "done"
    done, last = 1, 0
    for _ in range(15):
        victim = desktop.probe(place)
        assert victim.ask("count victim 1") == "done", "it is up, and writes from now on"
        victim.say("count victim 100000")
        time.sleep(random.uniform(0.005, 0.08))
        victim.kill()
        assert survivor.ask("count survivor 5") == "done"
        done += 5
        found = counters(survivor.ask("read"))
        assert found["survivor"] == done and found["victim"] > last
        last = found["victim"]


def test_another_process_finds_what_the_first_wrote(desktop, place):
    assert desktop.probe(place).ask("write hello") == "done"
    assert desktop.probe(place).ask("read") == "document hello"
    assert desktop.probe(place, "other-app").ask("read") == "none"


def test_any_bytes_of_any_size_come_back(desktop, place):
    probe = desktop.probe(place)
    for size in (0, 1, 256, 70_000, 4 << 20):
        assert probe.ask("bytes", size) == "same", size
    assert probe.ask("bytes", (4 << 20) + 1).startswith("error tooLarge")


def test_the_keyring_has_one_item_and_it_goes_when_removed(desktop):
    probe = desktop.probe("keyring")
    for text in ("a", "b", "c"):
        assert probe.ask("write", text) == "done"
    assert len(desktop.items(ITEM)) == 1
    assert probe.ask("remove") == "done" and probe.ask("read") == "none"
    assert not desktop.items(ITEM)


def test_a_document_set_aside_in_the_keyring_is_kept_and_never_overwritten(desktop):
    probe = desktop.probe("keyring")
    for text in ("one", "two", "three"):
        assert probe.ask("write", text) == "done" and probe.ask("read") == f"document {text}"
        assert probe.ask("set-aside") == "done" and probe.ask("read") == "none"
    assert len(desktop.items(ASIDE)) == 3 and not desktop.items(ITEM)
    assert probe.ask("write four") == "done"
    assert len(desktop.items(ASIDE)) == 3 and len(desktop.items(ITEM)) == 1


def test_a_document_that_another_process_has_put_there_since_is_not_set_aside(desktop, place):
    slow, quick = desktop.probe(place), desktop.probe(place)
    assert slow.ask("write unreadable") == "done" and slow.ask("read") == "document unreadable"
    assert quick.ask("set-aside") == "done" and quick.ask("write good") == "done"
    assert slow.ask("set-aside") == "done"
    assert slow.ask("read") == "document good"


def test_the_keyring_may_restart_under_a_running_process(desktop):
    probe = desktop.probe("keyring")
    assert probe.ask("write kept") == "done"
    desktop.stop_keyring()
    assert probe.ask("read").startswith("error unavailable")
    desktop.start_keyring()
    assert probe.ask("read") == "document kept"
    assert probe.ask("write more") == "done"


def test_the_bus_may_go_and_come_back_and_the_process_lives(desktop):
    probe = desktop.probe("keyring")
    assert probe.ask("write kept") == "done"
    desktop.stop_bus()
    eventually(lambda: desktop.daemon.poll() is not None, what="the daemon going with its bus")
    assert probe.ask("read").startswith("error unavailable")
    desktop.start_bus().start_keyring()
    assert probe.ask("read") == "document kept"


@pytest.fixture
def unattended(bare):
    """A session in which a question to the person is refused, and so noticed."""
    deny = '<policy context="mandatory"><deny send_interface="org.freedesktop.Secret.Prompt"/></policy>'
    return bare.start_bus(deny).start_keyring()


def test_a_locked_keyring_says_so_and_nobody_is_asked(unattended):
    probe = unattended.probe("keyring")
    assert probe.ask("write secret") == "done"
    unattended.lock()
    for command in ("read", "write more", "remove", "set-aside"):
        assert probe.ask(command).startswith("error locked"), command
    # Locked is an answer: tokens do not go to a second place.
    assert unattended.probe("automatic").greeting == "ready the desktop keyring"


def test_a_locked_keyring_without_a_document_says_so_on_writing(unattended):
    probe = unattended.probe("keyring")
    unattended.lock()
    assert probe.ask("write x").startswith("error locked")


OLDER = """[keyring]
display-name=older
ctime=1600000000
mtime=1600000000
lock-on-idle=false
lock-after=false

[1]
item-type=0
display-name=Sign-in tokens (app)
secret=old
mtime=1600000000
ctime=1600000000

[1:attribute0]
name=cache
type=string
value=app

[1:attribute1]
name=xdg:schema
type=string
value=org.switchyard.TokenCache
"""


@pytest.fixture
def two_collections(unattended):
    """The default one has the document; another, which is open as well, has one of years ago."""
    probe = unattended.probe("keyring")
    assert probe.ask("write new") == "done"
    unattended.stop_keyring()
    (unattended.folder / "home" / ".local" / "share" / "keyrings" / "older.keyring").write_text(OLDER)
    unattended.start_keyring()
    older = "/org/freedesktop/secrets/collection/older"
    # It has no password, so it asks for none.
    assert older in unattended.call(
        "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Unlock", f"['{older}']")
    assert len(unattended.items(ITEM)) == 2
    return unattended


def test_while_the_default_collection_is_locked_no_older_document_stands_in_for_it(two_collections):
    probe = two_collections.probe("keyring")
    assert probe.ask("read") == "document new"
    assert two_collections.lock()
    assert probe.ask("read").startswith("error locked")
    assert probe.ask("write newer").startswith("error locked")


def test_a_write_leaves_no_older_document_in_another_collection(two_collections):
    probe = two_collections.probe("keyring")
    assert probe.ask("write newer") == "done"
    assert len(two_collections.items(ITEM)) == 1 and probe.ask("read") == "document newer"


def test_a_document_in_another_collection_moves_to_the_one_that_is_the_default_now(two_collections):
    probe = two_collections.probe("keyring")
    assert probe.ask("remove") == "done" and not two_collections.items(ITEM)
    assert probe.ask("write one") == "done"
    two_collections.call(
        "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.SetAlias",
        "default", "/org/freedesktop/secrets/collection/older")
    assert probe.ask("read") == "document one"
    assert probe.ask("write two") == "done"
    (item,) = two_collections.items(ITEM)
    assert "/collection/older/" in item and probe.ask("read") == "document two"


def test_without_a_bus_the_keyring_is_unavailable_and_automatic_takes_the_file(bare):
    assert bare.probe("keyring").greeting.startswith("error unavailable")
    assert bare.probe("keyring", DBUS_SESSION_BUS_ADDRESS="").greeting.startswith("error unavailable")
    probe = bare.probe("automatic")
    assert probe.greeting == f"ready the file {bare.state}/app.sealed"
    assert probe.ask("write hello") == "done"
    assert bare.probe("automatic").ask("read") == "document hello"


def test_a_bus_without_a_secret_service_is_unavailable(bare):
    bare.start_bus()
    assert bare.probe("keyring").greeting.startswith("error unavailable")
    assert bare.probe("automatic").greeting.startswith("ready the file")


def test_a_service_without_a_default_collection_is_unavailable(bare):
    bare.start_bus().start_keyring(password=None)
    answer = bare.probe("keyring").greeting
    assert answer.startswith("error unavailable") and "collection" in answer


def test_without_libsecret_the_keyring_is_unavailable_and_automatic_takes_the_file(desktop, tmp_path):
    environment = without_libsecret(tmp_path / "libraries")
    answer = desktop.probe("keyring", **environment).greeting
    assert answer.startswith("error unavailable") and "install libsecret-1-0" in answer
    probe = desktop.probe("automatic", **environment)
    assert probe.greeting == f"ready the file {desktop.state}/app.sealed"
    assert probe.ask("write hello") == "done" and probe.ask("read") == "document hello"


def test_a_service_that_hangs_is_given_up(desktop):
    probe = desktop.probe("keyring")
    assert probe.ask("write x") == "done"
    desktop.daemon.send_signal(signal.SIGSTOP)
    try:
        with ThreadPoolExecutor() as pool:
            automatic = pool.submit(desktop.probe, "automatic")
            assert probe.ask("read").startswith("error unavailable")
            # It is there, and has the stored tokens: a second place would hide that.
            assert automatic.result().greeting.startswith("error unavailable")
    finally:
        desktop.daemon.send_signal(signal.SIGCONT)
    assert probe.ask("read") == "document x"
    assert desktop.probe("automatic").ask("read") == "document x"


@pytest.mark.parametrize("method", ["OpenSession", "ReadAlias"])
@pytest.mark.parametrize("how", ["end", "hang"])
def test_a_keyring_that_fails_in_the_middle_is_not_taken_for_an_absent_one(bare, how, method):
    bare.start_bus().start_failing_keyring(how, method)
    assert bare.probe("automatic").greeting.startswith("error ")


def test_with_a_keyring_automatic_takes_it(desktop):
    assert desktop.probe("automatic").greeting == "ready the desktop keyring"


def test_the_kernel_keyring_keeps_the_key_of_the_file_for_all_processes(bare):
    first = bare.probe("kernel-file")
    if first.greeting.startswith("error unavailable"):
        assert "give a key" in first.greeting
        pytest.skip("the kernel keyring is forbidden here")
    assert first.ask("write hello") == "done"
    first.kill()
    assert bare.probe("kernel-file").ask("read") == "document hello"


def test_another_user_namespace_leaves_alone_what_it_cannot_open(bare):
    """Each has kernel keyrings of its own: a rootless container that shares the home must not take the tokens away."""
    first = bare.probe("kernel-file")
    elsewhere = ["unshare", "--user", "--map-current-user"]
    if first.greeting.startswith("error unavailable") or subprocess.run([*elsewhere, "true"], capture_output=True).returncode:
        pytest.skip("the kernel keyring or user namespaces are forbidden here")
    assert first.ask("write hello") == "done"
    there = bare.probe("kernel-file", prefix=elsewhere)
    for command in ("read", "write stolen", "remove"):
        answer = there.ask(command)
        assert answer.startswith("error unavailable") and "another machine or user namespace" in answer, command
    assert first.ask("read") == "document hello"
    # A cache of its own it may have.
    other = bare.probe("kernel-file", "other", prefix=elsewhere)
    assert other.ask("write its own") == "done" and other.ask("read") == "document its own"
