"""Each Swift file imports what it uses. It asks the compiler, with the arguments of the last build."""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.programs import ROOT

# Options that make the compiler write files or work in parts, with the number of values that follow each.
WRITTEN = {
    "-emit-module": 0, "-emit-module-path": 1, "-emit-dependencies": 0, "-emit-objc-header": 0, "-emit-objc-header-path": 1,
    "-output-file-map": 1, "-index-store-path": 1, "-serialize-diagnostics": 0, "-parseable-output": 0, "-c": 0, "-g": 0,
    "-incremental": 0, "-enable-batch-mode": 0, "-enable-testing": 0, "-DDEBUG": 0,
}


def commands(manifest):
    """How each module of the program was compiled for the tests: its name and the compiler's arguments."""
    for name, rest in re.findall(r'^  "C\.((?:Switchyard|switchyard)\w*)-[^"]*\.module":\n((?:    .*\n)+)', manifest, re.M):
        if not name.endswith("Tests"):
            yield name, json.loads(re.search(r"^    args: (\[.*\])$", rest, re.M)[1])


def as_a_whole(arguments):
    """The same arguments, to check the module in one piece, as a release is built, and to write no file."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        if argument == "-Xcc":
            kept += [argument, next(rest)]
        elif argument in WRITTEN:
            for _ in range(WRITTEN[argument]):
                next(rest)
        else:
            kept.append(argument)
    return [*kept, "-typecheck", "-whole-module-optimization"]


@pytest.mark.timeout(400)
def test_each_file_imports_what_it_uses():
    """A build for the tests compiles file by file and misses some imports. A release, compiled module by module, then lacks them."""
    manifest = ROOT / ".build" / "debug.yaml"
    if not manifest.exists():
        pytest.skip("nothing was built here")
    modules = list(commands(manifest.read_text()))
    assert len(modules) > 20
    # Compiled module by module already: a missing import would have ended that build.
    modules = [(name, arguments) for name, arguments in modules if "-wmo" not in arguments]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        looked = pool.map(
            lambda module: subprocess.run(as_a_whole(module[1]), cwd=ROOT, capture_output=True, text=True), modules)
        wrong = {name: done.stdout + done.stderr for (name, _), done in zip(modules, looked) if done.returncode}
    assert wrong == {}
