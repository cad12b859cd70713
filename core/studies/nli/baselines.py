"""What choosers get that do not read both sentences, or only count the words they share.

Each is cross-validated: answers for a fifth of the pairs come from counts on the other four, and pairs with the same
premise are always in the same fifth, so that nothing is learnt from a premise that is then asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.files.nli.pairs import Corpus, Pair
from core.messages import Message
from core.studies.nli.evaluation import Baseline, Evaluation, scored

FOLDS = 5
_BINS = 10
_SMOOTHING = 1.0
_SEED = 2_018
_WORD = re.compile(r"[^\W_]+")

Codes = NDArray[np.int64]


def baselines(evaluation: Evaluation, corpus: Corpus) -> list[Baseline]:
    """What the choosers get on the pairs of an evaluation; nothing if there is no pair."""
    pairs = {pair.id: pair for pair in corpus}
    evaluated = [pairs[identifier] for identifier in evaluation.answers["id"]]
    gold = evaluation.answers["gold_class"].tolist()
    return [choose(evaluated, gold, evaluation.classes) for choose in (word_overlap, hypothesis_only) if evaluated]


def hypothesis_only(pairs: Sequence[Pair], gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    """Naive Bayes over the words of the hypothesis; the premise is not read (Poliak et al. 2018, *SEM)."""
    features = _occurrences([pair.hypothesis for pair in pairs])
    what = Message("words of the hypothesis, naive Bayes")
    return _validated(Message("hypothesis only"), what, features, pairs, gold, classes)


def word_overlap(pairs: Sequence[Pair], gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    """Naive Bayes over two numbers: the share of each sentence's words that is in the other one, in tenths."""
    features = _feature_places([_shares(pair) for pair in pairs])
    what = Message("shares of words in common, naive Bayes")
    return _validated(Message("word overlap"), what, features, pairs, gold, classes)


def _validated(
    name: str,
    what: str,
    features: tuple[Codes, Codes],
    pairs: Sequence[Pair],
    gold: Sequence[str],
    classes: Sequence[str],
) -> Baseline:
    how = Message("{what}; {folds} folds, pairs with the same premise in the same fold", what=what, folds=FOLDS)
    place = {label: number for number, label in enumerate(classes)}
    codes = np.fromiter((place[label] for label in gold), np.int64, len(gold))
    folds = _folds([pair.premise for pair in pairs])
    answers = np.empty(len(pairs), np.int64)
    for fold in range(FOLDS):
        held_out = folds == fold
        answers[held_out] = _naive_bayes(features, codes, held_out, len(classes))
    return scored(name, how, gold, [classes[code] for code in answers.tolist()], classes)


def _naive_bayes(features: tuple[Codes, Codes], codes: Codes, held_out: NDArray[np.bool_], n_classes: int) -> Codes:
    """The likeliest class of the held-out documents, by how often each feature occurs with it in the others."""
    documents, values = features
    n_values = int(values.max(initial=-1)) + 1
    learnt = ~held_out[documents]
    cells = codes[documents[learnt]] * n_values + values[learnt]
    counts = np.bincount(cells, minlength=n_classes * n_values).reshape(n_classes, n_values) + _SMOOTHING
    likelihood = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))
    prior = np.log(np.bincount(codes[~held_out], minlength=n_classes) + _SMOOTHING)
    scores = np.stack(
        [np.bincount(documents, weights=of_class[values], minlength=len(codes)) for of_class in likelihood]
    )
    return np.asarray((scores + prior[:, None]).argmax(axis=0)[held_out])


def _folds(premises: Sequence[str]) -> Codes:
    """The fold of each pair; all pairs with a premise have the same."""
    _, groups = np.unique(np.asarray(premises, dtype=object), return_inverse=True)
    n_groups = int(groups.max(initial=-1)) + 1
    return np.asarray(np.random.default_rng(_SEED).permutation(n_groups)[groups] % FOLDS)


def _words(sentence: str) -> list[str]:
    return _WORD.findall(sentence.lower())


def _occurrences(sentences: Sequence[str]) -> tuple[Codes, Codes]:
    """The number of the sentence and of the word, once for each different word of a sentence."""
    vocabulary: dict[str, int] = {}
    documents, words = [], []
    for number, sentence in enumerate(sentences):
        for word in sorted(set(_words(sentence))):
            documents.append(number)
            words.append(vocabulary.setdefault(word, len(vocabulary)))
    return np.asarray(documents, np.int64), np.asarray(words, np.int64)


def _shares(pair: Pair) -> tuple[float, float]:
    """The shares of the hypothesis' words that are in the premise, and of the premise's in the hypothesis."""
    premise, hypothesis = set(_words(pair.premise)), set(_words(pair.hypothesis))
    both = len(premise & hypothesis)
    return both / max(len(hypothesis), 1), both / max(len(premise), 1)


def _feature_places(shares: Sequence[tuple[float, float]]) -> tuple[Codes, Codes]:
    """Each pair has two features: the tenth in which each of its shares lies."""
    tenths = np.minimum((np.asarray(shares, np.float64).reshape(-1, 2) * _BINS).astype(np.int64), _BINS)
    tenths[:, 1] += _BINS + 1
    return np.repeat(np.arange(len(tenths)), 2), tenths.ravel()
