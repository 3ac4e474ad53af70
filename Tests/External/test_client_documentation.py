"""SwitchyardClient's articles: what they name is there, and what they show is what the snippets and this repository have."""

import json
import os
import re
import subprocess

import pytest

from harness.issuer import authorize, fetch
from harness.programs import ROOT

CATALOGUE = ROOT / "Sources" / "SwitchyardClient" / "SwitchyardClient.docc"
ARTICLES = sorted(CATALOGUE.glob("*.md"))
SNIPPETS = sorted((ROOT / "Snippets").glob("*.swift"))


@pytest.fixture(scope="module")
def public_names():
    """Every public symbol, as the articles write it: `Account/accessToken(scopes:)`."""
    subprocess.run(
        ["swift", "package", "dump-symbol-graph", "--minimum-access-level", "public", "--skip-synthesized-members"],
        cwd=ROOT, check=True, capture_output=True, timeout=600)
    [graph] = (ROOT / ".build").glob("*/symbolgraph/SwitchyardClient.symbols.json")
    symbols = json.loads(graph.read_text())["symbols"]
    return {"/".join(symbol["pathComponents"]) for symbol in symbols} | {"SwitchyardClient"}


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.stem)
def test_every_symbol_that_an_article_names_is_public(article, public_names):
    for name in re.findall(r"(?<!`)``([^`\n]+)``(?!`)", article.read_text()):
        assert re.sub(r"-swift\.\w+$", "", name) in public_names, name


def test_no_article_stands_alone():
    landing = (CATALOGUE / "SwitchyardClient.md").read_text()
    for article in ARTICLES:
        assert article.stem == "SwitchyardClient" or f"<doc:{article.stem}>" in landing, article


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.stem)
def test_every_snippet_that_an_article_points_to_is_there(article):
    for name in re.findall(r"Snippets/(\w+)\.swift", article.read_text()):
        assert (ROOT / "Snippets" / f"{name}.swift") in SNIPPETS, name


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.stem)
def test_every_snippet_runs_without_a_network(snippet):
    """They sign somebody in only when they are told to."""
    ran = subprocess.run([ROOT / ".build" / "debug" / snippet.stem], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr


def test_the_snippets_say_what_their_comments_promise():
    def said(name):
        return subprocess.run([ROOT / ".build" / "debug" / name], capture_output=True, text=True, timeout=60).stdout
    assert said("DefaultRedirectURI") == "msauth.com.contoso.mail://auth\n"
    assert "invalidConfiguration invalidRedirectURI" in said("CustomRedirectURI") and "-42011" in said("CustomRedirectURI")
    assert said("ClaimsChallenges").startswith('{"access_token":{"acrs":{"value":"c1"}}}')


def test_the_ten_minute_tutorial_works_as_it_is_written(start_issuer, tmp_path):
    """A package of its own, from the article's own code, against an issuer that really asks."""
    package, program = re.findall(r"```swift\n(.*?)```", (CATALOGUE / "GettingStarted.md").read_text(), re.S)[:2]
    (tmp_path / "switchyard").symlink_to(ROOT)
    (tmp_path / "hello" / "Sources" / "hello").mkdir(parents=True)
    (tmp_path / "hello" / "Package.swift").write_text(package)
    issuer = start_issuer()
    assert program.count("http://127.0.0.1:9400") == 1
    program = program.replace("http://127.0.0.1:9400", issuer.base)
    (tmp_path / "hello" / "Sources" / "hello" / "main.swift").write_text(program)
    built = subprocess.run(["swift", "build"], cwd=tmp_path / "hello", capture_output=True, text=True, timeout=900)
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    desktop = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "XDG_STATE_HOME": str(tmp_path / "state")}
    hello = subprocess.Popen(
        ["stdbuf", "-oL", tmp_path / "hello" / ".build" / "debug" / "hello"], stdout=subprocess.PIPE, text=True, env=desktop, bufsize=1)
    try:
        url = hello.stdout.readline().removeprefix("Open ").strip()
        status, _, page = fetch(authorize(url + "&demo=auto"))
        assert status == 200 and b"You are signed in" in page
        assert hello.stdout.readline() == "signed in as alex.doe@example.com\n"
        assert hello.wait(30) == 0
    finally:
        hello.kill()
