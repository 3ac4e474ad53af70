"""The operator's color and logos: on pages, at their own addresses, and what `check` refuses."""

import colorsys
import re
import struct
import zlib

import pytest
import yaml

from harness.held import HoldingGateway, Visit, begin
from harness.programs import eventually, run

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1z" fill="#7a1fa2"/></svg>'
IMAGE = re.compile(r'<img class="logo" alt="" src="([^"]+)">')


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=8, height=8):
    rows = (b"\0" + b"\x7a\x1f\xa2" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b""))


@pytest.fixture
def branded(request, run_folder, issuer):
    """The operator's logo is an SVG; one app has a PNG of its own and an address for help."""
    gateway = HoldingGateway(run_folder, issuer.base)
    (gateway.folder / "contoso.svg").write_text(SVG)
    (gateway.folder / "coded.png").write_bytes(png())
    gateway.configuration["pages"] = {
        "name": "Contoso", "logo_file": "contoso.svg", "accent": {"light": "#7a1fa2", "dark": "#e0b0ff"},
        "support_url": "https://help.contoso.com", "support_text": "Ask the desk"}
    app = next(app for app in gateway.configuration["apps"] if app["id"] == "com.contoso.code")
    app |= {"logo_file": "coded.png", "support_url": "mailto:mail@contoso.com"}
    request.addfinalizer(gateway.stop)
    return gateway.start()


def shown(gateway, page):
    """The logo of a page, as the browser gets it."""
    assert page.header("Content-Security-Policy").count("img-src 'self'; ") == 1
    return gateway.browse(gateway.url(IMAGE.search(page.text)[1]))


def page_of(gateway, app):
    visit = Visit(gateway, begin(gateway, app))
    return visit.page()


@pytest.mark.rule(7)
def test_an_app_has_its_own_logo_and_help_and_strangers_see_the_operators(branded):
    own = page_of(branded, "com.contoso.code")
    answer = shown(branded, own)
    assert answer.status == 200 and answer.body == png() and answer.header("Content-Type") == "image/png"
    assert 'href="mailto:mail@contoso.com"' in own.text and "Ask the desk" not in own.text
    for page in [page_of(branded, "com.contoso.network"), branded.browse(branded.url("/nothing")),
                 branded.browse(branded.url("/done/K7QXM2PA00"))]:
        answer = shown(branded, page)
        assert answer.text == SVG and answer.header("Content-Type") == "image/svg+xml"
        assert "Ask the desk" in page.text and "mail@contoso.com" not in page.text


def test_a_logo_may_do_nothing_where_it_is_opened_by_itself(branded):
    answer = shown(branded, branded.browse(branded.url("/nothing")))
    assert answer.header("Content-Security-Policy") == "default-src 'none'; sandbox"
    assert answer.header("X-Content-Type-Options") == "nosniff"
    address = IMAGE.search(branded.browse(branded.url("/nothing")).text)[1]
    assert branded.browse(branded.url(address), method="HEAD").status == 200
    assert branded.browse(branded.url(address), method="POST").status == 405
    for wrong in (address[:-1], address + "x", "/start/logo/", "/start/logo/../coded.png", "/start/logo/coded.png"):
        assert branded.browse(branded.url(wrong)).status == 404


def test_another_file_becomes_the_logo_and_has_another_address(branded):
    before = IMAGE.search(branded.browse(branded.url("/nothing")).text)[1]
    (branded.folder / "contoso.svg").write_text(SVG.replace("7a1fa2", "123456"))
    eventually(lambda: IMAGE.search(branded.browse(branded.url("/nothing")).text)[1] != before, what="the new logo")
    (branded.folder / "contoso.svg").write_text("<svg/>")
    eventually(lambda: "contoso.svg" in branded.output(), what="the refusal in the log")
    assert IMAGE.search(branded.browse(branded.url("/nothing")).text), "the good one stays"


def test_the_browser_shows_the_logo_and_the_color(branded, start_browser):
    browser = start_browser()
    browser.open(branded.url("/done/K7QXM2PA00"))
    size = browser.driver.execute_script(
        "const i = document.querySelector('img.logo'); return [i.complete, i.naturalWidth, i.getBoundingClientRect().height]")
    assert size[0] and size[1] > 0 and size[2] > 0
    color = browser.driver.execute_script("return getComputedStyle(document.querySelector('.links a')).color")
    assert color == "rgb(122, 31, 162)"
    assert browser.complaints() == []


@pytest.fixture
def check(gateway, tmp_path):
    """The result of `check` for a `pages` mapping."""

    def checked(**pages):
        configuration = gateway.configuration | {"pages": {"name": "Contoso", **pages}}
        (tmp_path / "c.yaml").write_text(yaml.safe_dump(configuration, sort_keys=False))
        return run("check", "--config", tmp_path / "c.yaml")

    return checked


def hue(color):
    return colorsys.rgb_to_hls(*(int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)))[0]


def contrast(one, two):
    def luminance(color):
        channels = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(two)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.rule(8)
@pytest.mark.parametrize("color", ["#ffcc00", "#0b5cad", "#00ff88", "#2b0b4d", "#e91e63"])
def test_check_proposes_colors_of_the_same_hue_and_takes_them(check, color):
    done = check(accent=color)
    assert done.returncode == 2
    found = re.search(r'c\.yaml:\d+:\d+: .*\{ light: "(#[0-9a-f]{6})", dark: "(#[0-9a-f]{6})" \}', done.stderr, re.DOTALL)
    light, dark = found.groups()
    assert contrast(light, "#ffffff") >= 4.5 and min(contrast(dark, "#1a1e24"), contrast(dark, "#0b1420")) >= 4.5
    assert all(min(abs(hue(c) - hue(color)), 1 - abs(hue(c) - hue(color))) < 0.02 for c in (light, dark))
    assert check(accent={"light": light, "dark": dark}).returncode == 0


@pytest.mark.rule(8)
@pytest.mark.parametrize("name, content, words", [
    ("cut.png", png()[:-5], "not whole"), ("long.png", png() + b"<script>", "something follows"),
    ("wide.png", png(width=2049, height=1), "2048"), ("damaged.png", png().replace(b"IDAT", b"IDAU"), "damaged"),
    ("photo.jpg", b"\xff\xd8\xff\xe0", "neither a PNG nor an SVG"),
    ("big.svg", SVG.replace("</svg>", "<g/>" * 9000 + "</svg>").encode(), "larger than 32KiB"),
    ("script.svg", SVG.replace("<path", "\n<script/><path").encode(), "line 2: the element <script>"),
    ("doctype.svg", b"<!DOCTYPE svg>" + SVG.encode(), "DOCTYPE"),
])
def test_check_names_the_file_and_the_reason(check, tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    done = check(logo_file=name)
    assert done.returncode == 2
    line = next(line for line in done.stderr.splitlines() if name in line)
    assert re.match(r".*c\.yaml:\d+:\d+: ", line) and words in line, line
