"""What the project promises about itself: documents that cannot drift, versions that agree, nothing out of place."""

import ast
import dataclasses
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

import duckdb
import pytest
import typer
from packaging.requirements import Requirement

import pairlens
from pairlens.cli import app
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS
from pairlens.settings import Settings
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.contract.saying import say
from tests.contract.sources import FOLDERS, imports, modules
from tests.run_of_pairs import run_of_pairs

README = "\n".join(path.read_text("utf-8") for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))])
"""The README, and the reference that it points to."""
MODELS = sorted(path.parent for path in ROOT.glob("data/models/*/card.json"))
LARGEST_MODEL_MB = 15
LANGUAGE_MODELS = ("causal", "masked", "seq2seq")


@cache
def tracked():
    """The files of the repository: those that git knows or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is not a git checkout")
    return tuple(sorted(ROOT / name for name in set(listed.stdout.split("\0")) if name and (ROOT / name).is_file()))


@cache
def texts():
    """Every text file of the repository, by its name."""
    contents = {str(path.relative_to(ROOT)): path.read_bytes() for path in tracked()}
    return {name: content.decode("utf-8") for name, content in contents.items() if b"\0" not in content}


def found(pattern):
    """Where a pattern is found, as file and line, and what it is there."""
    for name, text in texts().items():
        for match in re.finditer(pattern, text):
            yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}", match[0]


def verbs(command, name=""):
    """Every command of the command line with its full name."""
    if name:
        yield name, command
    for word, inner in getattr(command, "commands", {}).items():
        yield from verbs(inner, f"{name} {word}".strip())


VERBS = dict(verbs(typer.main.get_command(app)))


# Documents


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_in_the_readme_and_has_help(name):
    assert re.search(rf"`(pairlens )?{name}\b", README), f"README.md does not say what `{name}` does"
    options = [one for one in VERBS[name].params if one.param_type_name == "option" and not one.hidden]
    silent = [option.opts[0] for option in options if not option.help]
    assert VERBS[name].help and not silent, f"options without help: {silent}"


@pytest.mark.slow
def test_every_setting_variable_task_scorer_metric_and_preset_is_in_the_documents_as_it_is():
    for setting in dataclasses.fields(Settings):
        default = setting.default.name if isinstance(setting.default, Path) else str(setting.default)
        row = f"| `PAIRLENS_{setting.name.upper()}` | `{default.lower()}` |"
        assert row in README, f"README.md lacks the row {row}"
    said = README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert not {name for _, name in found(r"\bPAIRLENS_[A-Z_]*[A-Z]\b") if name not in said}
    absent = [name for name in (*TASKS, *SCORERS, *METRICS, *PRESETS) if f"`{name}`" not in README]
    say([f"no document names `{name}`: add it to its table in docs/benchmarks.md." for name in absent])
    for name, preset in PRESETS.items():
        (row,) = re.findall(rf"^\| `{name}` \|([^|]+\|[^|]+\|[^|]+\|[^|]+)\|$", README, flags=re.M)
        _, pll, words_by, ties = (cell.strip(" `") for cell in row.split("|"))
        assert (pll, words_by, ties) == (preset.pll, preset.words_by, preset.ties), name


@pytest.mark.slow
def test_the_sql_of_the_readme_answers(home):
    (query,) = re.findall(r"```sql\n(.*?)```", README, flags=re.S)
    run_of_pairs(Store())
    with duckdb.connect(str(home / "store" / "results.duckdb"), read_only=True) as connection:
        (model, value, *_), *_ = connection.execute(query).fetchall()
    assert model == "counter+1.0" and 0 <= value <= 1


@pytest.mark.parametrize(
    "document", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "data" / "README.md"], ids=lambda path: path.stem
)
def test_what_documents_point_to_exists(document):
    text, commands = document.read_text("utf-8"), (ROOT / "Makefile").read_text("utf-8")
    linked = re.findall(r"\]\((?!https?://|#)([^)#]+)[^)]*\)|(?:src|srcset)=\"(?!https?:)([^\"]+)\"", text)
    missing = [name for pair in linked for name in pair if name and not document.parent.joinpath(name).exists()]
    unknown = [name for name in re.findall(r"`make ([a-z]+)", text) if f"\n{name}:" not in commands]
    assert not missing + unknown, missing + unknown


_WINGS = "|".join(path.stem for path in (ROOT / "core" / "pairlens").iterdir() if not path.stem.startswith("_"))
NAMED = re.compile(
    rf"(?<![\w./-])(?:(?:pairlens\.(?:{_WINGS})\b|(?:pages|workshop)\.(?!_)[a-zA-Z]\w*)(?:\.(?!_)[a-zA-Z]\w*)*|"
    r"(?:core|pages|workshop)/[\w./]*\w(?![\w.]*\*))"
)
"""`pairlens.store.parts`, `pairlens.store.Store`, `core/pairlens/store/`: in documents, docstrings and code alike."""
ELSEWHERE = "CHANGELOG.md"
"""Where names of the past stand."""


@pytest.mark.slow
def test_every_module_that_a_text_names_is_there_and_bundled_data_is_accounted_for():
    named = [(where, name) for where, name in found(NAMED) if not where.startswith(ELSEWHERE)]
    say([f"{where}: {name}" for where, name in named if not is_there(name)])
    listed = (ROOT / "data" / "README.md").read_text("utf-8")
    places = (*ROOT.glob("data/*"), *MODELS, *ROOT.glob("data/samples/*/"))
    paths = [path for path in (str(place.relative_to(ROOT / "data")) for place in places) if f"`{path}" not in listed]
    say([f"data/README.md does not mention `{path}`: add a row for it." for path in paths])


@cache
def is_there(named):
    """Whether a path exists, or a module, or in the module that the first part names something so called."""
    if "/" in named or (ROOT / named).exists():
        return (ROOT / named).exists()
    parts = f"core.{named}".split(".") if named.startswith("pairlens.") else named.split(".")
    if any(ROOT.joinpath(*parts).rglob("*.py")):  # a folder of modules
        return True
    for length in range(len(parts), 0, -1):
        module = ROOT.joinpath(*parts[:length])
        for file in (module.with_suffix(".py"), module / "__init__.py"):
            if file.is_file():
                rest = parts[length : length + 1]
                return not rest or bool(re.search(rf"\b{rest[0]}\b", file.read_text("utf-8")))
    return False


# Versions


def test_the_version_is_the_same_everywhere_and_locks_hold_exact_public_ones_for_every_requirement():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == pairlens.__version__
    assert f"\nversion: {pairlens.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(pairlens.__version__)}\b", changes, flags=re.M)
    for file in ("requirements.lock", "requirements-dev.lock"):
        for line in (ROOT / file).read_text("utf-8").splitlines():
            assert line.startswith("#") or re.fullmatch(r"[a-z0-9-]+==[0-9][a-z0-9.]*( ; .+)?", line), line
    exact = {lock.name: lock.specifier for lock in requirements("requirements.lock")}
    for requirement in requirements("requirements.txt"):
        (pin,) = exact[requirement.name]
        assert requirement.specifier.contains(pin.version), requirement


def requirements(file):
    lines = (ROOT / file).read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


@pytest.mark.slow
def test_what_is_imported_is_required():
    homes = metadata.packages_distributions()
    required = {one.name for one in requirements("requirements.txt")} | {"ray", "xllamacpp", "peft", "gguf"}
    for one in imports():
        name = one.imported.partition(".")[0]
        if name not in {*sys.stdlib_module_names, *FOLDERS, "pairlens"}:
            names = {home.lower().replace("_", "-") for home in homes.get(name, [name])}
            assert names & required, f"{one}: requirements.txt does not name {name}"


def test_nothing_reads_a_pickle():
    """Reading one runs code. `torch.load` may be called with `weights_only=True`, and its error may be caught."""
    refused = {"cloudpickle", "dill", "joblib", "shelve", "marshal"}
    assert not [str(one) for one in imports() if one.imported.partition(".")[0] in refused]
    texts = ((path, path.read_text("utf-8")) for path in modules().values())
    trees = [(path, ast.parse(text)) for path, text in texts if re.search(r"\bpickle\b|\bload\b\W*\(", text)]
    for path, node in ((path, node) for path, tree in trees for node in ast.walk(tree)):
        assert not (isinstance(node, ast.ImportFrom) and node.module == "pickle"), path
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "pickle":
            assert node.attr == "UnpicklingError", path
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "load":
            assert not ast.unparse(node).startswith("torch.load") or "weights_only=True" in ast.unparse(node), path
    assert not [path for path in tracked() if path.suffix in {".pkl", ".pickle", ".pt", ".pth", ".bin", ".joblib"}]


# What must not be here


@pytest.mark.slow
def test_no_paths_or_hosts_of_the_machines_it_was_written_on_and_nothing_unfinished():
    homes = r"(?<![\w.~])/(root|home/(?!me/)\w+|Users/\w+|work|opt)/"
    indexes = r"pythonhosted[.]org|pypi[.]org|registry[.]npmjs|deb[.]debian[.]org|download[.]pytorch[.]org|index-url"
    places = [one for one in found(f"{homes}|{indexes}") if not one[0].startswith("tests/contract/test_project.py")]
    places += found(r"\b(T[O]DO|F[I]XME|X[X]X)\b")
    places += [one for one in found(r"raise NotImplementedError") if not one[0].startswith("tests/")]
    say([f"{where}: {text}" for where, text in places])


def test_no_copy_of_public_data(shared_data, shared_corpora):
    ours = {}
    for path in tracked():
        ours.setdefault(path.stat().st_size, []).append(path)
    files = [file for find in (shared_data, shared_corpora) for file in find(".").rglob("*") if file.is_file()]
    pairs = [(mine, theirs) for theirs in files for mine in ours.get(theirs.stat().st_size or -1, [])]
    say([f"{mine} is {theirs.name}" for mine, theirs in pairs if mine.read_bytes() == theirs.read_bytes()])


# Bundled models


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_a_bundled_model_is_small_and_has_a_card(folder):
    kinds = {json.loads((one / "card.json").read_text("utf-8"))["kind"] for one in MODELS}
    assert kinds >= {"causal", "masked", "unigram"}
    assert sum(path.stat().st_size for path in folder.iterdir()) / 1e6 <= LARGEST_MODEL_MB
    card = json.loads((folder / "card.json").read_text("utf-8"))
    wanted = {"name", "title", "kind", "language", "description", "licence", "sources"}
    trained = {"parameters", "recipe", "scores", "training"} if card["kind"] != "unigram" else set()
    trained |= {"characters"} if card["kind"] in LANGUAGE_MODELS else set()
    assert not (wanted | trained) - card.keys()
    assert card["name"] == folder.name
    assert card["sources"] and all(source["licence"] for source in card["sources"])
    if card["kind"] in LANGUAGE_MODELS and "en" in card["language"].split():
        assert "blimp" in card["scores"], "its measured BLiMP accuracy is missing"
    assert (folder / "README.md").is_file()
