"""Every remedy leads somewhere: the command, the option, the key and the page that it names are there, and a setting that it
proposes is taken."""

import json
import re
import subprocess

import pytest
import yaml

from harness.modes import FORM
from harness.programs import ROOT, SWITCHYARD, eventually, free_port, run
from harness.standin import JSON, StandIn

SOURCES = ROOT / "Sources"
# Whose text people read: messages, remedies, help and pages.
SPEAKING = ["switchyard", "Configuration", "Gateway", "Agent", "Bridge", "Desktop", "GatewayClient", "SwitchyardClient", "Handlers",
            "TokenStorage", "Redemption", "OAuth"]
# Words of the standards, of the system and of issuers that remedies use.
STANDARD = set("""
    access_token acr_values at_hash auth_time authorization_code authorization_endpoint c_hash client_id client_secret code_challenge
    error_code error_description error_message error_reason form_post id_token jwks_uri login_hint max_age oauth_error offline_access
    refresh_token request_uri response_type revocation_endpoint s_client state token_endpoint token_type unsupported_token_type
    response_mode code_verifier grant_type client_info continuation_token code_challenge_method not_me
    proxy_set_header""".split())


def explanations():
    return json.loads(run("explain", "--list", "--json").stdout)


def literals():
    """The string literals of the sources that people read, with their file."""
    for module in SPEAKING:
        for file in (SOURCES / module).rglob("*.swift"):
            text = re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M)
            for literal in re.findall(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', text, re.S):
                said = (literal[0] or literal[1]).replace("\\\n", " ")
                yield file.relative_to(ROOT), re.sub(r"\s+", " ", said)


@pytest.fixture(scope="module")
def commands():
    """Each command with its options."""
    names = re.findall(r"^  ([a-z]+) ", run("help").stdout.split("Commands:")[1].split("`switchyard COMMAND")[0], re.M)
    assert len(names) > 15
    return {name: set(re.findall(r"--[a-z][a-z-]+", run("help", name).stdout)) | {"--help"} for name in names}


def called(text):
    """What a text has people call: the command, and the options within the same backticks."""
    for quoted in re.findall(r"`switchyard ([^`]*)`", text):
        if words := quoted.split():
            yield words[0], re.findall(r"(?<!\S)--[a-z][a-z-]+", quoted)
    for name in re.findall(r"(?:run|try|see|with|by|start|use) switchyard ([a-z]+)\b", text):
        yield name, []


def test_every_command_that_a_text_names_is_there(commands):
    texts = [*literals(), *(("explain", f"{entry['cause']} {entry['remedy']}") for entry in explanations())]
    named = [(place, name, options) for place, text in texts for name, options in called(text)]
    assert len(named) > 60
    for place, name, options in named:
        if name in ("COMMAND", "--version", "--help") or name.startswith("\\("):
            continue
        assert name in commands, f"{place}: switchyard {name}"
        assert not set(options) - commands[name], f"{place}: switchyard {name} {options}"


def test_every_page_that_a_text_names_is_there():
    named = [(place, page) for place, text in literals() for page in re.findall(r"docs/[\w/.-]+\.md(?:#[\w-]+)?", text)]
    assert named
    for place, page in named:
        path, _, anchor = page.partition("#")
        assert (ROOT / path).is_file(), f"{place}: {page}"
        headings = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(), re.M)
        slugs = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, f"{place}: {page}"


# Keys

NONE = "no_such_key_at_all_in_here"
GATEWAY = f"""public_url: http://localhost:8400
{NONE}: 1
listen: [{{ {NONE}: 1, tls: {{ {NONE}: 1 }} }}]
store: {{ redis: {{ {NONE}: 1, sentinel: {{ {NONE}: 1 }} }} }}
encryption_keys: [{{ {NONE}: 1 }}]
issuers: [{{ {NONE}: 1 }}]
apps: [{{ {NONE}: 1, handler: {{ {NONE}: 1 }}, begin_from: {{ {NONE}: 1 }}, relay_from: {{ {NONE}: 1 }}, gateway: {{ {NONE}: 1 }} }}]
limits: {{ {NONE}: 1 }}
log: {{ {NONE}: 1 }}
"""
AGENT = f"""{NONE}: 1
apps: [{{ {NONE}: 1, use_from: {{ {NONE}: 1 }}, gateway: {{ {NONE}: 1 }} }}]
"""


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Every key that a configuration of a gateway, or of an agent, may have now."""
    folder, found = tmp_path_factory.mktemp("keys"), set()
    for name, text in (("switchyard.yaml", GATEWAY), ("agent.yaml", AGENT)):
        (folder / name).write_text(text)
        said = run("check", "--config", folder / name).stderr
        for known in re.findall(rf'unknown key "{NONE}"; known here are: (.*)', said):
            found |= set(known.split(", "))
    assert {"begin_rate", "token_endpoint_auth_method", "ca", "trusted_proxies", "use_from", "release_lifetime"} <= found
    return found


@pytest.fixture(scope="module")
def vocabulary(keys):
    """Every name that a remedy may use: keys, names of the log and of the API, and those of the standards."""
    pages = ["api.md", "log.md", "browser.md", "metrics.md", "histories.md", "status.md"]
    reference = "\n".join((ROOT / "docs" / "reference" / page).read_text() for page in pages)
    return (keys | STANDARD | {entry["name"] for entry in explanations()}
            | set(re.findall(r"[a-z]+(?:_[a-z]+)+", reference)))


def test_every_name_in_an_explanation_is_one_that_people_can_find(vocabulary):
    unknown = {}
    for entry in explanations():
        text = re.sub(r"https?://[^\s`]+", "", f"{entry['cause']} {entry['remedy']}")
        for name in re.findall(r"(?<![\w/.-])[a-z]+(?:_[a-z]+)+(?![\w/])", text):
            if name not in vocabulary:
                unknown.setdefault(name, []).append(entry["name"])
    assert unknown == {}


def test_every_name_in_a_message_is_one_that_people_can_find(vocabulary):
    """In what `check`, `doctor` and the other commands say."""
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "proxies").iterdir(), ROOT / "docs" / "reference" / "configuration.md"]
    known = vocabulary | set(re.findall(r"[a-z]+(?:_[a-z]+)+", "\n".join(page.read_text() for page in pages)))
    unknown = set()
    for place, text in literals():
        # Scripts that are written elsewhere have names of their own.
        if " " not in text or place.name in ("FarSideScript.swift", "FarSessionScript.swift", "ShellCompletion.swift", "SSHLink.swift"):
            continue
        plain = re.sub(r"\\\([^)]*\)", "", text)
        names = re.findall(r"(?<![\w/.$({-])[a-z]+(?:_[a-z]+)+(?![\w/(])", plain)
        unknown |= {(str(place), name) for name in names if name not in known}
    assert unknown == set()


def test_every_limit_that_a_text_names_is_one(tmp_path):
    (tmp_path / "switchyard.yaml").write_text(f"public_url: http://localhost:8400\nlimits: {{ {NONE}: 1 }}\n")
    said = run("check", "--config", tmp_path / "switchyard.yaml").stderr
    known = set(re.search(rf'unknown key "{NONE}"; known here are: (.*)', said)[1].split(", "))
    texts = [*literals(), *((entry["name"], entry["remedy"]) for entry in explanations())]
    named = {(str(place), key) for place, text in texts for key in re.findall(r"limits: ([a-z_]+)", text)}
    assert len(named) > 15
    assert {(place, key) for place, key in named if key not in known} == set()


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
            if key in ("limits", "store") or value == "FILE":
                continue
            said = run("check", "--config", configuration(tmp_path, **{key: yaml.safe_load(value)}))
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
    """What the doctor says about an issuer on loopback."""
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
