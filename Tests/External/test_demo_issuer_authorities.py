"""The shapes in which the demo issuer can be reached: as Entra ID, B2C and AD FS."""

import json
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest

from harness.client import REDIRECT, DemoClient, unpadded
from harness.issuer import fetch

HOME = "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60"
CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad"
GUEST = "11111111-2222-3333-4444-555555555555"
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

# The path, where the name of the issuer goes on, and the same in tokens.
ENTRA = [
    ("/common", "/{tenantid}/v2.0", HOME),
    ("/organizations", "/{tenantid}/v2.0", HOME),
    ("/consumers", f"/{CONSUMERS}/v2.0", CONSUMERS),
    (f"/{GUEST}", f"/{GUEST}/v2.0", GUEST),
    (f"/{HOME.upper()}", f"/{HOME}/v2.0", HOME),
    ("/contoso.onmicrosoft.com", f"/{HOME}/v2.0", HOME),
]


def metadata(issuer, path):
    status, _, body = fetch(f"{issuer.base}{path}/.well-known/openid-configuration")
    assert status == 200, body
    return json.loads(body)


def signed_in(issuer, path):
    """The client and its tokens. The ID token is verified with the keys that the metadata names."""
    client = DemoClient(issuer, authority=path)
    tokens = client.sign_in(client_info="1")
    document = metadata(issuer, path if path == "/adfs" else f"{path}/v2.0")
    assert document["authorization_endpoint"] == client.authorization_endpoint
    assert document["token_endpoint"] == client.token_endpoint
    keys = json.loads(fetch(document["jwks_uri"])[2])["keys"]
    claims = jwt.decode(tokens["id_token"], jwt.PyJWK(keys[0]), algorithms=["RS256"], audience=client.id)
    return client, tokens, claims


@pytest.mark.parametrize("path, name, tenant", ENTRA)
def test_an_entra_tenant_is_named_in_its_metadata(issuer, path, name, tenant):
    document = metadata(issuer, f"{path}/v2.0")
    assert document["issuer"] == issuer.base + name
    assert "authorization_response_iss_parameter_supported" not in document


@pytest.mark.parametrize("path, name, tenant", ENTRA)
def test_an_id_token_is_of_the_tenant(issuer, path, name, tenant):
    _, tokens, claims = signed_in(issuer, path)
    assert (claims["iss"], claims["tid"]) == (f"{issuer.base}/{tenant}/v2.0", tenant)
    assert claims["iss"] == issuer.base + name.replace("{tenantid}", tenant)


def test_a_tenant_of_another_name_is_another_tenant(issuer):
    one, again, other = (
        signed_in(issuer, f"/{name}")[2]["tid"] for name in ("fabrikam.test", "Fabrikam.test", "adatum.test"))
    assert one == again != other
    assert GUID.fullmatch(one) and one != HOME


def test_a_guest_keeps_the_home_account(issuer):
    _, tokens, claims = signed_in(issuer, f"/{GUEST}")
    _, at_home, home_claims = signed_in(issuer, "/common")
    assert tokens["client_info"] == at_home["client_info"]
    assert unpadded(tokens["client_info"]) == {"uid": home_claims["oid"], "utid": HOME}
    assert claims["oid"] != home_claims["oid"] and claims["sub"] == home_claims["sub"]


def test_a_personal_account_is_at_home_with_the_consumers(issuer):
    _, tokens, claims = signed_in(issuer, "/consumers")
    assert unpadded(tokens["client_info"]) == {"uid": claims["oid"], "utid": CONSUMERS}


def test_a_refresh_token_is_good_in_another_tenant(issuer):
    client, tokens, _ = signed_in(issuer, "/common")
    guest = DemoClient(issuer, client.id, f"/{GUEST}")
    assert guest.refresh(tokens["refresh_token"]).claims["tid"] == GUEST


def test_an_authorization_response_in_these_shapes_names_no_issuer(issuer):
    fields = {
        "client_id": "x", "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid", "state": "s",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }
    for path, expected in [("/common/oauth2/v2.0", set()), ("", {"iss"})]:
        _, headers, _ = fetch(f"{issuer.base}{path}/authorize?{urlencode(fields | {'demo': 'deny'})}")
        answer = dict(parse_qsl(urlsplit(headers["Location"]).query))
        assert answer.keys() == {"error", "error_description", "state"} | expected


def test_the_consent_page_stays_in_its_shape(issuer):
    fields = {
        "client_id": "x", "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }
    status, _, body = fetch(f"{issuer.base}/common/oauth2/v2.0/authorize?{urlencode(fields)}")
    action = f"{issuer.base}/common/oauth2/v2.0/consent"
    assert status == 200 and f'action="{action}"' in body.decode()
    assert fetch(action, form=fields | {"demo_user": "Kim", "demo_decision": "approve"})[0] == 303


def test_b2c_is_named_after_another_address(issuer):
    path = "/tfp/contoso.onmicrosoft.com/B2C_1_signin"
    _, tokens, claims = signed_in(issuer, path)
    assert metadata(issuer, f"{path}/v2.0")["issuer"] == claims["iss"] == f"{issuer.base}/{HOME}/v2.0/"
    assert claims["tfp"] == "B2C_1_signin"
    assert unpadded(tokens["client_info"]) == {"uid": f"{claims['oid']}-b2c_1_signin", "utid": HOME}


def test_adfs_is_named_after_its_path_and_knows_no_client_info(issuer):
    _, tokens, claims = signed_in(issuer, "/adfs")
    assert metadata(issuer, "/adfs")["issuer"] == claims["iss"] == f"{issuer.base}/adfs"
    assert "client_info" not in tokens


@pytest.mark.parametrize(
    "path",
    ["/nobody/v2.0/.well-known/openid-configuration", "/common/.well-known/openid-configuration",
     "/common/authorize", "/common/demo/stats", "//v2.0/.well-known/openid-configuration",
     "/a..b/v2.0/.well-known/openid-configuration", "/-/v2.0/.well-known/openid-configuration",
     "/tfp/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration",
     "/tfp/nobody/B2C_1_x/v2.0/.well-known/openid-configuration",
     "/tfp/contoso.onmicrosoft.com/B2C<1/v2.0/.well-known/openid-configuration",
     "/adfs/v2.0/.well-known/openid-configuration", "/api/", "/api"],
)
def test_there_is_nothing_at_an_address_of_no_shape(issuer, path):
    assert fetch(issuer.base + path)[0] == 404
