"""The test sets on which bundled models are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from core.settings import ROOT

OWN = ROOT / "data" / "samples"


@dataclass(frozen=True, slots=True)
class SentenceSet:
    """Items that a task reads, for models of a language.

    `data` is a path below the folder of public data, or of our own samples if the set is `own`. An empty `rule` is
    the task's usual one; `choices` are policy fields. `by` names the groups to report, `published` holds published
    figures on the same items, in per cent.
    """

    key: str
    title: str
    language: str
    task: str
    data: str
    own: bool = False
    rule: str = ""
    choices: Mapping[str, object] = field(default_factory=dict)
    by: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)

    def path(self, public: Path) -> Path:
        """The path of the items."""
        return (OWN if self.own else public) / self.data


_RELEASED = MappingProxyType({"word-level Transformer of the released predictions": 94.17})

SETS = (
    SentenceSet("blimp", "BLiMP", "en", "blimp", "blimp/data", by={"term": "linguistics_term"}),
    SentenceSet(
        "blimp_supplement",
        "BLiMP supplement",
        "en",
        "blimp",
        "babylm/evaluation_data/full_eval/supplement_filtered",
        by={"paradigm": "UID"},
    ),
    SentenceSet(
        "object_participle",
        "French participles, our own",
        "fr",
        "agreement",
        "object_participle",
        own=True,
        rule="word",
        by={"number": "number", "attractors": "attractors", "pattern": "pattern"},
    ),
    SentenceSet(
        "french_obj_pp",
        "French participles, 103 released",
        "fr",
        "agreement",
        "french_obj_pp/data/agreement/French",
        rule="word",
        choices={"detokenise": "fr"},
        by={"number": "number", "attractors": "attractors"},
        published=_RELEASED,
    ),
    SentenceSet(
        "french_obj_pp_as_released",
        "the same, cut into tokens",
        "fr",
        "agreement",
        "french_obj_pp/data/agreement/French",
        rule="word",
        by={"number": "number", "attractors": "attractors"},
        published=_RELEASED,
    ),
    SentenceSet("clams", "CLAMS, French", "fr", "clams", "clams/fr_evalset", by={"paradigm": "UID"}),
    SentenceSet(
        "qfrblimp",
        "QFrBLiMP",
        "fr",
        "qfrblimp",
        "qfrblimp/datastore/QFrBLiMP/release/qfrblimp.jsonl.gz",
        by={"type": "type"},
    ),
    *(
        SentenceSet(
            f"everyday_{name.lower()}",
            f"{name}, our everyday pairs",
            language,
            "pairs",
            f"everyday_{name.lower()}",
            own=True,
            by={"paradigm": "UID"},
        )
        for name, language in (("English", "en"), ("French", "fr"), ("Portuguese", "pt"))
    ),
)
