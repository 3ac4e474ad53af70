"""Files that a gateway takes by itself when they change: certificates, keys, secrets, and the apps of a folder."""

import fcntl
import os
import pty
import secrets
import shutil
import subprocess
import termios
from pathlib import Path

import pytest
import yaml

from harness.issuer import authorize
from harness.programs import ROOT, SWITCHYARD, eventually, run
from test_operation import reloaded, served_certificate, with_own_certificate

APP = "com.contoso.app1"


def generate(folder):
    """Another certificate with another key."""
    subprocess.run([ROOT / "certs" / "generate", folder], check=True)
    return folder


def renewed(gateway, old):
    eventually(lambda: served_certificate(gateway) != old, what="the new certificate")


def test_a_new_certificate_is_taken_once_its_key_is_there(start_gateway, tmp_path):
    gateway = start_gateway(change=with_own_certificate(tmp_path / "tls"))
    old, length = served_certificate(gateway), len(gateway.output())
    fresh = generate(tmp_path / "fresh")
    shutil.copy(fresh / "server.pem", tmp_path / "tls" / "server.pem")
    said = eventually(lambda: [line for line in gateway.output()[length:].splitlines() if "certificate_refused" in line],
                      what="a word about the key")
    assert "level=error" in said[0] and "server.key" in said[0] and "mismatch" in said[0]
    assert served_certificate(gateway) == old
    shutil.copy(fresh / "server.key", tmp_path / "tls" / "server.key")
    renewed(gateway, old)
    assert gateway.output()[length:].count("certificate_refused") == 1
    assert "event=certificate_taken" in gateway.output()[length:]


def test_a_broken_certificate_is_named_and_the_old_one_kept(start_gateway, tmp_path):
    gateway = start_gateway(change=with_own_certificate(tmp_path / "tls"))
    old, length = served_certificate(gateway), len(gateway.output())
    (tmp_path / "tls" / "server.pem").write_text("this is no PEM\n")
    eventually(lambda: "certificate_refused" in gateway.output()[length:], what="an explanation")
    assert "server.pem" in gateway.output()[length:]
    assert served_certificate(gateway) == old


def without_terminal(command, **options):
    """OpenSSL would ask on the terminal, or else on standard input."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20,
                          start_new_session=True, **options)


def test_a_key_with_a_pass_phrase_asks_for_none(start_gateway, tmp_path):
    gateway = start_gateway(change=with_own_certificate(tmp_path / "tls"))
    old, length = served_certificate(gateway), len(gateway.output())
    key = tmp_path / "tls" / "server.key"
    made = without_terminal(
        ["openssl", "pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", tmp_path / "encrypted.key"])
    assert made.returncode == 0, made
    (tmp_path / "encrypted.key").rename(key)
    eventually(lambda: "certificate_refused" in gateway.output()[length:], seconds=20, what="a word about the key")
    said = gateway.output()[length:]
    assert "server.key" in said and "the key is encrypted" in said and "without a pass phrase" in said
    assert served_certificate(gateway) == old and gateway.admin("/readyz").status == 200
    main, terminal = pty.openpty()
    try:
        command = [SWITCHYARD, "check", "--config", gateway.file]
        checked = subprocess.run(command, stdin=terminal, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                 timeout=20, preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
    finally:
        os.close(main)
        os.close(terminal)
    assert checked.returncode == 2 and "the key is encrypted; write it without" in checked.stderr, checked
    refused = run("reload", "--config", gateway.file)
    assert refused.returncode == 2 and "the key is encrypted" in refused.stderr
    assert gateway.stop() == 0


def by_rename(folder, fresh):
    """As careful editors and scripts write."""
    for name in ("server.pem", "server.key"):
        shutil.copy(fresh / name, folder / f".{name}.new")
        (folder / f".{name}.new").rename(folder / name)


def by_another_folder(folder, fresh):
    """The folder vanishes, and comes back as another one."""
    folder.rename(folder.parent / "gone")
    shutil.copytree(fresh, folder)


@pytest.mark.parametrize("put", [by_rename, by_another_folder])
def test_a_certificate_is_taken_however_it_was_put_there(start_gateway, tmp_path, put):
    gateway = start_gateway(change=with_own_certificate(tmp_path / "tls"))
    old = served_certificate(gateway)
    put(tmp_path / "tls", generate(tmp_path / "fresh"))
    renewed(gateway, old)
    # And the next time.
    old = served_certificate(gateway)
    by_rename(tmp_path / "tls", generate(tmp_path / "again"))
    renewed(gateway, old)


def with_tls(folder, certificate, key):
    def change(gateway):
        gateway.configuration["listen"][0]["tls"] = {"certificate": str(folder / certificate), "key": str(folder / key)}
    return change


def test_a_link_that_is_turned_as_kubernetes_does_is_followed(start_gateway, tmp_path):
    """The files are links into `..data`, which is itself a link that is replaced."""
    volume = tmp_path / "volume"
    volume.mkdir()
    generate(volume / "..2026_1")
    (volume / "..data").symlink_to("..2026_1")
    for name in ("server.pem", "server.key"):
        (volume / name).symlink_to(f"..data/{name}")
    gateway = start_gateway(change=with_tls(volume, "server.pem", "server.key"))
    for turn in (2, 3):
        old = served_certificate(gateway)
        generate(volume / f"..2026_{turn}")
        (volume / "..data_tmp").symlink_to(f"..2026_{turn}")
        (volume / "..data_tmp").rename(volume / "..data")
        shutil.rmtree(volume / f"..2026_{turn - 1}")
        renewed(gateway, old)


def test_links_that_are_turned_as_certbot_does_are_followed(start_gateway, tmp_path):
    archive, live = tmp_path / "archive" / "site", tmp_path / "live" / "site"
    archive.mkdir(parents=True)
    live.mkdir(parents=True)

    def issue(number):
        fresh = generate(tmp_path / f"issued-{number}")
        for made, name in (("server.pem", "fullchain"), ("server.key", "privkey")):
            shutil.copy(fresh / made, archive / f"{name}{number}.pem")
            (live / f"{name}.pem").unlink(missing_ok=True)
            (live / f"{name}.pem").symlink_to(f"../../archive/site/{name}{number}.pem")

    issue(1)
    gateway = start_gateway(change=with_tls(live, "fullchain.pem", "privkey.pem"))
    old = served_certificate(gateway)
    issue(2)
    renewed(gateway, old)


@pytest.fixture
def with_folder(start_gateway, tmp_path):
    """A gateway with further apps from a folder."""
    folder = tmp_path / "apps.d"
    folder.mkdir()
    gateway = start_gateway(change=lambda gateway: gateway.configuration.update(apps_directory=str(folder)))
    return gateway, folder


def app_file(gateway, name):
    return yaml.safe_dump({"apps": [gateway.app(name, name.title(), client_id=name)]})


def is_known(gateway, app):
    return gateway.api().begin_reply(f"com.contoso.{app}").status == 201


def test_an_app_is_there_when_its_file_is_and_goes_with_it(with_folder):
    gateway, folder = with_folder
    pending = gateway.api().begin(APP)
    (folder / "one.yaml").write_text(app_file(gateway, "one"))
    eventually(lambda: is_known(gateway, "one"), what="the first app")
    (folder / "two.yaml").write_text(app_file(gateway, "two"))
    eventually(lambda: is_known(gateway, "two"), what="the second app")
    (folder / "one.yaml").write_text(app_file(gateway, "three"))
    eventually(lambda: is_known(gateway, "three") and not is_known(gateway, "one"), what="another app in its place")
    (folder / "two.yaml").unlink()
    eventually(lambda: not is_known(gateway, "two"), what="the end of the second app")
    assert gateway.browse(authorize(pending.authorization_url)).status == 303


def test_a_wrong_app_file_is_named_keeps_the_others_and_keeps_no_certificate_from_being_renewed(with_folder, tmp_path):
    gateway, folder = with_folder
    gateway.configuration["listen"][0]["tls"] = {
        "certificate": str(generate(tmp_path / "tls") / "server.pem"), "key": str(tmp_path / "tls" / "server.key")}
    reloaded(gateway)
    length = len(gateway.output())
    (folder / "bad.yaml").write_text("apps: [{ id: nothing }]\n")
    eventually(lambda: "the file is left out" in gateway.output()[length:], what="an explanation")
    assert "bad.yaml" in gateway.output()[length:] and "event=reload_refused" not in gateway.output()[length:]
    assert is_known(gateway, "app1")
    old = served_certificate(gateway)
    by_rename(tmp_path / "tls", generate(tmp_path / "fresh"))
    renewed(gateway, old)
    (folder / "bad.yaml").write_text(app_file(gateway, "mended"))
    eventually(lambda: is_known(gateway, "mended"), what="the mended file")


def test_a_secret_in_a_file_is_taken(start_gateway, tmp_path):
    """Callers of an app come with keys from a file."""
    keys = tmp_path / "keys"
    first, second = secrets.token_hex(32), secrets.token_hex(32)
    keys.write_text(first + "\n")
    keys.chmod(0o600)

    def change(gateway):
        gateway.configuration["apps"].append(gateway.app(
            "vouched", "Vouched", client_id="vouched", client_secret="x", begin_from={"api_key_file": str(keys)}))

    gateway = start_gateway(change=change)

    def begins(key):
        return gateway.api().begin_reply("com.contoso.vouched", headers={"Authorization": f"Bearer {key}"}).status == 201

    assert begins(first) and not begins(second)
    keys.write_text(second + "\n")
    eventually(lambda: begins(second) and not begins(first), what="the new key")


def test_an_unfinished_main_file_is_not_taken_with_another_file(with_folder):
    """Its editor decides when it counts."""
    gateway, folder = with_folder
    gateway.configuration["apps"].append(gateway.app("unsaid", "Unsaid", client_id="unsaid"))
    gateway.write()
    (folder / "one.yaml").write_text(app_file(gateway, "one"))
    eventually(lambda: is_known(gateway, "one"), what="the app of the folder")
    assert not is_known(gateway, "unsaid")
    gateway.file.write_text("public_url: [half a line")
    (folder / "two.yaml").write_text(app_file(gateway, "two"))
    eventually(lambda: is_known(gateway, "two"), what="another app of the folder")
    gateway.write()
    reloaded(gateway)
    assert is_known(gateway, "unsaid")


def test_an_encryption_key_that_is_replaced_in_its_file_is_used(start_gateway, tmp_path):
    """Under another id: what was sealed before waits for its key, as everywhere."""
    key = tmp_path / "k1"
    assert run("keys", "new", "--file", key).returncode == 0
    gateway = start_gateway(change=lambda gateway: gateway.configuration.update(
        encryption_keys=[{"id": "k1", "key_file": str(key)}]))
    assert gateway.api().begin_reply(APP).status == 201
    length = len(gateway.output())
    fresh = tmp_path / "fresh"
    assert run("keys", "new", "--file", fresh).returncode == 0
    os.replace(fresh, key)
    eventually(lambda: "event=reloaded" in gateway.output()[length:], what="the new key")
    pending = gateway.api().begin(APP)
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


def test_a_file_that_is_not_a_certificate_any_more_does_not_end_what_runs(start_gateway, tmp_path):
    gateway = start_gateway(change=with_own_certificate(tmp_path / "tls"))
    old, length = served_certificate(gateway), len(gateway.output())
    shutil.rmtree(Path(tmp_path / "tls"))
    eventually(lambda: "certificate_refused" in gateway.output()[length:], what="an explanation")
    assert served_certificate(gateway) == old
    generate(tmp_path / "tls")
    renewed(gateway, old)
