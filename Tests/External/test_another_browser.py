"""With `require_start` a code that came first in another browser is dead for its request: a copied address is of no use."""

import secrets
from urllib.parse import quote, urlencode

import pytest

from harness.jar import LaxJar
from harness.modes import MODES, Arrival, ModesGateway, answer_of, is_sent_away
from harness.signin import well_behaved

STARTED = [f"{name}start" for name in MODES]


@pytest.fixture(scope="module")
def modes(request, run_folder, issuer):
    gateway = ModesGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    return gateway


class SignIn:
    """The attacker began it and opened its start address; the victim signs in in a browser of their own."""

    def __init__(self, modes, name, demo="auto"):
        self.modes, self.name, self.attacker = modes, name, LaxJar(modes)
        self.arrival = Arrival(modes, name, demo=demo)
        self.pending = self.arrival.pending
        self.url = self.attacker.get(self.pending.start_url).header("Location")

    def answer(self):
        return answer_of(well_behaved(self.url))

    def bring(self, fields, browser):
        """Follows the issuer's page like a browser; returns the addresses on the way, and the last answer."""
        mode = self.arrival.mode
        if mode.startswith("query") or mode == "jwt":
            address = f"{self.arrival.target}?{urlencode(fields)}"
            return [address], browser.get(address)
        answer = browser.post(self.arrival.target, urlencode(fields).encode(), mode.startswith("form_post"))
        if answer.status == 303 and answer.header("Location").startswith("/start/"):
            address = self.modes.url(answer.header("Location"))
            return [address], browser.get(address)
        return [], answer

    def ends_well(self):
        _, answer = self.bring(self.answer(), self.attacker)
        return answer.header("Location") == f"/done/{self.pending.reference}" and \
            self.pending.outcome()["status"] == "completed"


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", STARTED)
def test_a_copied_address_is_dead(modes, name):
    sign_in = SignIn(modes, name)
    fields = sign_in.answer()
    seen, answer = sign_in.bring(fields, LaxJar(modes))
    assert is_sent_away(answer, sign_in.pending) and sign_in.pending.is_untouched()
    for address in seen:
        assert is_sent_away(sign_in.attacker.get(address), sign_in.pending)
    _, again = sign_in.bring(fields, sign_in.attacker)
    assert is_sent_away(again, sign_in.pending) and sign_in.pending.is_untouched()
    assert sign_in.ends_well(), "another code is as good as ever"


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", ["querystart", "formstart", "jwtstart"])
def test_the_page_says_so_and_shows_nothing_else(modes, name):
    sign_in, victim = SignIn(modes, name), LaxJar(modes)
    _, answer = sign_in.bring(sign_in.answer(), victim)
    page = victim.get(modes.url(answer.header("Location")))
    assert page.status == 200 and "started in another browser" in page.text
    assert sign_in.pending.reference in page.text and "start</" not in page.text and sign_in.pending.id not in page.text
    assert page.header("Cache-Control") == "no-store" and page.header("Referrer-Policy") == "no-referrer"
    french = victim.get(modes.url(answer.header("Location")), **{"Accept-Language": "fr"})
    assert 'lang="fr"' in french.text and "autre navigateur" in french.text


@pytest.mark.rule(8)
def test_spelled_in_another_way_it_is_the_same_code(modes):
    sign_in = SignIn(modes, "querystart")
    fields = dict(sign_in.answer())
    _, answer = sign_in.bring(list(fields.items()), LaxJar(modes))
    assert is_sent_away(answer, sign_in.pending)
    for code in ("".join(f"%{ord(letter):02X}" for letter in fields["code"]), quote(fields["code"]) + "&x=y"):
        others = urlencode({name: value for name, value in fields.items() if name != "code"})
        copied = f"{sign_in.arrival.target}?{others}&code={code}"
        assert is_sent_away(sign_in.attacker.get(copied), sign_in.pending)
    assert sign_in.ends_well()


@pytest.mark.rule(8)
@pytest.mark.parametrize("name", STARTED)
def test_the_third_such_code_ends_it(modes, name):
    sign_in, victim = SignIn(modes, name), LaxJar(modes)
    first = sign_in.answer()
    for fields in (first, first, sign_in.answer()):
        assert is_sent_away(sign_in.bring(fields, victim)[1], sign_in.pending)
        assert sign_in.pending.is_untouched(), "the same one counts once"
    assert is_sent_away(sign_in.bring(sign_in.answer(), victim)[1], sign_in.pending)
    assert sign_in.pending.failure()["code"] == "release_failed"
    assert sign_in.bring(sign_in.answer(), sign_in.attacker)[1].status == 400


@pytest.mark.rule(10)
@pytest.mark.parametrize("method, headers, status", [
    ("HEAD", {}, 204), ("GET", {"Sec-Purpose": "prefetch"}, 503),
])
def test_looking_ahead_kills_nothing(modes, method, headers, status):
    sign_in = SignIn(modes, "querystart")
    address = f"{sign_in.arrival.target}?{urlencode(sign_in.answer())}"
    assert modes.browse(address, method=method, headers=headers).status == status
    answer = sign_in.attacker.get(address)
    assert answer.header("Location") == f"/done/{sign_in.pending.reference}"


@pytest.mark.rule(3)
def test_a_response_of_another_issuer_does_not_count(modes):
    sign_in = SignIn(modes, "querystart")
    for _ in range(4):
        fields = dict(sign_in.answer()) | {"iss": "https://evil.example", "code": secrets.token_urlsafe(16)}
        assert sign_in.bring(list(fields.items()), LaxJar(modes))[1].status == 400
    assert sign_in.pending.is_untouched() and sign_in.ends_well()


@pytest.mark.rule(6)
def test_a_used_state_with_another_code_is_a_conflict_in_any_browser(modes):
    sign_in = SignIn(modes, "querystart")
    assert sign_in.ends_well()
    assert sign_in.bring(sign_in.answer(), LaxJar(modes))[1].status == 409
    assert sign_in.pending.outcome()["status"] == "completed"


@pytest.mark.parametrize("path, method, status", [
    ("/done/{}/another-browser", "GET", 200), ("/done/{}/another-browser", "POST", 405),
    ("/done/{}/another-browser/", "GET", 404), ("/done/{}/", "GET", 404), ("/done/x/another-browser", "GET", 404),
])
def test_the_address_of_the_page_is_exact(modes, path, method, status):
    reference = SignIn(modes, "querystart").pending.reference
    assert modes.browse(modes.url(path.format(reference)), method=method).status == status
