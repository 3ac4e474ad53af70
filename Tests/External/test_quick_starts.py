"""The quick starts of the book: each is worked through from its first line to its last, as a person would."""

import grp
import os

import pytest

from harness.book import DOCS, Page
from harness.gateway import CA
from harness.programs import free_port
from harness.proxies import Nginx
from harness.reader import Reader

FOLDER = DOCS / "quick-start"
# The values in each page, and their values in this test.
PAGES = {
    "desktop.md": {"ports": [8400, 9400]},
    "elsewhere.md": {"ports": [8400, 9400]},
    "sandbox.md": {"ports": [7400, 8400, 9400]},
    "suite.md": {"ports": [8400, 9400]},
    "own-library.md": {"ports": [8400, 9400]},
}


@pytest.fixture
def reader(request, tmp_path):
    readers = []

    def make(**options):
        readers.append(Reader(tmp_path / "reader", **options))
        return readers[-1]

    yield make
    for one in readers:
        one.stop()


@pytest.mark.parametrize("page", PAGES)
def test_it_does_what_it_says(reader, page, tmp_path_factory):
    # A login's folder is short, as the path of a socket has to be; the reader's home is not.
    runtime = {"environment": {"XDG_RUNTIME_DIR": str(tmp_path_factory.mktemp("r"))}} if page == "sandbox.md" else {}
    someone = reader(**PAGES[page], **runtime)
    someone.read(Page(FOLDER / page))
    assert someone.visited, "nobody signed in"


def test_the_operators_does_what_it_says(request, reader, issuer, tmp_path):
    """With a real nginx in front, and the test issuer in the place of Entra ID."""
    port = free_port()
    folders = {f"/{kind}/switchyard": tmp_path / kind for kind in ("etc", "run", "var/lib")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    someone = reader(
        environment={"SWITCHYARD_CA": str(CA)},
        replace={there: str(here) for there, here in folders.items()} | {
            "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0": issuer.base,
            "https://login.contoso.com": f"https://localhost:{port}", "uid:www-data": f"uid:{os.getuid()}",
            "group: www-data": f"group: {grp.getgrgid(os.getgid()).gr_name}"})
    nginx = Nginx(tmp_path / "nginx", f"unix:{folders['/run/switchyard']}/proxy.sock", port).start()
    request.addfinalizer(nginx.stop)
    someone.read(Page(FOLDER / "operator.md"))
    assert someone.visited, "nobody signed in"


def test_each_quick_start_is_tried():
    assert {file.name for file in FOLDER.glob("*.md")} == {*PAGES, "operator.md"}
