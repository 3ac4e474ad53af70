"""SwitchyardClient from outside: sign-in on the app's own pages, and in the browser where the issuer wants that."""

import pytest

from harness.app import ClientApp
from harness.client import DemoClient
from harness.issuer import authorize
from harness.vault import VAULT

PASSWORD, MAIL, FILES = "Demo-password-1", "api://mail/read", "api://files/read"


@pytest.fixture
def app(issuer):
    client = DemoClient(issuer)
    client.change(preconsent="*")
    app = ClientApp(authority=issuer.base, kind="ciam", tenant="contoso.onmicrosoft.com", client_id=client.id)
    app.client = client
    yield app
    app.stop()


def native(app, username, password=PASSWORD, **fields):
    if password is not None:
        fields["password"] = password
    return remembered(app.call("native", username=username, scopes=[MAIL], **fields))


def remembered(result):
    VAULT.remember("access token", result.get("access_token"))
    return result


def mailed(issuer, username):
    code = issuer.control(mailbox=username)["code"]
    VAULT.remember("mailed code", code)
    return code


def test_a_password_signs_in_and_each_api_gets_a_token(app, issuer):
    result = native(app, "password@example.com")
    assert result["step"] == "completed" and result["scopes"] == [MAIL]
    files = remembered(app.call("native_token", scopes=[FILES]))
    assert files["scopes"] == [FILES] and files["access_token"] != result["access_token"]
    assert app.call("native_token", scopes=[MAIL])["access_token"] == result["access_token"]
    for api, scope in (("mail", MAIL), ("files", FILES)):
        assert app.call("api", url=f"{issuer.base}/api/{api}", scopes=[scope])["status"] == 200
    assert app.call("accounts")["accounts"][0]["username"] == "password@example.com"


@pytest.mark.parametrize("password", [None, PASSWORD])
def test_an_issuer_that_wants_a_code_gets_it(app, issuer, password):
    step = native(app, "code-7@example.com", password)
    assert step == {"step": "code", "sent_to": "c***@example.com", "length": 8}
    wrong = app.call("native_code", code="00000000")["error"]
    assert (wrong["code"], wrong["suberror"]) == ("invalid_code", "invalid_oob_value")
    result = remembered(app.call("native_code", code=mailed(issuer, "code-7@example.com")))
    assert result["step"] == "completed"


def test_a_second_factor_is_asked_for_and_given(app, issuer):
    step = native(app, "mfa@example.com")
    assert step["step"] == "mfa" and step["methods"]
    assert app.call("native_challenge")["step"] == "code"
    result = remembered(app.call("native_code", code=mailed(issuer, "mfa@example.com")))
    assert result["step"] == "completed"


def test_a_redirect_leads_straight_into_the_browser(app):
    assert native(app, "redirect@example.com")["step"] == "browser"
    name = app.begin("native_browser", scopes=[MAIL], extra={"demo": "auto"})
    url = app.wait(name, "present", "error")["present"]
    assert "login_hint=redirect%40example.com" in url
    assert app.call("handle", url=authorize(url))["outcome"] == "completed"
    assert remembered(app.end(name))["scopes"] == [MAIL]


@pytest.mark.parametrize("username, password, code", [
    ("nobody@example.com", PASSWORD, "user_not_found"), ("password@example.com", "wrong", "invalid_credentials"),
    ("reset@example.com", PASSWORD, "password_reset_required"),
    (" ", PASSWORD, "invalid_credentials"), ("password@example.com", "", "invalid_credentials"),
])
def test_each_fault_has_its_own_code(app, username, password, code):
    result = native(app, username, password)
    assert result["error"]["code"] == code, result
    assert app.call("accounts")["accounts"] == []
    assert native(app, "password@example.com")["step"] == "completed"


@pytest.mark.rule(7)
def test_no_password_and_no_code_is_told(app, issuer):
    native(app, "password@example.com", "a-wrong-password-of-mine")
    native(app, "code-8@example.com", None)
    code = mailed(issuer, "code-8@example.com")
    app.call("native_code", code=code)
    told = str(app.logs)
    assert "a-wrong-password-of-mine" not in told and code not in told and "code-8@" not in told
