"""Links that ask a dashboard for files it was not told to open, and a watch over what is opened."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pairlens.places import FOLDER as ROOT

MODELS = {"model", "model_name", "reader", "nli_model", "checkpoints", "named", "tokens_of", "answering"}
"""Parameters that name models; all others get paths."""
_KNOWN = (
    "a analysis answers as b benchmark_view bias_type brought but by calibrated case checkpoints contrast corpus "
    "corpus_column corpus_path corpus_upload data data_system drop examples_of facets factors file "
    "film_pair forms from group hypothesis items keep kind_of_model lang letters like marks metric "
    "metric_blimp minutes mode model model_name model_system n name_of_model_0 named next_as next_by "
    "nli_answers_files nli_cell nli_gold_files nli_model nli_reverse_files order pair parameters path "
    "place predictions_files prefix premise preset prompt public query question reader reference region region_words "
    "reveal role_blimp role_chunks role_conditions role_expected role_sentence rule_blimp run runs sample "
    "answering in_full key lesson lesson_file mine seen step turn "
    "beginning cell component decides inside other scope "
    "scorer_blimp seed set shelf shown size tab task test_set "
    "template_of term tokens_of trained typed upload view watched words "
)
KNOWN = frozenset(_KNOWN.split())
"""Every parameter, with one task, role or kind for all."""
PAGES: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "compare": (
        {},
        {"a": "The cats are.", "b": "The cats is.", "tab": "Inside", "scope": "many items", "inside": "Path"},
    ),
    "next_word": ({},),
    "lesson": ({"lesson": "agreement"},),
    "train": ({"corpus": "Path"}, {"corpus": "Upload"}),
    "zero_shot": (
        {"task": "pairs", "data": "Path"},
        {"task": "babylm-2025"},
        {"task": "blimp", "data": "Path", "benchmark_view": "Checkpoints"},
        {"data": "Our sample", "benchmark_view": "Checkpoints"},
        {"run": ""},
    ),
    "agreement": ({"data": "Path"}, {"run": ""}),
    "stereoset": ({"data": "Path"},),
    "minimal_pairs": ({"data": "Upload"}, {"data": "Make items"}, {"data": "Type or paste"}),
    "nli": ({"data": "path"}, {"data": "upload"}, {"data": "public"}),
    "results": ({"view": "runs"}, {"view": "compare"}, {"view": "sql"}, {"view": "upkeep"}),
    "data": ({"shelf": "Public sets"}, {"shelf": "Your files"}, {}),
    "models": ({},),
}  # fmt: skip
"""For each page what a link has so that the others count; a parameter that is given as empty is hostile too."""
_CHOOSERS = {"data", "task", "run", "corpus", "shelf", "view", "benchmark_view"}

CALLERS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("compare/show_inside.py", "key"): ("beginning", "other", "decides"),
    ("compare/type_sentences.py", "key"): ("a", "b"),
    ("lesson/show.py", "name"): ("step", "answering"),
    ("lesson.py", "show.FILE"): ("lesson_file",),
    ("train.py", "curves.SHOWN"): ("shown",),
    ("minimal_pairs/choose.py", "name"): ("role_expected", "role_conditions", "facets", "factors"),
    ("next_word/expectation.py", "key"): ("prefix", "forms"),
    ("results/comparison.py", "key"): ("reference", "metric", "by"),
    ("results/sql.py", "'question' if name else 'query'"): ("question", "query"),
    ("results/sql.py", "key"): ("question", "query", "parameters"),
    ("shared/datasets.py", "key"): ("data", "inside"),
    ("stereoset/choose.py", "name"): ("examples_of", "case"),
    ("shared/models.py", "key"): ("model", "model_name", "reader", "nli_model"),
    ("shared/policy.py", "key"): ("as", "preset", "like"),
    ("shared/tables.py", "parameter"): ("set", "model"),
    ("shared/choose_task.py", "key"): ("task",),
    ("shared/link.py", "name"): (),
    ("shared/given_files.py", "parameter"): (
        "file", "upload", "corpus_upload", "predictions_files", "nli_gold_files", "nli_answers_files",
        "nli_reverse_files", "lesson_file", "brought",
    ),
    ("shared/door.py", "name"): (),
    ("shared/frame.py", "name"): (),
    ("shared/predict_first.py", "name"): ("mine", "seen"),
    ("shared/rights.py", "parameter"): ("data", "corpus"),
    ("shared/study.py", "name"): (),
    ("shared/tables.py", "key"): ("benchmark_view", "tab"),
    ("stereoset/choose.py", "key"): ("case", "letters"),
    ("stereoset/show_stereoset.py", "key"): ("bias_type", "term"),
    ("train/choose.py", "key"): ("name_of_model_0",),
    ("zero_shot/show_checkpoints.py", "name"): (),
}  # fmt: skip
"""What parameters are called that a function is given by its callers, by its file below `pages/components`."""


@dataclass(frozen=True)
class Attack:
    """A path and a model that a link names."""

    path: str
    model: str


def attacks(allowed: Path, outside: Path) -> dict[str, Attack]:
    """Ways out of the folder `allowed` to files in `outside`, the home of the server's user; both are made."""
    model = shutil.copytree(ROOT / "data" / "models" / "english-small", outside / "model")
    (model / "card.json").unlink()
    for checkpoint in ("chck_1M", "chck_2M"):
        (outside / "training" / checkpoint).mkdir(parents=True)
        shutil.copy(model / "config.json", outside / "training" / checkpoint)
    table = "good,bad,text\nThe CANARY sings.,The CANARY sing.,A CANARY\n"
    (outside / "canary.csv").write_text(table)
    (allowed / "holds").mkdir(parents=True)
    (allowed / "holds" / "inner.csv").symlink_to(outside / "canary.csv")
    (allowed / "link.csv").symlink_to(outside / "canary.csv")
    (allowed / "linked").symlink_to(outside / "model")
    (allowed / "own.csv").write_text(table)
    relative = os.path.relpath(outside, ROOT)
    return {
        "absolute": Attack(f"{outside}/canary.csv", f"{outside}/model"),
        "dots": Attack(f"{allowed}/../{outside.name}/canary.csv", f"{allowed}/../{outside.name}/model"),
        "link": Attack(f"{allowed}/link.csv", f"{allowed}/linked"),
        "link inside": Attack(f"{allowed}/holds", f"{outside}/training"),
        "home": Attack("~/canary.csv", "~/model"),
        "relative": Attack(f"{relative}/canary.csv", f"data/models/../../{relative}/model"),
        "url, hub": Attack(f"file://{outside}/canary.csv", "some-lab/tiny"),
        "no path": Attack("/etc/\0passwd", "~nobody-of-this-name/model"),
    }


def link(door: Mapping[str, str], attack: Attack) -> dict[str, str]:
    """Every known parameter, hostile unless the door has it or it would close the door."""
    named = {name: attack.model if name in MODELS else attack.path for name in parameters() - _CHOOSERS}
    return named | {name: value or attack.path for name, value in door.items()}


def visit(name: str, parameters: Mapping[str, str]) -> AppTest:
    """The page as opened by this link."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    page.switch_page(f"pages/{name}.py")
    for key, value in parameters.items():
        page.query_params[key] = value
    return page.run()


_WATCHED: list[tuple[Path, set[str]]] = []


@cache
def _watch() -> None:
    """Once per process: Python cannot be told to stop."""
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if not _WATCHED or event not in ("open", "os.listdir", "os.scandir", "subprocess.Popen"):
        return
    is_command = event == "subprocess.Popen"
    asked = str(arguments[1]) if is_command else str(arguments[0])
    for folder, seen in _WATCHED:
        if str(folder) in asked or (not is_command and Path(os.path.realpath(asked)).is_relative_to(folder)):
            seen.add(asked)


@contextmanager
def opened_in(folder: Path) -> Iterator[set[str]]:
    """What this process opens or lists in a folder, by whatever path, or gives to another process.

    Not the secrets that Streamlit looks for in the home folder of the server's user.
    """
    _watch()
    seen: set[str] = set()
    _WATCHED.append((folder.resolve(), seen))
    try:
        yield seen
    finally:
        _WATCHED.pop()
        seen.discard(f"{folder.resolve()}/.streamlit/secrets.toml")


@cache
def parameters() -> frozenset[str]:
    """Every query parameter that a page reads or writes; KeyError for one that is neither plain nor in `CALLERS`."""
    return frozenset(name for file, expression in _places() for name in _names(file, expression))


def _names(file: Path, expression: ast.expr) -> tuple[str, ...]:
    if isinstance(expression, ast.Constant):
        return (str(expression.value),)
    if isinstance(expression, ast.JoinedStr):  # rule_TASK, role_ROLE
        return ("".join(part.value if isinstance(part, ast.Constant) else "blimp" for part in expression.values),)
    short = file.relative_to(ROOT / "pages").as_posix().removeprefix("components/")
    if isinstance(expression, ast.Name):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        if expression.id.isupper() or expression.id.startswith("_"):
            return (_constant(file, expression.id, module),)
    return CALLERS[short, ast.unparse(expression)]


def _constant(file: Path, name: str, module: str) -> str:
    if file.parent.name != "pages":
        return str(getattr(importlib.import_module(module), name))
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):  # a page runs when it is imported
        if isinstance(node, ast.ImportFrom) and any(name in (one.asname, one.name) for one in node.names):
            (known,) = (one.name for one in node.names if name in (one.asname, one.name))
            return str(getattr(importlib.import_module(str(node.module)), known))
    raise KeyError(file, name)


def _places() -> Iterator[tuple[Path, ast.expr]]:
    for file in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                if "bind" in given:
                    yield file, given["key"]
                if isinstance(node.func, ast.Attribute) and _is_link(node.func.value) and node.func.attr in _CALLS:
                    yield file, node.args[0]
            elif isinstance(node, ast.Subscript) and _is_link(node.value):
                yield file, node.slice
            elif isinstance(node, ast.Compare) and any(map(_is_link, node.comparators)):
                yield file, node.left


_CALLS = ("get", "get_all", "pop")


def _is_link(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "query_params"
