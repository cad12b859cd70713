"""How each run was made, field by field, in words: what differs between runs, and what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from core.policies import CHOICES
from core.reports.run_comparison.runs import Run
from core.rules import RULES
from core.runs.receipts.scored_by import JUDGED
from core.scorers import SCORERS
from core.store.parts import sources

_HEX = 12

MOVES, FOLLOWS, UNREAD, DIGITS, NOTHING = (
    "can change the numbers",
    "follows from other fields",
    "none: this scorer ignores it",
    "the last digits at most",
    "none",
)
"""What a difference in a field can do."""

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "first_token": "First token",
        "pll": "Masked models hide",
        "decoder": "Decoder",
        "tokens": "Tokenisation",
        "words_by": "Words of masked models",
        "sentence_value": "Sentence score",
        "word_value": "Word value",
        "punctuation": "Punctuation",
        "unit": "Unit",
        "ties": "Ties",
        "text": "Text as typed",
        "detokenise": "Detokenisation",
        "leading_space": "Leading space",
        "dtype": "Precision",
        "window": "Window (tokens)",
        "stride": "Stride (tokens)",
        "windows": "Windows over long texts",
    }
)


_EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("Data set", "Numbers by", "Model", "Revision", "Policy", "Title", "Run"), NOTHING),
        **dict.fromkeys(("Word value", "Punctuation", "Unit", "Finished (UTC)"), NOTHING),
        "What determines scores (sha256)": FOLLOWS,
    }
)
"""Of fields other than choices that scorers read; those about words and units play no part in a run's numbers."""
_SECTIONS = ("Data", "Model", "Scoring", "Software", "Run")


def recipe_table(runs: Sequence[Run]) -> pd.DataFrame:
    """One row per field: section, field, effect (what a difference can do), one column per run's name, differs."""
    kinds = (SCORERS[run.manifest["scorer"]] for run in runs if run.manifest["scorer"] in SCORERS)
    read = {*JUDGED, *(field for kind in kinds for field in kind.reads)}
    effects = {title: MOVES if field in read else UNREAD for field, title in _NAMES.items()} | _EFFECTS
    fields = pd.concat([pd.Series(_recipe(run), name=run.name) for run in runs], axis=1, sort=False).fillna("")
    table = fields.rename_axis(["section", "field"]).reset_index()
    table = table.sort_values(
        "section", key=lambda names: names.map(_SECTIONS.index), kind="stable", ignore_index=True
    )
    effect = table["field"].map(effects).fillna(MOVES).mask(table["section"] == "Software", DIGITS)
    table.insert(2, "effect", effect)
    return table.assign(differs=table[[run.name for run in runs]].nunique(axis=1) > 1)


def _recipe(run: Run) -> dict[tuple[str, str], str]:
    """What one run was made of, by section and field."""
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
    """A policy's choice in words."""
    if field in CHOICES:
        return CHOICES[field][str(value)]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if value else "the model's own"


def _made_with(run: Run) -> dict[str, str]:
    """What the parts with the run's scores say about how they were made; several answers are joined."""
    answers: dict[str, dict[str, None]] = {}
    for part in run.store.parts(run.manifest["fingerprint"]):
        for _, made in sources(part):
            versions = {"Python": made.get("python"), "Device": made.get("device"), **(made.get("versions") or {})}
            for name, value in versions.items():
                if value:
                    answers.setdefault(name, {})[str(value)] = None
    return {name: ", ".join(values) for name, values in answers.items()}
