"""Clients that register themselves with the authorization servers of resources: one for each issuer and redirect URI, sealed in the
store, for all gateways that share it."""

import json
import secrets
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.gateway import Gateway
from harness.programs import eventually, run
from harness.redis import RedisServer, SharingGateway, Writer
from harness.resource import Protected, come_back, parameters_of
from harness.vault import VAULT

JSON = {"Content-Type": "application/json"}
SECRET = "a-secret-that-the-issuer-made"


@pytest.fixture
def protected():
    one = Protected(metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]},
                    registered={"client_secret": SECRET}, resource_metadata={"scopes_supported": ["read"]})
    VAULT.remember("client secret", SECRET)
    yield one
    one.stop()


@pytest.fixture
def redis(run_folder):
    program = RedisServer(run_folder).start()
    yield program
    program.kill() if program.process else None


def allowing(gateway, protected, **entry):
    gateway.configuration["resources"] = {
        "redirect_uri": gateway.url("/resource"), "release": "none", "allow": [{"url": protected.url, **entry}]}
    return gateway


@pytest.fixture
def gateways(run_folder, redis, protected):
    """Two gateways behind one name, on one Redis."""
    first = SharingGateway(run_folder, "https://localhost:1", f"redis://127.0.0.1:{redis.port}/0")
    second = SharingGateway(
        run_folder, "https://localhost:1", f"redis://127.0.0.1:{redis.port}/0", public_port=first.callbacks_port)
    for gateway in (first, second):
        allowing(gateway, protected).start()
    yield first, second
    for gateway in (first, second):
        gateway.stop()


@pytest.fixture
def durable(run_folder, protected):
    """One gateway with a database."""
    gateway = Gateway(run_folder, "https://localhost:1")
    gateway.database = gateway.folder / "requests.db"
    gateway.configuration["store"] = f"sqlite:{gateway.database}"
    yield allowing(gateway, protected).start()
    gateway.stop() if gateway.process else None


def begin(gateway, protected, status=201, **fields):
    reply = gateway.api().call("POST", "/v1/requests", {"resource": protected.url, **fields})
    assert reply.status == status, (reply.status, reply.body)
    return reply.json


def outcome(gateway, begun):
    reply = gateway.api().call(
        "GET", f"/v1/requests/{begun['id']}", token=begun["result_token"], headers={"Prefer": "wait=20"})
    assert reply.status == 200, (reply.status, reply.body)
    return reply.json


def sign_in(begun_at, protected, back_at=None, **fields):
    """At one gateway, with the callback at another one."""
    begun = begin(begun_at, protected, **fields)
    come_back(back_at or begun_at, begun)
    return begun, outcome(begun_at, begun)


def client_of(begun):
    return parameters_of(begun)["client_id"]


def test_two_gateways_on_one_redis_make_one(gateways, protected):
    answer = protected.issuer.answers[protected.register_path]

    def slowly(request):
        time.sleep(0.5)
        return answer(request)

    protected.issuer.answers[protected.register_path] = slowly
    with ThreadPoolExecutor(12) as pool:
        begun = list(pool.map(lambda number: begin(gateways[number % 2], protected), range(12)))
    assert len(protected.registrations) == 1 and len({client_of(one) for one in begun}) == 1
    # The other gateway takes the callback, and refreshes the token, as the same client.
    first, second = gateways
    come_back(second, begun[0])
    result = outcome(first, begun[0])
    assert result["status"] == "completed", result
    refreshed = second.api().call("POST", "/v1/tokens", {
        "resource": protected.url, "refresh_token": result["token_response"]["refresh_token"]})
    assert refreshed.status == 200, refreshed.body
    form = protected.token_requests[-1]["form"]
    assert form["client_id"] == client_of(begun[0]) and form["client_secret"] == SECRET
    assert len(protected.registrations) == 1


def test_two_gateways_serve_the_same_client_documents(gateways, protected):
    """The address follows from the resource, so the gateway that an issuer's fetch comes to need not have seen the sign-in."""
    protected.metadata["client_id_metadata_document_supported"] = True
    first, second = gateways
    begun = begin(first, protected)
    address = client_of(begun)
    for gateway in gateways:
        document = json.loads(gateway.visit(address).body)
        assert document["client_id"] == address and document["redirect_uris"] == [begun["redirect_uri"]]
    assert client_of(begin(second, protected)) == address and not protected.registrations


def test_a_refusal_at_one_gateway_counts_at_the_other(gateways, protected):
    first, second = gateways
    protected.refusal = "invalid_client"
    assert sign_in(first, protected)[1]["status"] == "failed"
    begun = begin(second, protected)
    assert len(protected.registrations) == 2
    come_back(first, begun)
    assert outcome(second, begun)["status"] == "failed"
    for gateway in gateways:
        assert begin(gateway, protected, 400)["error"] == "client_required"
    assert len(protected.registrations) == 2


def test_a_client_that_worked_is_replaced_as_often_as_the_issuer_forgets_it(durable, protected):
    """Only a client that was refused before any token came is a sign that no client would do."""
    for count in (1, 2, 3):
        protected.refusal = None
        begun, result = sign_in(durable, protected)
        assert result["status"] == "completed" and len(protected.registrations) == count
        protected.refusal = "invalid_client"
        reply = durable.api().call("POST", "/v1/tokens", {
            "resource": protected.url, "refresh_token": result["token_response"]["refresh_token"]})
        assert reply.status == 502 and reply.json["error"]["code"] == "invalid_client", reply.body
        # The token belonged to that client, so no client can refresh it.
        reply = durable.api().call("POST", "/v1/tokens", {"resource": protected.url, "refresh_token": "of-before"})
        assert reply.status == 400 and reply.json["error"] == "client_required"


def test_it_outlives_a_restart_and_is_sealed(durable, protected):
    begun, result = sign_in(durable, protected)
    client = client_of(begun)
    durable.kill()
    for file in durable.folder.glob("requests.db*"):
        content = file.read_bytes()
        assert SECRET.encode() not in content and client.encode() not in content, file
    durable.start()
    assert client_of(begin(durable, protected)) == client
    reply = durable.api().call("POST", "/v1/tokens", {
        "resource": protected.url, "refresh_token": result["token_response"]["refresh_token"]})
    assert reply.status == 200 and len(protected.registrations) == 1


def test_a_step_up_beyond_its_scope_registers_anew_in_its_place(durable, protected):
    begun, result = sign_in(durable, protected, scope="read")
    assert client_of(begin(durable, protected)) == client_of(begun)
    wider = begin(durable, protected, scope="write", previous_scopes="read")
    assert client_of(wider) != client_of(begun) and len(protected.registrations) == 2
    assert '"scope":"read write"' in protected.registrations[-1]["content"]
    # It replaces the first one, with that one's scopes, too.
    assert client_of(begin(durable, protected, scope="read")) == client_of(wider)
    come_back(durable, wider)
    assert outcome(durable, wider)["status"] == "completed" and len(protected.registrations) == 2


def test_a_begin_that_asks_for_more_takes_nobodys_refreshes_away(durable, protected):
    """Otherwise a caller that begins without a person could end the refreshes of all others."""
    begun, result = sign_in(durable, protected, scope="read")
    wider = begin(durable, protected, scope="everything")
    assert client_of(wider) != client_of(begun)
    refresh = {"resource": protected.url, "refresh_token": result["token_response"]["refresh_token"]}
    reply = durable.api().call("POST", "/v1/tokens", refresh)
    assert reply.status == 200 and protected.token_requests[-1]["form"]["client_id"] == client_of(begun)
    # Once tokens have come with the new client, it counts for them as well.
    come_back(durable, wider)
    assert outcome(durable, wider)["status"] == "completed"
    assert durable.api().call("POST", "/v1/tokens", refresh).status == 200
    assert protected.token_requests[-1]["form"]["client_id"] == client_of(wider) and len(protected.registrations) == 2


def test_apps_that_ask_for_different_scopes_share_a_client(durable, protected):
    """A new client covers the earlier one's scopes, so two apps do not replace each other's at each begin."""
    clients = [client_of(begin(durable, protected, scope=scope)) for scope in ("a", "b", "a", "b", "a b", "read")]
    assert len(protected.registrations) == 2 and len(set(clients)) == 2
    assert json.loads(protected.registrations[-1]["content"])["scope"].split() == ["b", "a", "read"]


def test_a_step_up_that_the_issuer_refuses_leaves_the_client(durable, protected):
    begun, _ = sign_in(durable, protected, scope="read")
    protected.issuer.answers[protected.register_path] = (400, JSON, {"error": "invalid_client_metadata"})
    assert begin(durable, protected, 400, scope="write")["error"] == "client_required"
    assert client_of(begin(durable, protected, scope="read")) == client_of(begun)


@pytest.mark.parametrize("ends, count", [(0, 1), (60, 2), (30 * 86400, 1)])
def test_a_secret_that_ends(durable, protected, ends, count):
    """If a client's secret would end before a sign-in, the next begin replaces the client."""
    protected.registered["client_secret_expires_at"] = ends and int(time.time()) + ends
    begin(durable, protected)
    begin(durable, protected)
    assert len(protected.registrations) == count


DAMAGES = {"other bytes": b"\x05other" + secrets.token_bytes(60), "nothing": b"", "too much": b"x" * 100_000,
           "the name of a key that nobody has": b"\x04gone" + secrets.token_bytes(60)}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_record_in_the_database_counts_as_none(durable, protected, name):
    begun = begin(durable, protected)
    durable.kill()
    with sqlite3.connect(durable.database) as database:
        assert database.execute("UPDATE registrations SET sealed = ?", (DAMAGES[name],)).rowcount == 1
    database.close()
    durable.start()
    other = begin(durable, protected)
    assert client_of(other) != client_of(begun) and len(protected.registrations) == 2
    assert client_of(begin(durable, protected)) == client_of(other)
    come_back(durable, other)
    assert outcome(durable, other)["status"] == "completed"


@pytest.mark.parametrize("name", [name for name in DAMAGES if name != "nothing"])
def test_a_writer_in_redis_without_a_key_makes_no_client(gateways, protected, redis, name):
    begun = begin(gateways[0], protected)
    with Writer(redis.port) as writer:
        [key] = writer.ask("KEYS", "*:g:*")
        writer.put(key, DAMAGES[name])
    other = begin(gateways[1], protected)
    assert client_of(other) != client_of(begun) and len(protected.registrations) == 2
    assert client_of(begin(gateways[0], protected)) == client_of(other)
    if name == "other bytes":
        assert "a client of a resource in the store was not written by a gateway" in gateways[1].output()


def test_a_record_of_another_resource_does_not_open(gateways, protected, redis):
    """It is sealed for its issuer and redirect URI, so a writer cannot give one issuer's client to another."""
    other = Protected()
    for gateway in gateways:
        gateway.configuration["resources"]["allow"].append({"url": other.url})
        gateway.write()
        gateway.stop()
        gateway.start()
    begun, theirs = begin(gateways[0], protected), begin(gateways[0], other)
    with Writer(redis.port) as writer:
        first, second = writer.ask("KEYS", "*:g:*")
        one, two = writer.ask("GET", first), writer.ask("GET", second)
        writer.put(first, two)
        writer.put(second, one)
    clients = {client_of(begun), client_of(theirs)}
    assert client_of(begin(gateways[1], protected)) not in clients and client_of(begin(gateways[1], other)) not in clients
    other.stop()


def test_a_store_that_fails_behind_the_registration(gateways, protected, redis):
    """The issuer has made a client that could not be kept: the begin fails, and the next one registers another client."""
    answer = protected.issuer.answers[protected.register_path]

    def and_the_store_dies(request):
        redis.kill()
        return answer(request)

    protected.issuer.answers[protected.register_path] = and_the_store_dies
    assert begin(gateways[0], protected, 503)["error"] == "temporarily_unavailable"
    protected.issuer.answers[protected.register_path] = answer
    redis.start()
    eventually(lambda: all(gateway.admin("/readyz").status == 200 for gateway in gateways), what="both gateways being ready")
    begun, result = sign_in(gateways[1], protected)
    assert result["status"] == "completed" and len(protected.registrations) == 2
    assert client_of(begin(gateways[0], protected)) == client_of(begun)


def test_a_gateway_that_dies_while_it_registers_holds_up_the_others_for_seconds_only(gateways, protected):
    answer = protected.issuer.answers[protected.register_path]

    def and_the_gateway_dies(request):
        gateways[0].kill()
        return answer(request)

    protected.issuer.answers[protected.register_path] = and_the_gateway_dies
    with pytest.raises(Exception):
        begin(gateways[0], protected)
    protected.issuer.answers[protected.register_path] = answer
    begin(gateways[1], protected)
    assert len(protected.registrations) == 2
    gateways[0].start()


def test_check_says_what_the_database_holds(durable, protected):
    begin(durable, protected)
    done = run("check", "--config", durable.file, "--store")
    assert done.returncode == 0, done.stdout + done.stderr
