"""Labels of one system written as those of another: a corpus, or a model's answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import PolicyError
from core.files.labels import cell, decode, system_of
from core.studies.nli.evaluated import read_labels

if TYPE_CHECKING:
    from core.files.nli.pairs import Corpus, Predictions


def translate_corpus(corpus: Corpus, into: str) -> Corpus:
    """The corpus with labels of the system `into`, those of swapped pairs too where the corpus has both directions.

    Raises PolicyError if its labels do not determine those of `into`, or both directions are needed and missing.
    """
    check_translatable(corpus.system, into)
    gold = [pair.gold for pair in corpus]
    reverse = [pair.reverse_gold for pair in corpus]
    forward = _translated(gold, reverse, corpus.system, into)
    backward = _translated(reverse, gold, corpus.system, into) if any(reverse) else reverse
    pairs = [
        replace(pair, gold=label, reverse_gold=turned)
        for pair, label, turned in zip(corpus, forward, backward, strict=True)
    ]
    titles = system_of(corpus.system).title, system_of(into).title
    notes = [f"Labels of {titles[0]} were translated into those of {titles[1]}."] if titles[0] != titles[1] else []
    return replace(corpus, system=system_of(into).name, pairs=pairs, notes=(*corpus.notes, *notes))


def translate_predictions(forward: Predictions, reverse: Predictions | None, system: str, into: str) -> Predictions:
    """The answers, labels of `system`, as labels of `into`; errors as in `translate_corpus`."""
    check_translatable(system, into)
    back = dict(zip(reverse.ids, reverse.labels, strict=True)) if reverse else {}
    backward = [back.get(name, "") for name in forward.ids] if reverse else list(forward.reverse)
    labels = read_labels(forward.labels, forward.ids, system, forward.name)
    name = (reverse or forward).name
    turned = read_labels(backward, forward.ids, system, name) if backward else [""] * len(labels)
    return replace(forward, labels=_translated(labels, turned, system, into), reverse=(), probabilities={})


def check_translatable(system: str, into: str, *, both: bool = True) -> None:
    """PolicyError if labels of `system` do not determine those of `into`; `both`: of swapped pairs they are known."""
    rules = cell(into, system)
    if rules.collapses:
        codes = rules.reason.partition(" cannot tell ")[2].rstrip(".")
        raise PolicyError(
            f"{system_of(system).title} labels do not say which {system_of(into).title} label is right: they cannot "
            f"tell {codes}."
        )
    if rules.needs_reverse and not both:
        raise PolicyError(
            f"{system_of(into).title} labels follow from {system_of(system).title} labels of both directions, and "
            "some pairs have one only."
        )


def _translated(labels: list[str], reverse: list[str], system: str, into: str) -> list[str]:
    """Labels of `into`; where there is none in the first place, there is none afterwards."""
    known = [place for place, label in enumerate(labels) if label]
    check_translatable(system, into, both=all(reverse[place] for place in known))
    decoded = decode([labels[p] for p in known], [reverse[p] for p in known], into, system)
    translated = [""] * len(labels)
    for place, label in zip(known, decoded, strict=True):
        translated[place] = label
    return translated
