"""Encryption keys: how one is made, and how one takes the place of another without a sign-in being lost."""

import os
import re

import pytest

from harness.issuer import authorize
from harness.programs import run
from test_store import in_database

APP = "com.contoso.app1"


def test_a_fresh_key_is_printed_and_is_never_the_same():
    made = [run("keys", "new") for _ in range(3)]
    assert all(key.returncode == 0 and re.fullmatch(r"[0-9a-f]{64}\n", key.stdout) for key in made)
    assert len({key.stdout for key in made}) == 3


def test_a_key_goes_into_a_file_for_its_owner_only_and_replaces_none(tmp_path):
    file = tmp_path / "k1"
    os.umask(os.umask(0o022))
    made = run("keys", "new", "--file", file)
    assert made.returncode == 0 and made.stdout == ""
    assert file.stat().st_mode & 0o777 == 0o600
    key = file.read_text()
    assert re.fullmatch(r"[0-9a-f]{64}\n", key) and key.strip() not in made.stderr
    again = run("keys", "new", "--file", file)
    assert again.returncode == 1 and "there already" in again.stderr and file.read_text() == key
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    assert run("keys", "new", "--file", link).returncode == 1 and not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("arguments", [("keys",), ("keys", "old"), ("keys", "new", "more")])
def test_anything_else_is_wrong_usage(arguments):
    assert run(*arguments).returncode == 2


def test_the_help_has_an_example():
    told = run("keys", "--help").stdout
    assert "Examples:" in told and "switchyard keys new --file" in told and "--kind signing --file" in told


def keys(folder, *names):
    for name in names:
        if not (folder / name).exists():
            assert run("keys", "new", "--file", folder / name).returncode == 0
    return [{"id": name, "key_file": str(folder / name)} for name in names]


@pytest.mark.parametrize("how", ["reload", "restart"])
def test_a_rotation_loses_no_sign_in(start_gateway, tmp_path, how):
    """The old key, then the new one in front of it, then the new one alone; in a database, for which the keys last."""
    def change(gateway):
        in_database(gateway)
        gateway.configuration["encryption_keys"] = keys(tmp_path, "k1")

    gateway = start_gateway(change=change)

    def use(*names):
        gateway.configuration["encryption_keys"] = keys(tmp_path, *names)
        gateway.write()
        if how == "reload":
            done = run("reload", "--config", gateway.file)
            assert done.returncode == 0, done
        else:
            gateway.stop()
            gateway.start()

    def finishes(pending):
        assert gateway.browse(authorize(pending.authorization_url)).status == 303
        assert pending.outcome()["status"] == "completed"

    first, second = gateway.api().begin(APP), gateway.api().begin(APP)
    use("k2", "k1")
    third = gateway.api().begin(APP)
    finishes(first)
    use("k2")
    # The key of the second request is missing: it keeps its state, and goes on when the key is back.
    callback = authorize(second.authorization_url)
    answer = gateway.browse(callback)
    assert answer.status == 503 and int(answer.header("Retry-After")) > 0
    assert second.poll().status == 503
    finishes(third)
    use("k2", "k1")
    assert gateway.browse(callback).status == 303
    assert second.outcome()["status"] == "completed"
