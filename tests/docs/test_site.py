"""The project's documents become a site without a warning, and the site needs nothing from outside."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(  # only looked for: who collects the tests need not load them
    find_spec("furo") is None or find_spec("myst_parser") is None, reason="the extra `site` is not installed"
)

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMAND = re.compile(r"^sphinx-build (.*) docs build/site$", re.MULTILINE)


def build(folder: Path, builder: str) -> None:
    """Build the site as its page describes, with another builder and another folder."""
    command = COMMAND.search((DOCS / "site.md").read_text(encoding="utf-8"))
    assert command is not None
    words = [sys.executable, "-m", "sphinx", "-q", "-b", builder, *command[1].split(), "docs", str(folder)]
    done = subprocess.run(words, cwd=DOCS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_page_is_read_without_warning_and_named_somewhere(tmp_path: Path) -> None:
    build(tmp_path / "site", "dummy")
    read = {path.relative_to(tmp_path / "site" / ".doctrees").with_suffix("") for path in tmp_path.rglob("*.doctree")}
    assert {Path("playing"), Path("author-guide/tutorial"), Path("diagnostics/unknown-key")} <= read


@pytest.mark.soak
def test_whole_site_is_searched_without_network(tmp_path: Path) -> None:
    build(tmp_path / "site", "html")
    front = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//', front)
    assert "supply" in (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    rules = (tmp_path / "site" / "author-guide" / "language.html").read_text(encoding="utf-8")
    assert '<span class="kd">procedure</span>' in rules
