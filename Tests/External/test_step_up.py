"""Step-up: what a request asks of the sign-in itself goes to the issuer, and the ID token has to say that it was so."""

import json
import os
import subprocess
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from harness.agent import AgentGateway
from harness.deviating import CLIENT, SECRET
from harness.gateway import Gateway
from harness.held import Visit, outcome, release
from harness.modern import ModernProvider
from harness.programs import SWITCHYARD, eventually

BANK = [{"type": "payment_initiation", "instructedAmount": {"currency": "EUR", "amount": "123.50"}}]
CHALLENGE = ('Bearer error="insufficient_user_authentication", error_description="A different sign-in is needed", '
             'acr_values="urn:gold urn:silver", max_age="5"')


class World:
    app = "com.contoso.bank"

    def __init__(self, folder, release="none"):
        self.provider = ModernProvider()
        self.gateway = Gateway(folder, self.provider.base)
        self.gateway.configuration["issuers"] = [self.provider.configuration("demo")]
        self.gateway.configuration["apps"] = [
            self.gateway.app("bank", "Bank", client_id=CLIENT, client_secret=SECRET, default_scope="openid mail",
                             token_endpoint_auth_method="client_secret_post", release=release,
                             begin_from={"networks": ["127.0.0.0/8"], "uids": [os.getuid()]})]
        self.gateway.start()

    def stop(self):
        self.gateway.stop()
        self.provider.stop()

    def begin(self, **fields):
        return self.gateway.api().begin(self.app, demo=None, **fields)

    def refused(self, **fields):
        reply = self.gateway.api().begin_reply(self.app, **fields)
        assert (reply.status, reply.json["error"]) == (400, "invalid_request"), reply.body
        return reply.json["error_description"]

    def bring(self, pending):
        answer = self.gateway.browse(self.provider.authorize(pending.authorization_url))
        assert answer.status in (200, 303), answer.text
        return answer

    def sign_in(self, **fields):
        pending = self.begin(**fields)
        self.bring(pending)
        return pending


@pytest.fixture(scope="module")
def running(run_folder):
    folder = run_folder / "step-up"
    folder.mkdir()
    world = World(folder)
    yield world
    world.stop()


@pytest.fixture
def world(running):
    running.provider.reset()
    return running


def asked(pending):
    return {name: values[0] for name, values in parse_qs(urlsplit(pending.authorization_url).query).items()}


def test_the_fields_reach_the_issuer_and_what_fits_is_completed(world):
    pending = world.begin(acr_values="urn:gold urn:silver", max_age=300, authorization_details=BANK)
    fields = asked(pending)
    assert (fields["acr_values"], fields["max_age"]) == ("urn:gold urn:silver", "300")
    assert json.loads(fields["authorization_details"]) == BANK
    world.bring(pending)
    result = pending.outcome()
    assert result["status"] == "completed" and result["authorization_details"] == BANK
    assert result["id_token_claims"]["acr"] == "urn:gold"


def test_a_challenge_of_a_resource_asks_for_the_same(world):
    fields = asked(world.begin(www_authenticate=CHALLENGE))
    assert (fields["acr_values"], fields["max_age"]) == ("urn:gold urn:silver", "5")
    # Beside the app's own parameters.
    fields = asked(world.begin(
        www_authenticate='DPoP realm="x", error="insufficient_user_authentication", max_age=7', acr_values="urn:gold"))
    assert (fields["acr_values"], fields["max_age"]) == ("urn:gold", "7")


@pytest.mark.parametrize("claims, fields", [
    ({"acr": "urn:bronze"}, {"acr_values": "urn:gold urn:silver"}),
    ({"acr": "urn:gol"}, {"acr_values": "urn:gold"}),
    ({"acr": None}, {"acr_values": "urn:gold"}),
    ({"acr": ["urn:gold"]}, {"acr_values": "urn:gold"}),
    ({"auth_time": int(time.time()) - 3600}, {"max_age": 300}),
    ({"auth_time": int(time.time()) + 3600}, {"max_age": 300}),
    ({"auth_time": None}, {"max_age": 300}),
    ({"auth_time": "now"}, {"max_age": 0}),
    ({"acr": "urn:bronze"}, {"www_authenticate": CHALLENGE}),
])
def test_a_sign_in_of_another_kind_is_no_success(world, claims, fields):
    world.provider.claims.update(claims)
    error = world.sign_in(**fields).failure()
    assert (error["code"], error["internal_code"]) == ("invalid_id_token", "step_up_not_met"), error


@pytest.mark.parametrize("claims, fields", [
    ({"acr": "urn:silver"}, {"acr_values": "urn:gold urn:silver"}),
    ({"auth_time": -40}, {"max_age": 0}),
    ({"acr": "urn:bronze", "auth_time": 1}, {}),
])
def test_a_sign_in_that_fits_is_a_success(world, claims, fields):
    if claims.get("auth_time", 0) < 0:
        # Seconds before now.
        claims = claims | {"auth_time": int(time.time()) + claims["auth_time"]}
    world.provider.claims.update(claims)
    assert world.sign_in(**fields).outcome()["status"] == "completed"


def test_without_openid_there_is_nothing_to_compare(world):
    assert world.sign_in(scope="mail", acr_values="urn:gold", max_age=0).outcome()["status"] == "completed"


@pytest.fixture
def holding(run_folder):
    folder = run_folder / "step-up-held"
    folder.mkdir()
    world = World(folder, release="code")
    yield world
    world.stop()


def test_a_held_code_is_judged_by_when_it_came(holding):
    world = holding
    begun = time.time()
    # Old enough to be refused a few seconds from now, and recent enough when the callback comes.
    world.provider.claims["auth_time"] = int(begun) - 57
    pending = world.begin(max_age=0)
    visit = Visit(world.gateway, pending, callback=world.provider.authorize(pending.authorization_url))
    time.sleep(max(0, begun + 5 - time.time()))
    assert release(pending, code=visit.code).status == 204
    assert outcome(pending)["status"] == "completed"


@pytest.mark.parametrize("fields, words", [
    ({"acr_values": 1}, '"acr_values"'), ({"acr_values": "   "}, '"acr_values"'), ({"acr_values": "a\nb"}, '"acr_values"'),
    ({"max_age": "300"}, '"max_age"'), ({"max_age": -1}, '"max_age"'), ({"max_age": 1.5}, '"max_age"'),
    ({"max_age": 1 << 40}, '"max_age"'), ({"max_age": True}, '"max_age"'),
    ({"authorization_details": {"type": "x"}}, '"authorization_details"'),
    ({"authorization_details": []}, '"authorization_details"'), ({"authorization_details": [{}]}, '"authorization_details"'),
    ({"authorization_details": [{"type": 1}]}, '"authorization_details"'),
    ({"authorization_details": json.dumps(BANK)}, '"authorization_details"'),
    ({"www_authenticate": 'Bearer error="insufficient_user_authentication'}, '"www_authenticate"'),
    ({"www_authenticate": "Bearer error=insufficient_user_authentication"}, '"www_authenticate"'),
    ({"www_authenticate": "Bearer error=insufficient_user_authentication, max_age=soon"}, "max_age"),
    ({"www_authenticate": 'Bearer error=insufficient_user_authentication, acr_values=" "'}, "acr_values"),
    ({"www_authenticate": 'Bearer error="invalid_token"'}, '"www_authenticate"'),
    ({"www_authenticate": '"'}, '"www_authenticate"'), ({"www_authenticate": 7}, '"www_authenticate"'),
    ({"www_authenticate": CHALLENGE, "max_age": 3}, '"max_age"'),
])
def test_a_wrong_field_is_named(world, fields, words):
    assert words in world.refused(**fields)


@pytest.mark.parametrize("name", ["acr_values", "max_age", "authorization_details", "dpop_jkt", "ACR_VALUES", "[max_age]"])
@pytest.mark.parametrize("where", [None, "authorization", "token"])
def test_among_the_extra_parameters_they_are_refused_by_name(world, name, where):
    extra = {name: "1"} if where is None else {where: {name: "1"}}
    assert name in world.refused(extra_parameters=extra)


def test_flat_and_nested_extra_parameters_do_not_mix(world):
    assert '"audience"' in world.refused(extra_parameters={"authorization": {"resource": "r"}, "audience": "a"})


def test_an_app_that_redeems_itself_asks_for_it_too(world):
    pending = world.begin(
        completion="response", state="0123456789abcdef", code_challenge="E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        nonce="n", acr_values="urn:gold", max_age=0)
    assert asked(pending)["acr_values"] == "urn:gold" and asked(pending)["max_age"] == "0"


# An agent


@pytest.fixture(scope="module")
def agent(run_folder, running):
    folder = run_folder / "step-up-agent"
    folder.mkdir()
    agent = AgentGateway(folder, running.provider.base)
    agent.configuration["issuers"] = [running.provider.configuration("demo")]
    agent.configuration["apps"] = [
        agent.app("bank", "Bank", client_id=CLIENT, client_secret=SECRET, token_endpoint_auth_method="client_secret_post",
                  begin_from={"uids": [os.getuid()]}, default_scope="openid mail")]
    agent.start()
    yield agent
    agent.stop()


def tokens(agent, **fields):
    return agent.local_api().call("POST", "/v1/tokens", {"app": World.app, **fields})


def follow(agent, provider, request):
    pending = agent.local_api().begin(request["app"], demo=None, **{n: v for n, v in request.items() if n != "app"})
    fields = asked(pending)
    assert agent.browse(provider.authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"
    return fields


def test_an_agent_says_what_to_begin_and_gives_the_token_of_that_sign_in(world, agent):
    follow(agent, world.provider, tokens(agent).json["request"])
    old = tokens(agent)
    assert old.status == 200
    # The resource has refused that one.
    refused = tokens(agent, www_authenticate=CHALLENGE)
    assert (refused.status, refused.json["error"]) == (401, "interaction_required"), refused.body
    request = refused.json["request"]
    assert (request["acr_values"], request["max_age"], request["login_hint"]) == (
        "urn:gold urn:silver", 5, "alice@contoso.com")
    assert follow(agent, world.provider, request)["acr_values"] == "urn:gold urn:silver"
    new = tokens(agent)
    assert new.status == 200 and new.json["access_token"] != old.json["access_token"]


def test_after_another_challenge_the_refused_token_is_not_given_again(world, agent):
    if tokens(agent).status == 401:
        follow(agent, world.provider, tokens(agent).json["request"])
    old = tokens(agent).json["access_token"]
    new = tokens(agent, www_authenticate='Bearer error="invalid_token"')
    assert new.status == 200 and new.json["access_token"] != old
    wrong = tokens(agent, www_authenticate='Bearer error="insufficient_user_authentication')
    assert (wrong.status, wrong.json["error"]) == (400, "invalid_request")


def test_the_command_signs_in_as_the_challenge_asks(world, agent, tmp_path):
    """The browser here is a program that follows the address."""
    if tokens(agent).status == 401:
        follow(agent, world.provider, tokens(agent).json["request"])
    opened = tmp_path / "opened"
    desktop = tmp_path / "bin"
    desktop.mkdir()
    (desktop / "xdg-open").write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    (desktop / "xdg-open").chmod(0o755)
    command = subprocess.Popen(
        [str(SWITCHYARD), "token", "--app", World.app, "--www-authenticate", CHALLENGE, "--gateway", agent.socket],
        env=os.environ | {"PATH": f"{desktop}:{os.environ['PATH']}", "DISPLAY": ":7"}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        eventually(opened.exists, what="the address in the browser")
        address = opened.read_text()
        if "/start/" in address:
            address = agent.browse(address).header("Location") or address
        fields = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert fields["acr_values"] == "urn:gold urn:silver" and fields["max_age"] == "5"
        assert agent.browse(world.provider.authorize(address)).status == 303
        output, errors = command.communicate(timeout=60)
    finally:
        command.kill()
    assert command.returncode == 0 and output.strip() in world.provider.access_tokens, errors
