"""`switchyard explain` knows every word that a line of the log uses, and a failure keeps its exact cause."""

import json
import re
import shlex

import pytest

from harness.cases import cases
from harness.held import NONE, HoldingGateway
from harness.issuer import authorize
from harness.programs import eventually, run
from harness.signin import APP, sign_in

# The fields with a word of the gateway's own. Another `reason` is a sentence.
FIELDS = ("event", "reason", "cause", "endpoint", "proof", "by", "handler", "number")
WORD = re.compile(r"[a-z]+(_[a-z0-9]+)*|status_[0-9]{3}|AAD(STS|B2C)[0-9]+")


def entries():
    return json.loads(run("explain", "--list", "--json").stdout)


def explained(word):
    return run("explain", word).returncode == 0


def words(line):
    """The words of a line of the log, by field."""
    if line.startswith("{"):
        fields = json.loads(line)
    elif line.startswith("at="):
        fields = dict(part.split("=", 1) for part in shlex.split(line) if "=" in part)
    else:
        return {}
    found = {name: str(fields[name]) for name in FIELDS if name in fields and WORD.fullmatch(str(fields[name]))}
    # An issuer's own errors, and the names of a test's gateways, are no words of ours.
    if fields.get("event") in ("issuer_called",):
        found.pop("reason", None)
    return found


@pytest.mark.parametrize("word", [
    "issuer_failing", "wrong_answer", "status_403", "status_418", "certificate_expired", "connection_refused", "timed_out",
    "id_token_from_future", "the ID token is from the future; is this machine's clock right?", "not_mine", "key_missing",
    "AADSTS50011", "AADSTS999999", "AADB2C90118", "AADB2C90118: The user has forgotten their password.", "discovery", "ticket",
    "account_required", "begin_refused", "lines_not_shown",
])
def test_a_word_of_the_log_is_explained(word):
    told = run("explain", word)
    if word == "key_missing" and told.returncode:
        pytest.skip("this version has no such event")
    assert told.returncode == 0 and "Remedy" in told.stdout, told.stderr


def test_a_number_that_is_not_in_the_table_is_explained_by_where_to_look(world_of_numbers=("AADSTS90013", "AADB2C90047")):
    for number in world_of_numbers:
        told = json.loads(run("explain", number, "--json").stdout)
        assert told[0]["name"] == number and "https://" in told[0]["remedy"]


# The exact cause


@pytest.fixture(scope="module")
def logging(request, run_folder, issuer):
    gateway = HoldingGateway(run_folder, issuer.base, log={"level": "debug"}).start()
    request.addfinalizer(gateway.stop)
    return gateway


def story(gateway, pending):
    def look():
        told = run("explain", pending.reference, "--json", "--admin", f"http://127.0.0.1:{gateway.admin_port}")
        found = json.loads(told.stdout) if told.returncode == 0 else {}
        return found if found.get("status") == "failed" else None

    return eventually(look, what="its history")


@cases(
    dict(demo="future", code="invalid_id_token", cause="id_token_from_future", words_of_remedy="clock"),
    dict(demo="expired", code="invalid_id_token", cause="id_token_expired", words_of_remedy="clock"),
    dict(demo="wrong_audience", code="invalid_id_token", cause="id_token_wrong_audience", words_of_remedy="client_id"),
    dict(demo="garbage", code="invalid_response", cause="wrong_answer", words_of_remedy="proxy"),
    dict(demo="reset", code="network", cause="interrupted", words_of_remedy="firewall"),
    dict(demo="tokens_in_400", code="invalid_response", cause="status_400", words_of_remedy="curl"),
)
def test_a_failure_keeps_its_exact_cause(logging, demo, code, cause, words_of_remedy):
    pending = logging.api().begin(NONE, demo=f"auto,{demo}", scope="openid profile")
    assert logging.browse(authorize(pending.authorization_url)).status == 303
    assert pending.failure()["code"] == code
    found = story(logging, pending)
    assert (found["cause"], found["code"]) == (cause, code)
    assert words_of_remedy in found["remedy"]
    line = eventually(lambda: [line for line in logging.output().splitlines()
                               if f"reference={pending.reference}" in line and "event=failed" in line], what="the line")[0]
    assert f"reason={code}" in line and f"cause={cause}" in line and explained(cause)


def test_an_issuer_that_is_out_of_reach_is_told_by_its_cause(start_issuer, start_gateway):
    issuer = start_issuer()
    gateway = start_gateway(issuer_url=issuer.base)
    pending = gateway.api().begin(APP, scope="openid")
    callback = authorize(pending.authorization_url)
    issuer.stop()
    assert gateway.browse(callback).status == 303
    assert pending.failure()["code"] == "network"
    assert story(gateway, pending)["cause"] == "connection_refused"


# Everything that was logged


@pytest.mark.last(1)
def test_every_word_that_any_log_of_this_run_uses_is_explained(run_folders, gateway):
    assert sign_in(gateway).pending.outcome()["status"] == "completed"
    known = {entry["name"] for entry in entries()}
    unknown, seen = {}, set()
    for folder in run_folders:
        for log in folder.rglob("*.log"):
            for line in log.read_text(errors="replace").splitlines():
                try:
                    found = words(line)
                except ValueError:
                    continue
                for field, word in found.items():
                    seen.add((field, word))
    for field, word in seen:
        if word not in known and not explained(word):
            unknown.setdefault(field, []).append(word)
    assert {word for field, word in seen if field == "event"} & {"begun", "completed"}
    assert unknown == {}
