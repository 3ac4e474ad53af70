"""The attack strings of Tests/Attacks/attacks.txt, which says what its columns mean."""

import re
from dataclasses import dataclass

from harness.programs import ROOT

FILE = ROOT / "Tests" / "Attacks" / "attacks.txt"
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u\{([0-9A-F]+)\}|\((\d+)\*([^)]*)\)|(.))")
SIMPLE = {"r": b"\r", "n": b"\n", "t": b"\t", "0": b"\0", "\\": b"\\"}


@dataclass(frozen=True)
class Attack:
    """One line of the file."""

    line: int
    kind: str
    expectation: str
    data: bytes

    def filled(self, **values):
        """The bytes, with `{name}` replaced by each value that is given."""
        data = self.data
        for name, value in values.items():
            data = data.replace(b"{%s}" % name.encode(), value.encode())
        return data


def unescape(text):
    data, position = b"", 0
    for match in ESCAPE.finditer(text):
        data += text[position:match.start()].encode()
        position = match.end()
        byte, character, count, unit, simple = match.groups()
        if byte:
            data += bytes([int(byte, 16)])
        elif character:
            data += chr(int(character, 16)).encode()
        elif count:
            data += unescape(unit) * int(count)
        else:
            data += SIMPLE[simple]
    return data + text[position:].encode()


def _read():
    for number, line in enumerate(FILE.read_text().split("\n"), 1):
        if line and not line.startswith("#"):
            kind, expectation, *text = line.split(None, 2)
            yield Attack(number, kind, expectation, unescape(text[0] if text else ""))


ALL = tuple(_read())


def of_kind(*kinds):
    attacks = [attack for attack in ALL if attack.kind in kinds]
    assert attacks, kinds
    return attacks
