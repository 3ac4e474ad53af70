"""A remedy leads to the end: a setting that it proposes is taken, and the command that it names mends the fault."""

import json
import re
import subprocess

import pytest
import yaml

from harness.modern import key_pair
from harness.modes import FORM
from harness.programs import SWITCHYARD, eventually, free_port, run
from harness.standin import JSON, StandIn


def explanations():
    return json.loads(run("explain", "--list", "--json").stdout)


def configuration(tmp_path, **app):
    """A configuration with one app, which has `app`'s keys."""
    file = tmp_path / "switchyard.yaml"
    issuer = app.pop("at", "https://issuer.example")
    file.write_text(yaml.safe_dump({
        "public_url": "https://login.example", "store": "memory",
        "listen": [{"address": "127.0.0.1:8400", "serve": ["callbacks", "api"]}],
        "trusted_proxies": ["127.0.0.1"], "issuers": [{"name": "one", "issuer": issuer}],
        "apps": [{"id": "com.contoso.app1", "name": "One", "issuer": "one", "client_id": "c",
                  "redirect_uris": ["https://login.example/one"]} | app]}))
    return file


@pytest.mark.parametrize("entry", [entry["name"] for entry in explanations() if re.search(r"`[a-z_]+: [^`]+`", entry["remedy"])])
def test_a_setting_that_an_explanation_proposes_is_taken(tmp_path, entry):
    for found in explanations():
        for key, value in re.findall(r"`([a-z_]+): ([^`]+)`", found["remedy"] if found["name"] == entry else ""):
            # test_resources has the keys of resources.
            if key in ("limits", "store", "resources", "client") or value == "FILE":
                continue
            app = {key: yaml.safe_load(value)}
            if key == "encrypted":
                key_pair("P-256", tmp_path / "key.pem")
                app["encryption_keys_for_tokens"] = [{"id": "e1", "key_file": str(tmp_path / "key.pem")}]
            said = run("check", "--config", configuration(tmp_path, **app))
            assert f'"{key}"' not in said.stderr and "not supported" not in said.stderr, said.stderr


def test_an_issuer_that_an_explanation_proposes_is_taken(tmp_path):
    proposed = {(entry["name"], url) for entry in explanations()
                for url in re.findall(r"`(https://[^`]+)` as `?issuer", entry["remedy"])}
    assert proposed
    for name, url in proposed:
        said = run("check", "--config", configuration(tmp_path, at=url))
        assert said.returncode == 0, (name, said.stderr)
        # The metadata of personal accounts names their directory, never the alias.
        assert "/consumers/" not in url and "/common/" not in url, name


# To the end


@pytest.fixture
def provider():
    standin = StandIn()
    yield standin
    standin.stop()


def doctor(tmp_path, provider, issuer, **app):
    """The doctor's finding for an issuer on loopback."""
    file, port = tmp_path / "doctor.yaml", free_port()
    file.write_text(yaml.safe_dump({
        "public_url": f"http://localhost:{port}", "store": "memory",
        "listen": [{"address": f"127.0.0.1:{port}", "serve": ["callbacks", "api"]}],
        "issuers": [{"name": "one", "issuer": issuer}],
        "apps": [{"id": "com.contoso.app1", "name": "One", "issuer": "one", "client_id": "c", "default_scope": "mail",
                  "redirect_uris": [f"http://localhost:{port}/one"]} | app]}))
    said = subprocess.run([SWITCHYARD, "doctor", "--config", file, "--json"], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    found = json.loads(said.stdout)["findings"]
    return [finding for finding in found if finding["area"] == "issuers"]


GUID = "9188040d-6c67-4c5b-b112-36a304b66dad"
WELL_KNOWN = "/v2.0/.well-known/openid-configuration"


def test_the_issuer_that_the_doctor_proposes_is_the_one_that_works(tmp_path, provider):
    """An alias of a directory, such as `consumers`: its metadata names the directory."""
    metadata = (200, JSON, provider.metadata(issuer=f"{provider.base}/{GUID}/v2.0"))
    provider.answers |= {f"/consumers{WELL_KNOWN}": metadata, f"/{GUID}{WELL_KNOWN}": metadata}
    [wrong] = [finding for finding in doctor(tmp_path, provider, f"{provider.base}/consumers/v2.0") if finding["level"] == "error"]
    proposed = re.search(r"issuer: (\S+)", wrong["do"])[1]
    assert proposed == f"{provider.base}/{GUID}/v2.0"
    assert [finding for finding in doctor(tmp_path, provider, proposed) if finding["level"] == "error"] == []


@pytest.mark.parametrize("status, words", [(502, "proxy"), (500, "fails"), (401, "refuses"), (404, "documentation")])
def test_the_doctor_tells_an_issuer_that_fails_from_a_wrong_address(tmp_path, provider, status, words):
    provider.answers["/.well-known/openid-configuration"] = (status, {}, "")
    [wrong] = [finding for finding in doctor(tmp_path, provider, provider.base) if finding["level"] == "error"]
    assert str(status) in wrong["what"] and words in wrong["what"] + wrong["do"]
    assert ("documentation" in wrong["do"]) == (status == 404)


def test_the_doctor_says_whose_clock_it_saw(tmp_path, provider):
    """A proxy in front of an issuer dates the answers by its own clock."""
    [said] = [finding for finding in doctor(tmp_path, provider, provider.base) if "clock" in finding["what"]]
    assert "answers" in said["what"]


def remedy(name, kind=None):
    return " ".join(entry["remedy"] for entry in explanations() if entry["name"] == name and kind in (None, entry["kind"]))


def has_begun(gateway):
    return gateway.api().begin_reply("com.contoso.app1", scope="openid").status == 201


def test_an_authority_that_is_named_with_ca_is_believed(tls_issuer, start_gateway):
    assert "`ca: FILE`" in remedy("certificate_untrusted")
    strange = start_gateway(tls_issuer.base, change=lambda program: program.configuration["issuers"][0].pop("ca"))
    assert not has_begun(strange)
    eventually(lambda: "reason=certificate_untrusted" in strange.output(), what="the line")
    assert has_begun(start_gateway(tls_issuer.base))


def test_a_form_post_is_taken_once_the_app_has_the_mode_that_the_remedy_names(start_gateway):
    assert "`response_mode: form_post`" in remedy("wrong_method")

    def status(mode):
        def change(program):
            program.configuration["apps"][0]["response_mode"] = mode
            program.configuration["apps"][0]["redirect_uris"] = [program.url("/app1/auth")]

        gateway = start_gateway(change=change)
        pending = gateway.api().begin("com.contoso.app1")
        body = f"code=a-code-of-this-test-alone&state={pending.state}&iss={gateway.configuration['issuers'][0]['issuer']}"
        return gateway.browse(pending.redirect_uri, method="POST", body=body.encode(), headers=FORM).status

    assert status("query") == 405
    assert status("form_post") == 303
