"""Who may import whom, read from the sources; and what is loaded before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

EVERYWHERE = {"types", "errors", "settings", "policies"}
"""Nouns, errors, limits and choices: the standard library and each other, and everybody may use them."""

BENEATH = {
    "errors": set(),
    "policies": {"errors"},
    "settings": {"errors"},
    "types": set(),
    "measures": set(),
    # What the sides of an experiment are called, and the numbers of an agreement set.
    "charts": {"analysis"},
    "discovery": EVERYWHERE,
    "group_names": EVERYWHERE,
    "identity": EVERYWHERE,
    "text": EVERYWHERE,
    "rules": EVERYWHERE,
    "pairs": EVERYWHERE,
    "datasets": EVERYWHERE,
    "lexicon": EVERYWHERE,
    "tables": EVERYWHERE,
    "words": EVERYWHERE | {"measures", "text"},
    "formulas": EVERYWHERE,
    "syntaxgym": EVERYWHERE | {"formulas", "tables"},
    "labels": EVERYWHERE,
    # Pairs of sentences have readers of their own, which need no task.
    "tasks": EVERYWHERE
    | {"discovery", "formulas", "group_names", "nli", "rules", "stereoset", "syntaxgym", "tables"},
    "metrics": EVERYWHERE | {"discovery", "formulas", "measures", "words"},
    "models": EVERYWHERE | {"measures", "tables"},
    "training": EVERYWHERE | {"measures", "models", "tables"},
    # The word counts are read as they were counted: `core.training.unigram` says what a word is.
    "scorers": EVERYWHERE | {"discovery", "measures", "models", "training", "words"},
    "store": EVERYWHERE | {"identity"},
    "jobs": EVERYWHERE | {"store"},
    "recipe": EVERYWHERE | {"identity", "text"},
    "scoring": EVERYWHERE | {"identity", "recipe", "store", "words"},
}
"""What the parts of `core` that others are built on may import of each other. The parts that are not listed compose
these; they may import any of them, and each other without a circle."""

ONLY_IN = {
    "streamlit": {"app", "pages"},
    "torch": {"models", "score_anywhere", "scorers", "training"},
    "transformers": {"models", "score_anywhere", "scorers", "training"},
    "tokenizers": {"models", "scorers", "training"},
    "safetensors": {"models", "training"},
    "huggingface_hub": {"models"},
    "duckdb": {"store"},
    "openpyxl": {"tables"},
    "defusedxml": {"tables"},
    "altair": {"charts", "pages"},
    "lark": {"analysis", "formulas"},
    "yaml": {"experiment", "receipts", "reproduction"},
    "pooch": {"datasets"},
    "requests": {"datasets"},
    "scipy": {"metrics", "analysis"},
    "statsmodels": {"metrics", "analysis"},
}
"""Third-party packages that have one home."""

STANDARD_LIBRARY_ONLY = EVERYWHERE | {"discovery", "group_names", "identity", "rules", "tasks"}
HEAVY = {
    "torch", "transformers", "tokenizers", "streamlit", "duckdb", "pandas", "pyarrow", "scipy", "statsmodels",
    "altair",
}  # fmt: skip


@dataclass(frozen=True)
class Import:
    """`module` imports `imported`; `typing` if only a type checker does."""

    module: str
    imported: str
    typing: bool
    line: int

    def __str__(self) -> str:
        return f"{self.module}, line {self.line}: {self.imported}"


def part(module: str) -> str:
    """`core.store.parts` -> `store`, `pages.compare` -> `pages`, `torch.nn` -> `torch`."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] or "core" if first == "core" else first


@cache
def imports() -> tuple[Import, ...]:
    """Every import of core, pages and app.py, at any depth of any function."""
    files = [ROOT / "app.py", *sorted(ROOT.glob("core/**/*.py")), *sorted(ROOT.glob("pages/**/*.py"))]
    return tuple(found for file in files for found in imports_of(file))


def imports_of(file: Path) -> Iterator[Import]:
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    tree = ast.parse(file.read_text("utf-8"))
    typing = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        for imported in names(node):
            yield Import(module, imported, id(node) in typing, node.lineno)


def names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.module and not node.level, "imports are absolute"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def listed(found: list[Import]) -> str:
    return "\n".join(map(str, found))


def test_the_reader_of_imports_sees_what_it_should() -> None:
    seen = {(found.module, part(found.imported)) for found in imports()}
    assert ("app", "streamlit") in seen
    assert ("core.store.catalog", "duckdb") in seen
    assert len(seen) > 100


def test_parts_of_core_import_only_what_lies_beneath_them() -> None:
    wrong = [
        found
        for found in between_parts()
        if part(found.imported) not in BENEATH.get(part(found.module), {part(found.imported)})
    ]
    assert not wrong, listed(wrong)


def test_no_two_parts_of_core_need_each_other() -> None:
    needs: dict[str, set[str]] = {}
    for found in between_parts():
        needs.setdefault(part(found.module), set()).add(part(found.imported))
    TopologicalSorter(needs).prepare()


def between_parts() -> list[Import]:
    """What one part of `core` imports of another, when the program runs."""
    return [
        found
        for found in imports()
        if found.module.startswith("core.")
        and found.imported.startswith("core.")
        and found.imported != "core.__version__"
        and part(found.module) != part(found.imported)
        and not found.typing
    ]


def test_core_never_imports_pages_and_never_its_own_command_line() -> None:
    wrong = [
        found
        for found in imports()
        if found.module.startswith("core")
        and (
            part(found.imported) in {"pages", "app"}
            or (part(found.imported) == "cli" and part(found.module) not in {"cli", "__main__"})
        )
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize("package", sorted(ONLY_IN))
def test_a_package_is_used_in_its_home_only(package: str) -> None:
    wrong = [
        found for found in imports() if part(found.imported) == package and part(found.module) not in ONLY_IN[package]
    ]
    assert not wrong, listed(wrong)


def test_the_nouns_need_the_standard_library_only() -> None:
    wrong = [
        found
        for found in imports()
        if found.module.startswith("core")
        and part(found.module) in STANDARD_LIBRARY_ONLY
        and not found.typing
        and found.imported.partition(".")[0] not in {"core", *sys.stdlib_module_names}
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize("folder", ["core.tasks", "core.scorers", "core.metrics", "core.lint", "pages"])
def test_siblings_found_by_discovery_do_not_import_each_other(folder: str) -> None:
    """What two of them share lies in a module whose name begins with an underscore, or below them."""
    members = {file.stem for file in (ROOT / folder.replace(".", "/")).glob("*.py") if not file.name.startswith("_")}
    wrong = [
        found
        for found in imports()
        if found.module.startswith(f"{folder}.")
        and found.module.removeprefix(f"{folder}.") in members
        and found.imported.startswith(f"{folder}.")
        and found.imported.removeprefix(f"{folder}.").partition(".")[0] in members
    ]
    assert not wrong, listed(wrong)


@pytest.mark.parametrize(
    "statement",
    [
        "import core",
        "from core.tasks import TASKS; from core.scorers import SCORERS; from core.metrics import METRICS; "
        "assert list(TASKS) and list(SCORERS) and list(METRICS)",
        "from core.cli import main; main(['--help'])",
        "from core.cli import main; main(['zero-shot', '--help'])",
        "from core.cli import main; main(['models'])",
    ],
    ids=["core", "registries", "help", "help of a verb", "models"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str) -> None:
    loaded = modules_loaded_by(statement)
    assert not loaded & HEAVY, f"loads {', '.join(sorted(loaded & HEAVY))}"


def test_kinds_of_scorers_are_described_without_torch() -> None:
    loaded = modules_loaded_by("from core.scorers import SCORERS; assert [kind.title for kind in SCORERS.values()]")
    assert not loaded & {"torch", "transformers", "streamlit"}


def modules_loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after the statement."""
    report = "import sys; print('\\n' + ' '.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{report}"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())
