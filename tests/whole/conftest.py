"""A real browser, started once, and pages that must stay silent."""

import os
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def _no_browser(reason):
    if os.environ.get("BAYESRANK_REQUIRE_BROWSER") == "1":
        pytest.fail(f"BAYESRANK_REQUIRE_BROWSER is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        _no_browser("playwright is not installed.")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        try:
            # In a container there may be neither a sandbox for root nor shared memory.
            arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
            started = playwright.chromium.launch(executable_path=found, args=arguments)
        except Error as error:
            _no_browser(f"Chromium does not start: {str(error).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture(scope="session")
def opened(browser):
    """Open a file; whatever it complains of, or asks the network for, is an error."""

    @contextmanager
    def open_file(path, *, width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        context.set_default_timeout(10_000)
        page = context.new_page()
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(f"dialog {dialog.message}"))

        def note_request(request):
            if not request.url.startswith(("file:", "blob:", "data:")):
                complaints.append(f"asked for {request.url}")

        page.on("request", note_request)
        page.goto(path.as_uri())
        yield page
        context.close()
        assert complaints == []

    return open_file
