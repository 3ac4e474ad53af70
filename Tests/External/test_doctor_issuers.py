"""`switchyard doctor` on issuers: which preset fits, what is not built and whether that matters, and the way out of a mismatch."""

import json
import re

import pytest
import yaml
from cryptography import x509

from harness.certificates import Certificate
from harness.forward import ForwardProxy
from harness.programs import run
from harness.standin import JSON, StandIn

TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"
MICROSOFT = ("contoso.b2clogin.com", "contoso.ciamlogin.com", "login.microsoftonline.com")


@pytest.fixture
def provider():
    standin = StandIn()
    yield standin
    standin.stop()


def configuration(folder, issuer, secret=False, outgoing=None):
    (folder / "secret").write_text("0123456789abcdef0123456789abcdef")
    (folder / "secret").chmod(0o600)
    client = {"client_secret_file": "secret", "begin_from": {"networks": ["127.0.0.1"]}} if secret else {}
    file = folder / "switchyard.yaml"
    file.write_text(yaml.safe_dump({
        "public_url": "http://localhost:8080", "listen": [{"address": "127.0.0.1:0", "serve": ["callbacks", "api"]}],
        "issuers": [{"name": "one"} | issuer], **({"outgoing": outgoing} if outgoing else {}),
        "apps": [{"id": "com.contoso.app", "issuer": "one", "client_id": "c", "redirect_uris": ["http://localhost:8080/auth"]} | client]}))
    return file


def findings(file, level=None):
    found = json.loads(run("doctor", "--json", "--config", file).stdout)["findings"]
    return [one for one in found if one["area"] == "issuers" and level in (None, one["level"])]


def said(found):
    return "\n".join(json.dumps(one) for one in found)


def publish(provider, path, **metadata):
    document = {"issuer": f"{provider.base}{path}", "authorization_endpoint": f"{provider.base}{path}/authorize",
                "token_endpoint": f"{provider.base}{path}/token", "code_challenge_methods_supported": ["S256"]} | metadata
    provider.answers[f"{path}/.well-known/openid-configuration"] = (200, JSON, document)


# Which preset fits


def test_an_issuer_that_looks_like_keycloak_is_told_its_preset(tmp_path, provider):
    publish(provider, "/realms/contoso", token_endpoint=f"{provider.base}/realms/contoso/protocol/openid-connect/token")
    found = findings(configuration(tmp_path, {"issuer": f"{provider.base}/realms/contoso"}))
    assert "it looks like Keycloak: try preset keycloak" in said(found)


def test_a_deviation_that_the_configuration_lacks_is_a_warning(tmp_path, provider):
    issuer = {"issuer": "https://www.linkedin.com/oauth", "authorization_endpoint": f"{provider.base}/authorize", "token_endpoint": f"{provider.base}/token"}
    [one] = [one for one in findings(configuration(tmp_path, issuer, secret=True), "warning") if "LinkedIn" in one["what"]]
    assert "pkce, nonce" in one["what"] and "invalid_client" in one["why"] and "preset linkedin" in one["do"]
    accepted = issuer | {"deviations": {"pkce": "off", "nonce": "off"}}
    assert not [one for one in findings(configuration(tmp_path, accepted, secret=True), "warning") if "LinkedIn" in one["what"]]


def test_an_unknown_provider_and_a_preset_get_no_proposal(tmp_path, provider):
    publish(provider, "")
    assert "try preset" not in said(findings(configuration(tmp_path, {"issuer": provider.base})))
    publish(provider, "/realms/contoso")
    with_preset = {"preset": "keycloak", "domain": "id.contoso.com", "realm": "contoso", "issuer": f"{provider.base}/realms/contoso"}
    assert "try preset" not in said(findings(configuration(tmp_path, with_preset)))


# Features that are not built


@pytest.mark.parametrize("member, words", [
    ("require_signed_request_object", "invalid_request"), ("tls_client_certificate_bound_access_tokens", "invalid_token"),
])
def test_a_demand_that_cannot_be_met_is_an_error_with_the_words_of_the_failure(tmp_path, provider, member, words):
    publish(provider, "", **{member: True})
    [one] = [one for one in findings(configuration(tmp_path, {"issuer": provider.base}), "error") if member in one["what"]]
    assert words in one["why"] and one["do"]


def test_an_offer_that_no_sign_in_needs_is_told_as_that(tmp_path, provider):
    publish(provider, "", end_session_endpoint=f"{provider.base}/logout", backchannel_logout_supported=False)
    found = findings(configuration(tmp_path, {"issuer": provider.base}))
    assert "sign-out at the issuer: not used here, and no sign-in needs it" in said(found)
    assert "back-channel" not in said(found) and not [one for one in found if one["level"] == "error"]


# A mismatch


def test_the_remedy_of_a_mismatch_leads_to_its_end(tmp_path, provider):
    publish(provider, "/old", issuer=f"{provider.base}/new")
    publish(provider, "/new")
    [one] = findings(configuration(tmp_path, {"issuer": f"{provider.base}/old"}), "error")
    written = re.search(r"write issuer: (\S+) if", one["do"])[1]
    assert "its metadata name it too" in one["do"]
    assert not findings(configuration(tmp_path, {"issuer": written}), "error")


def test_another_issuer_without_metadata_is_told_with_its_endpoints(tmp_path, provider):
    publish(provider, "/here", issuer=f"{provider.base}/nowhere")
    [one] = findings(configuration(tmp_path, {"issuer": f"{provider.base}/here"}), "error")
    assert f"{provider.base}/nowhere" in one["what"] and "token_endpoint" in one["do"]


@pytest.fixture(scope="module")
def microsoft(run_folder):
    """Hosts of Microsoft that only a proxy knows, and a stand-in behind it."""
    folder = run_folder / "microsoft"
    folder.mkdir(exist_ok=True)
    authority = Certificate(folder, "Microsoft of this test", is_authority=True)
    standin = StandIn("login.microsoftonline.com", Certificate(folder, "microsoft", issuer=authority, names=[x509.DNSName(name) for name in MICROSOFT]))
    proxy = ForwardProxy(hosts=MICROSOFT).start()
    yield standin, {"proxy": proxy.address, "ca": str(authority.pem)}
    proxy.stop()
    standin.stop()


@pytest.mark.parametrize("asked, told, preset", [
    (("login.microsoftonline.com", "/contoso.onmicrosoft.com/v2.0"), f"/{TENANT}/v2.0", {"preset": "entra", "tenant": "contoso.onmicrosoft.com"}),
    (("contoso.b2clogin.com", "/contoso.onmicrosoft.com/B2C_1_signin/v2.0"), f"/{TENANT}/v2.0/",
     {"preset": "b2c", "tenant": "contoso", "tenant_id": TENANT, "policy": "B2C_1_signin"}),
    (("contoso.ciamlogin.com", f"/{TENANT}/v2.0"), f"https://{TENANT}.ciamlogin.com/{TENANT}/v2.0",
     {"preset": "external-id", "domain": "contoso", "tenant": TENANT}),
])
def test_the_forms_of_microsoft_lead_to_a_preset_that_check_takes(tmp_path, microsoft, asked, told, preset):
    host, path = asked
    standin, outgoing = microsoft
    base = f"https://{host}:{standin.port}"
    told = told if told.startswith("https:") else base + told
    standin.answers[f"{path}/.well-known/openid-configuration"] = (200, JSON, standin.metadata(issuer=told))
    [one] = findings(configuration(tmp_path, {"issuer": base + path}, outgoing=outgoing), "error")
    assert told in one["what"]
    written = ", ".join(f"{name}: {value}" for name, value in preset.items())
    assert f"write {written} in place of issuer" in one["do"], one
    assert run("check", "--config", configuration(tmp_path, preset)).returncode == 0


def test_the_remedy_of_aadsts9002346_is_taken(tmp_path):
    remedy = run("explain", "AADSTS9002346").stdout
    issuer = re.search(r"https://login\.microsoftonline\.com/[^`\s]*", remedy)[0]
    assert run("check", "--config", configuration(tmp_path, {"issuer": issuer})).returncode == 0
    assert run("check", "--config", configuration(tmp_path, {"preset": "entra", "tenant": "consumers"})).returncode == 0
