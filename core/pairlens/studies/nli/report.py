"""An evaluation on all pairs and, beside it, without those that other sets hold too.

The headline is that of all pairs: pairs are shared for a reason, and what is left may be another question (without
the pairs of SICK-BR, 95 % of ASSIN 2's test part are entailments). It is that of the others where the user says that
the model was trained on the other set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError
from pairlens.files import datasets
from pairlens.files.datasets import folder_of, mirrored
from pairlens.files.nli.items import texts_of
from pairlens.files.nli.pairs import Corpus, Pair
from pairlens.files.nli.readers import read_corpus
from pairlens.messages import Message, either
from pairlens.places import program
from pairlens.studies.nli.evaluation import Evaluation, compare, evaluate
from pairlens.studies.nli.matched import match
from pairlens.studies.nli.translated import refuse_numbers

if TYPE_CHECKING:
    from pairlens.files.nli.pairs import Predictions
    from pairlens.statistics.paired import Comparison
    from pairlens.studies.nli.matched import Matched
    from pairlens.types import Model


@dataclass(frozen=True, slots=True)
class PublicSet:
    """What a model can be trained on of `dataset` (`pairlens.files.datasets`); `files` are patterns of the paths."""

    title: str
    name: str
    dataset: str
    files: tuple[str, ...]

    def pairs(self) -> list[Pair]:
        """Its pairs, from the fetched set or the mirror folder; none if it is not on this machine."""
        dataset = datasets.named(self.dataset)
        here = datasets.path_of(dataset)
        names = [name for name in sorted(dataset.files) if any(fnmatch(name, pattern) for pattern in self.files)]
        paths = [folder_of(dataset) / name if here else mirrored(dataset, name) for name in names]
        return [pair for path in paths if path for pair in read_corpus(path)]


def named_sets(files: Iterable[Path]) -> dict[str, list[Pair]]:
    """The pairs of files, and of public sets in `SHARED`, by what these are called; of the same name, by their paths.

    Raises InputError for a file that cannot be read, and for a public set that is not on this machine.
    """
    public, sets = {known.name: known for known in SHARED.values()}, list[tuple[Path, str, list[Pair]]]()
    for path in dict.fromkeys(files):
        known = None if path.exists() else public.get(str(path))
        pairs = known.pairs() if known else list(read_corpus(path))
        if known and not pairs:
            raise InputError(f"this data set is not here: {program()} data get {known.dataset}", known.name)
        sets.append((path, known.title if known else path.name, pairs))
    often = Counter(name for _, name, _ in sets)
    return {str(path) if often[name] > 1 else name: pairs for path, name, pairs in sets}


SHARED: Mapping[tuple[str, str], PublicSet] = MappingProxyType(
    {
        ("assin2", "sick"): PublicSet("SICK-BR", "sick_br", "sick_br", ("SICK_BR.txt",)),
        ("sick", "assin2"): PublicSet("ASSIN 2", "assin2", "assin", ("*assin2-train-only.xml", "*assin2-dev.xml")),
    }
)
"""By the labels of the data and of the model: what the model may have been trained on that holds the same pairs."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Which of `n` pairs are in `other`: `same` in the same order, `turned` with the sentences swapped only."""

    other: str
    n: int
    same: frozenset[str]
    turned: frozenset[str]

    @property
    def ids(self) -> frozenset[str]:
        return self.same | self.turned


def overlap(corpus: Corpus, other: Iterable[Pair], name: str) -> Overlap:
    known = {texts_of(pair) for pair in other}
    same = frozenset(pair.id for pair in corpus if texts_of(pair) in known)
    turned = frozenset(pair.id for pair in corpus if texts_of(pair)[::-1] in known)
    return Overlap(name, len(corpus), same, turned - same)


def joined(overlaps: Sequence[Overlap]) -> frozenset[str]:
    return frozenset().union(*(shared.ids for shared in overlaps))


ALL = Message("all pairs")


@dataclass(frozen=True, slots=True, eq=False)
class NliReport:
    """`rows` are the evaluations by what they are about, all pairs first; `named` is the row of the headline.

    `overlaps` are the sets that share pairs with the data; `trained_on` are those, by name, that the model is said to
    have been trained on. `unchecked` says that a set should have been compared with and is not here; empty otherwise.
    """

    rows: Mapping[str, Evaluation]
    named: str
    overlaps: Sequence[Overlap] = ()
    trained_on: Collection[str] = ()
    unchecked: str = ""

    @property
    def everything(self) -> Evaluation:
        return next(iter(self.rows.values()))

    @property
    def headline(self) -> Evaluation:
        return self.rows[self.named]

    @property
    def of_trained(self) -> NliReport:
        return replace(self, named=[*self.rows][-1], trained_on=[shared.other for shared in self.overlaps])


def report(
    matched: Matched,
    model_system: str,
    mode: str = "strict",
    others: Mapping[str, Sequence[Pair]] | None = None,
    *,
    missing_wrong: bool = False,
) -> NliReport:
    """Evaluate on all pairs and, beside it, without those that other sets hold in either order.

    `others` are the sets that the model was trained on, by what they are called: the headline leaves their pairs out.
    Where two public sets are known to hold the same pairs (SICK-BR and ASSIN 2), there is also a row without those of
    the other one, if it is on this machine and the others do not have all of them. Errors as in `evaluate`.
    """
    trained_on = [overlap(matched.corpus, pairs, name) for name, pairs in (others or {}).items()]
    known_shared, public, unchecked = joined(trained_on), list[Overlap](), ""
    known = SHARED.get((matched.corpus.system, model_system.lower()))
    if known and (pairs := known.pairs()):
        shared = overlap(matched.corpus, pairs, known.title)
        public = [] if shared.ids <= known_shared else [shared]
    elif known and not known_shared:
        unchecked = Message(
            "Pairs of this set may be in {other}, which is not on this machine, so this was not checked: "
            "`{command}`, or give the file.",
            other=known.title, command=f"{program()} data get {known.dataset}",
        )  # fmt: skip
    judged = partial(evaluate, model_system=model_system, mode=mode, missing_wrong=missing_wrong)
    rows: dict[str, Evaluation] = {ALL: judged(matched)}
    named = ALL
    for sets in (trained_on, [*trained_on, *public] if public else []):
        if sets:
            without = Message("without pairs that are in {others}", others=either(shared.other for shared in sets))
            rows[without] = judged(matched.without(joined(sets)))
            named = without if sets is trained_on else named
    return NliReport(rows, named, [*trained_on, *public], [shared.other for shared in trained_on], unchecked)


@dataclass(frozen=True, eq=False)
class Judged:
    """An evaluation of the answers of `name` on what is called `data`, and in a headline `about`.

    `made` is the manifest of the run in which `model` was asked, or names the file of another program's answers.
    `classes` is what these call each label, which may be mistaken unless it is `sure`. `excluded` has, with the
    reason, pairs without an answer and those decided by a tie. `second` compares with other answers to the same
    pairs; `unread` says why the model says nothing about them.
    """

    report: NliReport
    corpus: Corpus
    name: str
    data: str
    about: str = ""
    made: Mapping[str, Any] = field(default_factory=dict)
    model: Model | None = None
    classes: Mapping[str, str] = field(default_factory=dict)
    sure: bool = False
    excluded: Sequence[tuple[str, str]] = ()
    second: Comparison | None = None
    unread: str = ""


def judge(
    corpus: Corpus,
    forward: Predictions,
    system: str,
    mode: str = "strict",
    *,
    reverse: Predictions | None = None,
    second: Predictions | None = None,
    others: Iterable[Path] = (),
    by_position: bool = False,
    missing_wrong: bool = False,
) -> Judged:
    """Answers of another program, labels of `system`, as `report` evaluates them; `second` is compared with them.

    `others` are files that the model was trained on, or names of public sets. Raises InputError, which names what
    they may stand for, for answers that are class numbers.
    """
    matched = match(corpus, forward, reverse, by_position=by_position)
    refuse_numbers(matched, system)
    report_on = partial(
        report, model_system=system, mode=mode, others=named_sets(others), missing_wrong=missing_wrong
    )
    first, compared = report_on(matched), None
    if second and first.headline.n:
        compared = compare(first.headline, report_on(match(corpus, second, by_position=by_position)).headline)
    sources = {"answers": forward.name}
    return Judged(first, corpus, forward.name, corpus.name, made=sources, second=compared)
