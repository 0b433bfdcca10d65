"""Everybody can read and use the page: names, order, contrast, themes, narrow screens, print."""

from itertools import pairwise

import pytest

from bayesrank.report import write_report
from tests.report.fits import HOSTILE, made_fit

NAMES = ["first", "second", "third", "fourth", "fifth"]
# Roles of what one can use or must be told the name of.
NAMED = {
    "application", "button", "columnheader", "combobox", "heading", "image", "img", "link",
    "navigation", "radio", "region", "rowheader", "searchbox", "table",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(folder):
    return write_report(made_fit(NAMES, likelihood="davidson"), folder / "plain.html")


@pytest.fixture(scope="module")
def hostile(folder):
    return write_report(made_fit(HOSTILE), folder / "hostile.html", title="T" * 300)


def open_all(page):
    """Open a row and everything that can be unfolded, so that all there is can be seen."""
    page.locator("button.item").first.click()
    for summary in page.locator("summary").all():
        summary.click()


def test_everything_has_a_name(opened, plain):
    with opened(plain) as page:
        open_all(page)
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        nodes = [node for node in nodes if not node["ignored"]]
        roles = {node["role"]["value"] for node in nodes}
        assert {"application", "button", "combobox", "searchbox", "table", "main",
                "navigation", "banner", "contentinfo"} <= roles  # fmt: skip
        nameless = [
            node["role"]["value"]
            for node in nodes
            if node["role"]["value"] in NAMED and not node.get("name", {}).get("value", "").strip()
        ]
        assert nameless == []


def test_structure(opened, plain):
    with opened(plain) as page:
        open_all(page)
        found = page.evaluate(
            """() => {
                const all = (selector) => [...document.querySelectorAll(selector)];
                const ids = all("[id]").map((e) => e.id);
                return {
                    repeated: ids.filter((id, k) => ids.indexOf(id) !== k),
                    dangling: all("[aria-labelledby], [aria-describedby], label[for]").filter((e) =>
                        !document.getElementById(e.getAttribute("aria-labelledby")
                            || e.getAttribute("aria-describedby") || e.htmlFor)).length,
                    links: all("a[href^='#']").filter((e) =>
                        !document.getElementById(e.hash.slice(1))).length,
                    levels: all("h1, h2, h3").map((e) => +e.tagName[1]),
                    uncaptioned: all("table").filter((e) => !e.caption).length,
                    unscoped: all("th").filter((e) => !e.scope).length,
                    language: document.documentElement.lang,
                };
            }"""
        )
    levels = found.pop("levels")
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert found == {"repeated": [], "dangling": 0, "links": 0, "uncaptioned": 0, "unscoped": 0,
                     "language": "en"}  # fmt: skip


# WCAG 2: relative luminance and contrast of every piece of text with what is behind it; 4.5, or 3
# for large text. Of pictures and borders of controls, 3.
CONTRAST = """() => {
    const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
    const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const luminance = ([r, g, b]) =>
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const contrast = (a, b) => {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const colour = rgb(getComputedStyle(e).backgroundColor);
            if (colour[3] === undefined || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const failures = [];
    let seen = 0;
    const check = (what, colour, back, least) => {
        seen += 1;
        const ratio = contrast(rgb(colour), back);
        if (!(ratio >= least)) failures.push(`${what}: ${ratio.toFixed(2)}`);
    };
    for (const e of document.body.querySelectorAll("*")) {
        const style = getComputedStyle(e);
        if (!e.getClientRects().length || ["SCRIPT", "OPTION"].includes(e.tagName)) continue;
        const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        const size = parseFloat(style.fontSize), bold = +style.fontWeight >= 700;
        const least = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
        const svg = e.namespaceURI.endsWith("svg");
        if (text) check(e.outerHTML.slice(0, 60), svg ? style.fill : style.color, behind(e), least);
        for (const part of ["::before", "::after"]) {
            const made = getComputedStyle(e, part);
            if (/\\S/.test(made.content.replace(/none|normal|"/g, ""))) {
                check(e.outerHTML.slice(0, 60) + part, made.color, behind(e), least);
            }
        }
        if (["rect", "circle"].includes(e.tagName) && !e.classList.contains("outside"))
            check(e.tagName, style.fill, behind(e), 3);
        if (e.matches(".extent, .axis, .outside"))
            check(e.outerHTML.slice(0, 60), style.stroke, behind(e), 3);
        if (e.matches("input[type=search], select, #theme, #download"))
            check(e.outerHTML.slice(0, 60), style.borderTopColor, behind(e.parentElement), 3);
    }
    const focus = document.createElement("span");
    focus.style.color = "var(--accent)";
    document.body.append(focus);
    check("focus", getComputedStyle(focus).color, behind(document.body), 3);
    return { failures, seen };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("toggled", [False, True])
def test_contrast(opened, plain, scheme, toggled):
    with opened(plain, color_scheme=scheme) as page:
        open_all(page)
        if toggled:
            page.locator("#theme").click()
        page.evaluate(
            """() => {
                byId("warning").hidden = false;
                byId("warning").append("text ", element("a", { href: "#trust" }, "link"));
                for (const kind of ["good", "bad", "open"])
                    byId("verdict").after(element("p", { className: `verdict ${kind}` }, kind));
            }"""
        )
        found = page.evaluate(CONTRAST)
        assert found["failures"] == []
        assert found["seen"] > 100
        # The page is what it was asked to be, so that both themes were looked at.
        lightness = page.evaluate("themeColour('page')[0]")
        assert (lightness < 100) == ((scheme == "dark") != toggled)


def test_the_theme_button_says_which_it_is(opened, plain):
    with opened(plain, color_scheme="dark") as page:
        button = page.get_by_role("button", name="Dark theme")
        assert button.get_attribute("aria-pressed") == "true"
        painted = page.evaluate("canvas.toDataURL()")
        button.click()
        assert button.get_attribute("aria-pressed") == "false"
        assert page.evaluate("canvas.toDataURL()") != painted
        button.click()
        assert page.evaluate("canvas.toDataURL()") == painted


def test_the_numbers_in_cells_can_be_read(opened, plain):
    """Black or white, whichever is chosen, has a contrast of 4.5 on every shade."""
    for scheme in ("light", "dark"):
        with opened(plain, color_scheme=scheme) as page:
            worst = page.evaluate(
                """() => {
                    const linear = (c) =>
                        (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
                    let worst = 99;
                    for (let k = 0; k <= 100; k++) {
                        const shade = colours.scale(k / 100), [r, g, b] = shade.map(linear);
                        const back = 0.2126 * r + 0.7152 * g + 0.0722 * b;
                        const ink = inkOn(shade) === "#000" ? 0 : 1;
                        const [low, high] = [back, ink].sort((x, y) => x - y);
                        worst = Math.min(worst, (high + 0.05) / (low + 0.05));
                    }
                    return worst;
                }"""
            )
        assert worst >= 4.5


@pytest.mark.parametrize(("which", "width"), [("plain", 360), ("hostile", 360), ("hostile", 768)])
def test_the_page_does_not_scroll_sideways(opened, request, which, width):
    with opened(request.getfixturevalue(which), width=width) as page:
        open_all(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("scrollTo(1000, 0)")
        assert page.evaluate("scrollX") == 0
        # What is folded out fits as well, though the table itself may scroll.
        detail = page.locator(".detail-body").bounding_box()
        assert detail["x"] >= 0 and detail["x"] + detail["width"] <= width
        near = page.locator(".detail-body .scroll").first
        assert near.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_by_keys_alone(opened, plain):
    with opened(plain) as page:
        reached = []
        for _ in range(40):
            page.keyboard.press("Tab")
            reached.append(page.evaluate(
                """() => {
                    const e = document.activeElement, name = e.id || e.textContent.trim();
                    return [name, getComputedStyle(e).outlineStyle, e.matches(":focus-visible")];
                }"""
            ))  # fmt: skip
        names = [name for name, _, _ in reached]
        assert names[0] == "Skip to the ranking"
        for expected in ("theme", "search", "download", "Score", "first", "pair-a", "matrix"):
            assert expected in names
        assert all(style == "solid" for _, style, visible in reached if visible)


def test_no_motion_for_those_who_want_none(opened, plain):
    motion = "getComputedStyle(document.documentElement).scrollBehavior"
    with opened(plain, reduced_motion="reduce") as page:
        assert page.evaluate(motion) == "auto"


def test_print_has_everything_on_white(opened, plain):
    with opened(plain, color_scheme="dark", width=700) as page:
        page.locator("#theme").click()
        page.locator("#theme").click()
        page.emulate_media(media="print")
        assert page.evaluate("themeColour('page')") == [255, 255, 255]
        for hidden in ("nav", "#theme", "#search", "#download"):
            assert not page.locator(hidden).is_visible()
        box = page.locator("#ranking-scroll")
        assert box.evaluate("e => e.scrollWidth <= e.clientWidth")
        assert box.evaluate("e => e.scrollHeight <= e.clientHeight")
