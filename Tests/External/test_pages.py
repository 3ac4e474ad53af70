"""The done page: its words, its readers, and its policy for content."""

import re

import pytest

from harness.issuer import authorize

APP = "com.contoso.app1"


@pytest.fixture
def done(gateway, signed_in):
    """(request, address of its done page, the browser's cookie)."""
    pending, callback = signed_in
    answer = gateway.browse(callback)
    assert answer.status == 303
    return pending, gateway.url(f"/done/{pending.reference}"), answer.header("Set-Cookie").split(";")[0]


def test_the_browser_that_signed_in_sees_its_app(gateway, done):
    pending, address, cookie = done
    page = gateway.browse(address, headers={"Cookie": cookie})
    assert page.status == 200 and "Contoso Mail" in page.text and pending.reference in page.text


def test_anyone_else_sees_a_neutral_page(gateway, done):
    _, address, cookie = done
    name = cookie.partition("=")[0]
    for headers in ({}, {"Cookie": f"{name}=" + "A" * 43}):
        page = gateway.browse(address, headers=headers)
        assert "Contoso Mail" not in page.text
    unknown = gateway.browse(gateway.url("/done/AAAA-AAAA"))
    assert "Contoso Mail" not in unknown.text


def test_the_host_label_is_shown_to_that_browser_only(gateway, api):
    pending = api.begin(APP, host_label="dev-vm.17")
    cookie = gateway.browse(authorize(pending.authorization_url)).header("Set-Cookie").split(";")[0]
    address = gateway.url(f"/done/{pending.reference}")
    assert "dev-vm.17" in gateway.browse(address, headers={"Cookie": cookie}).text
    assert "dev-vm.17" not in gateway.browse(address).text


def test_the_page_says_whether_the_app_has_collected_its_tokens(gateway, done):
    pending, address, cookie = done
    before = gateway.browse(address, headers={"Cookie": cookie}).text
    assert "not collected it yet" in before
    assert pending.outcome()["status"] == "completed"
    assert pending.delete().status == 204
    after = gateway.browse(address, headers={"Cookie": cookie})
    assert after.status == 200 and "You are signed in" in after.text


def test_a_refusal_is_told(gateway, api):
    pending = api.begin(APP, demo="deny")
    cookie = gateway.browse(authorize(pending.authorization_url)).header("Set-Cookie").split(";")[0]
    page = gateway.browse(gateway.url(f"/done/{pending.reference}"), headers={"Cookie": cookie})
    assert "not signed in" in page.text.lower() and "Contoso Mail" in page.text


@pytest.mark.parametrize("languages, expected", [
    ("fr-CA, en;q=0.5", "fr"), ("en;q=0.4, fr;q=0.6", "fr"), ("en-GB", "en"), ("tlh", "en"), ("", "en"),
    ("fr;q=0, en", "en"), (";;q=,,", "en"), ("*", "en"),
])
def test_pages_speak_the_readers_language(gateway, done, languages, expected):
    _, address, cookie = done
    page = gateway.browse(address, headers={"Cookie": cookie, "Accept-Language": languages})
    assert re.search(r"<html[^>]*\blang=\"?(\w+)", page.text)[1] == expected


# The heading of a sign-in that waits for its app, in each language.
WAITING = {
    "en": "Almost done", "fr": "C’est presque terminé", "de": "Fast fertig", "es": "Ya casi está", "it": "Ci siamo quasi",
    "pt-BR": "Quase pronto", "nl": "Bijna klaar", "pl": "Prawie gotowe", "cs": "Už je to téměř hotovo", "uk": "Майже готово",
    "tr": "Neredeyse bitti", "ja": "もうすぐ完了します", "zh-Hans": "即将完成", "ko": "거의 끝났습니다", "ar": "اقتربنا من الانتهاء",
    "he": "כמעט סיימנו",
}


def test_pages_speak_sixteen_languages_in_their_direction(gateway, done):
    _, address, cookie = done
    seen = {}
    for language in WAITING:
        page = gateway.browse(address, headers={"Cookie": cookie, "Accept-Language": f"{language}, en;q=0.5"})
        tag, direction = re.search(r'<html lang="([\w-]+)" dir="(\w+)">', page.text).groups()
        assert (tag, page.header("Content-Language")) == (language, language)
        assert direction == ("rtl" if language in ("ar", "he") else "ltr")
        assert "<bdi>Contoso Mail</bdi>" in page.text
        seen[language] = re.search("<h1>(.*)</h1>", page.text)[1].replace("&#39;", "'")
    assert seen == WAITING


@pytest.mark.parametrize("languages, expected", [
    ("pt-PT, en;q=0.9", "pt-BR"), ("zh-TW, en;q=0.9", "zh-Hans"), ("iw", "he"), ("de-AT", "de"), ("es-419, pt;q=0.8", "es"),
])
def test_a_reader_of_another_region_gets_the_language_before_english(gateway, done, languages, expected):
    _, address, cookie = done
    page = gateway.browse(address, headers={"Cookie": cookie, "Accept-Language": languages})
    assert page.header("Content-Language") == expected


@pytest.mark.rule(7)
def test_every_page_keeps_the_world_out(gateway, done):
    _, address, cookie = done
    pages = [
        gateway.browse(address, headers={"Cookie": cookie}),
        gateway.browse(address),
        gateway.browse(gateway.url("/app1/auth?state=unknown&code=unknown")),
        gateway.browse(gateway.url("/nothing/here")),
    ]
    for page in pages:
        policy = page.header("Content-Security-Policy")
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy and "unsafe-eval" not in policy and "*" not in policy
        assert "no-store" in page.header("Cache-Control")
        assert page.header("Referrer-Policy") == "no-referrer"
        assert not re.search(r"(?:src|href)=\"?https?:", page.text)


@pytest.mark.rule(10)
def test_a_page_shows_nothing_of_what_was_sent(gateway):
    probe = "%3Cscript%3Ealert(1)%3C/script%3E"
    for parameter in ("state", "code", "error", "error_description", "iss"):
        page = gateway.browse(gateway.url(f"/app1/auth?state={'D' * 43}&error=x&{parameter}={probe}"))
        assert page.status == 400
        assert "<script>alert" not in page.text
