"""The site is built without a complaint, and its links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-d", folder / "doctrees", "docs", folder],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_links_lead_somewhere(site):
    broken = []
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:|//|#|data:", link) or not link:
                continue
            target, fragment = urldefrag(unquote(link).split("?")[0])
            path = (page.parent / target).resolve()
            if not path.exists():
                broken.append(f"{page.relative_to(site)}: {link}")
            elif fragment and path.suffix == ".html":
                ids = re.findall(r'id="([^"]*)"', path.read_text(encoding="utf-8"))
                if fragment not in ids:
                    broken.append(f"{page.relative_to(site)}: {link}")
    assert broken == []


def test_it_needs_no_network_for_formulas(site):
    (page,) = site.rglob("reference/distributions.html")
    scripts = re.findall(r'<script[^>]*src="([^"]*)"', page.read_text(encoding="utf-8"))
    assert any("mathjax" in script.lower() for script in scripts)
    assert not [script for script in scripts if script.startswith(("http", "//"))]


def test_every_public_name_is_in_the_reference(site):
    import bayesrank as br

    text = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    missing = [name for name in br.__all__ if f'id="bayesrank.{name}"' not in text]
    assert missing == []


def test_readme_links_lead_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", text) + re.findall(r'src="([^"]+)"', text)
    local = [link for link in links if not link.startswith("http")]
    assert local
    assert [link for link in local if not (ROOT / link).exists()] == []
