"""The `redirect` handler: pure dispatch, byte for byte."""

import pytest

TARGET = "x-legacy://callback"

QUERIES = [
    "code=abc&state=def",
    "code=a%2Bb%2bc+d&state=%7E~",
    "state=1&code=2&code=3&error=x",
    "a=%C3%A9&b=%00%0d%0aX-Injected:%20yes&c=%zz",
    "redirect_uri=https://evil.example/&next=//evil.example",
    "&&=&a&;b='",
    "q=a?b/c:d@e!$&'()*+,;=",
    "p=" + "x" * 6000,
]


@pytest.mark.rule(1)
@pytest.mark.parametrize("query", QUERIES, ids=range(len(QUERIES)))
def test_the_query_goes_on_byte_for_byte(gateway, query):
    answer = gateway.browse(gateway.url(f"/legacy?{query}"))
    assert answer.status in (302, 303)
    assert answer.header("Location") == f"{TARGET}?{query}"
    assert answer.header("X-Injected") is None
    assert answer.header("Referrer-Policy") == "no-referrer" and "no-store" in answer.header("Cache-Control")


def test_no_query_stays_none(gateway):
    assert gateway.browse(gateway.url("/legacy")).header("Location") in (TARGET, TARGET + "?")


def test_a_form_is_refused(gateway):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = gateway.browse(gateway.url("/legacy"), method="POST", headers=headers, body=b"code=abc&state=def")
    assert answer.status == 405 and "GET" in answer.header("Allow")


@pytest.mark.rule(2)
@pytest.mark.parametrize("path", ["/legacy/", "/legacy/x", "/Legacy", "//legacy", "/legacy%2f"])
def test_only_its_own_path_is_dispatched(gateway, path):
    assert gateway.browse(gateway.url(f"{path}?code=abc")).status == 404


def test_it_begins_no_requests(gateway, api):
    reply = api.begin_reply("com.contoso.legacy")
    assert reply.status == 400
