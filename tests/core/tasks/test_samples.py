"""Our own samples: what their README promises, and that no sentence is anybody else's."""

import gzip
import hashlib
import re
from collections import Counter

import pytest

import pairlens
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import meaningless, sample
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.store import Store
from pairlens.studies import gallery
from pairlens.tasks import TASKS
from tests.contract.saying import demand
from workshop.gallery.scoring import bundled_readers

SAMPLES = ROOT / "data" / "samples"
PLURAL = {"were", "are", "have", "themselves", "geese"}


@pytest.fixture(scope="module")
def items():
    return list(TASKS["blimp"].read(SAMPLES / "blimp"))


def texts(items):
    return {candidate.text for item in items for candidate in item.candidates}


def test_in_five_paradigms_twenty_pairs_differ_in_one_word_and_are_in_both_samples_but_not_in_the_gallery(items):
    assert sorted(Counter(item.groups["UID"] for item in items).values()) == [20] * 5
    for item in items:
        good, bad = (candidate.text.split() for candidate in item.candidates)
        assert len(good) == len(bad)
        assert sum(a != b for a, b in zip(good, bad, strict=True)) == 1, item
    assert len(texts(items)) == 200

    def is_plural(good, bad, of_verbs):
        return good in PLURAL if PLURAL & {good, bad} else (len(good) < len(bad)) == of_verbs

    for uid in {item.groups["UID"] for item in items}:
        contrasts = [item.groups["contrast"].split("|") for item in items if item.groups["UID"] == uid]
        assert sum(is_plural(*both, uid.startswith("agreement")) for both in contrasts) == 10, uid
    assert texts(list(TASKS["pairs"].read(SAMPLES / "pairs" / "agreement.csv"))) == texts(items)
    assert not texts(items) & {text for example in gallery.examples() for pair in example.pairs for text in pair}


def test_the_readme_names_the_checksums():
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for folder in (path for path in SAMPLES.iterdir() if path.is_dir()):
        content = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
        row = f"- `{folder.name}`: `{hashlib.sha256(content).hexdigest()}`"
        demand(row in readme, f"data/samples/README.md lacks the checksum of {folder.name}: its row is {row}")


LARGE = [pytest.param(name, marks=pytest.mark.soak) for name in ("blimp/data", "clams/en_evalset", "colorless_green")]


@pytest.mark.parametrize("folder", [*LARGE, "syntaxgym", "clams/fr_evalset", "french_obj_pp"])
def test_no_sentence_is_from_a_benchmark(items, folder, shared_data):
    def words(text):
        return re.sub(r"[\W_]+", " ", text.lower()).strip()

    more = [item for name in ("agreement", "agreement_french") for item in TASKS["agreement"].read(SAMPLES / name)]
    ours = {words(one.context + one.text) for item in [*items, *more] for one in item.candidates}
    assert len(ours) == 200 + 2 * 64 + 2 * 48
    for file in (path for path in shared_data(folder).rglob("*") if path.is_file()):
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        theirs = words(content.decode("utf-8", "replace"))
        assert [text for text in ours if text in theirs] == [], file.name


@pytest.mark.parametrize("task", [task for task in TASKS if not TASKS[task].confidential])
def test_the_scores_of_bundled_models_ship(task, tmp_path):
    """So that Benchmarks opens with results; `python -m workshop.gallery --score TASK` writes them."""
    chosen, store, command = TASKS[task], Store(tmp_path), f"`python -m workshop.gallery --score {task}` writes them"
    read = list(chosen.read(sample(chosen)))
    for model in bundled_readers():
        recipe = pairlens.recipe(model.name, policy=preset_for("pairlens", chosen.sets))
        missing = 0 if meaningless(chosen, "", recipe.kind) else plan(chosen, read, recipe).missing(store)
        said = f"{missing} texts of data/samples/{task} have no shipped score of {model.name}: {command}"
        demand(missing == 0, said)
