"""The documentation of SwitchyardClient names what exists, and its samples work as shown."""

import json
import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest

from harness import catalog
from harness.catalog import ARTICLES, CATALOG, SNIPPETS, Sample, code, links, swift_blocks
from harness.gateway import CA
from harness.held import CODE, HoldingGateway, Visit
from harness.issuer import authorize, fetch
from harness.programs import ROOT, SWITCHYARD
from harness.vault import VAULT

pytestmark = pytest.mark.early

MIGRATION = CATALOG / "ComingFromMSAL.md"


@pytest.fixture(scope="module")
def documentation():
    if not shutil.which("docc"):
        pytest.skip("there is no docc beside this toolchain")
    built = catalog.build()
    assert built.returncode == 0, built.stdout + built.stderr
    return built


# Words


def test_the_documentation_builds_without_a_warning(documentation):
    assert "warning: " not in documentation.stderr.replace("warning: prohibited flag(s)", "")


def test_a_symbol_that_is_not_there_is_noticed(documentation, tmp_path):
    spoiled = shutil.copytree(CATALOG, tmp_path / "Spoiled.docc")
    with (spoiled / "Errors.md").open("a") as article:
        article.write("\n``PublicClientApplication/acquireNothing()``\n")
    built = catalog.build(spoiled)
    assert built.returncode != 0 and "acquireNothing" in built.stdout + built.stderr


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.stem)
def test_every_symbol_that_an_article_names_exists(documentation, article):
    named = links(article)
    assert named and set(named) - catalog.symbols() == set()


def test_every_public_symbol_has_words_of_its_own(documentation):
    """Without the members that a protocol of the standard library describes."""
    assert undocumented() == set()


def undocumented():
    graph = json.loads((catalog.SYMBOLS / "SwitchyardClient.symbols.json").read_text())
    inherited = {"description", "customMirror", "hash(into:)", "==(_:_:)", "<(_:_:)"}
    return {
        "/".join(symbol["pathComponents"]) for symbol in graph["symbols"]
        if "docComment" not in symbol and symbol["pathComponents"][-1] not in inherited
    }


@pytest.mark.parametrize("article", ARTICLES, ids=lambda article: article.stem)
def test_every_link_of_an_article_leads_somewhere_also_where_the_sources_are_read(article):
    assert "<doc:" not in article.read_text()
    for target in re.findall(r"\]\(([^)]+)\)", article.read_text()):
        assert target.startswith("https://") or (article.parent / target).exists(), target


@pytest.mark.parametrize("article", [*ARTICLES, ROOT / "README.md"], ids=lambda article: article.stem)
def test_every_code_block_is_part_of_a_sample_that_compiles(article):
    samples = [code(snippet.read_text()) for snippet in SNIPPETS]
    for block in swift_blocks(article):
        lines = code(block)
        if lines[0].startswith("// swift-tools-version:"):
            continue
        assert any(
            lines == sample[start:start + len(lines)] for sample in samples for start in range(len(sample))
        ), f"no sample has this:\n{block}"


def test_the_blocks_of_the_tutorial_are_its_whole_program():
    _, *blocks = swift_blocks(CATALOG / "SignInInTenMinutes.md")
    program = next(snippet for snippet in SNIPPETS if snippet.stem == "TenMinutes")
    assert [line for block in blocks for line in code(block)] == code(program.read_text())


def test_the_manifest_of_the_tutorial_is_one(tmp_path):
    manifest, *_ = swift_blocks(CATALOG / "SignInInTenMinutes.md")
    (tmp_path / "Package.swift").write_text(manifest)
    described = subprocess.run(
        ["swift", "package", "dump-package"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert described.returncode == 0 and '"SwitchyardClient"' in described.stdout, described.stderr


@pytest.mark.parametrize("name", """
    MSALPublicClientApplication MSALPublicClientApplicationConfig MSALWebviewParameters MSALInteractiveTokenParameters
    MSALSilentTokenParameters MSALTokenParameters MSALResult MSALAccount MSALAccountEnumerationParameters MSALTenantProfile
    MSALSignoutParameters MSALGlobalConfig MSALHTTPConfig MSALCacheConfig MSALSliceConfig MSALLoggerConfig MSALLogLevel
    MSALClaimsRequest MSALIndividualClaimRequest MSALAuthority MSALAADAuthority MSALB2CAuthority MSALADFSAuthority
    MSALCIAMAuthority MSALPromptType MSALAuthenticationSchemePop MSALRedirectUri redirectURIError MSALInternalError
    MSALErrorInternal MSALErrorWorkplaceJoinRequired MSALErrorInteractionRequired MSALErrorServerDeclinedScopes
    MSALErrorServerProtectionPoliciesRequired MSALErrorUserCanceled MSALErrorServerError
    MSALErrorInsufficientDeviceStrength MSALErrorMDMEnrollmentCompletedNeedsRetry
    MSALErrorServerInvalidRequestResetPasswordRequired
    MSALErrorDescriptionKey MSALOAuthErrorKey MSALOAuthSubErrorKey MSALOAuthSubErrorDescriptionKey MSALSTSErrorCodesKey
    MSALInternalErrorCodeKey MSALHTTPHeadersKey MSALHTTPResponseCodeKey MSALCorrelationIDKey MSALDeclinedScopesKey
    MSALGrantedScopesKey MSALInvalidResultKey MSALDisplayableUserIdKey MSALHomeAccountIdKey MSALBrokerVersionKey
    MSALThrottlingCacheHitKey NSUnderlyingErrorKey
    handleMSALResponse:sourceApplication: acquireToken(with:) acquireTokenSilent(with:) getCurrentAccount allAccounts:
    signout(with:) remove(_:) cancelCurrentWebAuthSession MSALNativeAuthPublicClientApplication
    MSALNativeAuthSignInParameters MSALNativeAuthGetAccessTokenParameters MSALNativeAuthUserAccountResult
""".split())
def test_a_name_of_msal_is_in_the_table(name):
    rows = [row.split("|")[1:-1] for row in MIGRATION.read_text().splitlines() if row.startswith("|")]
    assert all(len(row) == 2 for row in rows)
    answers = [answer for theirs, answer in rows if f"`{name}`" in theirs]
    assert answers and all("``" in answer or "has no counterpart" in answer for answer in answers)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.stem)
def test_a_sample_says_what_it_is_for(snippet):
    assert re.match(r"//! \w.+\.\n", snippet.read_text())
    assert (SWITCHYARD.parent / snippet.stem).exists(), "swift build makes it"


# Samples at work


@pytest.fixture
def run(request):
    def run(name, *arguments, **options):
        sample = Sample(name, *arguments, **options)
        request.addfinalizer(sample.stop)
        return sample

    return run


def test_an_app_without_a_redirect_uri_has_the_default_one(run):
    assert "msauth.com.contoso.mail://auth\n" in run("DefaultRedirectURI").end()


@pytest.mark.parametrize("uri, said", [
    ("contoso-mail://auth", "Callbacks are expected at contoso-mail://auth."),
    ("contoso-mail://", "or no host: write it in full"),
    ("msauth.com.contoso.mial://auth", "names another bundle ID: write msauth.com.contoso.mail://auth"),
    ("http://login.contoso.com/auth", "uses plain http on a host other than"),
    ("https://login.contoso.com/auth", "needs the gateway that serves it"),
])
def test_a_redirect_uri_that_cannot_work_is_told_with_its_remedy(run, uri, said):
    assert said in run("CustomRedirectURI", uri).end()


@pytest.mark.parametrize("url, said", [
    ("msauth.com.contoso.mail://auth?code=x&state=y", "This process asked for nothing"),
    ("msauth.com.contoso.mail://other?code=x&state=y", "This is no callback"),
    ("https://contoso.example/letters/1", "This is no callback"),
])
def test_a_url_that_nobody_waits_for_is_told_apart(run, url, said):
    answer = run("HandlingACallback", url).end()
    assert said in answer and "handleMSALResponse says false" in answer


def test_a_claims_challenge_is_read(run, tmp_path):
    assert '"access_token":{"nbf":null}' in run("ClaimsChallenge", state=tmp_path).end()


def test_the_app_of_the_tutorial_signs_in(run, issuer, tmp_path):
    app = run("TenMinutes", issuer.base, state=tmp_path)
    url = app.hear(r"Open this address in a browser:\n\n  (http://\S+)\n")[1]
    VAULT.remember_url(url)
    status, _, _ = fetch(authorize(f"{url}&demo=auto"))
    assert status in (200, 303)
    said = app.end()
    assert "Signed in as " in said or "cache_failed" in said
    if "cache_failed" in said:
        pytest.skip("the kernel keyring is forbidden here")
    assert "Open this address" not in run("TenMinutes", issuer.base, state=tmp_path).end()


@pytest.mark.parametrize("sample, argument, said", [
    ("TenMinutes", "contoso", 'authority "contoso" '), ("TenMinutes", "http://login.contoso.com", "is not https"),
    ("TenMinutes", "http://127.0.0.1:9", "The sign-in service cannot be reached"),
    ("SignInWithAGateway", "login.contoso.com", "The app is not set up correctly"),
])
def test_a_wrong_argument_is_told_and_is_no_crash(run, tmp_path, sample, argument, said):
    answer = run(sample, argument, state=tmp_path).end()
    assert said in answer and "Fatal error" not in answer


def test_a_key_of_the_app_opens_a_cache_without_a_keyring(run, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(bytes(range(32)))
    assert "Accounts in the cache: 0" in run("OwnKey", key, state=tmp_path).end()


def test_the_code_of_the_page_is_typed_into_the_sample_for_gateways(run, request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base).start()
    request.addfinalizer(gateway.stop)
    app = run("SignInWithAGateway", f"https://localhost:{gateway.api_port}", CODE, CA, issuer.base, "code")
    url = app.hear(r"Open this address in a browser:\n\n  (https://\S+)\n")[1]
    answer = gateway.browse(url)
    assert answer.status == 303, answer.text
    page = visited(gateway, answer.header("Location"))
    app.hear("Type the code that the browser shows")
    app.type("BCDFGH")
    app.hear("That code is wrong; tries left: 2")
    app.type(page.code)
    assert "Signed in: " in app.end()


def visited(gateway, authorization_url):
    return Visit(gateway, SimpleNamespace(authorization_url=f"{authorization_url}&demo=auto"))
