"""SyntaxGym: is a region harder in the conditions in which grammar or a garden path says that it is?"""

import re
from collections.abc import Iterator
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.formulas import Operation, regions_of
from pairlens.files.syntaxgym import Suite, SuiteItem, placed, read_suite
from pairlens.files.tables import ending, files
from pairlens.tasks._base import PublishedTask
from pairlens.types import Candidate, Item

ENDINGS = (".json",)
OTHER = "other suites"
_CIRCUITS = {
    "number": "Agreement",
    "npi": "Licensing",
    "reflexive": "Licensing",
    "mvrr": "Garden-Path Effects",
    "nn": "Garden-Path Effects",
    "npz": "Garden-Path Effects",
    "subordination": "Gross Syntactic Expectation",
    "center": "Center Embedding",
    "cleft": "Long-Distance Dependencies",
    "fgd": "Long-Distance Dependencies",
}
"""The circuits of Hu et al. 2020, by the first part of a suite's name."""
_SUMS = {"sentence_value": "sum"}


def read(path: Path) -> Iterator[Item]:
    """A folder of suites (.json, also as .gz or .xz), or one of them, in the order of their names.

    An item here is an item of a suite under one of its predictions (`suite/item/prediction`; the first prediction of
    all items, then the second): its candidates are the regions that the prediction names, each after what precedes it
    in its sentence. None of them is right: the metrics evaluate `formula`. A region without text makes no candidate
    and has no surprisal to add; where all are without text, the item is left out. Region values are sums over tokens;
    a token that straddles two regions is counted in the second (`n_straddling`), where SyntaxGym aligned the tokens
    of each of its models by rules of its own. Commas and other closing marks follow the word before them without a
    space. The predictions of an item share its `contrast`.
    """
    names: dict[str, str] = {}
    for file in files(path, ENDINGS):
        if ending(file) not in ENDINGS:
            raise InputError("expected a suite in a .json file, also as .gz or .xz.", file.name)
        suite = read_suite(file)
        if (other := names.setdefault(suite.name, file.name)) != file.name:
            raise InputError(f"has the name of the suite in {other}, '{suite.name}'.", file.name)
        yield from _items(suite)


def _items(suite: Suite) -> Iterator[Item]:
    circuit = _CIRCUITS.get(re.split("[_-]", suite.name)[0], OTHER)
    for number, formula in enumerate(suite.formulas, start=1):
        for item in suite.items:
            groups = {
                "UID": suite.name,
                "circuit": circuit,
                "prediction": f"{suite.name} {number}",
                "number": str(number),
                "formula": str(formula),
                "contrast": f"{suite.name}/{item.number}",
            }
            yield Item(f"{suite.name}/{item.number}/{number}", _candidates(item, formula), None, groups)


def _candidates(item: SuiteItem, formula: Operation) -> tuple[Candidate, ...]:
    sentences = {name: placed(regions) for name, regions in item.conditions.items()}
    regions = {region.label: sentences[region.condition][region.number] for region in regions_of(formula)}
    with_text = {label: part for label, part in regions.items() if part.text}
    return tuple(Candidate(part.text, label, part.context) for label, part in (with_text or regions).items())


TASK = PublishedTask(
    name="syntaxgym",
    title="SyntaxGym",
    about="Are the regions of a sentence harder for the model where syntax says they should be?",
    paper="Hu et al. 2020, A Systematic Assessment of Syntactic Generalization in Neural Language Models, ACL",
    cites=("hu2020systematic", "gauthier2020syntaxgym"),
    noun="item",
    topic="Grammar",
    rules=("conditional",),
    groups=("UID", "circuit", "prediction"),
    averaged=("UID",),
    metrics=("first_formula", "formula"),
    sets=dict.fromkeys(("minicons", "nlpscholar", "stereoset"), _SUMS),
    reader=read,
)
