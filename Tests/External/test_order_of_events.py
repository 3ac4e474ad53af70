"""A last test: no gateway of the whole run tells that an app has an outcome before it tells how the sign-in ended."""

import json
import re

import pytest

ENDS = {"completed", "failed", "denied", "canceled", "expired", "passed_on"}
AFTER = {"collected", "acknowledged"}
WORDS = re.compile(r"\b(at|event|reference)=(\S+)")


@pytest.mark.last(3)
def test_no_outcome_is_collected_before_its_end(run_folders, gateway, signed_in):
    # This test's own sign-in: the logs have these events, also if only some tests ran.
    pending, callback = signed_in
    assert gateway.browse(callback).status == 303
    assert pending.outcome()["status"] == "completed"
    logs = [log for folder in run_folders for log in folder.rglob("*.log")]
    judged, wrong = 0, []
    for log in logs:
        ended = {}
        for number, line in enumerate(log.read_text(errors="replace").splitlines(), 1):
            told = event_of(line)
            if told.get("event") in ENDS and "reference" in told:
                ended.setdefault(told["reference"], told["at"])
            elif told.get("event") in AFTER and "reference" in told:
                # Another gateway may have told of the end.
                if told["reference"] in ended:
                    judged += 1
                    if told["at"] < ended[told["reference"]]:
                        wrong.append(f"{log}:{number}: {line}")
                else:
                    wrong += [f"{log}:{number}: {line}"] * stands_later(log, number, told["reference"])
    assert judged > 0, "no log tells of a sign-in that was collected, so this test would prove nothing"
    assert wrong == []


def stands_later(log, number, reference):
    """Whether the end is told later, and with a later time: lines of two event loops may change places."""
    lines = log.read_text(errors="replace").splitlines()
    return any(
        told.get("event") in ENDS and told.get("reference") == reference and told["at"] > event_of(lines[number - 1])["at"]
        for told in map(event_of, lines[number:]))


def event_of(line):
    if line.startswith("{"):
        try:
            told = json.loads(line)
        except ValueError:
            return {}
        return told if isinstance(told, dict) and "at" in told else {}
    return dict(WORDS.findall(line)) if line.startswith("at=") else {}
