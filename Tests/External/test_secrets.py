"""The last test: no log has a secret of the whole run."""

import subprocess
from urllib.parse import quote, urlencode

import pytest

from harness.forger import Forger
from harness.vault import VAULT


@pytest.mark.rule(7)
@pytest.mark.last(1)
def test_no_log_holds_a_secret(run_folders, gateway, signed_in, start_gateway, request, tmp_path):
    # Each kind of secret was part of the run, also if only some tests ran.
    pending, callback = signed_in
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    redeem_where_the_verifier_is_seen(start_gateway, request)
    logs = [log for folder in run_folders for log in folder.rglob("*.log")]
    assert any(log.stat().st_size for log in logs), "the programs logged nothing, so this test would prove nothing"
    secrets = VAULT.items()
    kinds = set(secrets.values())
    assert kinds >= {"state", "code", "code_verifier", "access_token", "id_token", "result token"}, "too little planted"
    spelled = {spelling: kind for secret, kind in secrets.items() for spelling in (secret, quote(secret, safe=""))}
    # A secret that only this test has logged: a search that misses it is blind.
    planted, known = tmp_path / "planted.log", "known-to-stand-in-a-log"
    planted.write_text(f"a line with code={known} in it\n")
    found = found_in([*logs, planted], [*spelled, known], tmp_path)
    assert known in found, "the search finds nothing at all"
    assert sorted({spelled[text] for text in found - {known}}) == []


def redeem_where_the_verifier_is_seen(start_gateway, request):
    """At an issuer of the test's own: the verifier is the gateway's, and goes to the issuer alone."""
    forger = Forger()
    request.addfinalizer(forger.stop)
    gateway = start_gateway(issuer_url=forger.base)
    pending = gateway.api().begin("com.contoso.app1", demo=None, scope="profile")
    claims = forger.claims(pending.authorization_url)
    callback = urlencode({"code": claims["code"], "state": claims["state"], "iss": forger.base})
    assert gateway.browse(f"{pending.redirect_uri}?{callback}").status == 303
    assert pending.outcome()["status"] == "completed"


def found_in(logs, texts, folder):
    """Those texts that stand in one of the files. (grep looks for all at once, where `in` would take them one by one.)"""
    wanted = folder / "wanted"
    wanted.write_text("".join(f"{text}\n" for text in texts))
    search = ["grep", "--fixed-strings", "--only-matching", "--no-filename", "--text", f"--file={wanted}", *map(str, logs)]
    done = subprocess.run(search, capture_output=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.decode().splitlines())
