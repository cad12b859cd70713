"""The language models that ship with the project, and how each of them is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from pairlens.errors import InputError, unknown
from pairlens.messages import counted
from pairlens.models.cards import CARD
from pairlens.training.card import OBJECTIVES, characters, parameters
from pairlens.training.recipe import Progress
from workshop import evaluation_sets
from workshop.cards import write_card
from workshop.language_models.prepare import Prepared
from workshop.language_models.sources import (
    BILINGUAL,
    ENGLISH,
    EVERY_ENGLISH,
    FRENCH,
    PORTUGUESE_CAUSAL,
    Origins,
    Source,
    all_lines,
    described,
    prepared_text,
    text_files,
)
from workshop.language_models.training import Recipe, train
from workshop.language_models.word_counts import count_words, save_counts

LICENCE = "Apache-2.0"
OLD_FICTION = (
    "Most of {text} is fiction of before 1960: names, occupations, spelling and stereotypes are of that time, and a"
    " bias test of it measures those books."
)
HALF_OLD_FICTION = (
    "Half of {text} is fiction of before 1960: names, occupations, spelling and stereotypes are of that time, and a"
    " bias test of it measures those books."
)
LEARNERS = "Every fourth sentence was written by or for learners of languages; many of them are about Tom and Mary."
"""What a card says of the text; `{text}` is the model's own, or that of its base."""


@dataclass(frozen=True)
class Bundled:
    """A model of `data/models`; without a recipe, the word counts. `caution` says what its text means for results."""

    name: str
    title: str
    description: str
    recipe: Recipe | None = None
    sources: tuple[Source, ...] = ENGLISH
    caution: str = OLD_FICTION

    @property
    def languages(self) -> list[str]:
        """Codes, in the order of the sources."""
        return list(dict.fromkeys(source.language for source in self.sources))


LARGE_BATCHES = 65536
"""For an accelerator: with them, each of the next three takes less than eight minutes on one."""
CAUSAL = Recipe(lower_case=False, vocabulary=10240, batch_tokens=LARGE_BATCHES, steps=20186, snapshots=12)
BOTH_LANGUAGES = Recipe(kind="masked", vocabulary=16384, causal_share=0.4, batch_tokens=LARGE_BATCHES, steps=16615)
TWO_SIDES = replace(
    CAUSAL, kind="seq2seq", start_from="english-small", layers=8, encoder_layers=2, steps=2360, snapshots=0
)
CASED = Recipe(lower_case=False, vocabulary=7680, steps=3000)
CASED_PORTUGUESE = replace(CASED, vocabulary=8192, steps=1200)

MODELS = {
    model.name: model
    for model in (
        Bundled(
            "english-small",
            "English, small",
            "A small causal language model of English: half old books, half everyday sentences, stories, textbooks"
            " and web pages, 10 MB.",
            CAUSAL,
            EVERY_ENGLISH,
            f"{HALF_OLD_FICTION} {LEARNERS}",
        ),
        Bundled(
            "bilingual-masked",
            "English and Portuguese, masked",
            "A small masked language model of English and Portuguese: English, half old books and half text of today,"
            " and Portuguese novels 1840-1920 in present spelling and sentences made by rule, lower case, 12 MB.",
            BOTH_LANGUAGES,
            BILINGUAL,
            f"{HALF_OLD_FICTION} A quarter of the Portuguese words were made by rule, with the constructions of the"
            " everyday pairs among them: on these it is better than its other text would make it.",
        ),
        Bundled(
            "french-small",
            "French, small",
            "A small causal language model of French: novels 1840-1920, 9 MB.",
            CASED,
            FRENCH,
        ),
        Bundled(
            "portuguese-small",
            "Portuguese, small",
            "A small causal language model of Portuguese: novels 1840-1920 in present spelling and sentences made by"
            " rule, 9 MB.",
            CASED_PORTUGUESE,
            PORTUGUESE_CAUSAL,
            f"{OLD_FICTION} Of every hundred words 29 were made by rule, with the constructions of the everyday pairs"
            " among them: on these it is better than its other text would make it.",
        ),
        Bundled(
            "english-seq2seq",
            "English, encoder-decoder",
            "A small encoder-decoder of English, which continues texts and fills gaps: half old books, half everyday"
            " sentences, stories, textbooks and web pages, 14 MB.",
            TWO_SIDES,
            EVERY_ENGLISH,
            f"{HALF_OLD_FICTION} {LEARNERS}",
        ),
        Bundled("unigram-english", "English, word counts", "Word counts of English novels 1700-1960 and textbooks."),
    )
}


def make(
    name: str, origins: Origins, models: Path, work: Path, report: Callable[[Progress], None] = lambda _: None
) -> Path:
    """Make one bundled model as `models/name`; returns the folder. A model that it starts from must be there."""
    if name not in MODELS:
        raise InputError(unknown("bundled model", name, MODELS))
    model, folder = MODELS[name], models / name
    prepared = prepared_text(model.sources, origins, work)
    if model.recipe is None:
        facts = save_counts(count_words(all_lines(prepared)), folder)
        write_card(folder, {**common_card(model, "unigram", prepared, origins.corpora), **facts})
        return folder
    start = models / model.recipe.start_from if model.recipe.start_from else None
    recipe = replace(model.recipe, start_from="" if start is None else str(start))
    last, validation = Progress("training", 0.0), None
    for last in train(recipe, text_files(model.sources, prepared), folder):
        validation = validation if last.validation_loss is None else last.validation_loss
        report(last)
    card = trained_card(model, folder, last, validation, prepared, origins.corpora)
    write_card(folder, card if start is None else {**card, "before": before(start)})
    return folder


def before(start: Path) -> dict[str, Any]:
    """What a card says of the model that another one started from."""
    card = json.loads((start / CARD).read_text("utf-8"))
    return {key: card[key] for key in ("name", "training", "sources", "text_sha256", "before") if key in card}


def common_card(model: Bundled, kind: str, prepared: Mapping[str, Prepared], corpora: Path) -> dict[str, Any]:
    """The entries of every card."""
    digests = "".join(prepared[source.path].sha256 for source in model.sources)
    return {
        "name": model.name,
        "title": model.title,
        "kind": kind,
        "language": " ".join(model.languages),
        "description": model.description,
        "licence": LICENCE,
        "lower_case": model.recipe is None or model.recipe.lower_case,
        "caution": model.caution,
        "sources": described(model.sources, prepared, corpora),
        "text_sha256": hashlib.sha256(digests.encode()).hexdigest(),
        "evaluation_sets": evaluation_sets.digests(),
    }


def trained_card(
    model: Bundled,
    folder: Path,
    last: Progress,
    validation: float | None,
    prepared: Mapping[str, Prepared],
    corpora: Path,
) -> dict[str, Any]:
    """The card of a trained model, from the last report of the training."""
    recipe = model.recipe
    assert recipe is not None
    seconds = last.tokens / last.tokens_per_second if last.tokens_per_second else 0.0
    return {
        **common_card(model, recipe.kind, prepared, corpora),
        "objectives": OBJECTIVES[recipe.kind],
        "parameters": parameters(folder),
        "context": recipe.context,
        "recipe": {**asdict(recipe), "steps": last.step, "minutes": None},
        "training": {
            "tokens_seen": last.tokens,
            "words": sum(prepared[source.path].words * source.repeats for source in model.sources),
            "sentences": sum(prepared[source.path].sentences * source.repeats for source in model.sources),
            "epochs": round(last.epochs, 3),
            "steps": last.step,
            "minutes": round(seconds / 60, 1),
            "device": device_words(),
        },
        "validation_loss": None if validation is None else round(validation, 4),
        "characters": characters(all_lines(prepared), lower_case=recipe.lower_case),
        "scores": {},
    }


def device_words() -> str:
    """The device of the training, as a card names it."""
    if torch.cuda.is_available():
        return f"one {torch.cuda.get_device_name(0)}"
    return counted(torch.get_num_threads(), "processor core")
