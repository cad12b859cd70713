"""What choosers get that do not read both sentences, or only count the words they share.

Each is cross-validated: answers for a fifth of the pairs come from counts on the other four, and pairs with the same
premise are always in the same fifth, so that nothing is learnt from a premise that is then asked about.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairlens.files.nli.pairs import Pair
from pairlens.messages import Message
from pairlens.studies.nli.evaluation import Baseline, Evaluation, scored

FOLDS = 5
_BINS = 10
_SMOOTHING = 1.0
_SEED = 2_018
_WORD = re.compile(r"[^\W_]+")

Codes = NDArray[np.int64]


def baselines(evaluation: Evaluation) -> list[Baseline]:
    """What the choosers get on the pairs of an evaluation; nothing if there is no pair."""
    pairs = [Pair(*texts) for texts in evaluation.answers[["id", "premise", "hypothesis"]].itertuples(index=False)]
    gold = evaluation.answers["gold_class"].tolist()
    return [choose(pairs, gold, evaluation.classes) for choose in (word_overlap, hypothesis_only) if pairs]


def hypothesis_only(pairs: Sequence[Pair], gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    """Naive Bayes over the words of the hypothesis; the premise is not read (Poliak et al. 2018, *SEM)."""
    vocabulary: dict[str, int] = {}
    occurrences = [
        (number, vocabulary.setdefault(word, len(vocabulary)))
        for number, pair in enumerate(pairs)
        for word in sorted(_words(pair.hypothesis))
    ]
    features = np.asarray(occurrences, np.int64).reshape(-1, 2).T
    what = Message("words of the hypothesis, naive Bayes")
    return _validated(Message("hypothesis only"), what, features, pairs, gold, classes)


def word_overlap(pairs: Sequence[Pair], gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    """Naive Bayes over two numbers: the share of each sentence's words that is in the other one, in tenths."""
    shares = np.empty((len(pairs), 2))
    for number, pair in enumerate(pairs):
        premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
        both = len(premise & hypothesis)
        shares[number] = both / max(len(hypothesis), 1), both / max(len(premise), 1)
    tenths = np.minimum((shares * _BINS).astype(np.int64), _BINS) + np.array([0, _BINS + 1])
    features = np.stack([np.repeat(np.arange(len(pairs)), 2), tenths.ravel()])
    what = Message("shares of words in common, naive Bayes")
    return _validated(Message("word overlap"), what, features, pairs, gold, classes)


def _validated(
    name: str, what: str, features: Codes, pairs: Sequence[Pair], gold: Sequence[str], classes: Sequence[str]
) -> Baseline:
    how = Message("{what}; {folds} folds, pairs with the same premise in the same fold", what=what, folds=FOLDS)
    place = {label: number for number, label in enumerate(classes)}
    codes = np.fromiter((place[label] for label in gold), np.int64, len(gold))
    _, groups = np.unique(np.asarray([pair.premise for pair in pairs], dtype=object), return_inverse=True)
    folds = np.random.default_rng(_SEED).permutation(int(groups.max(initial=-1)) + 1)[groups] % FOLDS
    answers = np.empty(len(pairs), np.int64)
    for fold in range(FOLDS):
        held_out = folds == fold
        answers[held_out] = _naive_bayes(features, codes, held_out, len(classes))
    return scored(name, how, gold, [classes[code] for code in answers.tolist()], classes)


def _naive_bayes(features: Codes, codes: Codes, held_out: NDArray[np.bool_], n_classes: int) -> Codes:
    """The likeliest class of the held-out documents, by how often each feature occurs with it in the others.

    `features`, shape (2, occurrences): the number of the document, and what occurs in it.
    """
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


def _words(sentence: str) -> set[str]:
    return {*_WORD.findall(sentence.lower())}
