"""The last test: nothing secret that the whole run has seen stands in any log."""

from urllib.parse import quote

import pytest

from harness.vault import VAULT


@pytest.mark.rule(7)
@pytest.mark.last
def test_no_log_holds_a_secret(run_folder):
    logs = sorted(run_folder.rglob("*.log"))
    text = "\n".join(log.read_text(errors="replace") for log in logs)
    assert any(line for line in text.splitlines()), "the programs logged nothing, so this test would prove nothing"
    secrets = VAULT.items()
    kinds = set(secrets.values())
    assert kinds >= {"state", "code", "code_verifier", "access_token", "id_token", "result token"}, "too little planted"
    found = sorted({kind for secret, kind in secrets.items() if secret in text or quote(secret, safe="") in text})
    assert found == []
