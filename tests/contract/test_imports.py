"""Who may import whom, read from the sources; and what is loaded before it is needed."""

import importlib
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter

import pytest

import pairlens
from pairlens.places import FOLDER as ROOT
from tests.contract.sources import FOLDERS, imports, modules

WINGS = (
    "types errors messages places settings sharing unexpected policies measures discovery identity rules",
    "text", "files", "servers", "models", "store", "statistics", "scorers", "scoring", "tasks", "metrics", "analysis",
    "charts", "results", "evaluation", "plans", "reports", "training", "studies", "api", "cli __main__",
)  # fmt: skip
"""What lies directly in `pairlens`, lowest first: a module imports from its own wing and from lower ones."""

STUDIES = (
    "study", "provenance", "generator", "compare", "next_word", "experiment", "agreement", "stereoset", "nli", "lint",
    "gallery", "lesson", "classroom", "take_home", "inside", "gathering", "opening",
)  # fmt: skip
"""Within `pairlens.studies`, likewise: a later study may use an earlier one."""

ENDS = ("api", "cli")
"""Wings that no other wing imports."""

MAPPED = (
    "text", "files", "servers", "models", "store", "statistics", "scoring", "results", "evaluation", "plans",
    "reports", "training", "studies",
)  # fmt: skip
"""Wings whose docstring is their map; in the others the listing of the folder is."""

ONLY_IN = {
    "streamlit": {"app", "pages"},
    "torch": {"models", "scorers", "training", "workshop"},
    "transformers": {"models", "scorers", "training"},
    "tokenizers": {"types", "models", "scorers", "training", "workshop"},
    "safetensors": {"models", "training", "workshop"},
    "huggingface_hub": {"models"},
    "duckdb": {"store"},
    "pooch": {"files"},
    "requests": {"files"},
    "openpyxl": {"files"},
    "defusedxml": {"files"},
    "lark": {"files", "analysis"},
    "altair": {"charts", "pages"},
    "babel": {"text", "workshop"},
    "jinja2": {"results", "reports", "studies"},
    "markupsafe": {"results", "reports", "studies"},
    "yaml": {"evaluation", "reports", "studies", "plans"},
    "scipy": {"files", "statistics", "metrics", "analysis"},
    "statsmodels": {"analysis"},
    "ray": {"plans"},
    "httpx": {"servers"},
    "xllamacpp": {"servers"},
    "peft": {"models"},
    "gguf": {"models", "workshop"},
}
"""Third-party packages that have a home, by the wings that may use them (`types` names a class for type checkers)."""

HEAVY = {
    "torch", "transformers", "tokenizers", "streamlit", "duckdb", "pandas", "pyarrow", "scipy", "statsmodels",
    "altair",
}  # fmt: skip
NETWORKS = {"torch", "transformers", "tokenizers", "streamlit"}
HUB = {"safetensors", "huggingface_hub"}
LARGE = HEAVY | HUB | {
    "charset_normalizer", "defusedxml", "filelock", "gguf", "lark", "numpy", "openpyxl", "packaging",
    "httpx", "peft", "pooch", "ray", "requests", "vl_convert", "xllamacpp", "yaml",
}  # fmt: skip

ALONE = {"pairlens.store.sandbox_worker", "pairlens.models.unpickle", "pairlens.files.apart.program"}
"""Programs that limit what they may do before they import what they work with."""


def part(module):
    """`pairlens.store.parts` -> `store`, `workshop.heads` -> `workshop`, `torch.nn` -> `torch`."""
    first, _, rest = module.partition(".")
    return rest.partition(".")[0] if first == "pairlens" and rest else first


def floor(module):
    """How high the wing of a module of `pairlens` lies."""
    floors = [number for number, wing in enumerate(WINGS) if part(module) in wing.split()]
    assert floors, f"{module} is in no wing: add it to WINGS"
    return floors[0]


def within(package):
    """What modules of a package import of others in it."""
    inside = (package, f"{package}.")
    ours = [one for one in imports() if one.module.startswith(inside) and one.imported.startswith(inside)]
    return [one for one in ours if one.imported != one.module]


def refuse(wrong):
    wrong = sorted(set(map(str, wrong)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_the_reader_of_imports_sees_every_wing_and_no_module_needs_itself_by_way_of_others():
    seen = {(one.module, part(one.imported)) for one in imports()}
    assert seen >= {("app", "streamlit"), ("pairlens.store.catalog", "duckdb"), ("pairlens.policies", "errors")}
    assert len(seen) > 1000
    there = {part(module) for module in modules() if module.startswith("pairlens.")}
    assert there == {name for wing in WINGS for name in wing.split()}
    needs = defaultdict(set)
    for one in [imported for folder in FOLDERS for imported in within(folder)]:
        needs[one.module].add(one.imported)
    TopologicalSorter(needs).prepare()


def test_a_wing_imports_only_from_lower_ones_and_a_study_only_from_earlier_ones():
    others = [one for one in within("pairlens") if "pairlens" not in (one.module, one.imported)]
    refuse(one for one in others if floor(one.imported) > floor(one.module))
    place = {module: module.split(".")[2] for module in modules() if module.startswith("pairlens.studies.")}
    assert set(place.values()) == set(STUDIES)
    studies = [one for one in within("pairlens.studies") if one.module != "pairlens.studies"]
    refuse(one for one in studies if STUDIES.index(place[one.imported]) > STUDIES.index(place[one.module]))


@cache
def large(module):
    """The large packages that are loaded when a module is imported."""
    seen, ahead = set(), [module]
    while ahead:
        if (name := ahead.pop()) not in seen:
            seen.add(name)
            ahead += [name.rpartition(".")[0]] if "." in name else []
            ahead += at_the_top().get(name, ())
    return frozenset(LARGE & {name.partition(".")[0] for name in seen})


@cache
def at_the_top():
    """What each module imports when it is itself imported."""
    top = defaultdict(set)
    for one in imports():
        if not one.typing and not one.inside:
            top[one.module].add(one.imported)
    return top


def test_surfaces_import_each_other_no_more_than_they_must_and_functions_only_what_is_large():
    """No wing the library or the command line, pages no command line, nothing the workshop, and so on."""
    surfaces = {*ENDS, "pages", "app"}
    for wing in ENDS:
        own = {"pairlens", *next(names.split() for names in WINGS if wing in names.split())}
        refuse(one for one in within("pairlens") if part(one.imported) == wing and part(one.module) not in own)
    refused = {"workshop": surfaces, "pages": {"workshop", "cli"}, "pairlens": {"workshop", "pages", "app"}}
    refuse(one for one in imports() if part(one.imported) in refused.get(one.module.partition(".")[0], {"workshop"}))
    lazy = [one for one in imports() if one.inside and not one.typing and one.module not in ALONE]
    refuse(one for one in lazy if large(one.imported) <= large(one.module))


def test_a_page_and_its_folder_share_a_name_and_import_only_each_other_and_what_is_shared():
    pages = {file.stem for file in ROOT.glob("pages/*.py")}
    folders = {file.parent.name for file in ROOT.glob("pages/components/*/*.py")}
    assert folders == pages | {"shared"}
    refuse(one for one in within("pages") if subject(one.imported) not in ("shared", subject(one.module)))


def subject(module):
    """`pages.nli` and `pages.components.nli.words` -> `nli`."""
    return module.removeprefix("pages.components.").removeprefix("pages.").partition(".")[0]


def test_a_package_is_used_in_its_home_only_and_nouns_and_tasks_need_little_but_the_standard_library():
    homes = [(one, ONLY_IN[part(one.imported)]) for one in imports() if part(one.imported) in ONLY_IN]
    refuse(one for one, home in homes if part(one.module) not in home)
    light = {*WINGS[0].split(), "tasks"} - {"measures"}  # arithmetic on arrays
    ours = [one for one in imports() if part(one.module) in light and one.module.startswith("pairlens.")]
    standard = {"pairlens", "platformdirs", *sys.stdlib_module_names}
    refuse(one for one in ours if not one.typing and one.imported.partition(".")[0] not in standard)


@pytest.mark.parametrize("folder", ["pairlens.tasks", "pairlens.scorers", "pairlens.metrics", "pages"])
def test_siblings_found_by_discovery_do_not_import_each_other(folder):
    """What two of them share lies in a module whose name begins with an underscore, or below them."""
    place = ROOT / folder.replace("pairlens.", "core/pairlens/")
    members = {f"{folder}.{file.stem}" for file in place.glob("[!_]*.py")}
    assert len(members) > 5
    refuse(one for one in within(folder) if {one.module, one.imported} <= members)


def test_the_maps_of_the_workshop_and_of_core_name_what_is_there_and_tests_lie_in_its_folders():
    readme = (ROOT / "workshop" / "README.md").read_text("utf-8")
    rooms = {module.split(".")[1] for module in modules() if module.startswith("workshop.")}
    assert rooms == set(re.findall(r"^\| `(\w+)` \|", readme, re.MULTILINE))
    _, _, drawn = (pairlens.__doc__ or "").partition("these wings")
    lines = re.findall(r"^    (\S.*?)  ", drawn, re.MULTILINE)
    mapped = [name.removesuffix("/") for line in lines for name in line.split(", ")]
    assert sorted(mapped) == sorted(name for wing in WINGS for name in wing.split())
    floors = [floor(f"pairlens.{name}") for name in mapped]
    assert floors == sorted(floors)
    source = ROOT / "core" / "pairlens"
    folders = {file.parent.relative_to(ROOT / "tests" / "core") for file in ROOT.glob("tests/core/**/test_*.py")}
    assert not [str(folder) for folder in folders if not (source / folder).is_dir()]
    wings = {folder.parts[0] for folder in folders if folder.parts}
    assert wings == {part(module) for module, file in modules().items() if file.parent.parent == source}


@pytest.mark.parametrize("wing", MAPPED)
def test_the_docstring_of_a_wing_is_its_map(wing):
    package = importlib.import_module(f"pairlens.{wing}")
    there = [one.name for one in pkgutil.iter_modules(package.__path__) if not one.name.startswith("_")]
    missing = [name for name in there if not re.search(rf"\b{name}\b", package.__doc__ or "")]
    assert not missing, f"the docstring of pairlens.{wing} does not say what these are: {', '.join(missing)}"


@pytest.mark.slow
def test_nothing_heavy_is_loaded_before_it_is_needed():
    """The top-level modules that a fresh interpreter holds after each statement."""
    statements = {
        "import pairlens.training": HEAVY,
        "from pairlens.tasks import TASKS; from pairlens.scorers import SCORERS; "
        "from pairlens.metrics import METRICS; assert list(TASKS) and list(SCORERS) and list(METRICS)": HEAVY,
        "from pairlens.cli import main; main(['--help'])": HEAVY,
        "main(['zero-shot', '--help'])": HEAVY,
        "main(['models'])": HEAVY,
        "from pairlens.models import catalogue, find; catalogue(); find('english-small')": NETWORKS | HUB,
        "assert [kind.title for kind in SCORERS.values()]": NETWORKS,
    }
    report = "\nprint('\\nloaded ' + ' '.join({name.partition('.')[0] for name in sys.modules}))\n"
    command = [sys.executable, "-c", "import sys\n" + report.join([*statements, ""])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reports = re.findall(r"^loaded (.*)", done.stdout, re.MULTILINE)
    for (statement, heavy), names in zip(statements.items(), reports, strict=True):
        loaded = heavy & set(names.split())
        assert not loaded, f"{statement} loads {', '.join(sorted(loaded))}"
