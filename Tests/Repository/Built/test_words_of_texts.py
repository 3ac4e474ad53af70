"""Every command, option and key that a text names is there, and so is every word that the pages of the log name."""

import json
import re

import known
import pytest

from harness.programs import ROOT, run
from sources import literals

# Words of the standards, of the system and of issuers that remedies use.
STANDARD = set("""
    access_token acr_values at_hash auth_time authorization_code authorization_endpoint c_hash client_id client_secret code_challenge
    error_code error_description error_message error_reason form_post id_token jwks_uri login_hint max_age oauth_error offline_access
    refresh_token request_uri response_type revocation_endpoint s_client state token_endpoint token_type unsupported_token_type
    authorization_servers code_challenge_methods_supported
    response_mode code_verifier grant_type client_info continuation_token code_challenge_method not_me
    proxy_set_header""".split())


def explanations():
    return json.loads(run("explain", "--list", "--json").stdout)


@pytest.fixture(scope="module")
def commands():
    """Each command with its options."""
    names = re.findall(r"^  ([a-z]+) ", run("help").stdout.split("Commands:")[1].split("`switchyard COMMAND")[0], re.M)
    assert len(names) > 15
    return {name: set(re.findall(r"--[a-z][a-z-]+", run("help", name).stdout)) | {"--help"} for name in names}


def called(text):
    """The commands that a text proposes, each with the options within the same backticks."""
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


# Keys


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Every key that a configuration of a gateway, or of an agent, may have now."""
    folder = tmp_path_factory.mktemp("keys")
    found = set().union(*known.keys(folder / "switchyard.yaml"), *known.keys(folder / "agent.yaml", known.AGENT))
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
    words = vocabulary | set(re.findall(r"[a-z]+(?:_[a-z]+)+", "\n".join(page.read_text() for page in pages)))
    unknown = set()
    for place, text in literals():
        # Scripts that are written elsewhere have names of their own.
        if " " not in text or place.name in ("FarSideScript.swift", "FarSessionScript.swift", "ShellCompletion.swift", "SSHLink.swift"):
            continue
        plain = re.sub(r"\\\([^)]*\)", "", text)
        names = re.findall(r"(?<![\w/.$({-])[a-z]+(?:_[a-z]+)+(?![\w/(])", plain)
        unknown |= {(str(place), name) for name in names if name not in words}
    assert unknown == set()


def test_every_limit_that_a_text_names_is_one(tmp_path):
    [limits] = known.keys(tmp_path / "switchyard.yaml", f"public_url: http://localhost:8400\nlimits: {{ {known.UNKNOWN}: 1 }}\n")
    texts = [*literals(), *((entry["name"], entry["remedy"]) for entry in explanations())]
    named = {(str(place), key) for place, text in texts for key in re.findall(r"limits: ([a-z_]+)", text)}
    assert len(named) > 15
    assert {(place, key) for place, key in named if key not in limits} == set()


# The pages of the log and of the browser


def test_the_events_of_the_page_are_those_that_the_program_explains():
    events = {entry["name"] for entry in explanations() if entry["kind"] == "event"}
    page = (ROOT / "docs" / "reference" / "log.md").read_text()
    listed = set(re.findall(r"`([a-z_]+)`", "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))))
    assert events == listed


def test_the_names_of_the_pages_are_explained():
    explained = {entry["name"] for entry in explanations()}
    page = (ROOT / "docs" / "reference" / "browser.md").read_text()
    named = {name for line in page.splitlines() if line.startswith("|") for name in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", line.split("|")[-2])}
    assert len(named) > 8
    assert {name for name in named if name not in explained} <= {"response_mode", "relay_from", "form_post", "require_start"}
