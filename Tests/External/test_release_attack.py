"""Rule 8, end to end: an attacker begins and listens in every way; a victim's browser completes the sign-in."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.held import CODE, DEVICE, NETWORK, SCHEME, HoldingGateway, Place, Visit, begin, is_held, outcome
from harness.held import release, via

ATTACKER = via("198.51.100.7")


@pytest.fixture(scope="module")
def holding(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


class Attacker:
    """The program that began: it has the result token, the links, the state and the reference, and notes all answers."""

    def __init__(self, gateway, app, completion):
        self._gateway, self._place = gateway, Place(gateway, **ATTACKER)
        fields = {"state": f"a-state-of-an-attacker-{app}-0001"} if completion == "response" else {}
        self.pending = begin(gateway, app, api=self._place, completion=completion, **fields)
        self.heard = []

    def listen(self, pool):
        self._waiting = [pool.submit(self.pending.poll, wait=60), pool.submit(lambda: list(self.pending.events()))]

    def try_everything(self):
        """Short of giving up: what could bring the code, the tokens, or the page of the victim."""
        done = self._gateway.url(f"/done/{self.pending.reference}")
        form = {"Content-Type": "application/x-www-form-urlencoded"} | ATTACKER["headers"]
        name = f"__Host-sy-done-{self.pending.reference}"
        for value in ("", "x", self.pending.id, self.pending.token, f"{self.pending.id}.{'A' * 22}"):
            self._hear(self._gateway.browse(done, headers=ATTACKER["headers"] | {"Cookie": f"{name}={value}"}))
        self._hear(self._gateway.browse(done, method="POST", body=b"answer=me", headers=form))
        self._hear(self._gateway.browse(self.pending.start_url, **ATTACKER))
        callback = f"{self.pending.redirect_uri}?state={self.pending.state}&code=a-code-of-the-attackers-own"
        self._hear(self._gateway.browse(callback, **ATTACKER))
        for accept in ("application/json", "text/html", "*/*"):
            self._hear(self._place.call("GET", self.pending.path, token=self.pending.token, headers={"Accept": accept}))
        self._hear(self._place.call("POST", "/v1/callbacks", {"url": callback}))

    def guess(self):
        statuses = []
        for proof in ({"code": "BCDFGH"}, {"ticket": "A" * 22}, {"code": self.pending.reference}, {"code": "BCDFGJ"}):
            reply = release(self.pending, **proof)
            self._hear(reply)
            statuses.append(reply.status)
        return statuses

    def everything(self):
        """All that was heard, once the streams have ended."""
        return str([self.heard, [waiting.result(timeout=60) for waiting in self._waiting]])

    def _hear(self, answer):
        self.heard.append((answer.status, str(answer.headers), answer.body))


@pytest.mark.rule(8)
@pytest.mark.parametrize("completion", ["tokens", "response"])
@pytest.mark.parametrize("app", [CODE, NETWORK, DEVICE, SCHEME])
def test_an_attacker_hears_nothing_of_what_the_victim_signed_in_to(holding, issuer, app, completion):
    attacker = Attacker(holding, app, completion)
    with ThreadPoolExecutor() as pool:
        attacker.listen(pool)
        victim = Visit(holding, attacker.pending)
        secrets = [victim.authorization_code, victim.cookie.split("=", 1)[1]]
        secrets.append(victim.ticket if app in (DEVICE, SCHEME) else victim.code)
        attacker.try_everything()
        assert is_held(attacker.pending), "nothing of that has ended or released it"
        assert attacker.guess() == [403, 403, 403, 409]
        heard = attacker.everything()
    assert "release_failed" in heard
    assert not any(secret in heard for secret in [*secrets, "access_token", "id_token"])
    assert issuer.times_redeemed(victim.authorization_code) == 0
    assert "not signed in" in victim.page().text


@pytest.mark.rule(8)
@pytest.mark.parametrize("app", [CODE, NETWORK, DEVICE, SCHEME])
def test_the_same_story_ends_well_where_one_person_began_and_signed_in(holding, issuer, app):
    pending = begin(holding, app, api=Place(holding, **ATTACKER))
    visit = Visit(holding, pending)
    assert is_held(pending) and issuer.times_redeemed(visit.authorization_code) == 0
    proof = {"ticket": visit.ticket} if app in (DEVICE, SCHEME) else {"code": visit.code}
    assert release(pending, **proof).status == 204
    assert outcome(pending)["status"] == "completed" and issuer.times_redeemed(visit.authorization_code) == 1
