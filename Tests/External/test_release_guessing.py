"""Wrong release proofs count across sign-ins, for each app and beginner's network."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.held import CODE, DEVICE, HoldingGateway, Place, Visit, begin, is_held, outcome, release, shown, via
from harness.issuer import authorize
from harness.programs import eventually
from harness.redis import RedisCluster, RedisServer, SharingGateway

WRONG, TICKET = {"code": "BCDF-GHJK"}, {"ticket": "A" * 22}
# How many wrong proofs of a network are judged in an hour.
MAXIMUM = 30


@pytest.fixture
def start(run_folder, issuer, tmp_path):
    """Makes gateways with a store."""
    programs = []

    def start(kind):
        store = f"sqlite:{tmp_path}/requests.db" if kind == "sqlite" else kind
        gateway = HoldingGateway(run_folder, issuer.base, store=store)
        programs.append(gateway)
        return gateway.start()

    yield start
    for program in programs:
        program.kill()


def hold(gateway, app=CODE, place=None):
    """A held sign-in that was begun at `place`."""
    pending = begin(gateway, app, api=place)
    Visit(gateway, pending)
    return pending


def guess(gateway, count, app=CODE, place=None, proof=WRONG):
    """Gives in so many wrong proofs, three for each sign-in, and says what was answered."""
    statuses = []
    while len(statuses) < count:
        pending = hold(gateway, app, place)
        statuses += [release(pending, **proof).status for _ in range(min(3, count - len(statuses)))]
    return statuses


def begin_reply(gateway, app=CODE, place=None):
    return (place or gateway.api()).call("POST", "/v1/requests", {"app": app})


def is_slowed_down(reply):
    wait = int(reply.header("Retry-After") or 0)
    return (reply.status, reply.json.get("error")) == (429, "slow_down") and 3500 < wait <= 3600


def warnings(gateway, expected=0):
    """The warnings, once there are as many as expected. The log writes lines some milliseconds after their events."""
    def lines():
        return [line for line in gateway.output().splitlines() if "event=release_guessed" in line]

    eventually(lambda: len(lines()) >= expected, what=f"{expected} warnings")
    return lines()


@pytest.mark.rule(8)
@pytest.mark.rule(11)
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_after_thirty_wrong_proofs_a_network_may_neither_begin_nor_release(start, kind):
    gateway = start(kind)
    place, neighbor, far = (Place(gateway, **via(f"198.51.{address}")) for address in ("100.7", "100.200", "101.7"))
    waiting = Visit(gateway, begin(gateway, api=place))
    assert guess(gateway, MAXIMUM - 1, place=place) == [403] * (MAXIMUM - 1)
    assert begin_reply(gateway, place=neighbor).status == 201 and warnings(gateway) == []
    assert guess(gateway, 1, place=neighbor) == [403], "the thirtieth is judged"
    for caller in (place, neighbor):
        assert is_slowed_down(begin_reply(gateway, place=caller))
    # The right code is not even compared, so an attacker learns no more.
    for proof in (WRONG, TICKET, {"code": waiting.code}):
        assert is_slowed_down(release(waiting.pending, **proof))
        assert is_slowed_down(release(waiting.pending, api=far, **proof)), "the beginner's network counts"
    assert is_held(waiting.pending), "nothing of that used up a try"
    # Others, and other apps, go on.
    assert guess(gateway, 1, place=far) == [403]
    assert begin_reply(gateway, DEVICE, place).status in (201, 400)
    assert release(hold(gateway, "com.contoso.network", place), **WRONG).status == 403
    warned = warnings(gateway, 1)
    assert len(warned) == 1 and "level=warning" in warned[0] and f"app={CODE} from=198.51.100.0/24" in warned[0]


@pytest.mark.rule(8)
def test_codes_and_tickets_count_together_and_right_ones_not_at_all(start):
    gateway = start("memory")
    place = Place(gateway, **via("198.51.100.7"))
    for _ in range(3):
        visit = Visit(gateway, begin(gateway, DEVICE, api=place))
        assert release(visit.pending, ticket=visit.ticket).status == 204
        assert outcome(visit.pending)["status"] == "completed"
    assert guess(gateway, 15, DEVICE, place, TICKET) == [403] * 15
    assert guess(gateway, 14, DEVICE, place, WRONG) == [403] * 14
    last = hold(gateway, DEVICE, place)
    assert release(last, **TICKET).status == 403
    assert is_slowed_down(release(last, **TICKET))


@pytest.mark.rule(8)
def test_a_right_proof_takes_back_the_wrong_ones_of_its_sign_in_and_no_others(start):
    gateway = start("memory")
    assert guess(gateway, 2) == [403] * 2
    for _ in range(16):
        visit = Visit(gateway, begin(gateway))
        assert [release(visit.pending, **WRONG).status for _ in range(2)] == [403] * 2
        assert release(visit.pending, code=visit.code).status == 204
    assert guess(gateway, 28) == [403] * 28
    assert is_slowed_down(begin_reply(gateway))


@pytest.mark.rule(8)
def test_an_ipv6_network_and_a_user_of_this_machine_count_as_one(start):
    gateway = start("memory")
    places = [Place(gateway, **via(f"2001:db8:1:{number:x}::{number}")) for number in range(10)]
    for place in places:
        assert guess(gateway, 3, place=place) == [403] * 3
    assert is_slowed_down(begin_reply(gateway, place=Place(gateway, **via("2001:db8:1:ffff::1"))))
    assert begin_reply(gateway, place=Place(gateway, **via("2001:db8:2::1"))).status == 201
    local = gateway.local_api()
    assert guess(gateway, MAXIMUM, place=local) == [403] * MAXIMUM
    assert is_slowed_down(begin_reply(gateway, place=local))
    assert begin_reply(gateway).status == 201, "by TCP it is another caller"
    assert sorted(line.split(" from=")[1].split()[0] for line in warnings(gateway, 2)) == ["2001:db8:1::/48", "uid:0"]


@pytest.mark.rule(8)
def test_guesses_that_come_all_at_once_are_no_more(start):
    gateway = start("memory")
    held = [hold(gateway) for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda pending: [release(pending, **WRONG).status for _ in range(3)], held))
    statuses = [status for reply in replies for status in reply]
    assert statuses.count(403) == MAXIMUM and statuses.count(429) == 30


# Gateways that share a store

@pytest.fixture
def redis(run_folder):
    program = RedisServer(run_folder).start()
    program.store = f"redis://127.0.0.1:{program.port}/0"
    yield program
    program.kill()


@pytest.fixture(params=["one server", "cluster"])
def any_redis(run_folder, request):
    if request.param == "one server":
        yield request.getfixturevalue("redis")
        return
    cluster = RedisCluster(run_folder).start()
    yield cluster
    cluster.kill()


@pytest.fixture
def start_on(run_folder, issuer):
    """Makes gateways on one Redis."""
    made = []

    def start(redis, count):
        for _ in range(count):
            port = made[0].callbacks_port if made else None
            made.append(SharingGateway(run_folder, issuer.base, redis.store, public_port=port))
            made[-1].start()
        return made[-count:]

    yield start
    for gateway in made:
        gateway.kill()


def held_at(gateway):
    pending = begin(gateway)
    assert gateway.visit(authorize(pending.authorization_url)).status == 303
    return pending


@pytest.mark.rule(8)
def test_gateways_on_one_redis_share_the_count(start_on, any_redis):
    one, other = start_on(any_redis, 2)
    held = [held_at(gateway) for gateway in (one, other) for _ in range(5)]
    last = held_at(other)
    for pending in held:
        assert [release(pending, **WRONG).status for _ in range(3)] == [403] * 3
    for gateway in (one, other):
        eventually(lambda gateway=gateway: is_slowed_down(begin_reply(gateway)), what="a gateway hearing of the other's")
    assert is_slowed_down(release(last, **WRONG))
    assert len(warnings(one) + warnings(other)) <= 2
    (late,) = start_on(any_redis, 1)
    eventually(lambda: is_slowed_down(begin_reply(late)), what="a gateway that started later knowing of it")
    assert begin_reply(late, DEVICE).status in (201, 400)


@pytest.mark.rule(8)
def test_a_right_proof_takes_the_wrong_ones_back_at_every_gateway(start_on, redis):
    one, other = start_on(redis, 2)
    mistyped = begin(one)
    callback = one.visit(authorize(mistyped.authorization_url))
    page = one.visit(one.url(callback.header("Location")), headers={"Cookie": callback.header("Set-Cookie").split(";")[0]})
    held = [held_at(one) for _ in range(10)]
    assert [release(mistyped, **WRONG).status for _ in range(2)] == [403] * 2
    assert redis.ask("ZCARD", "switchyard:{0}:w") == "2"
    assert release(mistyped, code=shown(page.text, "release-code")).status == 204
    assert redis.ask("ZCARD", "switchyard:{0}:w") == "0"
    for pending in held[1:]:
        assert [release(pending, **WRONG).status for _ in range(3)] == [403] * 3
    assert [release(held[0], **WRONG).status for _ in range(2)] == [403] * 2
    assert begin_reply(other).status == 201, "29 count"
    assert release(held[0], **WRONG).status == 403
    eventually(lambda: is_slowed_down(begin_reply(other)), what="the other gateway hearing of it")


@pytest.mark.rule(8)
def test_a_gateway_that_did_not_hear_learns_of_it_when_redis_is_back(start_on, redis):
    one, other = start_on(redis, 2)
    held = [held_at(one) for _ in range(10)]
    redis.ask("CLIENT", "KILL", "TYPE", "pubsub")
    for pending in held:
        assert [release(pending, **WRONG).status for _ in range(3)] == [403] * 3
    eventually(lambda: is_slowed_down(begin_reply(other)), what="the other gateway knowing of it")


def test_a_sign_in_that_goes_well_asks_redis_for_nothing_more(start_on, redis):
    (gateway,) = start_on(redis, 1)
    time.sleep(0.1)
    assert redis.ask("EXISTS", "switchyard:{0}:w") == "0"
    visit = Visit(gateway, begin(gateway))
    assert release(visit.pending, code=visit.code).status == 204
    assert redis.ask("EXISTS", "switchyard:{0}:w") == "0", "only a wrong proof writes"
