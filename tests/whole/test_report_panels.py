"""Categories and agents on the page, in a real browser: choice, tables, keys and readers."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.report import write_report
from tests.judged_votes import EVERYTHING, fit_of_votes, votes_by_judges
from tests.report.fits import HOSTILE
from tests.whole.test_report_access import CONTRAST, NAMED


@pytest.fixture(scope="module")
def fit():
    return fit_of_votes(**EVERYTHING)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def plain(fit, folder):
    return write_report(fit, folder / "plain.html")


@pytest.fixture(scope="module")
def hostile(folder):
    frame = votes_by_judges(judges=len(HOSTILE), names=HOSTILE[:6])
    frame["judge"] = frame["judge"].map(dict(zip(frame["judge"].unique(), HOSTILE, strict=True)))
    frame["topic"] = frame["topic"].map(dict(zip(frame["topic"].unique(), HOSTILE, strict=False)))
    return write_report(fit_of_votes(frame=frame, **EVERYTHING), folder / "hostile.html")


def texts(row):
    return [text.replace("−", "-") for text in row.locator("th, td").all_text_contents()]  # noqa: RUF001


def shown(page):
    """Return rank, name, score and interval of each row."""
    return [
        texts(row)[:4] for row in page.locator("#ranking-table > tbody > tr:not(.detail)").all()
    ]


def expected(table):
    text = {name: [f"{value + 0.0:.2f}" for value in table[name].round(2)]
            for name in ("score", "low", "high")}  # fmt: skip
    spread = [f"{low} to {high}" for low, high in zip(text["low"], text["high"], strict=True)]
    columns = ([f"{rank:.0f}" for rank in table["rank"]], table.index, text["score"], spread)
    return [list(row) for row in zip(*columns, strict=True)]


def test_a_category_changes_the_ranking(opened, plain, fit):
    with opened(plain) as page:
        choice = page.get_by_role("combobox", name="Category", exact=True)
        names = ["All categories", "topic 0", "topic 1", "topic 2"]
        assert choice.locator("option").all_text_contents() == names
        assert page.locator("#category-about").text_content() == fit.about_categories
        assert shown(page) == expected(fit.ranking())
        for name in names[1:]:
            choice.select_option(name)
            table = fit.ranking(category=name)
            assert shown(page) == expected(table)
            assert page.locator("#ranking-caption").text_content().endswith(f"category {name}")
            said = page.locator("#category-said")
            assert said.get_attribute("aria-live") == "polite"
            assert f"In category {name}, {table.index[0]} comes first" in said.text_content()
            # A line is where a new tier starts.
            lines = page.locator("#ranking-table > tbody > tr").evaluate_all(
                "all => all.map(e => e.classList.contains('new-tier'))"
            )
            assert lines == (np.diff(table["tier"], prepend=1) > 0).tolist()
        choice.select_option("All categories")
        assert shown(page) == expected(fit.ranking())
        assert page.locator("#category-said").text_content().startswith("Over all categories, ")


def test_by_keys_and_sorted_as_before(opened, plain, fit):
    with opened(plain) as page:
        page.get_by_role("button", name="Item", exact=True).click()
        page.locator("#category").focus()
        page.keyboard.press("ArrowDown")
        assert page.locator("#category").input_value() == "1"
        table = fit.ranking(category="topic 0").sort_index()
        assert shown(page) == expected(table)
        with page.expect_download() as caught:
            page.get_by_role("button", name="Download CSV").click()
        assert caught.value.suggested_filename == "ranking-topic-0.csv"


def test_details_say_of_what_they_are(opened, plain, fit):
    with opened(plain) as page:
        first = fit.ranking().index[0]
        page.get_by_role("button", name=first, exact=True).click()
        card = page.locator(".card").filter(has_text="In each category")
        ranks = [texts(row)[:3] for row in card.locator("tbody tr").all()]
        tables = [fit.ranking(), *(fit.ranking(category=f"topic {k}") for k in range(3))]
        assert [[rank, score] for _, rank, score in ranks] == [
            [f"{table.loc[first, 'rank']:.0f}", f"{table.loc[first, 'score']:.2f}"]
            for table in tables
        ]
        about, words = page.locator(".about-what"), page.locator(".card > p").first.text_content()
        assert about.is_hidden()
        page.locator("#category").select_option("topic 2")
        assert "are about all categories together; there it ranks 1." in about.text_content()
        assert about.is_visible() and page.locator(".card > p").first.text_content() == words


def test_a_page_of_one_category_starts_with_it(opened, fit, folder):
    path = write_report(fit.in_category("topic 1"), folder / "one.html")
    with opened(path) as page:
        assert page.locator("#category").input_value() == "2"
        assert page.locator("#ranking-caption").text_content().endswith("; category topic 1")
        assert shown(page) == expected(fit.ranking(category="topic 1"))
        page.locator("#category").select_option("All categories")
        assert sorted(shown(page)) == sorted(expected(fit.ranking()))


def test_the_history_says_that_it_is_over_all_categories(opened, folder):
    frame = votes_by_judges()
    frame["year"] = 2000.0 + np.arange(len(frame)) % 4
    data = br.Comparisons.from_frame(frame, agent="judge", category="topic", time="year")
    fit = br.fit(data, "davidson", scores=("walk", "by-category"), method="map", progress=False)
    path = write_report(fit.in_category("topic 1"), folder / "moves.html")
    with opened(path) as page:
        assert (
            page.locator("#history-hint").text_content().endswith("about all categories together.")
        )
        page.locator("#category").select_option("topic 2")
        caption = page.locator("#ranking-caption").text_content()
        assert caption.startswith("Items ranked at 2003") and caption.endswith("category topic 2")
        then = fit.ranking(category="topic 2")
        assert [row[1] for row in shown(page)] == then.index.tolist()


def test_agents_are_a_table_that_can_be_sorted(opened, plain, fit):
    table = fit.agents()
    with opened(plain) as page:
        page.get_by_role("link", name="Agents").click()
        rows = page.locator("#judges-table tbody tr")
        found = [texts(row) for row in rows.all()]
        assert [row[:3] for row in found] == [
            [agent, row["words"], f"{row['votes']:.0f}"] for agent, row in table.iterrows()
        ]
        assert [row[5] for row in found] == [f"{x:.2f}" for x in table["discrimination"]]
        head = page.get_by_role("columnheader", name="Discrimination", exact=True)
        for way, ascending in (("descending", False), ("ascending", True)):
            head.get_by_role("button").press("Enter")
            assert head.get_attribute("aria-sort") == way
            order = table["discrimination"].sort_values(ascending=ascending).index.tolist()
            assert [texts(row)[0] for row in rows.all()] == order
        said = page.locator("#judges-sorted").text_content()
        assert said == "Sorted by Discrimination, smallest first."
        assert page.locator("#judges-table [aria-sort]").count() == 1
        assert page.get_by_role("columnheader", name="Tie rate, 95% interval").count() == 1
        marked = page.locator("#judges-table .stands th").all_text_contents()
        odd = table["words"].isin(["looks random", "contrarian", "nearly always ties"])
        assert sorted(marked) == sorted(table.index[odd]) and marked


def test_names_are_texts(opened, hostile):
    with opened(hostile) as page:
        for choice in range(4):
            page.locator("#category").select_option(str(choice))
        page.locator("button.item").first.click()
        assert page.evaluate("window.harmed") is None
        assert "<img src=x" in page.locator("#category").text_content()
        assert page.locator("#judges-table img, #ranking img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_everybody_can_read_it(opened, plain, scheme, width):
    with opened(plain, width=width, color_scheme=scheme) as page:
        page.locator("#category").select_option("topic 1")
        page.locator("button.item").first.click()
        found = page.evaluate(CONTRAST)
        assert found["failures"] == [] and found["seen"] > 100
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
        nameless = [
            node["role"]["value"] for node in nodes
            if not node["ignored"] and node["role"]["value"] in NAMED
            and not node.get("name", {}).get("value", "").strip()
        ]  # fmt: skip
        assert nameless == []
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))
