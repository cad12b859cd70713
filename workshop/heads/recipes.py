"""The heads that ship with the project, and how to make them again.

    python -m workshop.heads bilingual-entailment --benchmarks PATH
    python -m workshop.heads bilingual-next-sentence --corpora PATH --words PATH --benchmarks PATH

The first learns from pairs that `workshop.nli_generator` makes, the second from the paragraphs behind its base.
Sentences of the benchmarks are left out of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pairlens.errors import InputError, unknown
from pairlens.models import find
from pairlens.models.heads import NEXT_LABELS
from pairlens.training.heads import LOW_RANK, HeadRecipe
from pairlens.training.heads.pairs import LabelledPair
from pairlens.training.heads.tables import following
from pairlens.training.heads.trainer import Head, train_head
from pairlens.training.packing import open_lines, paragraphs
from pairlens.training.recipe import Progress
from workshop import evaluation_sets
from workshop.cards import add_scores
from workshop.evaluation_sets import benchmark_strings
from workshop.exclusion import exclusion
from workshop.language_models.sources import RUNNING, Origins, described, prepared_text
from workshop.nli_generator import everyday, pairs
from workshop.nli_generator.constructions import CONSTRUCTIONS
from workshop.nli_generator.generate import LABELS

LICENCE = "Apache-2.0"
SEED = 27
PAIRS = "Pairs of sentences made by rule from our own words (workshop.nli_generator)"
WORDS = 9
"""About as many are in a made sentence."""
EVERYDAY_SHARE = 0.5
"""Of the pairs for entailment; the others are those of one construction each."""
AGAIN = ("role_swap", "role_swap", "opposite_verb", "another_thing", "synonym", "verb_hypernym")
"""Constructions that come more often than the others: those that a head learns last, by new pairs of known words."""


@dataclass(frozen=True)
class Bundled:
    """A head of `data/models`, its base, and the number of pairs of each language."""

    head: Head
    pairs: int
    recipe: HeadRecipe = replace(LOW_RANK, core_rate=1.2e-3)  # noqa: RUF009 (frozen)
    base: str = "bilingual-masked"


MODELS = {
    "bilingual-entailment": Bundled(
        Head(
            "classifier",
            LABELS,
            "English and Portuguese, entailment",
            "Whether a sentence follows from another, contradicts it or neither, in English and Portuguese: a head "
            "over the bilingual masked model, trained on pairs made by rule from our own words.",
            {
                "licence": LICENCE,
                "making": "All pairs are made by `workshop.nli_generator`; no public data set of inference was "
                "read. After a trial head (English) had 24.6 % of the held-out opposite verbs right, pairs such as "
                "cover and uncover were added to the training words: the held-out pairs stayed as they were, but "
                "that choice was made with knowledge of them. Recipes are chosen by 200 pairs written by hand "
                "(`data/nli/development/pairs.tsv`), which are never trained on. "
                "Made again with `python -m workshop.heads bilingual-entailment --benchmarks PATH`.",
            },
        ),
        200_000,
        replace(LOW_RANK, rank=40, validation_share=0.01),
    ),
    "bilingual-next-sentence": Bundled(
        Head(
            "next-sentence",
            NEXT_LABELS,
            "English and Portuguese, next sentence",
            "Whether a sentence follows another one in its paragraph, in English and Portuguese: a head over the "
            "bilingual masked model, trained on the running text behind that.",
            {
                "licence": LICENCE,
                "making": "Half of the pairs are adjacent sentences of a paragraph; in the others the second is from "
                "another paragraph. Made again with `python -m workshop.heads bilingual-next-sentence "
                "--corpora PATH --words PATH --benchmarks PATH`.",
            },
        ),
        25_000,
    ),
}


@dataclass(frozen=True)
class Places:
    """Where corpora and benchmarks are (see `workshop.language_models.sources`), prepared text and models go."""

    models: Path
    work: Path
    corpora: Path | None = None
    benchmarks: Path | None = None
    words: tuple[Path, ...] = ()


def make(
    name: str,
    places: Places,
    *,
    base: str = "",
    languages: Sequence[str] = ("en", "pt"),
    number: int | None = None,
    report: Callable[[Progress], None] = lambda _: None,
) -> Path:
    """Make one bundled head as `models/name`; returns the folder. `workshop.model_evaluation` adds its scores.

    `base` names another model than the usual one, `number` another number of pairs of each language.
    """
    if name not in MODELS:
        raise InputError(unknown("bundled head", name, MODELS))
    bundled = MODELS[name]
    count, over = number or bundled.pairs, find(base or bundled.base)
    if bundled.head.task == "classifier":
        examples = entailment_examples(count, languages, places.benchmarks)
    else:
        examples = next_sentence_examples(count, languages, places)
    output = places.models / name
    head = replace(bundled.head, about={**bundled.head.about, **sources(bundled, languages, len(examples), places)})
    for progress in train_head(head, over, examples, bundled.recipe, output):
        report(progress)
    add_scores(output, {})
    return output


def sources(bundled: Bundled, languages: Sequence[str], number: int, places: Places) -> dict[str, Any]:
    """Entries of a card: the text behind a head, and the evaluation sets kept out of it."""
    if bundled.head.task == "classifier":
        texts = [{"title": PAIRS, "licence": LICENCE, "words": 2 * number * WORDS, "origins": []}]
    else:
        assert places.corpora is not None
        used = [source for source in RUNNING if source.language in languages]
        origins = Origins(places.corpora, places.benchmarks, places.words)
        texts = described(used, prepared_text(used, origins, places.work), places.corpora)
    return {"language": " ".join(languages), "sources": texts, "evaluation_sets": evaluation_sets.digests()}


def entailment_examples(number: int, languages: Sequence[str], benchmarks: Path | None) -> list[LabelledPair]:
    """`number` generated pairs of each language, without those with a sentence of a benchmark or of our own sets."""
    natural, turns = round(EVERYDAY_SHARE * number), (*CONSTRUCTIONS, *AGAIN)
    made = chain.from_iterable(
        chain(pairs(language, number - natural, SEED, constructions=turns), everyday.pairs(language, natural, SEED))
        for language in languages
    )
    public = benchmark_strings(benchmarks) if benchmarks else ()
    forbidden = exclusion(chain(public, evaluation_sets.strings()))
    return [
        LabelledPair(pair.premise, pair.hypothesis, LABELS.index(pair.forward))
        for pair in made
        if not (forbidden.forbids(pair.premise) or forbidden.forbids(pair.hypothesis))
    ]


def next_sentence_examples(number: int, languages: Sequence[str], places: Places) -> list[LabelledPair]:
    """`number` pairs of each language from the texts behind the base; InputError without corpora."""
    if places.corpora is None:
        raise InputError("a next-sentence head is trained on the corpora: name their folder with --corpora.")
    origins = Origins(places.corpora, places.benchmarks, places.words)
    found: list[LabelledPair] = []
    for language in languages:
        sources = [source for source in RUNNING if source.language == language]
        texts = prepared_text(sources, origins, places.work)
        groups = [group for one in texts.values() for group in paragraphs(open_lines(one.path))]
        found += following(groups, number, SEED)
    return found
