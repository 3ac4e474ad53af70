"""Only the module `Files` opens, locks and replaces files, so its rules hold everywhere: close-on-exec, bounds, links, short writes."""

import re

from harness.programs import ROOT

CALLS = re.compile(
    r"(?<![\w.])(?<!func )(?:Glibc\.)?(?:openat|flock|fsync|fdatasync|pread|pwrite|lstat|fstat|fstatat|readlink|readlinkat|realpath|opendir"
    r"|fdopendir|access|renameat|unlink|unlinkat)\(|\bopen\([^()]*\bO_[A-Z]+")


def calls():
    for file in (ROOT / "Sources").rglob("*.swift"):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if not line.lstrip().startswith("//") and CALLS.search(line):
                yield file.relative_to(ROOT / "Sources"), number, line.strip()


def test_only_the_module_files_asks_the_kernel_for_files():
    """The agent asks about files of other users' file systems by `sy_look`, which never waits for one."""
    found = list(calls())
    assert any(file.parts[0] == "Files" for file, _, _ in found)
    assert [f"{file}:{number}: {line}" for file, number, line in found if file.parts[0] != "Files"] == []
