"""The page in a real browser: it works, with a mouse, with keys, and for strangers' names."""

import csv
import io
import re
import socket

import pytest

from bayesrank.data import Comparisons
from bayesrank.inference import fit as fit_model
from bayesrank.report import page as report_page
from bayesrank.report import write_report
from tests.report.fits import HOSTILE, made_fit

CITIES = ["Ångström", "Bern", "cairo", "Delhi 10", "Delhi 9", "Essen", "Faro", "Genova"]


@pytest.fixture(scope="module")
def fit():
    return made_fit(CITIES, likelihood="davidson")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(fit, folder):
    return write_report(fit, folder / "plain.html")


@pytest.fixture(scope="module")
def hostile(folder):
    return write_report(made_fit(HOSTILE), folder / "hostile.html", title=HOSTILE[0])


@pytest.fixture(scope="module")
def large(folder):
    fit = made_fit([f"driver {k:03}" for k in range(500)], draws=100)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_page, "LOSSES", {})  # which take longer than all the rest
        path = write_report(fit, folder / "large.html", draws=10)
    return path, fit.ranking().index[-1]


def shown(page):
    return page.locator("#ranking-table > tbody > tr:not(.detail) > th bdi").all_text_contents()


def percent(p):
    return "<0.1%" if p < 0.001 else ">99.9%" if p > 0.999 else f"{100 * p:.1f}%"


def says(text, p):
    """Whether a text is a probability, which the page keeps to one part in 65535."""
    return text in {percent(p + step / 65535) for step in (-1, 0, 1)}


def test_cells_say_what_the_fit_says(opened, plain, fit):
    table = fit.ranking()
    together = fit.rank_intervals(simultaneous=True)
    with opened(plain) as page:
        assert page.locator("h1").text_content() == "Ranking of 8 items"
        assert page.locator("caption").first.text_content() == (
            "All items, best first, with 95% intervals"
        )
        assert shown(page) == CITIES
        row = table.loc["cairo"]
        cells = page.locator("#ranking-table > tbody > tr").nth(2).locator("td")
        expected = [
            "3", f"{row['score']:.2f}", f"{row['low']:.2f} to {row['high']:.2f}",
            f"{row['rank_low']:.0f}–{row['rank_high']:.0f}",  # noqa: RUF001
            f"{together.loc['cairo', 'low']}–{together.loc['cairo', 'high']}",  # noqa: RUF001
            percent(row["p_best"]), percent(row["p_top3"]), f"{row['tier']:.0f}",
        ]  # fmt: skip
        assert [text.replace("−", "-") for text in cells.all_text_contents()] == expected  # noqa: RUF001


ALPHABET = ["Ångström", "Bern", "cairo", "Delhi 9", "Delhi 10", "Essen", "Faro", "Genova"]


def by(table, columns, descending):
    return list(table.sort_values(columns, ascending=not descending, kind="stable").index)


@pytest.mark.parametrize(
    ("heading", "columns", "descending_first"),
    [
        ("Item", None, False),
        ("Score", ["score"], True),
        ("95% interval", ["low", "high"], True),
        ("Rank interval", ["rank_low", "rank_high"], False),
        ("Ranks, all at once", ["all_low", "all_high"], False),
        ("P(best)", ["p_best"], True),
        ("P(top 3)", ["p_top3"], True),
        ("Tier", ["tier"], False),
        ("Rank", ["rank"], False),
    ],
)
def test_headings_sort(opened, plain, fit, heading, columns, descending_first):
    table = fit.ranking()
    together = fit.rank_intervals(simultaneous=True)
    table["all_low"], table["all_high"] = together["low"], together["high"]
    with opened(plain) as page:
        if heading == "Rank":  # by which it is sorted already
            page.get_by_role("button", name="Score", exact=True).click()
        button = page.get_by_role("button", name=heading, exact=True)
        header = page.locator("#ranking-table > thead th").filter(has=button)
        for descending in (descending_first, not descending_first):
            button.click()
            if columns is None:
                expected = ALPHABET[::-1] if descending else ALPHABET
            else:
                expected = by(table, columns, descending)
            assert shown(page) == expected
            assert header.get_attribute("aria-sort") == (
                "descending" if descending else "ascending"
            )
            assert page.locator("[aria-sort]").count() == 1
            assert page.locator("#sorted").text_content().startswith(f"Sorted by {heading}, ")


def test_search(opened, plain):
    with opened(plain) as page:
        box, count = page.get_by_label("Find an item"), page.locator("#count")
        assert count.text_content() == "8 items"
        box.fill("DELHI")
        assert shown(page) == ["Delhi 10", "Delhi 9"]
        assert count.text_content() == "2 of 8 items"
        assert count.get_attribute("aria-live") == "polite"
        # What is found stays found when the order changes.
        page.get_by_role("button", name="Item", exact=True).click()
        assert shown(page) == ["Delhi 9", "Delhi 10"]
        box.fill("angstrom")
        assert shown(page) == ["Ångström"]
        box.fill("(")
        assert shown(page) == [] and page.get_by_text("No item has this").is_visible()
        box.fill("")
        assert len(shown(page)) == 8


def test_a_row_opens_by_mouse_and_keys(opened, plain, fit):
    with opened(plain) as page:
        button = page.get_by_role("button", name="cairo")
        # Anywhere in the row will do.
        page.locator("#ranking-table > tbody > tr").nth(2).locator("td").last.click()
        assert button.get_attribute("aria-expanded") == "true"
        page.locator("#ranking-table > tbody > tr").nth(2).locator("td").last.click()
        assert button.get_attribute("aria-expanded") == "false"
        assert page.locator("tr.detail").count() == 0
        button.focus()
        page.keyboard.press("Enter")
        assert button.get_attribute("aria-expanded") == "true"
        page.keyboard.press("Space")
        assert button.get_attribute("aria-expanded") == "false"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        detail = page.get_by_role("group", name="Details of Delhi 10")
        chart = detail.get_by_role("img")
        probabilities = fit.rank_probabilities().loc["Delhi 10"]
        words = re.match(r".*Most likely rank (\d+) \((.*?)\);", chart.get_attribute("aria-label"))
        assert int(words[1]) == probabilities.idxmax() and says(words[2], probabilities.max())
        detail.get_by_text("The same in numbers").click()
        rows = detail.get_by_role("table", name="Probability of each rank").locator("tbody tr")
        rows.first.wait_for()
        told = [row.locator("th, td").all_text_contents() for row in rows.all()]
        seen = probabilities[probabilities > 0]
        assert [int(rank) for rank, _ in told] == [*range(seen.index.min(), seen.index.max() + 1)]
        assert all(says(text, probabilities[int(rank)]) for rank, text in told)


def test_neighbours_and_who_cannot_be_told_apart(opened, plain, fit):
    above, win = fit.probability_above(), fit.win_probabilities()
    with opened(plain) as page:
        page.get_by_role("button", name="cairo").click()
        detail = page.get_by_role("group", name="Details of cairo")
        table = detail.get_by_role("table").first
        rows = [
            row.locator("th, td").all_text_contents() for row in table.locator("tbody tr").all()
        ]
        near = ["Ångström", "Bern", "Delhi 10", "Delhi 9", "Essen", "Faro"]
        assert [name for name, _, _ in rows] == [f"{CITIES.index(c) + 1}. {c}" for c in near]
        for city, (_, wins, better) in zip(near, rows, strict=True):
            assert says(wins, win.loc["cairo", city]) and says(better, above.loc["cairo", city])
        unclear = above.loc["cairo"].between(0.05, 0.95, inclusive="neither")
        same = [city for city in CITIES if unclear[city]]
        assert same
        assert detail.locator(".names li").all_text_contents() == same


def test_the_matrix_answers_to_pointer_keys_and_names(opened, plain, fit):
    win, tie = fit.win_probabilities(), fit.win_probabilities("tie")
    above = fit.probability_above()

    def told(text, a, b):
        pattern = f"{a} beats {b} with (.*) \\(tie (.*)\\); {a} is truly better with (.*)\\."
        numbers = re.fullmatch(pattern, text).groups()
        frames = (win, tie, above)
        return all(says(n, frame.loc[a, b]) for n, frame in zip(numbers, frames, strict=True))

    with opened(plain) as page:
        readout, matrix = page.locator("#readout"), page.locator("#matrix")
        assert readout.get_attribute("aria-live") == "polite"
        matrix.scroll_into_view_if_needed()
        shape = page.evaluate("({ left: shape.left, top: shape.top, cell: shape.cell })")

        def point(row, column):
            matrix.hover(position={"x": shape["left"] + (column + 0.5) * shape["cell"],
                                   "y": shape["top"] + (row + 0.5) * shape["cell"]})  # fmt: skip

        point(3, 5)
        assert told(readout.text_content(), "Delhi 10", "Essen")
        point(2, 2)
        assert "itself" in readout.text_content()
        matrix.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        assert told(readout.text_content(), "Bern", "Delhi 10")
        for _ in range(20):  # it stays inside
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")
        assert told(readout.text_content(), "Genova", "Ångström")
        page.get_by_label("Item A (row)").select_option("7. Faro")
        page.get_by_label("Item B (column)").select_option("3. cairo")
        assert told(readout.text_content(), "Faro", "cairo")
        before = page.evaluate("canvas.toDataURL()")
        page.get_by_label("A is truly better").check()
        assert page.evaluate("canvas.toDataURL()") != before


def test_the_csv_is_the_table_and_runs_no_formula(opened, hostile):
    with opened(hostile, accept_downloads=True) as page:
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download CSV").click()
        text = waiting.value.path().read_bytes().decode("utf-8-sig")
        assert waiting.value.suggested_filename == "ranking.csv"
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    table = made_fit(HOSTILE).ranking()
    assert header == ["item", *table.columns, "joint_low", "joint_high", "all_low", "all_high"]
    assert not any(re.match(r"\s*[=+\-@\t\r]", row[0]) for row in rows)
    assert [row[0].removeprefix("'") for row in rows] == list(table.index)
    assert [float(row[1]) for row in rows] == table["score"].tolist()


def test_names_are_only_text(opened, hostile):
    with opened(hostile) as page:
        assert shown(page) == HOSTILE
        for button in page.locator("button.item").all():
            button.click()
        for k in range(len(HOSTILE)):
            page.get_by_label("Item A (row)").select_option(str(k))
        assert page.locator("h1").text_content() == HOSTILE[0]
        assert page.evaluate("window.harmed") is None
        assert page.locator("img, iframe, object, embed").count() == 0
        assert page.locator("script").count() == 6


def test_nothing_can_be_fetched_or_run_by_others(browser, plain):
    with browser.new_context() as context, socket.create_server(("127.0.0.1", 0)) as server:
        page = context.new_page()
        page.goto(plain.as_uri())
        caught = page.evaluate(
            """async (address) => {
                const caught = [];
                document.addEventListener("securitypolicyviolation",
                    (event) => caught.push(event.effectiveDirective));
                await fetch(address).catch(() => 0);
                const picture = new Image();
                picture.src = address + "x.png";
                const script = document.createElement("script");
                script.textContent = "window.harmed = true";
                const style = document.createElement("style");
                style.textContent = "body { display: none }";
                document.body.append(script, picture, style);
                while (caught.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
                return caught.sort();
            }""",
            f"http://127.0.0.1:{server.getsockname()[1]}/",
        )
        assert caught == ["connect-src", "img-src", "script-src-elem", "style-src-elem"]
        assert page.evaluate("window.harmed") is None
        assert page.locator("body").is_visible()
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody has called
            server.accept()


def test_five_hundred_items(opened, large):
    path, last = large
    with opened(path) as page:
        assert len(shown(page)) == 500
        page.get_by_role("button", name="Item", exact=True).click()
        page.get_by_role("button", name="Item", exact=True).click()
        assert shown(page)[0] == "driver 499"
        page.get_by_label("Find an item").fill("r 25")
        assert shown(page) == [f"driver {k}" for k in range(259, 249, -1)]
        page.get_by_role("button", name="driver 250").click()
        assert page.get_by_role("group", name="Details of driver 250").is_visible()
        page.locator("#matrix").focus()
        page.keyboard.press("End")
        assert f"beats {last} with" in page.locator("#readout").text_content()


def test_more_items_than_pairs_are_kept_for(opened, fit, folder, monkeypatch):
    monkeypatch.setattr(report_page, "MOST_PAIRED", 3)
    few = write_report(fit, folder / "few.html")
    with opened(few) as page:
        assert len(shown(page)) == 8
        assert "Of 8 items, pairs are kept for the first 3 only." in (
            page.locator("#pairs-hint").text_content()
        )
        assert page.locator("#pair-a option").count() == 3
        page.get_by_role("button", name="Genova").click()
        detail = page.get_by_role("group", name="Details of Genova")
        assert "Pairs are kept for the first 3 items only." in detail.text_content()
        assert "rank 7–8" in detail.get_by_role("img").get_attribute("aria-label")  # noqa: RUF001
        page.get_by_role("button", name="cairo").click()
        near = page.get_by_role("group", name="Details of cairo").get_by_role("table").first
        assert near.locator("tbody th").all_text_contents() == ["1. Ångström", "2. Bern"]


def test_a_mode_has_no_columns_of_uncertainty(opened, folder, fit):
    point = {name: values.mean(axis=1, keepdims=True) for name, values in fit.posterior.items()}
    mode = write_report(
        type(fit)(fit.specification, "map", point, note="Made up."), folder / "mode.html"
    )
    with opened(mode) as page:
        headings = page.locator("#ranking-table > thead button").all_text_contents()
        assert headings == ["Rank", "Item", "Score", "Position"]
        assert "cannot say how sure" in page.locator("#answer").text_content()
        assert page.get_by_text("Consensus").count() == 0
        assert page.get_by_text("Tier", exact=True).count() == 0
        page.get_by_role("button", name="Bern").click()
        assert page.get_by_role("group", name="Details of Bern").is_visible()
        assert "truly better" not in page.locator("#readout").text_content()


def test_what_the_data_leave_to_the_prior_is_no_fault_of_the_draws(opened, folder):
    first, second = HOSTILE[:2]
    games = Comparisons(
        [0, 1, 1], [1, 2, 2], [[2, 0, 0], [1, 0, 0], [0, 1, 0]], [first, second, "c"]
    )
    few = fit_model(games, method="laplace", draws=50, chains=1, seed=1, progress=False)
    good = fit_model(games, method="laplace", seed=1, progress=False)
    for name, fitted, verdict, mark in (
        ("few", few, "Something", "▲"),
        ("open", good, "open", "○"),
    ):
        with opened(write_report(fitted, folder / f"{name}.html")) as page:
            assert verdict in page.locator("#verdict").text_content()
            assert page.locator("#warning").is_visible()
            assert page.locator("#warning").text_content().startswith(mark)
            last = page.locator("#messages li").last.text_content()
            assert last.startswith(f"Never beaten: {first}. How far above the others")
            assert page.evaluate("window.harmed") is None
