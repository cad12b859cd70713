"""Every page, found by its file, through the same checks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import ROOT

PAGES = sorted((ROOT / "pages").glob("*.py"))
MOST_LINES = 120
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


@pytest.fixture(params=PAGES, ids=lambda path: path.stem)
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_it_is_in_the_menu_and_the_menu_has_nothing_else(page: Path) -> None:
    app = (ROOT / "app.py").read_text("utf-8")
    assert f'"pages/{page.name}"' in app
    assert app.count("st.Page(") == len(PAGES)


@pytest.mark.model
def test_it_opens_on_an_empty_store_with_a_title_and_no_error(page: Path) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run().switch_page(f"pages/{page.name}").run()
    assert not app.exception
    assert not app.error
    assert len(app.title) == 1


def test_it_is_thin(page: Path) -> None:
    source = page.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    assert source.count("\n") <= MOST_LINES
    assert not [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    sums = [node.lineno for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC)]
    assert not sums, f"arithmetic belongs into core: lines {sums}"


def test_it_says_what_it_answers(page: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(page.read_text("utf-8"))) if isinstance(node, ast.Call)]
    opened = [call for call in calls if getattr(call.func, "id", "") == "open_page"]
    assert len(opened) == 1
    question = opened[0].args[1]
    assert isinstance(question, ast.Constant) and str(question.value).endswith("?")
