"""The presets: `switchyard issuers` describes each, and a configuration that uses one gets its settings."""

import json
import re
import subprocess
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import yaml

from harness.held import HoldingGateway, outcome
from harness.programs import ROOT, SWITCHYARD, run
from harness.standin import JSON, StandIn

DATA = ROOT / "Sources" / "Presets" / "Data"
DOCS = ROOT / "docs" / "issuers"
FILES = {file.stem: yaml.safe_load(file.read_text()) for file in sorted(DATA.glob("*.yaml"))}
WANTED = """entra external-id b2c adfs google apple okta auth0 keycloak authentik authelia zitadel cognito onelogin github gitlab bitbucket slack
    discord linkedin x facebook twitch spotify dropbox notion salesforce atlassian zoom quickbooks line amazon figma hubspot box""".split()


def told(*arguments):
    done = run("issuers", *arguments)
    assert done.returncode == 0, done
    return done.stdout


# The list of presets


def test_every_provider_that_was_asked_for_is_there():
    assert set(WANTED) == set(FILES)


def test_each_data_file_is_compiled_in():
    assert [one["name"] for one in json.loads(told("--json"))] == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_preset_is_told_as_its_file_has_it(name):
    preset, file = json.loads(told(name, "--json")), FILES[name]
    assert (preset["title"], preset["about"], preset["tried"]) == (file["title"], file["about"], file["tried"])
    assert [one["key"] for one in preset["asks"]] == [one["key"] for one in file.get("asks", [])]
    assert set(preset["sets"]) == set(file["issuer"])
    assert set(preset["reasons"]) == set(file["issuer"].get("deviations", {})), "each deviation has its reason"
    assert [one["url"] for one in preset["sources"]] == [one["url"] for one in file["sources"]]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", one["date"]) and one["facts"] for one in preset["sources"])


@pytest.mark.parametrize("name", FILES)
def test_the_text_has_what_a_person_needs(name):
    text, file = told(name), FILES[name]
    for words in (file["title"], *(one["url"] for one in file["sources"]), f"preset: {name}", *(one["key"] for one in file.get("asks", []))):
        assert words in text, words


def test_the_list_names_all():
    text = told()
    assert all(re.search(rf"^{re.escape(name)} ", text, re.M) for name in FILES)


def test_an_unknown_name_is_an_error_with_a_proposal():
    done = run("issuers", "keyclock")
    assert done.returncode == 2 and "keycloak" in done.stderr


# The book


@pytest.mark.parametrize("name", FILES)
def test_the_page_of_a_preset_is_printed_from_its_data(name):
    assert (DOCS / f"{name}.md").read_text() == told(name, "--markdown"), \
        f"print it anew: switchyard issuers {name} --markdown > docs/issuers/{name}.md"


def test_the_table_of_all_is_printed_from_the_data():
    assert told("--markdown") in (DOCS / "README.md").read_text(), "print it anew: switchyard issuers --markdown"


def test_no_page_is_left_over():
    assert {file.stem for file in DOCS.glob("*.md")} - {"README"} == set(FILES)


# Shells


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_the_names(shell):
    script = run("help", "--completions", shell).stdout
    assert all(name in script for name in ("external-id", "keycloak", "quickbooks"))


def test_bash_offers_the_names():
    command = f"source <({SWITCHYARD} help --completions bash); COMP_WORDS=(switchyard issuers key); COMP_CWORD=2; _switchyard; echo ${{COMPREPLY[@]}}"
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True).stdout.split() == ["keycloak"]


# A configuration that uses one


def values(name):
    return {one["key"]: one["example"] for one in FILES[name].get("asks", []) if "standard" not in one}


def configuration(folder, issuer, secret=False, **app):
    (folder / "secret").write_text("0123456789abcdef0123456789abcdef")
    (folder / "secret").chmod(0o600)
    client = {"client_secret_file": "secret", "begin_from": {"networks": ["127.0.0.1"]}} if secret else {}
    file = folder / "switchyard.yaml"
    file.write_text(yaml.safe_dump({
        "public_url": "http://localhost:8080", "listen": [{"address": "127.0.0.1:0", "serve": ["callbacks", "api"]}], "issuers": [issuer],
        "apps": [{"id": "com.contoso.app", "issuer": issuer["name"], "client_id": "c", "redirect_uris": ["http://localhost:8080/auth"]} | client | app]}))
    return file


@pytest.mark.parametrize("name", FILES)
def test_check_takes_a_preset_with_its_values(name, tmp_path):
    secret = FILES[name]["client"] != "public"
    done = run("check", "--config", configuration(tmp_path, {"name": "one", "preset": name} | values(name), secret))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("issuer, words", [
    ({"preset": "keyclock"}, 'did you mean "keycloak"?'), ({"preset": "entra"}, 'asks for "tenant"'),
    ({"preset": "entra", "tenant": "a/b"}, "a name of letters"), ({"preset": "github", "tenant": "a"}, '"tenant" has no meaning here'),
    ({"issuer": "https://a.example", "domain": "b.example"}, '"domain" has no meaning here'),
    ({"preset": "external-id", "domain": "contoso", "tenant": "contoso"}, "a GUID"), ({"preset": "okta", "domain": "https://contoso.okta.com"}, "without https://"),
    ({"preset": "keycloak", "domain": "id.contoso.com/", "realm": "a"}, "a path may follow"), ({"preset": "zitadel", "domain": "a.example?b"}, "a host such as"),
    ({"preset": "auth0", "domain": "a@b.example"}, "a host such as"), ({"preset": "cognito", "region": "eu", "pool": ".."}, "a name of letters"),
])
def test_check_names_what_is_wrong_with_its_line(issuer, words, tmp_path):
    done = run("check", "--config", configuration(tmp_path, {"name": "one"} | issuer))
    assert done.returncode == 2, done
    [line] = [line for line in (done.stdout + done.stderr).splitlines() if words in line]
    assert re.search(r"switchyard\.yaml:\d+:\d+: ", line), line


def test_a_key_in_the_file_wins(tmp_path):
    provider = StandIn()
    issuer = {"name": "one", "preset": "auth0", "domain": "contoso.eu.auth0.com", "issuer": provider.base}
    found = json.loads(run("doctor", "--json", "--config", configuration(tmp_path, issuer)).stdout)["findings"]
    assert provider.asked("/.well-known/openid-configuration"), found
    provider.stop()
