"""Runs compared with one of them: numbers, differences, recipes, and the items that changed sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from pairlens.analysis.items import labelled_texts
from pairlens.analysis.paired import margins
from pairlens.analysis.summary import OVERALL
from pairlens.errors import PolicyError, unknown
from pairlens.evaluation.receipts.scored_by import JUDGED
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES, Policy
from pairlens.reports.run_comparison import wording
from pairlens.reports.run_comparison.numbers import differences, groups_of, pairwise, values
from pairlens.reports.run_comparison.runs import Basis, Run, basis, chosen_metric, read_runs
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.store import Store
from pairlens.store.parts import sources


@dataclass(frozen=True)
class RunComparison:
    """Runs compared with one of them by one metric, whose groups are those of `group_by` (empty if it has none).

    `bases` say by run id what each other run and the reference share.
    """

    runs: tuple[Run, ...]
    reference: Run
    metric: str
    group_by: str
    bases: Mapping[str, Basis]
    values: pd.DataFrame
    differences: pd.DataFrame
    recipe: pd.DataFrame

    @property
    def others(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.id != self.reference.id)

    @property
    def overall(self) -> pd.DataFrame:
        return self.differences[self.differences["group_by"] == OVERALL]

    @property
    def findings(self) -> list[str]:
        """A sentence per other run: how far it is from the reference."""
        reference, task = self.reference.name, self.reference.task
        return [wording.finding(row, reference, self.metric, task) for _, row in self.overall.iterrows()]

    @property
    def cautions(self) -> list[str]:
        """What changes the meaning of the differences: other items, the same weights under two names."""
        by_basis = (wording.based_on(run, self.reference, self.bases[run.id]) for run in self.others)
        return [*filter(None, by_basis), *wording.twins(self.runs)]

    def margins(self, run: Run) -> pd.DataFrame:
        """The items that count in a run and in the reference, the largest change of margin first.

        Columns: item, the groups; context, right, rival (`pairlens.analysis.paired.margins`) or, where no candidate
        is right, texts; margin, margin_reference, change in bits (per token if policies compare means); right_in:
        `run` or `reference` where one of them alone is right, else `both`, `neither` or `part`.
        """
        shared = self.bases[run.id]
        if not METRICS[self.metric].averages or shared.first.empty:
            return pd.DataFrame(columns=["item", "margin", "margin_reference", "change", "right_in"])
        policies = run.policy, self.reference.policy
        table = margins(shared.first, shared.second, run.task, policies, run.rule, self.metric)
        table = table.rename(columns={"margin_a": "margin", "margin_b": "margin_reference"})
        table["right_in"] = table["right_in"].replace({"a": CHANGED[0], "b": CHANGED[1]})
        if table["right"].isna().all():
            return table.drop(columns=["context", "right", "rival"]).join(labelled_texts(shared.first), on="item")
        return table

    def items(self) -> pd.DataFrame:
        """The margins of every item in the reference and each other run; `run` names it."""
        table = pd.concat([self.margins(run).assign(run=run.name) for run in self.others], ignore_index=True)
        table = table.assign(reference=self.reference.name)
        first = ["run", "reference", "item"]
        return table[[*first, *(name for name in table.columns if name not in first)]]

    def flipped(self) -> pd.DataFrame:
        """Of these the items that changed sides."""
        items = self.items()
        return items[items["right_in"].isin(CHANGED)].reset_index(drop=True)

    def alone(self) -> pd.DataFrame:
        """Items of a run that the reference lacks, and the other way round: run, reference, item."""
        rows = [
            (own, other, item)
            for run in self.others
            for own, other, items in zip(
                (run.name, self.reference.name),
                (self.reference.name, run.name),
                self.bases[run.id].alone,
                strict=True,
            )
            for item in items
        ]
        return pd.DataFrame(rows, columns=["run", "reference", "item"])

    def pairwise(self) -> pd.DataFrame:
        return pairwise(self.runs, self.metric)


def compare_runs(
    store: Store, run_ids: Sequence[str], reference: str = "", metric: str = "", group_by: str = ""
) -> RunComparison:
    """Compare stored runs with one of them (the first), by a metric (the headline) and a group (the main one).

    PairlensError for runs that cannot be compared and for an unknown reference, metric or group.
    """
    runs = read_runs(store, run_ids)
    if reference and reference not in run_ids:
        raise PolicyError(f"The reference must be one of the runs. {unknown('run among them', reference, run_ids)}")
    against = next(run for run in runs if run.id == (reference or run_ids[0]))
    name = chosen_metric(runs, metric)
    groups = groups_of(runs, name)
    if group_by and group_by not in groups:
        raise PolicyError(unknown("group of these numbers", group_by, groups))
    by = group_by or next(iter(groups), "")
    bases = {run.id: basis(run, against) for run in runs if run.id != against.id}
    return RunComparison(
        tuple(runs),
        against,
        name,
        by,
        bases,
        values(runs, name, by),
        differences(runs, against, name, by, bases),
        recipe_table(runs),
    )


CHANGED = ("run", "reference")
"""Values of `right_in` of items that flipped: only this run has them right, or only the reference."""


def thinned(items: pd.DataFrame, most: int = 1_000) -> pd.DataFrame:
    """So many of those that flipped and as many of the others, taken evenly over all changes of margin."""
    sides = items["right_in"].isin(CHANGED)
    parts = items[~sides], items[sides]
    places = (np.linspace(0, len(part) - 1, min(len(part), most)).round().astype(int) for part in parts)
    return pd.concat([part.iloc[chosen] for part, chosen in zip(parts, places, strict=True)], ignore_index=True)


_HEX = 12

MOVES, FOLLOWS, UNREAD = "can change the numbers", "follows from other fields", "none: this scorer ignores it"
DIGITS, NOTHING = "the last digits at most", "none"
"""What a difference in a field can do."""

_TITLES = {
    "pll": "Masked models hide",
    "tokens": "Tokenisation",
    "words_by": "Words of masked models",
    "sentence_value": "Sentence score",
    "text": "Text as typed",
    "detokenise": "Detokenisation",
    "dtype": "Precision",
    "window": "Window (tokens)",
    "stride": "Stride (tokens)",
    "windows": "Windows over long texts",
}
_NAMES = {
    field.name: _TITLES.get(field.name, field.name.replace("_", " ").capitalize())
    for field in fields(Policy)
    if field.name != "name"
}
_EFFECTS: Mapping[str, str] = {
    **dict.fromkeys(("Data set", "Numbers by", "Model", "Revision", "Policy", "Title", "Run"), NOTHING),
    **dict.fromkeys(("Word value", "Punctuation", "Unit", "Finished (UTC)"), NOTHING),
    "What determines scores (sha256)": FOLLOWS,
}
"""Of fields other than choices that scorers read; those about words and units play no part in a run's numbers."""
_SECTIONS = ("Data", "Model", "Scoring", "Software", "Run")


def recipe_table(runs: Sequence[Run]) -> pd.DataFrame:
    """One row per field: section, field, effect (what a difference can do), one column per run's name, differs."""
    kinds = (SCORERS[run.manifest["scorer"]] for run in runs if run.manifest["scorer"] in SCORERS)
    read = {*JUDGED, *(field for kind in kinds for field in kind.reads)}
    effects = {**{title: MOVES if field in read else UNREAD for field, title in _NAMES.items()}, **_EFFECTS}
    table = pd.concat([pd.Series(_recipe(run), name=run.name) for run in runs], axis=1, sort=False).fillna("")
    table = table.rename_axis(["section", "field"]).reset_index()
    table = table.sort_values(
        "section", key=lambda names: names.map(_SECTIONS.index), kind="stable", ignore_index=True
    )
    effect = table["field"].map(effects).fillna(MOVES).mask(table["section"] == "Software", DIGITS)
    table.insert(2, "effect", effect)
    return table.assign(differs=table[[run.name for run in runs]].nunique(axis=1) > 1)


def _recipe(run: Run) -> dict[tuple[str, str], str]:
    manifest, scorer = run.manifest, str(run.manifest["scorer"])
    known = {name: "" if value is None else str(value) for name, value in manifest.items()}
    signed = {
        name: value for name, _, value in (part.partition(":") for part in known.get("signature", "").split("|"))
    }
    title = SCORERS[scorer].title if scorer in SCORERS else scorer
    version = signed.get("scorer", "").partition(".v")[2]
    return {
        ("Data", "Task"): run.task.title,
        ("Data", "Version of the task"): known["task_version"],
        ("Data", "Data set"): known["data"],
        ("Data", "Items scored (sha256)"): known["data_hash"][:_HEX],
        ("Data", "Number of items"): f"{run.candidates['item'].nunique():,}",
        ("Data", "Items left out"): f"{len(manifest.get('refused') or ()):,}",
        ("Data", "What is compared"): RULES[run.rule].about if run.rule in RULES else run.rule,
        ("Data", "Numbers by"): ", ".join(run.task.groups),
        ("Model", "Model"): known["model"],
        ("Model", "Revision"): known["revision"][:_HEX],
        ("Model", "Weights (sha256)"): known["weights"][:_HEX],
        ("Model", "Own code"): signed.get("code", ""),
        ("Model", "What determines scores (sha256)"): known["fingerprint"][:_HEX],
        ("Scoring", "Scorer"): f"{title} (version {version})" if version else title,
        ("Scoring", "Policy"): known["preset"],
        **{("Scoring", _NAMES[field]): _choice(field, getattr(run.policy, field)) for field in _NAMES},
        ("Software", "Pairlens"): signed.get("v", ""),
        **{("Software", name): value for name, value in _made_with(run).items()},
        ("Run", "Title"): known["title"],
        ("Run", "Run"): run.id,
        ("Run", "Finished (UTC)"): known["finished"][:19].replace("T", " "),
    }


def _choice(field: str, value: object) -> str:
    if field in CHOICES:
        return CHOICES[field][str(value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if value else "the model's own"


def _made_with(run: Run) -> dict[str, str]:
    """What the parts with the run's scores say about how they were made; several answers are joined."""
    answers: dict[str, dict[str, None]] = {}
    for part in run.store.parts(run.manifest["fingerprint"]):
        for _, provenance in sources(part):
            versions = {
                "Python": provenance.get("python"),
                "Device": provenance.get("device"),
                **(provenance.get("versions") or {}),
            }
            for name, value in versions.items():
                if value:
                    answers.setdefault(name, {})[str(value)] = None
    return {name: ", ".join(values) for name, values in answers.items()}
