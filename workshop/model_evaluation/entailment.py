"""Entailment models on our own pairs, whose words and frames are in no training pair, and on published sets."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pairlens.files.nli.readers import read_corpus
from pairlens.files.tables import read_table
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.nli.baselines import baselines
from pairlens.studies.nli.evaluation import Evaluation, evaluate
from pairlens.studies.nli.matched import match
from pairlens.types import Model
from workshop.evaluation_sets import FOLDERS
from workshop.model_evaluation.figures import Figures, Measurement, percent

KIND = "classifier"
OWN = ("nli_held_out", FOLDERS["nli_held_out"] / "held_out.tsv")
GROUPS = ("language", "construction")
PUBLIC = {
    "sick": ("sick/SICK.txt.gz", "all pairs"),
    "sick_br": ("sick_br/SICK_BR.txt.gz", "all pairs"),
    "assin2": ("assin/sources/assin2-test.xml.gz", "test part"),
}
"""Files in the folder of public data, by key, and which part of the set they are."""


def entailment(model: Model, public: Path) -> Iterator[Measurement]:
    """The measurements, for classifiers."""
    if model.kind != KIND:
        return
    recipe = Recipe(model, SCORERS[default_for(KIND)], Policy())
    sets = [(*OWN, ""), *((key, public / file, part) for key, (file, part) in PUBLIC.items())]
    for key, data, part in sets:
        yield Measurement(key, data, partial(_figures, recipe, data, part))


def _figures(recipe: Recipe, data: Path, part: str, store: Store) -> Figures:
    """Accuracy, macro-F1 (`macro_f1`), accuracy by class and group, and baselines that read less."""
    corpus = read_corpus(data)
    request = nli_runs.ask(recipe)
    twice = nli_runs.needs_reverse(corpus, request)
    run = deque(nli_runs.run(corpus, request, store, reverse=twice), maxlen=1)[0].run_id
    found = evaluate(match(corpus, nli_runs.answers(store, run, request).predictions), request.reading.system)
    low, high = found.accuracy_interval
    lesser = [found.majority, *baselines(found)]
    return {
        **({"part": part} if part else {}),
        "macro": percent(found.accuracy),
        "low": percent(low),
        "high": percent(high),
        "pairs": found.n,
        "left_out": len(corpus) - found.n,
        "macro_f1": percent(found.macro_f1),
        "by_class": {row["class"]: percent(row["recall"]) for row in found.per_class().to_dict("records")},
        **_by_group(found, data),
        "baselines": {one.name: percent(one.accuracy) for one in lesser},
        "policy": f"{recipe.kind.name}: the likeliest label, {', '.join(found.classes)}; "
        f"{'both directions' if twice else 'one direction'}",
        "signature": store.manifest(run)["signature"],
    }


def _by_group(found: Evaluation, data: Path) -> Figures:
    """Accuracy by the other columns of our own table."""
    if data != OWN[1]:
        return {}
    table = read_table(data).set_index("id").loc[found.answers["id"]]
    correct = found.answers["correct"].set_axis(table.index)
    return {
        f"by_{name}": {str(value): percent(share) for value, share in correct.groupby(table[name]).mean().items()}
        for name in GROUPS
    }
