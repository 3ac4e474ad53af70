"""docs/other-languages.md is true: its exchanges are made, its commands run, and its code is that of the examples."""

import base64
import hashlib
import json
import secrets
import shlex
import time
from textwrap import dedent, indent
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from joserfc import jwe, jwt
from joserfc.jwk import ECKey

from harness.api import Api
from harness.document import blocks, body_fits, exchanges, fits
from harness.examples import FOLDER, PROGRAMS, Example, visit
from harness.gateway import CA
from harness.held import CODE, NONE, HoldingGateway, Visit
from harness.issuer import authorize
from harness.vault import VAULT


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Reader:
    """A reader who makes the document's exchanges, from the first to the last."""

    def __init__(self, gateway, issuer):
        self.gateway, self.issuer, self.left = gateway, issuer, exchanges()
        self.key = ECKey.generate_key("P-256")
        self.verifier = secrets.token_urlsafe(32)
        self.values = {
            "state": secrets.token_urlsafe(24), "nonce": secrets.token_urlsafe(24), "wrong_code": "BCDFGH",
            "code_challenge": encode(hashlib.sha256(self.verifier.encode()).digest()), "code_verifier": self.verifier,
            "client_id": "open", "token_endpoint": issuer.metadata()["token_endpoint"],
        } | {name: self.key.as_dict(private=False)[name] for name in "xy"}
        VAULT.remember("code_verifier", self.verifier)

    def call(self, expected, app=NONE, **values):
        """Makes the next exchange. Its request begins as expected, and its answer must be the shown one."""
        shown, answer = self.left.pop(0)
        assert shown.first.startswith(expected)
        self.values |= values
        request = shown.filled(self.values | {"proof": self.proof(shown) if "DPoP" in shown.headers else ""})
        method, target, _ = request.first.split(" ")
        parts = urlsplit(target)
        api = Api(f"{parts.scheme}://{parts.netloc}") if parts.scheme else self.gateway.api()
        headers = {name: value for name, value in request.headers.items() if name != "Host"}
        body = request.body.replace("com.contoso.app1", app).encode() or None
        reply = api.call(method, target.removeprefix(f"{parts.scheme}://{parts.netloc}"), body, headers=headers)
        assert reply.status == int(answer.first.split(" ")[1]), (expected, reply.body)
        assert all(reply.header(name) == value for name, value in answer.headers.items())
        assert body_fits(answer, reply.body), (expected, reply.body)
        return reply.json if reply.body else None

    def begin(self, app):
        begun = self.call("POST /v1/requests", app)
        VAULT.remember("result token", begun["result_token"])
        VAULT.remember("state", begun["state"])
        self.values |= {"id": begun["id"], "result_token": begun["result_token"]}
        return begun

    def sign_in(self, begun):
        """The person follows the address; the issuer, which would ask for a name, is told not to."""
        return Visit(self.gateway, SimpleNamespace(authorization_url=begun["authorization_url"] + "&demo=auto"))

    def proof(self, shown):
        method, target, _ = shown.filled(self.values | {"proof": ""}).first.split(" ")
        claims = {
            "jti": secrets.token_urlsafe(16), "htm": method, "iat": int(time.time()),
            "htu": self.gateway.api().address + target.split("?")[0],
            "ath": encode(hashlib.sha256(self.values["result_token"].encode()).digest()),
        }
        return jwt.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}, claims, self.key)


def sign_in_confidentially(gateway):
    """The token response of an app with a client secret."""
    pending = gateway.api().begin("com.contoso.confidential", scope="openid offline_access")
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    return pending.outcome()["token_response"]


def test_the_exchanges_are_as_shown(holding, issuer):
    reader = Reader(holding, issuer)
    page = reader.sign_in(reader.begin(CODE))
    reader.call("GET /v1/requests/{id}?seen=pending")
    reader.call("POST /v1/requests/{id}/release")
    reader.call("POST /v1/requests/{id}/release", code=page.code)
    sealed = reader.call("GET /v1/requests/{id}?seen=pending")
    result = json.loads(jwe.decrypt_compact(sealed["jwe"], reader.key, algorithms=["ECDH-ES", "A256GCM"]).plaintext)
    VAULT.remember_all(result["token_response"])
    [shown] = blocks("json")
    assert fits(json.loads(shown), result), result
    reader.call("DELETE /v1/requests/{id}")

    begun = reader.begin(NONE)
    page = reader.sign_in(begun)
    came = reader.call("GET /v1/requests/{id}?seen=pending")
    assert came["url"] == page.callback
    code = parse_qs(urlsplit(came["url"]).query)["code"][0]
    tokens = reader.call(
        "POST {token_endpoint}", authorization_code=code, redirect_uri=quote(begun["redirect_uri"], safe=""))
    VAULT.remember_all(tokens)
    VAULT.remember_all(reader.call("POST {token_endpoint}", refresh_token=tokens["refresh_token"]))

    first = sign_in_confidentially(holding)
    answer = reader.call("POST /v1/tokens", refresh_token=first["refresh_token"])
    VAULT.remember_all(answer["token_response"])
    reader.call("POST /v1/revocations", refresh_token=answer["token_response"]["refresh_token"])
    assert not reader.left


COMMANDS = "".join(blocks("sh")).splitlines()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_the_commands_run_as_shown(request, holding, command):
    replaced = {
        "https://login.contoso.com:8444": f"https://localhost:{holding.api_port}", "com.contoso.app1": NONE,
        "openid profile": "openid profile demo:auto",
    }
    language = {"python3": "python", "node": "node"}[shlex.split(command)[0]]
    _, program, *arguments = [replaced.get(word, word) for word in shlex.split(command)]
    assert PROGRAMS[language][1].endswith(f"/{program}")
    example = Example(PROGRAMS[language], *arguments, "--ca", CA)
    request.addfinalizer(example.stop)
    visit(holding, example.start_url)
    assert example.end()[0] == 0


@pytest.mark.parametrize("language, file", [("python", "sign_in.py"), ("js", "sign_in.mjs")])
def test_the_code_is_that_of_the_examples(language, file):
    program, shown = (FOLDER / file).read_text(), blocks(language)
    assert shown
    for code in shown:
        assert any(indent(dedent(code), " " * width) in program for width in range(0, 17, 2)), code
