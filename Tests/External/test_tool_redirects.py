"""Tools with a settable redirect URI: a last segment of the tool's own, and callbacks of any issuer."""

import secrets

import pytest

from harness.gateway import Gateway
from harness.held import is_held, outcome, release, shown
from harness.programs import SWITCHYARD, run
from harness.vault import VAULT

TOOL = "com.contoso.codex"


@pytest.fixture(scope="module")
def gateway(run_folder, issuer):
    program = Gateway(run_folder, issuer.base)
    program.configuration["apps"] += [
        {"id": TOOL, "name": "Codex", "issuer": "any", "redirect_uris": [program.url("/tools/codex"), program.url("/tools/codex/*")]},
        program.app("segments", "Segments", client_id="segments", redirect_uris=[program.url("/segments/*")]),
    ]
    program.start()
    yield program
    program.stop()


def begin(gateway, **fields):
    """A request with the tool's own state, without the name of an app."""
    state = secrets.token_urlsafe(24)
    body = {"completion": "response", "state": state, **fields}
    reply = gateway.api().call("POST", "/v1/requests", {name: value for name, value in body.items() if value is not None})
    if reply.status == 201:
        VAULT.remember("result token", reply.json["result_token"])
    VAULT.remember("state", state)
    return reply


class Began:
    """A request of the tool, as `harness.held` needs it."""

    def __init__(self, gateway, **fields):
        from harness.api import Pending

        reply = begin(gateway, **fields)
        assert reply.status == 201, reply.body
        self.pending = Pending(gateway.api(), reply.json)

    def callback(self, address, **more):
        code = secrets.token_urlsafe(24)
        VAULT.remember("authorization code", code)
        return f"{address}?code={code}&state={self.pending.state}&iss=https%3A%2F%2Fsomewhere.example"


def release_code(gateway, answer):
    assert answer.status == 303, answer.text
    page = gateway.browse(gateway.url(answer.header("Location")), headers={"Cookie": answer.header("Set-Cookie").split(";")[0]})
    code = shown(page.text, "release-code")
    VAULT.remember("release code", code)
    return code


@pytest.mark.parametrize("path", ["/tools/codex", "/tools/codex/Zm9v-_9"])
def test_a_tool_gets_the_callback_of_any_issuer_byte_for_byte_once_released(gateway, path):
    one = Began(gateway, redirect_uri=gateway.url(path))
    assert one.pending.redirect_uri == gateway.url(path)
    assert one.pending.authorization_url is None and one.pending.start_url is None
    callback = one.callback(gateway.url(path))
    code = release_code(gateway, gateway.browse(callback))
    assert is_held(one.pending)
    assert release(one.pending, code=code).status == 204
    assert outcome(one.pending)["url"] == callback


@pytest.mark.rule(2)
@pytest.mark.parametrize("segment", ["", "a/b", "a.b", "..", "%61", "*", "x" * 65, "a?b", "é", "a;b"])
def test_only_one_plain_last_segment_can_be_named(gateway, segment):
    for app in (TOOL, None):
        reply = begin(gateway, app=app, redirect_uri=gateway.url(f"/tools/codex/{segment}"))
        assert (reply.status, reply.json["error"]) == (400, "invalid_request"), (segment, reply.body)


@pytest.mark.rule(2)
@pytest.mark.rule(6)
def test_a_callback_at_a_uri_that_no_request_names_consumes_nothing(gateway):
    one = Began(gateway, redirect_uri=gateway.url("/tools/codex/one"))
    for other in ("/tools/codex", "/tools/codex/two", "/tools/codex/ONE", "/segments/one"):
        answer = gateway.browse(one.callback(gateway.url(other)))
        assert answer.status in (400, 404, 410), (other, answer.status)
        assert answer.header("Location") is None and answer.header("Set-Cookie") is None
        assert one.pending.poll().json == {"status": "pending"}
    for other in ("/tools/codex/*", "/tools/codex/one/", "/tools/codex/one/two", "/tools/codex/%6Fne", "/tools/codex/o.e"):
        assert gateway.browse(one.callback(gateway.url(other))).status == 404, other
        assert one.pending.poll().json == {"status": "pending"}
    # The request is as it was.
    assert release(one.pending, code=release_code(gateway, gateway.browse(one.callback(one.pending.redirect_uri)))).status == 204


@pytest.mark.rule(1)
def test_the_wildcard_opens_no_redirect(gateway):
    for path in ("/tools/codex/https", "/tools/codex/evil?redirect_uri=https://evil.example", "/tools/codex/x?url=//evil.example&state=s"):
        answer = gateway.browse(gateway.url(path))
        assert answer.status in (400, 404, 410) and answer.header("Location") is None, path
        assert "evil.example" not in answer.text


def test_an_app_of_any_issuer_is_found_by_its_redirect_uri_and_no_other_app_is(gateway):
    assert begin(gateway, redirect_uri=gateway.url("/tools/codex")).status == 201
    for uri in (gateway.url("/app1/auth"), gateway.url("/segments/one"), gateway.url("/nowhere"), "https://evil.example/tools/codex", None):
        reply = begin(gateway, redirect_uri=uri)
        assert reply.status == 400 and '"app" is missing' in reply.json["error_description"], (uri, reply.body)


@pytest.mark.parametrize("fields", [
    {"completion": "tokens", "state": None}, {"completion": None, "state": None},
    {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}])
def test_the_gateway_cannot_redeem_for_any_issuer(gateway, fields):
    reply = begin(gateway, redirect_uri=gateway.url("/tools/codex"), **fields)
    assert (reply.status, reply.json["error"]) == (400, "invalid_request")
    assert "any issuer" in reply.json["error_description"]


def test_a_request_for_a_pattern_alone_names_its_uri(gateway):
    reply = begin(gateway, app="com.contoso.segments")
    assert reply.status == 400 and reply.json["parameter"] == "redirect_uri"
    reply = begin(gateway, app="com.contoso.segments", redirect_uri=gateway.url("/segments/*"))
    assert reply.status == 400 and reply.json["parameter"] == "redirect_uri"
    reply = begin(gateway, app="com.contoso.segments", redirect_uri=gateway.url("/segments/one"))
    assert reply.status == 201 and reply.json["redirect_uri"] == gateway.url("/segments/one")


@pytest.mark.rule(6)
def test_a_wrong_code_releases_no_callback_of_a_tool(gateway):
    one = Began(gateway, redirect_uri=gateway.url("/tools/codex/guess"))
    release_code(gateway, gateway.browse(one.callback(one.pending.redirect_uri)))
    for left in (2, 1, 0):
        reply = release(one.pending, code="BBBB-BBBB")
        assert (reply.status, reply.json["attempts_left"]) == (403, left)
    assert outcome(one.pending)["status"] == "failed"


def test_check_refuses_a_tool_that_anybody_could_release(gateway, tmp_path):
    import yaml

    configuration = dict(gateway.configuration)
    configuration["apps"] = [{"id": "t", "issuer": "any", "release": "none", "redirect_uris": [gateway.url("/t/*")]}]
    file = tmp_path / "switchyard.yaml"
    file.write_text(yaml.safe_dump(configuration))
    shown = run("check", "--config", file)
    assert shown.returncode == 2 and "issuer any with release none" in shown.stderr + shown.stdout
