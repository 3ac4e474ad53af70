"""`switchyard register` and `unregister`: the desktop brings a scheme to its app, or says why not."""

import fcntl
import os
import plistlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from harness.desktop import Desktop, other_program
from harness.programs import SWITCHYARD, eventually

SCHEME = "msauth.com.contoso.mail"
APP = "com.contoso.mail"
ENTRY = f"switchyard-{APP}.desktop"


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.close()


def register(desktop, *options, id=APP, scheme=SCHEME, **more):
    return desktop.run("register", "--id", id, "--scheme", scheme, *options, **more)


def test_registered_scheme_is_ours_for_every_way_a_browser_asks(desktop):
    done = register(desktop)
    assert done.returncode == 0, done.stderr
    assert desktop.gio(SCHEME) == desktop.xdg_mime(SCHEME) == ENTRY
    entry = desktop.entry(APP).read_text()
    assert f"\nExec={SWITCHYARD} open %u\n" in entry and "\nNoDisplay=true\n" in entry
    assert f"\nMimeType=x-scheme-handler/{SCHEME};\n" in entry
    valid = desktop.run("/usr/bin/desktop-file-validate", desktop.entry(APP))
    assert valid.returncode == 0 and not valid.stdout


def test_twice_is_once(desktop):
    register(desktop)
    before, time = desktop.tree(), desktop.entry(APP).stat().st_mtime_ns
    again = register(desktop)
    assert again.returncode == 0 and "already" in again.stdout
    assert desktop.tree() == before and desktop.entry(APP).stat().st_mtime_ns == time


@pytest.mark.parametrize("does", ["exec yes", "exec >&- 2>&-; exec sleep 1000"])
def test_a_tool_that_never_stops_talking_or_never_ends_holds_up_no_command(desktop, tmp_path, does):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "xdg-mime").write_text(f"#!/bin/sh\n{does}\n")
    (tools / "xdg-mime").chmod(0o755)
    done = register(desktop, env={"PATH": f"{tools}:{desktop.environment['PATH']}"})
    assert done.returncode == 0, done


def test_unregister_leaves_no_trace_in_an_empty_home(desktop):
    register(desktop)
    done = desktop.run("unregister", APP)
    assert done.returncode == 0 and desktop.tree() == {}
    assert desktop.gio(SCHEME) is None and desktop.xdg_mime(SCHEME) is None
    again = desktop.run("unregister", APP)
    assert again.returncode == 0 and "not registered" in again.stdout


LISTS = {
    "others of their own": "# mine\n[Added Associations]\ntext/plain=vim.desktop;\n\n"
                           "[Default Applications]\n# a word\ntext/html=firefox.desktop\nimage/png=gimp.desktop;\n",
    "none of the group": "[Added Associations]\ntext/plain=vim.desktop;\n",
    "an empty group": "[Default Applications]\n",
    "nothing": "",
    "only a comment": "# kept by hand\n",
    "no last line break": "[Default Applications]\ntext/html=firefox.desktop",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS.keys())
def test_associations_of_others_stay_byte_for_byte(desktop, text):
    desktop.configuration.mkdir()
    (desktop.data / "applications").mkdir(parents=True)
    listing = desktop.configuration / "mimeapps.list"
    listing.write_text(text)
    before = desktop.tree()
    assert register(desktop).returncode == 0
    for line in text.splitlines():
        assert line in listing.read_text().splitlines()
    assert desktop.run("unregister", APP).returncode == 0
    assert desktop.tree() == before


def test_two_apps_come_and_go_in_any_order(desktop):
    register(desktop)
    register(desktop, id="com.contoso.chat", scheme="msauth.com.contoso.chat")
    assert desktop.run("unregister", APP).returncode == 0
    assert desktop.gio(SCHEME) is None
    assert desktop.gio("msauth.com.contoso.chat") == "switchyard-com.contoso.chat.desktop"
    assert desktop.run("unregister", "com.contoso.chat").returncode == 0
    assert desktop.tree() == {}


def test_scheme_of_another_program_is_named_and_left_alone(desktop):
    other_program(desktop, SCHEME)
    before = desktop.tree()
    done = register(desktop)
    assert done.returncode == 1 and "Other" in done.stderr and "other.desktop" in done.stderr
    assert desktop.tree() == before
    assert desktop.gio(SCHEME) == "other.desktop"


def test_chosen_default_of_another_program_is_left_alone_too(desktop):
    other_program(desktop, "x-else")
    desktop.configuration.mkdir()
    (desktop.configuration / "mimeapps.list").write_text(
        f"[Default Applications]\nx-scheme-handler/{SCHEME}=other.desktop\n")
    done = register(desktop)
    assert done.returncode == 1 and "other.desktop" in done.stderr


def test_replaced_program_gets_its_scheme_back(desktop):
    other_program(desktop, SCHEME)
    desktop.configuration.mkdir()
    listing = desktop.configuration / "mimeapps.list"
    listing.write_text(f"[Default Applications]\nx-scheme-handler/{SCHEME}=other.desktop\n")
    before = desktop.tree()
    assert register(desktop, "--replace").returncode == 0
    assert desktop.gio(SCHEME) == desktop.xdg_mime(SCHEME) == ENTRY
    assert desktop.run("unregister", APP).returncode == 0
    assert desktop.gio(SCHEME) == desktop.xdg_mime(SCHEME) == "other.desktop"
    assert desktop.tree() == before


@pytest.mark.parametrize("scheme", [
    "http", "https", "HTTPS", "file", "mailto", "javascript", "data", "ftp", "about", "blob", "x-scheme-handler",
    "", "1a", "a b", "a/b", "a:b", "a;b", "a\nb", "ä", "a_b", "-a", "a" * 65,
])
def test_scheme_that_no_app_may_have_is_refused(desktop, scheme):
    done = register(desktop, scheme=scheme)
    assert done.returncode == 2 and done.stderr and desktop.tree() == {}


@pytest.mark.parametrize("app", ["", "../x", "a/b", "a b", ".a", "a\nExec=x", "a;b", "ä", "a" * 129])
def test_id_that_is_none_is_refused(desktop, app):
    assert register(desktop, id=app).returncode == 2
    assert desktop.run("unregister", "--", app).returncode == 2
    assert desktop.tree() == {}


def test_file_with_apps_registers_every_scheme_of_every_app(desktop):
    file = desktop.home.parent / "apps.yaml"
    file.write_text(yaml.safe_dump({"apps": [
        {"id": APP, "name": "Mail = [x]\u2028y", "issuer": "x", "client_id": "y",
         "redirect_uris": [f"{SCHEME}://auth", "https://login.contoso.com/mail", "x-mail://com.contoso.mail"]},
        {"id": "com.contoso.web", "issuer": "x", "client_id": "y", "redirect_uris": ["https://login.contoso.com/web"]},
        {"id": "com.contoso.chat", "issuer": "x", "client_id": "y"},
    ]}))
    file.write_text(file.read_text().replace("\\L", " "))
    done = desktop.run("register", file)
    assert done.returncode == 0, done.stderr
    for scheme in (SCHEME, "x-mail"):
        assert desktop.gio(scheme) == desktop.xdg_mime(scheme) == ENTRY
    assert desktop.gio("msauth.com.contoso.chat") == "switchyard-com.contoso.chat.desktop"
    assert not desktop.entry("com.contoso.web").exists()
    for app in (APP, "com.contoso.chat"):
        assert desktop.run("unregister", app).returncode == 0
    assert desktop.tree() == {}


def test_info_plist_of_an_app_for_other_systems_is_enough(desktop):
    file = desktop.home.parent / "Info.plist"
    file.write_bytes(plistlib.dumps({
        "CFBundleIdentifier": APP, "CFBundleDisplayName": "Contoso Größe & <Mail> 📬", "LSMinimumSystemVersion": "13.0",
        "CFBundleURLTypes": [
            {"CFBundleURLName": "auth", "CFBundleURLSchemes": [SCHEME]},
            {"CFBundleTypeRole": "Viewer", "CFBundleURLSchemes": ["Contoso-Mail"]},
        ],
        "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"], "UISupportsDocumentBrowser": False, "Weight": 1.5,
        "Blob": b"\x00\x01", "Many": list(range(300)),
    }))
    done = desktop.run("register", file)
    assert done.returncode == 0, done.stderr
    assert desktop.gio(SCHEME) == desktop.gio("contoso-mail") == ENTRY
    assert "\nName=Contoso Größe & <Mail> 📬\n" in desktop.entry(APP).read_text()
    assert desktop.gio("msauthv2") is None


BAD_PLISTS = {
    "no identifier": {"CFBundleURLTypes": [{"CFBundleURLSchemes": ["x-a"]}]},
    "no schemes": {"CFBundleIdentifier": APP},
    "a scheme that is everybody's": {"CFBundleIdentifier": APP, "CFBundleURLTypes": [{"CFBundleURLSchemes": ["https"]}]},
    "a build setting": {"CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
                        "CFBundleURLTypes": [{"CFBundleURLSchemes": ["x-a"]}]},
    "an ID that climbs": {"CFBundleIdentifier": "../../x", "CFBundleURLTypes": [{"CFBundleURLSchemes": ["x-a"]}]},
}


@pytest.mark.parametrize("content", BAD_PLISTS.values(), ids=BAD_PLISTS.keys())
def test_info_plist_without_what_it_takes_is_refused(desktop, content):
    file = desktop.home.parent / "Info.plist"
    file.write_bytes(plistlib.dumps(content))
    done = desktop.run("register", file)
    assert done.returncode == 2 and "Info.plist" in done.stderr and desktop.tree() == {}


def test_binary_info_plist_is_refused_with_the_command_that_converts_it(desktop):
    file = desktop.home.parent / "Info.plist"
    file.write_bytes(plistlib.dumps({"CFBundleIdentifier": APP, "CFBundleURLTypes": [{"CFBundleURLSchemes": [SCHEME]}]},
                                    fmt=plistlib.FMT_BINARY))
    done = desktop.run("register", file)
    assert done.returncode == 2 and "plutil -convert xml1" in done.stderr and desktop.tree() == {}


def test_link_in_the_place_of_an_entry_leads_nowhere(desktop):
    treasure = desktop.home.parent / "treasure"
    treasure.write_text("of mine\n")
    (desktop.data / "applications").mkdir(parents=True)
    desktop.entry(APP).symlink_to(treasure)
    register(desktop, "--replace")
    assert treasure.read_text() == "of mine\n" and not desktop.entry(APP).is_symlink()


@pytest.fixture
def kept(desktop):
    """A list in another folder of the person, like settings that are kept in git."""
    kept = desktop.home / "dotfiles" / "mimeapps.list"
    kept.parent.mkdir()
    kept.write_text("[Default Applications]\ntext/html=firefox.desktop")
    desktop.configuration.mkdir()
    (desktop.configuration / "mimeapps.list").symlink_to("../dotfiles/mimeapps.list")
    return kept


def test_list_that_is_a_link_stays_one(desktop, kept):
    before = kept.read_text()
    assert register(desktop).returncode == 0
    assert f"x-scheme-handler/{SCHEME}={ENTRY};" in kept.read_text() and desktop.gio(SCHEME) == ENTRY
    assert desktop.run("unregister", APP).returncode == 0
    assert kept.read_text() == before and list(kept.parent.iterdir()) == [kept]
    assert (desktop.configuration / "mimeapps.list").is_symlink()


@pytest.mark.parametrize("way", ["open folder", "open folder of a link", "gone", "a loop"])
def test_list_that_others_could_lead_elsewhere_is_not_followed(desktop, kept, way):
    if way == "open folder":
        kept.parent.chmod(0o777)
    elif way == "open folder of a link":
        between = desktop.home / "between"
        between.mkdir()
        between.chmod(0o777)
        (between / "there").symlink_to(kept)
        (desktop.configuration / "mimeapps.list").unlink()
        (desktop.configuration / "mimeapps.list").symlink_to(between / "there")
    else:
        kept.unlink()
        if way == "a loop":
            kept.symlink_to(desktop.configuration / "mimeapps.list")
    before = kept.read_text() if kept.is_file() else None
    done = register(desktop)
    assert done.returncode == 1 and "mimeapps.list" in done.stderr
    assert way == "a loop" or "symbolic link" in done.stderr
    assert (kept.read_text() if kept.is_file() else None) == before and not desktop.entry(APP).exists()


def test_side_by_side_no_registration_and_no_removal_is_lost(desktop):
    names = [f"com.contoso.{letter}" for letter in "abcdef"]
    with ThreadPoolExecutor(len(names)) as pool:
        done = list(pool.map(lambda name: register(desktop, id=name, scheme=f"x-{name}"), names))
        assert [one.returncode for one in done] == [0] * len(names), done
        assert [desktop.gio(f"x-{name}") for name in names] == [f"switchyard-{name}.desktop" for name in names]
        done = list(pool.map(lambda name: desktop.run("unregister", name), names))
    assert [one.returncode for one in done] == [0] * len(names) and desktop.tree() == {}
    assert not list(desktop.runtime.iterdir())


def test_a_begin_that_waits_for_another_registration_goes_on_when_that_has_ended(desktop):
    lock = desktop.runtime / "switchyard-register.lock"
    with lock.open("w") as held:
        lock.chmod(0o600)
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [SWITCHYARD, "register", "--id", APP, "--scheme", SCHEME], env=desktop.environment, stdout=subprocess.DEVNULL)
        eventually(lambda: str(lock) in {os.path.realpath(file) for file in Path(f"/proc/{waiting.pid}/fd").iterdir()})
        assert not desktop.entry(APP).exists() and waiting.poll() is None
    assert waiting.wait(60) == 0 and desktop.gio(SCHEME) == ENTRY


def test_scheme_that_an_app_no_longer_has_is_nobodys_again(desktop):
    other_program(desktop, "x-else")
    register(desktop, scheme="x-old")
    register(desktop, scheme="x-given-away")
    assert desktop.gio("x-old") is None
    listing = desktop.configuration / "mimeapps.list"
    assert "x-old" not in listing.read_text()
    # Since then somebody else was chosen, before us and alone.
    listing.write_text(f"[Default Applications]\nx-scheme-handler/x-given-away=other.desktop;{ENTRY};\n"
                       "x-scheme-handler/x-old=other.desktop\n")
    assert register(desktop).returncode == 0
    assert listing.read_text().splitlines() == [
        "[Default Applications]", f"x-scheme-handler/{SCHEME}={ENTRY};", "x-scheme-handler/x-given-away=other.desktop;",
        "x-scheme-handler/x-old=other.desktop"]


@pytest.mark.skipif(os.geteuid() != 0, reason="takes two users")
def test_folder_of_another_user_is_not_written_to(desktop):
    (desktop.data / "applications").mkdir(parents=True)
    os.chown(desktop.data / "applications", 65534, 65534)
    done = register(desktop)
    assert done.returncode == 1 and "another user" in done.stderr


def test_choice_for_one_desktop_that_counts_before_ours_is_noticed(desktop):
    other_program(desktop, "x-else")
    desktop.configuration.mkdir()
    listing = desktop.configuration / "gnome-mimeapps.list"
    listing.write_text(f"[Default Applications]\nx-scheme-handler/{SCHEME}=other.desktop;\n")
    gnome = {"XDG_CURRENT_DESKTOP": "GNOME"}
    assert register(desktop, env=gnome).returncode == 1
    assert register(desktop, "--replace", env=gnome).returncode == 0
    assert desktop.run("unregister", APP, env=gnome).returncode == 0
    assert listing.read_text() == f"[Default Applications]\nx-scheme-handler/{SCHEME}=other.desktop;\n"


def test_scheme_with_a_digit_is_said_to_be_none_for_debian_12(desktop):
    script = open("/usr/bin/xdg-open").read()
    done = register(desktop, scheme="msauth.com.contoso.app1")
    assert done.returncode == 0
    assert ("xdg-open" in done.stderr) == ("^[[:alpha:]+\\.\\-]+:" in script)
