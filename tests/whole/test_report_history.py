"""The panel of scores that move, in a real browser: slider, lines, ranks, keys and readers."""

import re
from itertools import pairwise

import pytest

import bayesrank as br
from bayesrank.report import history, write_report
from bayesrank.text import decimals
from tests.model.moving_data import races_over_time
from tests.report.fits import HOSTILE, moving_fit
from tests.whole.test_report_access import CONTRAST, NAMED

NAMES = ["Ångström", "Bern", "Cairo", "Delhi", "Essen", "Faro", "Genova"]
TIMES = [f"{year}-01-01" for year in range(2000, 2006)]


@pytest.fixture(scope="module")
def fit():
    return moving_fit(NAMES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(fit, folder):
    return write_report(fit, folder / "plain.html")


@pytest.fixture(scope="module")
def hostile(folder):
    return write_report(moving_fit(HOSTILE), folder / "hostile.html")


def rows_of(page):
    """Return the rows of ranked items as texts."""
    rows = page.locator("#history-table tbody tr:not(.absent)").all()
    cells = [row.locator("td:visible, th").all_text_contents() for row in rows]
    return [[text.replace("−", "-") for text in row] for row in cells]  # noqa: RUF001


def expected_rows(fit, time):
    rows = []
    for item, row in fit.ranking(at=time).iterrows():
        low, high = row["rank_low"], row["rank_high"]
        p = row["p_best"]
        rows.append([
            f"{row['rank']:.0f}", item, f"{row['score']:.2f}",
            f"{row['low']:.2f} to {row['high']:.2f}",
            f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}",  # noqa: RUF001
            "<0.1%" if p < 0.001 else ">99.9%" if p > 0.999 else f"{100 * float(decimals(p)):.1f}%",
        ])  # fmt: skip
    return rows


def box(page, name):
    return page.locator("#history-table").get_by_role("checkbox", name=name, exact=True)


def check_all(page):
    for one in page.locator("#history-table input").all():
        one.check()


def drawn(page):
    return page.locator("#history-frame .series .name").all_text_contents()


def test_the_slider_changes_table_text_and_picture_by_keys(opened, plain, fit):
    with opened(plain) as page:
        slider = page.get_by_role("slider", name="Time")
        assert slider.get_attribute("aria-valuetext") == TIMES[-1]
        assert rows_of(page) == expected_rows(fit, TIMES[-1])
        slider.focus()
        for key, time in (("ArrowLeft", TIMES[4]), ("Home", TIMES[0]), ("ArrowRight", TIMES[1])):
            before = page.locator("#history-frame .now").get_attribute("x1")
            page.keyboard.press(key)
            assert slider.get_attribute("aria-valuetext") == time
            assert page.locator("#history-shown").text_content() == time
            assert page.locator("#history-caption").text_content().startswith(f"Ranking at {time}")
            assert rows_of(page) == expected_rows(fit, time)
            assert page.locator("#history-about").text_content().startswith(f"At {time}, 6 items")
            assert page.locator("#history-frame .now").get_attribute("x1") != before
            assert f"At {time}: " in page.locator("#history-frame svg").get_attribute("aria-label")
            assert page.evaluate("document.activeElement.id") == "history-time"
        page.get_by_role("button", name="Later").click()
        page.get_by_role("button", name="Later").click()
        assert rows_of(page) == expected_rows(fit, TIMES[3])
        page.keyboard.press("Enter")
        for _ in range(3):  # it stays inside, and the focus where it is
            page.keyboard.press("Enter")
        assert slider.get_attribute("aria-valuetext") == TIMES[-1]
        page.get_by_role("button", name="Earlier").press("Space")
        assert slider.get_attribute("aria-valuetext") == TIMES[4]


def test_who_is_not_ranked_is_told(opened, plain):
    with opened(plain) as page:
        gone = page.locator("#history-table tr").filter(has_text="Genova")
        assert gone.locator("td:visible").all_text_contents() == ["–", "not seen lately"]  # noqa: RUF001
        assert "Left out, not seen in the year up to 2005-01-01: “Genova”." in (
            page.locator("#history-about").text_content()
        )
        page.get_by_label("Time", exact=True).press("Home")
        to_come = page.locator("#history-table tr").filter(has_text="Faro")
        assert to_come.locator("td:visible").last.text_content() == "not seen until later"
        assert "1 item was not seen until later" in page.locator("#history-about").text_content()


def test_the_picture_chooses_a_time_too(opened, plain):
    with opened(plain) as page:
        frame = page.locator("#history-frame")
        frame.scroll_into_view_if_needed()
        room = frame.bounding_box()
        dots = page.locator("#history-frame .series").first.locator("circle").all()
        places = [float(dot.get_attribute("cx")) for dot in dots]
        frame.click(position={"x": places[2] + 3, "y": room["height"] / 2})
        assert page.locator("#history-shown").text_content() == TIMES[2]
        page.mouse.down()
        page.mouse.move(room["x"] + places[4] - 3, room["y"] + 100)
        page.mouse.up()
        assert page.locator("#history-shown").text_content() == TIMES[4]
        page.mouse.move(room["x"] + places[1], room["y"] + 100)
        assert page.locator("#history-shown").text_content() == TIMES[4]


def test_items_are_chosen_by_boxes(opened, plain, fit):
    first = fit.ranking().index[:5].tolist()
    with opened(plain) as page:
        assert sorted(drawn(page)) == sorted(first)
        assert all(box(page, name).is_checked() == (name in first) for name in NAMES)
        box(page, first[1]).focus()
        page.keyboard.press("Space")
        assert sorted(drawn(page)) == sorted({*first} - {first[1]})
        colours = page.locator("#history-frame .series").evaluate_all(
            "all => all.map(e => e.className.baseVal)"
        )
        box(page, "Genova").check()
        # The others keep their colours; the free one goes to the new line.
        after = page.locator("#history-frame .series").evaluate_all(
            "all => all.map(e => e.className.baseVal)"
        )
        assert after[:4] == colours and len(set(after)) == 5
        assert "Genova not ranked" in page.locator("#history-frame svg").get_attribute("aria-label")
        for name in [*first, "Genova"]:
            box(page, name).uncheck()
        assert drawn(page) == []
        assert (
            page.locator("#history-frame svg").get_attribute("aria-label") == "No item is chosen."
        )
        page.get_by_label("Time", exact=True).press("Home")
        page.get_by_role("button", name="Draw the first 5 at the time shown").click()
        assert sorted(drawn(page)) == sorted(fit.ranking(at=TIMES[0]).index[:5])


def test_a_line_is_broken_where_its_item_was_not_ranked(opened, plain):
    with opened(plain) as page:
        box(page, "Genova").check()
        lines = page.locator("#history-frame .series").last
        ends = lines.locator(".line").get_attribute("d").count(",")
        assert ends == 3 == lines.locator("circle").count()  # three rounds
        assert lines.locator(".leader").count() == 1


def test_ranks(opened, plain, fit):
    with opened(plain) as page:
        assert page.locator("#history-frame .band").count() == 5
        page.get_by_label("Ranks", exact=True).check()
        assert page.locator("#history-frame .band").count() == 0
        label = page.locator("#history-frame svg").get_attribute("aria-label")
        assert label.startswith(f"Ranks over time, from {TIMES[0]} to {TIMES[-1]}.")
        row = fit.ranking().iloc[0]
        assert f"{row.name} 1 (1" in label
        # The first is at the top: its name is the highest.
        heights = page.locator("#history-frame .name").evaluate_all(
            "all => all.map(e => [+e.getAttribute('y'), e.textContent])")  # fmt: skip
        assert [name for _, name in sorted(heights)] == fit.ranking().index[:5].tolist()
        for name in fit.ranking().index[1:5]:
            box(page, name).uncheck()
        assert page.locator("#history-frame .band").count() == 1
        page.get_by_label("Scores", exact=True).check()
        assert "Scores over time" in page.locator("#history-frame svg").get_attribute("aria-label")


def test_the_lines_in_numbers_are_a_table(opened, plain, fit):
    table = fit.history(["Ångström"])
    with opened(plain) as page:
        page.get_by_text("The lines in numbers").click()
        box(page, "Ångström").check()
        numbers = page.get_by_role("table", name="Scores of the chosen items over time")
        heads = numbers.locator("thead th").all_text_contents()
        assert heads[0] == "Time" and sorted(heads[1:]) == sorted(drawn(page))
        at = heads.index("Ångström")
        told = [
            row.locator("td, th").all_text_contents() for row in numbers.locator("tbody tr").all()
        ]
        assert [row[0] for row in told] == TIMES
        assert [row[at].replace("−", "-") for row in told] == [  # noqa: RUF001
            f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})" for row in table.itertuples()
        ]
        page.get_by_label("Ranks", exact=True).check()
        ranks = page.get_by_role("table", name="Ranks of the chosen items over time")
        assert ranks.locator("tbody tr").first.locator("td, th").nth(at).text_content() == (
            f"{table['rank'][0]:.0f} ({table['rank_low'][0]:.0f}–{table['rank_high'][0]:.0f})"  # noqa: RUF001
        )


def test_search_in_the_table(opened, plain):
    with opened(plain) as page:
        page.get_by_label("Find in this table").fill("angstrom")
        assert [row[1] for row in rows_of(page)] == ["Ångström"]
        page.get_by_label("Find in this table").fill("x")
        assert "No item has this in its name." in page.locator("#history-caption").text_content()


def test_the_line_of_a_row_stands_out(opened, plain):
    with opened(plain) as page:
        box(page, drawn(page)[2]).focus()
        assert page.locator("#history-frame .lines.lit .series.lit .name").all_text_contents() == [
            drawn(page)[2]
        ]
        page.get_by_label("Time", exact=True).focus()
        assert page.locator("#history-frame .lit").count() == 0


def test_twelve_lines_at_most(opened, folder):
    names = [f"item {k:02}" for k in range(15)]
    path = write_report(moving_fit(names, method="map"), folder / "many.html")
    with opened(path) as page:
        for name in names:
            box(page, name).click()
            box(page, name).click()
        assert len(drawn(page)) == 5
        unchecked = page.locator("#history-table input:not(:checked)")
        for _ in range(7):
            unchecked.first.check()
        assert len(drawn(page)) == 12
        said = page.locator("#history-said")
        assert said.text_content() == ""
        unchecked.first.click()
        assert "More than 12 lines could not be told apart" in said.text_content()
        assert unchecked.count() == 3 and len(drawn(page)) == 12
        kinds = page.locator("#history-frame .series").evaluate_all(
            "all => all.map(e => e.className.baseVal)"
        )
        assert len(set(kinds)) == 12
        # No name is over another, and none is cut.
        boxes = sorted(
            (text.bounding_box() for text in page.locator("#history-frame .name").all()),
            key=lambda room: room["y"],
        )
        assert all(b["y"] - a["y"] >= 14 for a, b in pairwise(boxes))
        frame = page.locator("#history-frame").bounding_box()
        assert all(b["x"] + b["width"] <= frame["x"] + frame["width"] for b in boxes)
        assert all(
            frame["y"] <= b["y"] and b["y"] + b["height"] <= frame["y"] + frame["height"]
            for b in boxes
        )


def test_a_mode_has_lines_without_bands(opened, folder):
    path = write_report(moving_fit(NAMES, method="map"), folder / "mode.html")
    with opened(path) as page:
        heads = page.locator("#history-table thead th").all_text_contents()
        assert heads == ["Rank", "Item", "Score"]
        assert page.locator("#history-frame .line").count() >= 5
        assert page.locator("#history-frame .band, #history-frame .whisker").count() == 0
        assert "interval" not in page.locator("#history-hint").text_content()
        page.get_by_label("Time", exact=True).press("Home")
        assert [len(row) for row in rows_of(page)] == [3] * 6


def test_rankings_with_times_that_are_numbers(opened, folder):
    data = races_over_time(rows=30, items=5, times=8)
    fit = br.fit(data, scores="mean-reverting", method="laplace", seed=1, progress=False)
    with opened(write_report(fit, folder / "races.html")) as page:
        assert rows_of(page) == expected_rows(fit, None)
        page.get_by_label("Time", exact=True).press("ArrowLeft")
        shown = page.locator("#history-shown").text_content()
        assert shown == f"{data.times[-2]:g}"
        assert rows_of(page) == expected_rows(fit, data.times[-2])
        assert "drawn back to the mean" in page.locator("#model-words").text_content()


def test_what_is_left_away_is_said(opened, fit, folder, monkeypatch):
    monkeypatch.setattr(history, "MOST_TIMES", 3)
    monkeypatch.setattr(history, "MOST_FOLLOWED", 5)
    with opened(write_report(fit, folder / "few.html")) as page:
        assert page.locator("#history-note").text_content() == (
            "Of 6 times, 3 that are spread evenly among them can be chosen. "
            "Of 7 items, the table has the 5 that ranked highest at some time."
        )
        assert page.get_by_label("Time", exact=True).get_attribute("max") == "2"


def test_names_are_only_text(opened, hostile):
    with opened(hostile) as page:
        check_all(page)
        page.get_by_text("The lines in numbers").click()
        page.get_by_label("Time", exact=True).press("Home")
        found = page.locator("#history-table tbody bdi").all_text_contents()
        assert sorted(found) == sorted(
            name if len(name) <= 60 else f"{name[:59]}…" for name in HOSTILE
        )
        assert len(drawn(page)) == len(HOSTILE)
        assert page.evaluate("window.harmed") is None
        assert page.locator("img, iframe, object, embed").count() == 0


def test_readers_are_told_the_name_of_everything(opened, plain):
    with opened(plain) as page:
        page.get_by_text("The lines in numbers").click()
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        nodes = [node for node in nodes if not node["ignored"]]
        roles = [node["role"]["value"] for node in nodes]
        assert roles.count("slider") == 1 and roles.count("checkbox") == len(NAMES)
        named = {*NAMED, "slider", "checkbox", "radiogroup", "group"}
        nameless = [
            node["role"]["value"]
            for node in nodes
            if node["role"]["value"] in named and not node.get("name", {}).get("value", "").strip()
        ]
        assert [role for role in nameless if role != "group"] == []
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))
        assert page.locator("table:not(:has(caption))").count() == 0
        assert page.locator("#history-about").get_attribute("aria-live") == "polite"


def test_all_is_reached_by_keys(opened, plain):
    with opened(plain) as page:
        page.locator("#history-what input").first.focus()
        reached = []
        for _ in range(16):
            reached.append(
                page.evaluate("document.activeElement.id || document.activeElement.type")
            )
            page.keyboard.press("Tab")
        wanted = ["history-first", "history-earlier", "history-time", "history-later",
                  "history-find", "history-scroll", "checkbox"]  # fmt: skip
        assert [name for name in wanted if name not in reached] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(opened, hostile, scheme):
    with opened(hostile, color_scheme=scheme) as page:
        check_all(page)
        page.get_by_label("Time", exact=True).focus()
        found = page.evaluate(CONTRAST)
        assert found["failures"] == [] and found["seen"] > 100
        # A line has the colour of its name, whose contrast was looked at.
        strokes = page.locator(".series").evaluate_all(
            """all => all.map((e) => [getComputedStyle(e.querySelector(".line")).stroke,
                                      getComputedStyle(e.querySelector(".name")).fill])"""
        )
        assert len(strokes) == len(HOSTILE) and all(line == name for line, name in strokes)
        assert len({line for line, _ in strokes}) == 6


@pytest.mark.parametrize("width", [360, 800])
def test_narrow_screens_do_not_scroll_sideways(opened, hostile, width):
    with opened(hostile, width=width) as page:
        check_all(page)
        page.get_by_text("The lines in numbers").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        chart = page.locator("#history-frame svg").bounding_box()
        assert chart["x"] >= 0 and chart["x"] + chart["width"] <= width


def test_print_has_lines_and_table_whole(opened, plain):
    with opened(plain, width=700) as page:
        page.emulate_media(media="print")
        for hidden in ("#history-time", "#history-find", "#history-first"):
            assert not page.locator(hidden).is_visible()
        assert page.locator("#history-shown").is_visible()
        assert page.locator("#history-frame svg").is_visible()
        table = page.locator("#history-scroll")
        assert table.evaluate(
            "e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth"
        )


def test_the_main_table_says_its_time(opened, plain):
    with opened(plain) as page:
        caption = page.locator("#ranking-caption").text_content()
        assert caption == "Items ranked at 2005-01-01, best first, with 95% intervals"
        assert re.search("Ranking of 6 items at 2005-01-01", page.locator("h1").text_content())
        page.get_by_role("link", name="History").click()
        assert page.evaluate("location.hash") == "#history"
