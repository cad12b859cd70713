"""The gold labels of one set as answers about the pairs of another: what a model that knows the first would say."""

from __future__ import annotations

from pairlens.files.nli.items import Texts, texts_of
from pairlens.files.nli.pairs import Corpus, Predictions


def gold_answers(source: Corpus, asked: Corpus) -> Predictions:
    """For every pair of `asked` that `source` holds in either order, the gold labels of both directions.

    Where `source` holds the two sentences more than once, the first pair counts.
    """
    known: dict[Texts, tuple[str, str]] = {}
    for pair in source:
        premise, hypothesis = texts_of(pair)
        known.setdefault((premise, hypothesis), (pair.gold, pair.reverse_gold))
        known.setdefault((hypothesis, premise), (pair.reverse_gold, pair.gold))
    found = {pair.id: known[texts] for pair in asked if (texts := texts_of(pair)) in known}
    forward, reverse = ([labels[direction] for labels in found.values()] for direction in (0, 1))
    return Predictions(f"gold labels of {source.name}", list(found), forward, reverse)
