"""The scripts use only the commands of Redis that operators are told to allow."""

import re

from harness.programs import ROOT


def test_the_scripts_use_only_commands_that_the_page_names():
    page = (ROOT / "docs/reference/configuration.md").read_text()
    named = re.search(r"^The user needs the commands (.*?)\n\n", page, re.M | re.S)[1]
    allowed = {name.split()[0] for name in re.findall(r"`([A-Z ]+)`", named)}
    used = {
        command for file in (ROOT / "Sources/RedisStore").glob("*.swift")
        for command in re.findall(r"redis\.p?call\(\s*'([A-Z]+)'", file.read_text())
    }
    assert len(used) > 15 and used <= allowed, used - allowed
