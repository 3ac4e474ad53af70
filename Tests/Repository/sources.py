"""The texts of the Swift sources that people read: messages, remedies, help and pages."""

import re

from harness.programs import ROOT

SPEAKING = ["switchyard", "Configuration", "Gateway", "Agent", "Bridge", "Desktop", "GatewayClient", "SwitchyardClient", "Handlers",
            "TokenStorage", "Redemption", "OAuth"]


def literals():
    """The string literals of the sources that people read, with their file."""
    for module in SPEAKING:
        for file in (ROOT / "Sources" / module).rglob("*.swift"):
            text = re.sub(r"^\s*//.*$", "", file.read_text(), flags=re.M)
            for literal in re.findall(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', text, re.S):
                said = (literal[0] or literal[1]).replace("\\\n", " ")
                yield file.relative_to(ROOT), re.sub(r"\s+", " ", said)
