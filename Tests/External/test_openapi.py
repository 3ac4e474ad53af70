"""docs/openapi.yaml against the running gateway: what schemathesis makes of it, good calls and bad ones, and a whole sign-in."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests
import yaml
from requests import Session

from harness import wire
from harness.gateway import CA
from harness.held import CODE, NONE, HoldingGateway, Visit
from harness.issuer import authorize
from harness.programs import ROOT, eventually
from harness.vault import VAULT

FILE = ROOT / "docs" / "openapi.yaml"
FOLDER = Path(__file__).parent / "openapi"
# How many calls a path and a kind is worth here.
EXAMPLES = 5


# Some hundred calls, half a minute on an idle machine.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def roomy(request, run_folder, issuer):
    """The requests that are begun here are not collected."""
    gateway = HoldingGateway(run_folder, issuer.base)
    gateway.configuration["limits"] |= {"kept_bytes": "4GiB", "kept_bytes_per_address": "4GiB"}
    plain = f"127.0.0.1:{gateway.admin_port}"
    gateway.configuration["listen"][-1]["serve"] = ["admin"]
    gateway.start()
    gateway.plain = plain
    request.addfinalizer(gateway.stop)
    return gateway


def schemathesis_run(base, paths, *options, environment=None):
    command = [
        Path(sys.executable).parent / "st", "--config-file", FOLDER / "schemathesis.toml", "run", FILE, "--url", base, "--include-path-regex", paths,
        "--mode", "all", "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--tls-verify", CA,
        "--no-color", "--suppress-health-check", "all",
        # The hooks choose the request, also if this check makes up a token.
        "--exclude-checks", "ignored_auth", *options]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=280, env=os.environ | environment)


def passed(done):
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    operations, cases = re.search(r"Tested: (\d+)", done.stdout), re.search(r"(\d+) generated, \1 passed", done.stdout)
    assert operations and cases and int(cases[1]) > 20, done.stdout
    return int(operations[1])


def test_the_apps_api_is_as_described(roomy):
    base = f"https://localhost:{roomy.api_port}"
    environment = {
        "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(FOLDER), "OPENAPI_GATEWAY": base, "REQUESTS_CA_BUNDLE": str(CA)}
    assert passed(schemathesis_run(base, "^/v1/(requests|callbacks)", environment=environment)) == 6
    assert not VAULT.found_in(roomy.log.read_bytes())


def test_the_admin_listener_is_as_described(roomy):
    done = schemathesis_run(f"http://{roomy.plain}", "^/$|^/(healthz|readyz|metrics|v1/reload|v1/sign-ins|v1/status|v1/probes)", environment={})
    assert passed(done) == 9


def description():
    # Each worker collects this file, and the import takes it a second.
    import schemathesis
    return schemathesis.openapi.from_path(str(FILE))


def described(document):
    """Each address with its methods, by the program that serves it."""
    for path, operations in document["paths"].items():
        methods = {name.upper(): operation for name, operation in operations.items() if name != "parameters"}
        yield path, set(methods), any("admin" in operation["tags"] for operation in methods.values())


def test_every_address_that_is_served_is_in_it_with_its_methods(roomy):
    """The addresses by where the program tells them apart, the methods by what each answers to all others."""
    api = (ROOT / "Sources/Gateway/API/APIService.swift").read_text()
    served = {(name, int(parts)) for name, parts in re.findall(r'case \("([a-z-]+)", (\d)\)', api)}
    admin = (ROOT / "Sources/Gateway/AdminService.swift").read_text()
    operators = set(re.findall(r'"(/[a-z0-9/-]*)"', "\n".join(re.findall(r"case (.*?):", admin))))
    operators |= {f"{prefix}{{reference}}" for prefix in re.findall(r'static let \w+ = "(/.*/)"', admin)}
    assert len(served) >= 8 and len(operators) >= 8
    everything = list(described(yaml.safe_load(FILE.read_text())))
    # Only an agent has accounts and proofs; a gateway answers that it has none.
    told = {(path.split("/")[2], len(path.split("/"))) for path, _, is_admin in everything if not is_admin}
    assert told - {("accounts", 3), ("accounts", 4)} == served - {("accounts", 3), ("accounts", 4)}
    assert {path for path, _, is_admin in everything if is_admin} == operators
    for path, methods, is_admin in everything:
        if "accounts" in path or path == "/v1/proofs":
            continue
        base = f"http://{roomy.plain}" if is_admin else f"https://localhost:{roomy.api_port}"
        begun = roomy.api().begin(NONE)
        token = {"Authorization": f"Bearer {begun.token}"} if not is_admin else {}
        address = base + path.replace("{id}", begun.id).replace("{reference}", begun.reference)
        answer = requests.put(address, headers=token, verify=str(CA), timeout=30)
        assert answer.status_code == 405, path
        assert set(re.findall(r"[A-Z]+", answer.headers["Allow"])) - {"HEAD"} == methods, path


def test_a_probe_is_as_described(roomy):
    schema = description()
    session = Session()
    session.verify, session.trust_env = str(CA), False

    def call(path, body):
        answer = session.post(f"http://{roomy.plain}{path}", json=body, timeout=30)
        schema[path]["POST"].validate_response(answer)
        return answer

    begun = call("/v1/probes", {})
    assert begun.status_code == 201
    path = begun.json()["path"]
    there = session.get(f"https://localhost:{roomy.callbacks_port}{path}", timeout=30)
    opened = call("/v1/probes/answers", {"path": path, "answer": there.text})
    assert opened.status_code == 200 and opened.json()["this_gateway"] is True
    assert call("/v1/probes/answers", {"path": path, "answer": "another text"}).status_code == 400


def test_a_whole_sign_in_is_as_described(roomy):
    """Each answer on the way is held against the description of its status."""
    schema = description()
    session = Session()
    session.verify, session.trust_env = str(CA), False
    seen = []

    def call(method, path, body=None, token=None, **parameters):
        """One call by the description; what it answers is returned."""
        operation = schema[path][method]
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        case = operation.Case(body=body, media_type="application/json", **parameters) if body is not None else operation.Case(**parameters)
        answer = session.request(
            method, f"https://localhost:{roomy.api_port}{case.formatted_path}", json=body, headers=headers, timeout=40,
            params=parameters.get("query"))
        case.operation.validate_response(answer)
        seen.append((method, path, answer.status_code))
        found = answer.json() if answer.content else {}
        VAULT.remember("result token", found.get("result_token"))
        VAULT.remember_all(found.get("token_response"))
        return found

    def begin(app, **fields):
        begun = call("POST", "/v1/requests", {"app": app, "scope": "openid", "extra_parameters": {"demo": "auto"}} | fields)
        VAULT.remember("state", begun["state"])
        return begun, {"path_parameters": {"id": begun["id"]}, "token": begun["result_token"]}

    one, release = "/v1/requests/{id}", "/v1/requests/{id}/release"
    begun, mine = begin(CODE)
    assert call("GET", one, **mine) == {"status": "pending"}
    call("POST", release, {"code": "BCDFGH"}, **mine)
    page = Visit(roomy, type("Begun", (), begun))
    assert call("GET", one, **mine) == {"status": "release_required"}
    call("POST", release, {"code": "BCDFGH"}, **mine)
    call("POST", release, {"code": page.code}, **mine)
    session.headers["Prefer"] = "wait=30"
    assert call("GET", one, **mine, query={"seen": "release_required"})["status"] in ("pending", "completed")
    assert call("GET", one, **mine)["status"] == "completed"
    call("DELETE", one, **mine)
    call("GET", one, **mine)

    begun, mine = begin(NONE)
    assert wire.request(authorize(begun["authorization_url"]), ca=CA).status == 303
    assert "access_token" in call("GET", one, **mine)["token_response"]
    begun, mine = begin("com.contoso.confidential", scope="openid offline_access")
    assert wire.request(authorize(begun["authorization_url"]), ca=CA).status == 303
    old = call("GET", one, **mine)["token_response"]["refresh_token"]
    new = call("POST", "/v1/tokens", {"app": "com.contoso.confidential", "refresh_token": old})["token_response"]
    assert call("POST", "/v1/tokens", {"app": "com.contoso.confidential", "refresh_token": old})["status"] == "failed"
    assert call("POST", "/v1/tokens", {"app": NONE, "refresh_token": old})["error"] == "invalid_request"
    call("POST", "/v1/revocations", {"app": "com.contoso.confidential", "token": new["refresh_token"]})
    call("POST", "/v1/revocations", {"app": NONE, "token": old})

    begun, mine = begin(NONE, extra_parameters={"demo": "deny"})
    assert wire.request(authorize(begun["authorization_url"]), ca=CA).status == 303
    assert call("GET", one, **mine)["error"]["code"] == "access_denied"
    begun, mine = begin(NONE, completion="response", state="s" * 30, code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", nonce="n" * 30)
    assert wire.request(authorize(begun["authorization_url"]), ca=CA).status == 303
    assert call("GET", one, **mine)["parameters"]["code"]
    history = eventually(lambda: (answer := session.get(f"http://{roomy.plain}/v1/sign-ins/{begun['reference']}")).ok and answer, what="the history")
    schema["/v1/sign-ins/{reference}"]["GET"].validate_response(history)
    assert history.json()["reference"] == begun["reference"]
    statuses = {status for _, _, status in seen}
    assert statuses == {200, 201, 202, 204, 400, 403, 404, 409}
