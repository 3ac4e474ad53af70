"""An app that links SwitchyardClient keeps all names of modules for itself and its other packages."""

import re
import subprocess

from harness.programs import ROOT

# What our modules would be called without their prefix, and what Apple's and other people's packages have.
OURS = set(re.findall(r'(?:module|library)\(\s*"Switchyard(\w+)"', (ROOT / "Package.swift").read_text()))
# (TokenStorage is also a public type, and so the same word for any app.)
NAMES = sorted(OURS - {"Client", "TokenStorage"} | {"Configuration", "Crypto", "HTTP", "HTTPTypes", "Logging", "Metrics", "TLS"})

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    dependencies: [.package(path: "others"), .package(name: "switchyard", path: "{root}")],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [
                .product(name: "Others", package: "others"),
                .product(name: "SwitchyardClient", package: "switchyard"),
            ])
    ]
)
"""

OTHERS = """// swift-tools-version: 6.2
import PackageDescription

let names = {names}
let package = Package(
    name: "others", products: [.library(name: "Others", targets: names)], targets: names.map {{ .target(name: $0) }})
"""


# Nobody looks into what is built, and nobody builds it twice: a module in one piece takes a quarter less.
LEAN = ["--disable-index-store", "-debug-info-format", "none"]
LEAN += [word for option in ("-whole-module-optimization", "-num-threads", "1") for word in ("-Xswiftc", option)]


def program():
    uses = "\n".join(f'print({name}.owner == "{name} of the app")' for name in NAMES)
    return "\n".join(f"import {name}" for name in NAMES) + f"""
import SwitchyardClient

{uses}
print(AuthenticationError.Code.userCanceled)
"""


def write(path, text):
    """Only what has changed, so that a second build finds its work done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def test_an_app_imports_its_own_modules_whatever_ours_are_called():
    folder = ROOT / ".build" / "neighbors" / "app"
    write(folder / "Package.swift", MANIFEST.format(root=ROOT))
    write(folder / "Sources" / "app" / "main.swift", program())
    write(folder / "others" / "Package.swift", OTHERS.format(names="[" + ", ".join(f'"{name}"' for name in NAMES) + "]"))
    for name in NAMES:
        write(folder / "others" / "Sources" / name / "Owner.swift", f'public let owner = "{name} of the app"\n')
    built = subprocess.run(
        ["swift", "build", "--scratch-path", folder.parent / "build", *LEAN], cwd=folder, capture_output=True, text=True,
        timeout=1200)
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    said = subprocess.run([folder.parent / "build" / "debug" / "app"], capture_output=True, text=True, timeout=60)
    assert said.stdout == "true\n" * len(NAMES) + "user_canceled\n", said.stdout + said.stderr
