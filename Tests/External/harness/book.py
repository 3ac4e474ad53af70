"""The pages of the documentation, as text with files to make, commands to type and links to follow.

docs/README.md explains the form: a block's language may be followed by the name of its file. A `console` block has commands
behind "$ " and their output, in which "…" stands for any text. No test types an `sh` block.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.programs import ROOT

DOCS = ROOT / "docs"
ANYTHING = "…"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the name of the file that it is (or ""), its text, and the line where it begins."""

    language: str
    name: str
    text: str
    line: int


@dataclass(frozen=True)
class Step:
    """A command, which may have several lines, and the lines that it prints."""

    command: str
    shown: tuple


class Page:
    """One Markdown file."""

    def __init__(self, path):
        self.path = Path(path) if Path(path).is_absolute() else ROOT / path

    @cached_property
    def text(self):
        return self.path.read_text()

    @cached_property
    def blocks(self):
        found = re.finditer(r"^([ ]*)```(\w*)(?: ([^\n]+))?\n(.*?)^\1```$", self.text, re.MULTILINE | re.DOTALL)
        return [Block(one[2], one[3] or "", re.sub(f"(?m)^{one[1]}", "", one[4]), self.text[:one.start()].count("\n") + 1)
                for one in found]

    def file(self, name):
        """The content of the one block with this name."""
        [block] = [block for block in self.blocks if block.name == name]
        return block.text

    @cached_property
    def prose(self):
        """The text without its blocks."""
        return re.sub(r"^([ ]*)```.*?^\1```$", "", self.text, flags=re.MULTILINE | re.DOTALL)


def steps(block):
    """The steps of a `console` block, in order."""
    found = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") or found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line.removeprefix('> ')}", [])
        else:
            found[-1][1].append(line)
    return [Step(command, tuple(shown)) for command, shown in found]


def pattern(shown):
    """The expected output. A line with "…" alone stands for any number of lines."""
    lines = [r"(?:[^\n]*\n)*?" if line == ANYTHING else "[^\n]*".join(map(re.escape, line.split(ANYTHING))) + "\n"
             for line in shown]
    return re.compile("".join(lines))
