"""Every page, found by its file, through the same checks."""

import ast
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.results.stored_run import OWN_PAGES
from pairlens.places import FOLDER as ROOT
from pairlens.tasks import TASKS
from tests.contract.saying import demand, say
from tests.quick_pages import quick_pages  # noqa: F401

PAGES = sorted((ROOT / "pages").glob("*.py"))
MOST_LINES, MOST_FILES, LONGEST = 120, 7, 400
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


@pytest.fixture(params=PAGES, ids=lambda path: path.stem)
def page(request):
    return request.param


def test_it_is_in_the_menu_has_tests_and_says_what_it_answers(page):
    app, tests = (ROOT / "app.py").read_text("utf-8"), ROOT / "tests" / "pages" / f"test_{page.stem}.py"
    listed = f'st.Page("pages/{page.name}", title=...)'
    demand(f'"pages/{page.name}"' in app, f"app.py does not list pages/{page.name}: add {listed} there.")
    lacking = f"there is no tests/pages/test_{page.stem}.py: open the page there empty, filled and with bad input."
    demand(tests.is_file(), lacking)
    calls = [node for node in ast.walk(ast.parse(page.read_text("utf-8"))) if isinstance(node, ast.Call)]
    opened = [call for call in calls if getattr(call.func, "id", "") == "open_page"]
    once = f"pages/{page.name} must call open_page(title, question) of pages/components/shared/frame.py, once."
    demand(len(opened) == 1 and len(opened[0].args) >= 2, once)
    questions = [node for node in ast.walk(opened[0].args[1]) if isinstance(node, ast.Constant)]
    asked = f"pages/{page.name}: the second argument of open_page must be a question with its question mark."
    demand(len(questions) == 1 and str(questions[0].value).endswith("?"), asked)


def test_the_menu_has_nothing_else():
    app = (ROOT / "app.py").read_text("utf-8")
    gone = sorted(set(re.findall(r'st\.Page\("pages/(\w+\.py)"', app)) - {page.name for page in PAGES})
    demand(not gone, f"app.py lists {', '.join(gone)}, which pages/ does not have: take the line out.")
    demand(app.count("st.Page(") == len(PAGES), "app.py lists a page twice, or one that is no file of pages/.")


@pytest.mark.model
def test_it_opens_on_an_empty_store_with_a_title_and_no_error(page):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).switch_page(f"pages/{page.name}").run()
    assert not app.exception and not app.error and len(app.title) == 1


def test_it_is_thin_and_its_folder_has_a_file_for_each_region_of_the_screen(page):
    source, where, own = page.read_text("utf-8"), f"pages/{page.name}", f"pages/components/{page.stem}/"
    n_lines, lacks = source.count("\n"), []
    if n_lines > MOST_LINES:
        lacks.append(f"{where} has {n_lines} lines, at most {MOST_LINES}: move what it shows into {own}.")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            lacks.append(f"{where}, line {node.lineno}: the class {node.name} belongs in {own} or in core.")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC) and not _of_texts(node):
            wrong = f"{where}, line {node.lineno}: `{ast.unparse(node)}` is arithmetic"
            lacks.append(f"{wrong}: call a function of core that computes it.")
    files = sorted((ROOT / own).glob("[!_]*.py"))
    if len(files) > MOST_FILES:
        lacks.append(f"{own} has {len(files)} files, at most {MOST_FILES}: a file is a region of the screen.")
    lengths = {file.name: file.read_text("utf-8").count("\n") for file in files}
    say(lacks + [f"{own}{name} has {n} lines, at most {LONGEST}." for name, n in lengths.items() if n > LONGEST])


def _of_texts(node):
    """Whether it joins texts or parts of a path, as `ROOT / "data"` does."""
    if isinstance(node, ast.BinOp):
        return _of_texts(node.left) or _of_texts(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("task", [one for one in TASKS.values() if one.page], ids=lambda task: task.name)
def test_the_page_of_a_task_of_its_own_is_there(task):
    app = (ROOT / "app.py").read_text("utf-8")
    path = OWN_PAGES.get(task.page, "")
    demand(f'st.Page("{path}", title="{task.page}")' in app, f"OWN_PAGES lacks the page {task.page} of {task.name}.")
