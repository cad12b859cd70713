"""What to cite for a number, as BibTeX: Pairlens, the model if its card says how, data, metric, interval, test."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pairlens.errors import ModelError
from pairlens.evaluation.receipts.scored_by import ScoredBy
from pairlens.models.cards import folders
from pairlens.models.resolve import described
from pairlens.places import FOLDER
from pairlens.statistics.few import CLUSTERED, CLUSTERED_T, EFFECTIVE, WILSON
from pairlens.tasks import TASKS
from pairlens.types import Model

LABELS: Mapping[str, str] = {
    "assin": "fonseca2016assin",
    "assin2": "real2020assin",
    "sick": "marelli2014sick",
    "snli": "bowman2015snli",
    "mnli": "williams2018broad",
}
"""By label system of entailment data (`pairlens.files.labels`), which distinguishes the data sets of that task."""
RULES: Mapping[str, tuple[str, ...]] = {"pmi": ("holtzman2021surface",), "shared": ("nangia2020crows",)}
"""By rule (`pairlens.rules`)."""
POLICIES: Mapping[str, tuple[str, ...]] = {
    "within_word_l2r": ("kauf2023better",),
    "original": ("salazar2020masked",),
    "left_to_right": ("charpentier2025babylm",),
    "bow": ("pimentel2024compute",),
    "bow_eos": ("pimentel2024compute",),
}
"""By choice of a policy."""
STATISTICS: Mapping[str, tuple[str, ...]] = {
    "jackknife": ("tukey1958bias", "mackinnon2023fast"),
    "jackknife of squared correlations": ("tukey1958bias", "mackinnon2023fast", "box1954theorems"),
    WILSON: ("wilson1927probable",),
    EFFECTIVE: ("wilson1927probable", "korn1998confidence", "dean2015evaluating", "bell2002bias"),
    CLUSTERED: (
        "bell2002bias",
        "mackinnon2023fast",
        "imbens2016robust",
        "dean2015evaluating",
        "korn1998confidence",
        "wilson1927probable",
    ),
    "difference of paired shares": ("bonett2012adjusted", "bell2002bias", "mackinnon2023fast"),
    "exchanging answers": ("fisher1935design", "pagano1983obtaining", "yang2010permutation"),
    "MOVER": ("zou2008construction",),
    "exact McNemar": ("mcnemar1947note", "fagerland2013mcnemar"),
    "Student's t": ("student1908probable", "cochran1977sampling"),
    CLUSTERED_T: ("student1908probable", "bell2002bias"),
    "Holm": ("holm1979simple",),
}
"""By method of an interval, test or correction."""

_ENTRY = re.compile(r"^@\w+\{([^,\s]+),$.*?^\}$", re.MULTILINE | re.DOTALL)
_IN_A_CARD = re.compile(r"^@\w+\s*\{[^@]*?^\s*\}\s*$", re.MULTILINE | re.DOTALL)


def bibtex(keys: Iterable[str], *models: Model | None) -> str:
    """Pairlens, the models whose cards say how to cite them, and the papers of these keys, each once."""
    entries = [pairlens(), *(of_model(model) for model in models if model), *(papers()[key] for key in keys)]
    return "\n\n".join(filter(None, dict.fromkeys(entries))) + "\n"


OF_VERSION = "interval of version"
"""How the method begins of an interval that an older version of a metric made: it has no source."""


def keys_of(receipt: Mapping[str, Any]) -> list[str]:
    methods = [one["method"] for one in receipt["number"].get("intervals", ()) if one["method"]]
    return [
        *TASKS[receipt["data"]["task"]].cites,
        *receipt["definition"]["papers"],
        *RULES.get(receipt["rule"]["name"], ()),
        *(POLICIES.get(receipt["policy"]["pll"], ()) if "|pll:" in (receipt["signature"] or "") else ()),
        *(key for method in methods if not method.startswith(OF_VERSION) for key in STATISTICS[method]),
    ]


def keys_of_scores(by: ScoredBy, *choices: str) -> list[str]:
    """What to cite for how something was scored; `choices` are policies (`bow`) or statistics beside it."""
    chosen = [by.policy.pll] if "pll" in by.reads else []
    return [key for name in (*chosen, *choices) for key in (*POLICIES.get(name, ()), *STATISTICS.get(name, ()))]


@cache
def papers() -> Mapping[str, str]:
    text = Path(__file__).with_name("papers.bib").read_text("utf-8")
    return MappingProxyType({match[1]: match[0] for match in _ENTRY.finditer(text)})


@cache
def pairlens() -> str:
    """The entry of Pairlens, from CITATION.cff."""
    import yaml

    citation = yaml.safe_load((FOLDER / "CITATION.cff").read_text("utf-8"))
    authors = " and ".join(f"{{{_author(author)}}}" for author in citation["authors"])
    title, version, year = citation["title"], citation["version"], str(citation["date-released"])[:4]
    return (
        f"@software{{pairlens,\n  author = {{{authors}}},\n  title = {{{title}}},\n  version = {{{version}}},\n"
        f"  year = {{{year}}},\n}}"
    )


def of_model(model: Model) -> str:
    """The citation in the model's card, or an entry in its README; empty if there is neither."""
    if isinstance(citation := model.card.get("citation"), str):
        return citation.strip()
    readme = model.folder / "README.md"
    entry = _IN_A_CARD.search(readme.read_text("utf-8", "replace")) if readme.is_file() else None
    return entry[0].strip() if entry else ""


def model_of(receipt: Mapping[str, Any]) -> Model | None:
    """The receipt's model, if this machine has it under that name with these weights (the hub is not asked)."""
    name = receipt["model"]["name"]
    folder = folders().get(name)
    try:
        model = described(name, folder) if folder else None
    except ModelError:
        return None
    return model if model and model.weights == receipt["model"]["weights_sha256"] else None


def _author(author: Mapping[str, str]) -> str:
    return author.get("name") or f"{author['given-names']} {author['family-names']}"
