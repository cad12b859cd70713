"""The notebooks of a reproduction, cell by cell. They read tables, so that they are the same for every run."""

from __future__ import annotations

TABLES: tuple[tuple[str, str], ...] = (
    (
        "markdown",
        """\
# A run, looked at with pandas

`items.csv` has a row per run and item, `candidates.csv` a row per text with its log-probability in nats; both lie
beside this notebook. `pip install pandas` is all it needs.""",
    ),
    (
        "code",
        """\
import json
from pathlib import Path

import numpy as np
import pandas as pd


def table(name, numbers):  # ids and texts stay as they are, `1` and `NA` too
    read = pd.read_csv(name, dtype=str, keep_default_na=False)
    return read.assign(**{one: pd.to_numeric(read[one].replace("", None)) for one in numbers})


items = table("items.csv", ["correct", "margin_bits", "weight"])
candidates = table("candidates.csv", ["logprob", "n_tokens", "n_scored"])
groups = [name for name in items if name.startswith("group:")]
runs = [json.loads(path.read_text("utf-8")) for path in sorted(Path(".").glob("*/run.json"))]
pd.DataFrame(runs).set_index("run_id").T""",
    ),
    (
        "markdown",
        """\
## The items together

`decides` in the table above names the number that is decided item by item: the run's headline, where that is one of
single items. Each item counts with its `weight`, so that paradigms are averaged as in the run. Items without
`correct` do not count; `excluded` says why.""",
    ),
    (
        "code",
        """\
counted = items[items["correct"].notna()]
by_run = counted.assign(part=counted["correct"] * counted["weight"]).groupby(["run", "model"], sort=False)
by_run.agg(share=("part", "sum"), items=("item", "size"), ties=("tie", lambda tie: (tie == "True").sum()))""",
    ),
    (
        "code",
        """\
items.loc[items["correct"].isna(), ["run", "excluded"]].value_counts()""",
    ),
    (
        "markdown",
        """\
## By group, with intervals

Wilson's interval takes all items as independent. The bootstrap draws whole clusters: items with the same critical
contrast stand or fall together.""",
    ),
    (
        "code",
        """\
def wilson(share, n, z=1.959964):
    centre, reach = share + z * z / (2 * n), z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (centre - reach) / (1 + z * z / n), (centre + reach) / (1 + z * z / n)


def bootstrap(rows, draws=2000, seed=20201104):
    clusters = rows.groupby("cluster")["correct"].agg(["sum", "size"]).to_numpy()
    if len(clusters) < 2:
        return np.nan, np.nan
    n = len(clusters)
    drawn = np.random.default_rng(seed).multinomial(n, [1 / n] * n, draws) @ clusters
    return tuple(np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975]))


def by_group(column):
    rows = []
    for (model, group), part in counted.groupby(["model", column], sort=False):
        share, n = part["correct"].mean(), len(part)
        low, high = bootstrap(part)
        wilson_low, wilson_high = wilson(share, n)
        rows.append([model, group, n, share, low, high, wilson_low, wilson_high])
    columns = ["model", "group", "items", "share", "low", "high", "wilson low", "wilson high"]
    return pd.DataFrame(rows, columns=columns)


by_group(groups[0]) if groups else counted.head()""",
    ),
    (
        "markdown",
        """\
## The texts

How surprising the texts are, in bits: of each run the first candidates, the second ones, and so on. Where the run
measures surprisal (age of acquisition) the mean of the first ones is its headline.""",
    ),
    (
        "code",
        """\
candidates["bits"] = -candidates["logprob"] / np.log(2)
surprisal = candidates.groupby(["run", "candidate"], sort=False)["bits"].agg(["mean", "count"])
surprisal""",
    ),
    (
        "markdown",
        "The items on which the model errs most, with all their texts and log-probabilities.",
    ),
    (
        "code",
        """\
worst = counted.sort_values("margin_bits").head(10)[["run", "item", "margin_bits"]]
worst.merge(candidates, on=["run", "item"])""",
    ),
)

LIBRARY: tuple[tuple[str, str], ...] = (
    (
        "markdown",
        """\
# A run, made again with Pairlens

Start it in the folder of Pairlens, with its environment (`.venv/bin/python -m pip install notebook`), or add that
folder to `sys.path`. Set `MODEL` if the model has another name or place here than where the run was made.""",
    ),
    (
        "code",
        """\
import json
from pathlib import Path

import pandas as pd

from core import api
from core.policies import Policy
from core.runs.requested import WHOLE_TEXTS
from core.rules import RULES
from core.scoring.into_store import scores_now
from core.store import Store
from core.types import Candidate

runs = [json.loads(path.read_text("utf-8")) for path in sorted(Path(".").glob("*/run.json"))]
run = runs[0]
MODEL = run["model"] + ("@" + run["revision"] if run["revision"] else "")
pd.Series(run)""",
    ),
    (
        "markdown",
        """\
## The texts, scored

Scores that are stored are looked up; others are made now. The largest difference to the run's log-probabilities is
in nats; 0.0001 is what another machine may make of the same model. Where the texts alone do not say what was asked
the benchmark below does.""",
    ),
    (
        "code",
        """\
candidates = pd.read_csv("candidates.csv", dtype={"item": str, "context": str, "text": str}, keep_default_na=False,
                         na_values={"logprob": [""]})
candidates = candidates[candidates["run"] == run["run_id"]]
known = candidates[candidates["logprob"].notna()].head(2000)
rule = RULES[run["rule"]]
if "text" not in known:
    print("The texts of this run are confidential: they are in none of these files.")
elif rule.name not in WHOLE_TEXTS:
    print(f"What was asked is {rule.about}: the texts alone do not say it.")
else:
    recipe = api.recipe(MODEL, run["scorer"], Policy(**run["policy"]))
    texts = zip(known["context"], known["text"], strict=True)
    requests = [rule.terms(Candidate(text, "", context))[0] for context, text in texts]
    scores = scores_now(requests, recipe, Store())
    known = known.assign(now=[one.total for one in scores])
    print("largest difference:", (known["now"] - known["logprob"]).abs().max(), "nats,", len(known), "texts")
known.head()""",
    ),
    (
        "markdown",
        """\
## The benchmark, run again

Name the file or folder with the data; every number comes with its counts and interval. (Runs of the pages
Stereotypes and Entailment: `pairlens stereoset predict`, `pairlens nli predict`.)""",
    ),
    (
        "code",
        """\
DATA = ""  # for example "blimp/data"
choices = {name: value for name, value in run["policy"].items() if name != "name"}
api.benchmark(DATA, MODEL, task=run["task"], scorer=run["scorer"], rule=run["rule"], **choices) if DATA else None""",
    ),
)
