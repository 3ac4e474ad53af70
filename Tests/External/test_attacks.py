"""Every attack string against a gateway, byte for byte, while a sign-in is pending. For each, the answer is no success,
does not redirect the browser, and repeats no part of the attack. The last is shown by counting: with a reflection, answers
would differ more than refusals do.
"""

import re
from urllib.parse import quote_from_bytes, urlsplit

import pytest

from harness.attacks import of_kind
from harness.issuer import authorize
from harness.wire import Closed

APP = "com.contoso.app1"
# Pages and APIs answer with these fields and no others.
FIELDS = {
    "date", "content-type", "content-length", "content-security-policy", "content-language", "cache-control",
    "referrer-policy", "x-content-type-options", "vary", "connection", "allow",
}
REFUSALS = {400, 404, 405, 413, 414, 415, 417, 431, 501, 505}


@pytest.fixture(scope="module")
def victim(gateway):
    """A sign-in that is pending all along: its state, issuer and (true) callback."""
    api = gateway.api()
    pending = api.begin(APP, scope="openid profile")
    callback = authorize(pending.authorization_url)
    parameters = dict(part.split("=", 1) for part in urlsplit(callback).query.split("&"))
    yield pending, callback, parameters
    # At the end the request is untouched, and a good callback completes it, with a code that the issuer still knows.
    assert pending.is_untouched()
    assert gateway.browse(authorize(pending.authorization_url)).status == 303
    assert pending.outcome()["status"] == "completed"


class Answers:
    """The answers to one kind of attack."""

    def __init__(self, gateway):
        self._gateway = gateway
        self._host = f"localhost:{gateway.callbacks_port}"
        self._wire = None
        self.bodies = set()

    def send(self, attack, data):
        """Sends a whole request and returns its answer, after what holds for every answer was looked at."""
        answer = self._exchange(data)
        where = f"line {attack.line}: {answer.status} {answer.headers}"
        names = {name.lower() for name, _ in answer.headers}
        assert names <= FIELDS | {"location"} | ({"refresh"} if answer.status in (414, 431) else set()), where
        # An address that holds a code is left for a page of ours.
        assert (answer.header("Refresh") or "0; url=/start/refused/").startswith("0; url=/start/refused/"), where
        assert len(names) == len(answer.headers), where
        head = "".join(f"{name}: {value}\n" for name, value in answer.headers).lower()
        location = answer.header("Location")
        if location is None:
            assert "evil" not in head and "injected" not in head, where
        else:
            # Pure dispatch keeps the query with its escapes; no other answer redirects.
            query = re.match(rb"GET /legacy(\?[^ ]*)? ", data)[1] or b""
            assert (answer.status, location) == (302, "x-legacy://callback" + query.decode()), where
        assert b"evil" not in answer.body.lower() and b"injected" not in answer.body.lower(), where
        # Pages of refusals differ only in their reference.
        self.bodies.add((answer.status, re.sub(rb'(?<=<dd id="reference">)[0-9A-Z]{10}', b"", answer.body)))
        return answer

    def get(self, attack, target, host=None):
        host = self._host.encode() if host is None else host
        return self.send(attack, b"GET " + target + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")

    def post(self, attack, target, content):
        head = b"POST " + target + b" HTTP/1.1\r\nHost: " + self._host.encode()
        head += b"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(content)
        return self.send(attack, head + content)

    def _exchange(self, data):
        """On one connection for as long as the gateway keeps it."""
        if self._wire is not None:
            try:
                return self._answer(data)
            except (Closed, OSError):
                self.close()
        self._wire = self._gateway.wire()
        return self._answer(data)

    def _answer(self, data):
        answer = self._wire.exchange(data, head=data.startswith(b"HEAD "))
        if (answer.header("Connection") or "").lower() == "close":
            self.close()
        return answer

    def close(self):
        if self._wire is not None:
            self._wire.socket.close()
            self._wire = None


@pytest.fixture
def answers(gateway):
    answers = Answers(gateway)
    yield answers
    answers.close()
    assert gateway.admin("/healthz").status == 200
    assert len(answers.bodies) <= 20, [(status, body[:300]) for status, body in answers.bodies]


def fill(attack, parameters):
    """Attacks with the values of a pending request. A well-formed response names no request, so that it belongs to none."""
    known = {"state": parameters["state"], "code": "a-code-of-an-attacker", "iss": parameters.get("iss", "x")}
    return attack.filled(**known)


@pytest.mark.rule(4)
def test_parameters(answers, victim):
    for attack in of_kind("response"):
        answer = answers.get(attack, b"/app1/auth?" + fill(attack, victim[2]))
        assert answer.status in (400, 413, 414), f"line {attack.line}: {answer.status}"
    assert victim[0].is_untouched()


@pytest.mark.rule(4)
def test_parameters_in_a_content(answers, victim):
    for attack in of_kind("post"):
        query, _, content = fill(attack, victim[2]).partition(b" ")
        target = b"/app1/auth" + (b"?" + query if query else b"")
        answer = answers.post(attack, target, content)
        assert answer.status in (400, 405), f"line {attack.line}: {answer.status}"
    assert victim[0].is_untouched()


@pytest.mark.rule(2)
def test_paths(answers, victim):
    query = urlsplit(victim[1]).query.encode()
    for attack in of_kind("path"):
        answer = answers.get(attack, attack.data + b"?" + query)
        assert answer.status in (400, 404, 414), f"line {attack.line}: {answer.status}"
    assert victim[0].is_untouched()


@pytest.mark.rule(2)
def test_hosts(gateway, answers, victim):
    target = ("/app1/auth?" + urlsplit(victim[1]).query).encode()
    for attack in of_kind("host"):
        # The name that the file attacks is the gateway's own here.
        for host in {attack.data, attack.data.replace(b"login.contoso.com", b"localhost")}:
            answer = answers.get(attack, target, host)
            assert answer.status in (400, 404), f"line {attack.line}: {answer.status}"
    assert victim[0].is_untouched()


@pytest.mark.rule(1)
@pytest.mark.parametrize("parameter", ["redirect_uri", "state", "iss"])
def test_a_parameter_chooses_no_address(answers, parameter):
    for attack in of_kind("uri"):
        if len(attack.data) < 2500:
            value = quote_from_bytes(attack.data, safe="").encode()
            rest = b"" if parameter == "state" else b"&state=nobody"
            answer = answers.get(attack, b"/app1/auth?code=a" + rest + b"&" + parameter.encode() + b"=" + value)
            assert answer.status == 400, f"line {attack.line}"


@pytest.mark.rule(1)
def test_a_path_chooses_no_address(answers):
    for attack in of_kind("uri"):
        if len(attack.data) < 2500:
            # A target begins with a slash or with a scheme; any other beginning is refused for that.
            whole = {attack.data} if attack.data[:1] == b"/" or attack.data[:4].lower() == b"http" else set()
            for target in whole | {b"/" + quote_from_bytes(attack.data).encode()}:
                answer = answers.get(attack, target)
                assert answer.status in (400, 404, 505), f"line {attack.line}: {answer.status}"


def test_strings(api, victim):
    query = urlsplit(victim[1]).query
    for attack in of_kind("callback"):
        text = attack.data.decode()
        if attack.expectation != "app1":
            # With the parameters of the pending request, which must not help.
            reply = api.relay(text.replace("code=a", query) if len(text) < 2000 else text)
            assert reply.status in (200, 400, 404, 409, 413), f"line {attack.line}: {reply.status}"
            assert reply.status != 200 or reply.json.get("handled") is False, f"line {attack.line}: {reply.body}"
            assert b"evil" not in reply.body, f"line {attack.line}: {reply.body}"
    assert victim[0].is_untouched()


def test_whole_requests(gateway, answers):
    host = f"localhost:{gateway.callbacks_port}"
    for attack in of_kind("request"):
        answer = answers.send(attack, attack.filled(host=host) + b"\r\n\r\n")
        assert answer.status == int(attack.expectation), f"line {attack.line}: {answer.status}"
        assert answer.status in REFUSALS | {204, 302}, f"line {attack.line}: {answer.status}"
