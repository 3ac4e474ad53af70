"""A writer in Redis without the gateways' keys: it can only delete a whole record or put an old one back
(docs/threat-model.md, "A writer in the store")."""

import base64
import hashlib
import secrets
import socketserver
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import ECKey

from harness.held import CODE, NETWORK, NONE, Place, Visit, begin, finish_properly, is_held, release, shown, via
from harness.issuer import authorize
from harness.programs import eventually
from harness.redis import RedisServer, SharingGateway, Writer
from harness.vault import VAULT

KEY = ECKey.generate_key("P-256")
INSIDE, ELSEWHERE = "192.168.7.20", "192.168.7.21"


@pytest.fixture(scope="module")
def redis(request, run_folder):
    program = RedisServer(run_folder).start()
    request.addfinalizer(program.kill)
    return program


@pytest.fixture(scope="module")
def gateway(request, run_folder, issuer, redis):
    gateway = SharingGateway(run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}/0").start()
    request.addfinalizer(gateway.kill)
    return gateway


@pytest.fixture
def writer(redis):
    with Writer(redis.port) as writer:
        yield writer


def digest(text):
    return hashlib.sha256(text.encode()).digest()


def short(text):
    """As a record has the digest of a token."""
    return digest(text)[:16]


def thumbprint(key):
    return base64.urlsafe_b64decode(key.thumbprint() + "=")


def code_of(callback):
    return parse_qs(urlsplit(callback).query)["code"][0]


def is_unknown(pending, token=None):
    return pending.poll(token=token).status in (401, 404)


def is_lost(gateway, issuer, pending, **options):
    """Its callback finds no request, and its code is not sent."""
    callback = authorize(pending.authorization_url)
    answer = gateway.browse(callback, **options)
    return answer.status == 400 and issuer.times_redeemed(code_of(callback)) == 0


def has_warned(gateway, since=0):
    return "event=store_warning" in gateway.output()[since:] and "encryption_keys" in gateway.output()[since:]


# Fields of a record


def test_a_foreign_result_token_opens_nothing_before_the_callback(gateway, issuer, writer):
    pending, mine = begin(gateway, NONE), secrets.token_urlsafe(32)
    writer.change(pending, short(pending.token), short(mine))
    assert is_unknown(pending, token=mine) and is_unknown(pending)
    assert is_lost(gateway, issuer, pending)
    eventually(lambda: has_warned(gateway), what="the warning")


def test_a_foreign_result_token_opens_no_tokens(gateway, writer):
    pending, mine = begin(gateway, NONE), secrets.token_urlsafe(32)
    Visit(gateway, pending)
    eventually(lambda: pending.poll().status == 200, what="the tokens")
    key, value = writer.record(pending)
    writer.change(pending, short(pending.token), short(mine))
    assert is_unknown(pending, token=mine)
    writer.put(key, value)
    assert pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
def test_a_foreign_address_of_the_beginner_releases_nothing(gateway, issuer, writer):
    pending = begin(gateway, NETWORK, api=Place(gateway, **via(INSIDE)))
    writer.change(pending, INSIDE.encode(), ELSEWHERE.encode())
    assert is_lost(gateway, issuer, pending, **via(ELSEWHERE))


@pytest.mark.rule(8)
def test_another_release_decides_nothing(gateway, issuer, writer):
    """A code that waits for its release, in a record that says that it was released."""
    pending = begin(gateway, CODE)
    visit = Visit(gateway, pending)
    assert is_held(pending)
    key, value = writer.record(pending)
    start = value.index(base64.urlsafe_b64decode(pending.id + "=="))
    for place in range(9, start):
        writer.put(key, value[:place] + bytes([value[place] ^ 1]) + value[place + 1:])
        assert pending.poll().status != 200
    writer.put(key, value)
    assert finish_properly(visit, issuer)


def test_a_foreign_key_proves_nothing(gateway, writer):
    mine = ECKey.generate_key("P-256")
    pending = begin(gateway, NONE, result_key=KEY.as_dict(private=False), result_proof=True)
    assert pending.poll().status == 401, "it wants a proof"
    writer.change(pending, thumbprint(KEY), thumbprint(mine))
    assert pending.poll().status == 404


def test_a_request_keeps_its_need_for_proofs(gateway, writer):
    pending = begin(gateway, NONE, result_key=KEY.as_dict(private=False), result_proof=True)
    key, value = writer.record(pending)
    # The flags are a number right before the id, in groups of seven bits, of which all but the last have their high bit.
    end = value.index(base64.urlsafe_b64decode(pending.id + "=="))
    first = end - 1
    while value[first - 1] & 0x80:
        first -= 1
    assert end - first >= 2 and value[first + 1] & 0x20, "bit 12 is the key's"
    changed = bytearray(value.replace(thumbprint(KEY), b""))
    changed[first + 1] &= ~0x20
    writer.put(key, bytes(changed))
    assert pending.poll().status in (401, 404)


# Whole records


def test_the_record_of_another_request_is_not_taken_for_this_one(gateway, writer):
    theirs, mine = begin(gateway, NONE), begin(gateway, NONE)
    Visit(gateway, theirs)
    assert theirs.outcome()["status"] == "completed"
    key, _ = writer.record(mine)
    writer.put(key, writer.record(theirs)[1])
    assert mine.poll().status == 404 and mine.delete().status == 404
    assert mine.poll(token=theirs.token).status == 404
    assert theirs.outcome()["status"] == "completed"


def test_a_record_that_was_put_back_gives_nobody_tokens_a_second_time(gateway, issuer, writer):
    """The effect of a replay: the same callback is taken again, and its code is sent again. The issuer refuses it."""
    pending = begin(gateway, NONE)
    key, value = writer.record(pending)
    callback = authorize(pending.authorization_url)
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    writer.put(key, value)
    assert gateway.browse(callback).status == 303
    assert pending.failure()["code"] and issuer.times_redeemed(code_of(callback)) == 2


@pytest.mark.rule(8)
def test_a_record_that_was_put_back_is_released_by_its_code_only(gateway, issuer, writer):
    """A replay gives tries back. It gives no caller the code, and a browser no new right."""
    pending = begin(gateway, CODE)
    visit = Visit(gateway, pending)
    key, value = writer.record(pending)
    for _ in range(4):
        wrong = release(pending, code="BCDFGHJK")
        assert wrong.status in (403, 429)
        writer.put(key, value)
    assert is_held(pending) and issuer.times_redeemed(visit.authorization_code) == 0


# Records without a signature, and of other keys


def test_a_record_without_a_signature_is_no_request(gateway, issuer, writer):
    """As an earlier version wrote it: to believe such a record would let a writer leave the signature out."""
    pending, since = begin(gateway, NONE), len(gateway.output())
    key, value = writer.record(pending)
    start = value.index(base64.urlsafe_b64decode(pending.id + "=="))
    form = value.index(b"k1") + 2
    assert form < start
    writer.put(key, value[:8] + value[form:-16])
    assert pending.poll().status == 404 and is_lost(gateway, issuer, pending)
    eventually(lambda: "without a signature" in gateway.output()[since:], what="the warning")


def test_a_record_of_keys_that_this_gateway_does_not_have_waits_for_one_that_has_them(
        run_folder, issuer, redis, gateway):
    class Other(SharingGateway):
        KEY = secrets.token_hex(32)

    other = Other(run_folder, issuer.base, f"redis://127.0.0.1:{redis.port}/0", public_port=gateway.callbacks_port)
    other.configuration["encryption_keys"][0]["id"] = "k2"
    other.start()
    try:
        pending = begin(gateway, NONE)
        callback = authorize(pending.authorization_url)
        assert other.visit(callback).status == 503
        eventually(lambda: "event=key_missing" in other.output() and "id=k1" in other.output(), what="the missing key")
        assert "event=store_failed" not in other.output() and other.admin("/healthz").status == 200
        assert gateway.visit(callback).status == 303
        assert pending.outcome()["status"] == "completed"
    finally:
        other.kill()


# Numbers


@pytest.mark.parametrize("first, last", [(0, -1), (5, 1), (-(1 << 63), (1 << 63) - 1)])
def test_a_node_that_names_no_range_of_slots_ends_no_gateway(run_folder, issuer, first, last):
    """A server in the place of a node chooses every number."""
    asked = []
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Node) as server:
        server.daemon_threads = True
        port = server.server_address[1]
        server.slots = b"*1\r\n*3\r\n:%d\r\n:%d\r\n*2\r\n$9\r\n127.0.0.1\r\n:%d\r\n" % (first, last, port)
        server.asked = asked
        threading.Thread(target=server.serve_forever, daemon=True).start()
        gateway = SharingGateway(run_folder, issuer.base, {"redis": {"cluster": [f"127.0.0.1:{port}"]}})
        gateway._is_ready = lambda: len(asked) > 2
        gateway.start()
        try:
            assert gateway.admin("/healthz").status == 200 and gateway.admin("/readyz").status == 503
        finally:
            gateway.kill()
            server.shutdown()


class Node(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            words = []
            for _ in range(int(line[1:])):
                words.append(self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2])
            if words[0] == b"CLUSTER":
                self.server.asked.append(words)
                self.wfile.write(self.server.slots)
            else:
                self.wfile.write(b"+OK\r\n")


def test_the_largest_numbers_in_redis_end_no_gateway(gateway, redis, writer):
    pending = begin(gateway, NONE)
    history = f"switchyard:{{0}}:h:{pending.reference}"
    eventually(lambda: writer.ask("HGET", history, "begun"), what="the history")
    writer.ask("HSET", history, "begun", f"0 0 {(1 << 63) - 1} 0 ")
    counts = "switchyard:{0}:c"
    before = writer.ask("HGETALL", counts)
    assert before, "requests are counted there"
    try:
        for value in b"\xff" * 18, b"\xff" * 1800, b"\xff" * 17, b"\x00" * 18, b"9999999999:1:1:1":
            for field in before[::2]:
                writer.ask("HSET", counts, field, value)
            for path in "/readyz", "/metrics", "/v1/status":
                assert gateway.admin(path).status in (200, 503)
        for _ in range(3):
            pending.poll()
            assert gateway.admin(f"/v1/sign-ins/{pending.reference}").status == 200
    finally:
        writer.ask("HSET", counts, *before)
    assert gateway.admin("/healthz").status == 200
