"""Pairs as items to be scored: one candidate per label, in one direction or in both.

Language models that were never trained on labels are asked in words which of three fits a pair best: a request puts
premise and hypothesis into a sentence and scores the words that stand for the labels, log p(word | prompt), as Brown
et al. 2020 do ("Language models are few-shot learners", appendix G). Small models say little this way: the number
says how far a prompt gets, not what the model knows. Calibrated (Zhao et al. 2021, "Calibrate before use"), each
word's log-probability is reduced by what it is when both texts are a content-free `N/A`: a word that is likely
whatever is asked wins less often.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from pairlens.errors import PolicyError, unknown
from pairlens.files.labels import CONTRADICTION, ENTAILMENT, NEUTRAL, cell, system_of
from pairlens.files.nli.label_map import LabelMap
from pairlens.files.nli.pairs import Corpus, Pair
from pairlens.types import Candidate, Item

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORWARD, REVERSE, CONTENT_FREE = "forward", "reverse", "content-free"
"""Values of the group `direction`: as in the data, premise and hypothesis swapped, a prompt without content."""
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Labels:
    """The form for classifiers: the context is both texts, a line each; each label is a candidate."""

    names: tuple[str, ...]

    def candidates(self, premise: str, hypothesis: str) -> tuple[Candidate, ...]:
        context = f"{premise}\n{hypothesis}\n"
        return tuple(Candidate(name, name, context) for name in self.names)


PROMPTED = "sick"
"""The labels that language models are asked about."""
NO_CONTENT = "N/A"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question about premise and hypothesis, and the word that answers it for each label."""

    name: str
    title: str
    between: str
    after: str
    words: Mapping[str, str]

    def candidates(self, premise: str, hypothesis: str) -> tuple[Candidate, ...]:
        context = f"{premise}{self.between}{hypothesis}{self.after}"
        return tuple(Candidate(f" {word}", label, context) for label, word in self.words.items())


Asks = Labels | Prompt
"""A way to present two texts to a model: one candidate per label, all with the same context."""
PROMPTS: Mapping[str, Prompt] = MappingProxyType(
    {
        "english": Prompt(
            "english", "English", " Question: ", " True, false or neither? Answer:",
            MappingProxyType({ENTAILMENT: "true", CONTRADICTION: "false", NEUTRAL: "neither"}),
        ),
        "portuguese": Prompt(
            "portuguese", "Português", " Pergunta: ", " Verdadeiro, falso ou nenhum dos dois? Resposta:",
            MappingProxyType({ENTAILMENT: "verdadeiro", CONTRADICTION: "falso", NEUTRAL: "nenhum"}),
        ),
    }
)  # fmt: skip


def prompt_named(name: str) -> Prompt:
    if name not in PROMPTS:
        raise PolicyError(unknown("prompt", name, PROMPTS))
    return PROMPTS[name]


def items(corpus: Corpus, asks: Asks, reading: LabelMap, *, reverse: bool = False) -> Iterator[Item]:
    """An item per pair, and with `reverse` one for the swapped pair after it.

    Groups: `gold_label`, `direction`, `split`; `pair`, the pair's id; and `contrast`, its related set of sentences
    (`pairlens.files.nli.items`). The right candidate is named where the data and the model have the same labels;
    elsewhere it takes the rules of `pairlens.files.labels`.
    """
    rules = cell(corpus.system, reading.system)
    alike = rules.as_they_are and not rules.collapses
    right = {label: name for name, label in reading.labels.items()} if alike else {}
    for pair, number in zip(corpus, related(corpus.pairs), strict=True):
        for direction, name, one in ((FORWARD, pair.id, pair), (REVERSE, f"{pair.id} reversed", pair.turned)):
            if direction == FORWARD or reverse:
                groups = {
                    "gold_label": one.gold or _UNKNOWN,
                    "direction": direction,
                    "split": pair.split or _UNKNOWN,
                    "pair": pair.id,
                    "contrast": f"{number}",
                }
                texts = on_one_line(one.premise), on_one_line(one.hypothesis)
                yield Item(name, asks.candidates(*texts), right.get(one.gold), groups)


def content_free(asks: Asks, text: str) -> Item:
    """The item that shows which label a prompt without content gets."""
    groups = dict.fromkeys(("gold_label", "split", "pair", "contrast"), _UNKNOWN) | {"direction": CONTENT_FREE}
    return Item(CONTENT_FREE, asks.candidates(text, text), None, groups)


def on_one_line(text: str) -> str:
    return " ".join(text.split())


def of_corpora(corpora: Iterable[Corpus]) -> Iterator[Item]:
    """The pairs of several corpora, with the labels of their data; ids begin with the corpus's name."""
    for corpus in corpora:
        names = system_of(corpus.system).labels
        own = LabelMap(corpus.system, {name: name for name in names})
        for item in items(corpus, Labels(names), own):
            groups = {**item.groups, "contrast": f"{corpus.name}: {item.groups['contrast']}"}
            yield Item(f"{corpus.name}: {item.id}", item.candidates, item.gold, groups)


Texts = tuple[str, str]

_LARGEST = 0.1
"""The share of all pairs that a set may hold, so that ten sets at least remain."""
_ALWAYS = 100
"""So many pairs may be one set, and half of the pairs, also where there are fewer than ten times as many."""
_LEAST = 3


def normalised(sentence: str) -> str:
    """In small letters, without full stops, with single spaces."""
    return " ".join(sentence.lower().replace(".", " ").split())


def texts_of(pair: Pair) -> Texts:
    return normalised(pair.premise), normalised(pair.hypothesis)


def related(pairs: Sequence[Pair]) -> list[int]:
    """By pair, the number of its set: pairs that share a sentence (`normalised`), directly or through others.

    A few sentences that fit everywhere can join what has nothing to do with each other: "A man is playing a guitar."
    is in 63 pairs of SICK, a hypothesis such as "This text is about sport." in half of its data. Where a set is
    larger than `_LARGEST` and `_ALWAYS` allow, the commonest sentences, as many as it takes, join nothing.
    The order of the pairs does not matter, nor which sentence of a pair is its premise.
    """
    import numpy as np
    import pandas as pd
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not pairs:
        return []
    n = len(pairs)
    sentences, names = pd.factorize(np.array([texts_of(pair) for pair in pairs], dtype=object).ravel())
    often = np.bincount(sentences)[sentences]
    most = max(_LARGEST * n, min(n / 2, _ALWAYS), _LEAST)

    def joined_by(limit: int) -> NDArray[np.intp]:
        """The sets if only sentences that occur so often at most join pairs."""
        (joining,) = np.nonzero(often <= limit)
        edges = (np.ones(len(joining)), (joining // 2, n + sentences[joining]))
        _, sets = connected_components(coo_array(edges, shape=(n + len(names),) * 2), directed=False)
        return np.asarray(pd.factorize(sets[:n])[0])

    limits = np.unique([0, *often]).tolist()  # the more sentences join pairs, the larger are the sets
    fitting = bisect_left(limits, True, lo=1, key=lambda limit: np.bincount(joined_by(limit)).max() > most)
    return [*map(int, joined_by(limits[fitting - 1]))]
