"""The outcome of each sign-in, and the outcomes that must not happen."""

import json
from collections import Counter
from dataclasses import dataclass, field

# The ends that a sign-in may have while programs die and networks break; `release_failed` if the page with the code never came. Any
# other end is a violation, above all `invalid_grant`, the answer to a code that is sent twice.
FAILURES = {"internal", "expired", "network", "server_error", "temporarily_unavailable", "release_failed"}


@dataclass
class Ledger:
    ends: Counter = field(default_factory=Counter)
    notes: Counter = field(default_factory=Counter)
    violations: list = field(default_factory=list)
    # By code: the number of its sign-in, and how that ended.
    codes: dict = field(default_factory=dict)
    longest: float = 0

    def end(self, sign_in, outcome, seconds):
        """Counts how a sign-in ended for its app."""
        self.longest = max(self.longest, seconds)
        if outcome.get("status") == "completed":
            self.ends["completed"] += 1
            return
        code = outcome.get("error", {}).get("code", "nothing")
        self.ends[f"failed: {code}"] += 1
        if code not in FAILURES and not sign_in.is_taken_back:
            self.violation(sign_in, f"failed with {json.dumps(outcome)}")

    def note(self, what):
        self.notes[what] += 1

    def violation(self, sign_in, what):
        if sign_in.may_be_taken_back:
            # docs/reliability.md, “What a fail-over takes”: it is counted, and begun again.
            sign_in.is_taken_back = True
            return self.note("taken back by a fail-over: " + what.split(":")[0].split(" b'")[0])
        course = "\n      ".join(sign_in.course[-12:])
        self.violations.append(f"sign-in {sign_in.number} ({sign_in.app}, {sign_in.reference}): {what}; before:\n      {course}")

    def judge_codes(self, sign_ins, times):
        """After the end: how often each code came to the issuer.
        :param times: by code"""
        for sign_in in sign_ins:
            counts = [times.get(code, 0) for code in sign_in.codes]
            if any(count > 1 for count in counts):
                self.violation(sign_in, f"a code came to the issuer {max(counts)} times")
            if sign_in.is_taken_back:
                continue
            if sign_in.is_completed and sum(counts) != 1:
                self.violation(sign_in, f"completed, and its codes came to the issuer {counts} times")
            if not sign_in.is_completed and sum(counts):
                self.note("failed after the code was sent")
