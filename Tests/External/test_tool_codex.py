"""Codex, as its wheel brings it: its sign-in to an MCP server comes back by the gateway, in a sandbox without a browser."""

import os
import re
import secrets
import subprocess
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import codex_cli_bin
import pytest

from harness.gateway import Gateway
from harness.held import shown
from harness.programs import CERTIFICATES, SWITCHYARD, eventually
from harness.resource import Protected
from harness.vault import VAULT

CODEX = Path(codex_cli_bin.__file__).parent / "bin" / "codex"


@pytest.fixture
def protected():
    # Codex reads them in the answer to a registration.
    server = Protected(registered={"redirect_uris": ["https://localhost/tools/codex"]})
    yield server
    server.stop()


@pytest.fixture
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"].append({
        "id": "com.contoso.codex", "name": "Codex", "issuer": "any",
        "redirect_uris": [program.url("/tools/codex"), program.url("/tools/codex/*")]})
    program.start()
    yield program
    program.stop()


def test_codex_signs_in_with_its_callback_at_the_gateway(gateway, protected, tmp_path_factory):
    home = tmp_path_factory.mktemp("c")
    home.chmod(0o700)
    (home / "codex").mkdir()
    (home / "codex" / "config.toml").write_text(
        f'mcp_oauth_callback_url = "{gateway.url("/tools/codex")}"\nmcp_oauth_credentials_store = "file"\n'
        f'[mcp_servers.docs]\nurl = "{protected.url}"\n')
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")} | {
        "HOME": str(home), "CODEX_HOME": str(home / "codex"), "XDG_RUNTIME_DIR": str(home),
        "SWITCHYARD_CA": str(CERTIFICATES / "ca.pem"), "NO_PROXY": "*"}
    process = subprocess.Popen(
        [SWITCHYARD, "run", "--gateway", gateway.api().address, "--", CODEX, "mcp", "login", "docs"], env=environment, cwd=home,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, process_group=0)
    said = []
    reader = threading.Thread(target=lambda: said.extend(iter(process.stdout.readline, "")), daemon=True)
    reader.start()
    try:
        address = eventually(lambda: re.search(r"(http\S+[?&]state=\S+)", "".join(said)), what=f"the address of Codex, not {said}")[1]
        asked = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
        VAULT.remember("state", asked["state"])
        uri = asked["redirect_uri"]
        assert re.fullmatch(re.escape(gateway.url("/tools/codex")) + r"(/[\w-]{1,64})?", uri), uri
        eventually(lambda: [one for one in (home / "sy-waiting").glob("*-*") if one.is_socket()], what="the process that waits")
        code = secrets.token_urlsafe(24)
        VAULT.remember("authorization code", code)
        answer = gateway.browse(f"{uri}?code={code}&state={asked['state']}")
        assert answer.status == 303, answer.text
        page = gateway.browse(
            gateway.url(answer.header("Location")), headers={"Cookie": answer.header("Set-Cookie").split(";")[0]})
        VAULT.remember("release code", shown(page.text, "release-code"))
        released = subprocess.run(
            [SWITCHYARD, "release", shown(page.text, "release-code")], env=environment, capture_output=True, text=True, timeout=60)
        assert released.returncode == 0, released.stderr
        assert process.wait(60) == 0, "".join(said)
        # Its own library has redeemed the code, with the verifier that no gateway had.
        assert len(protected.token_requests) == 1
    finally:
        process.kill()
        process.wait()
        reader.join(10)
