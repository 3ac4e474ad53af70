"""docs/other-languages.md, read so that what it shows can be done: its exchanges, its commands, its pieces of code."""

import json
import re
from dataclasses import dataclass

from harness.programs import ROOT

FILE = ROOT / "docs" / "other-languages.md"
# The placeholder for any value in an answer.
ANYTHING = "…"


@dataclass(frozen=True)
class Message:
    """An HTTP message as the document shows it."""

    first: str
    headers: dict
    body: str

    def filled(self, values):
        """The message with each `{name}` replaced by its value."""

        def fill(text):
            return re.sub(r"\{([a-z_]+)\}", lambda found: values[found[1]], text)

        return Message(fill(self.first), {name: fill(value) for name, value in self.headers.items()}, fill(self.body))


def blocks(*languages):
    found = re.findall(r"^```(\w+)\n(.*?)^```$", FILE.read_text(), re.MULTILINE | re.DOTALL)
    return [text for language, text in found if language in languages]


def exchanges():
    """(request, answer), one after another."""
    messages = []
    for block in blocks("http"):
        head, _, body = block.partition("\n\n")
        first, *fields = head.strip().split("\n")
        messages.append(Message(first, dict(field.split(": ", 1) for field in fields), body.strip()))
    requests, answers = messages[::2], messages[1::2]
    assert len(requests) == len(answers) and all(answer.first.startswith("HTTP/1.1 ") for answer in answers)
    return list(zip(requests, answers))


def fits(shown, real):
    """Whether a JSON value is as shown: the same members, the same values but for those that stand for anything."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict):
        return isinstance(real, dict) and set(shown) == set(real) and all(fits(shown[name], real[name]) for name in shown)
    return shown == real


def body_fits(answer, body):
    return not body and not answer.body or fits(json.loads(answer.body), json.loads(body))
