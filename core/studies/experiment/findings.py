"""The results of an experiment: tables from a design, its words and an analysis, each computed on first use."""

import unicodedata
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from core.analysis import by_cond, by_pair, mixed_model, regions
from core.analysis.by_cond import cell_means, side_means
from core.analysis.by_pair import whole_pairs
from core.analysis.experiment import Analysis
from core.errors import InputError
from core.studies.experiment.design import EXCLUDED, Design
from core.studies.experiment.region import places_of
from core.studies.experiment.words import by_word, joined

_SHOWN = 60
"""The most characters of a sentence in a message."""


@dataclass(frozen=True)
class Findings:
    """The tables of `core.analysis`, with one row per model and word, pair, condition or region.

    `words` are those of the design's sentences. `by_pair` and `by_cond` raise InputError for a design without pairs.
    """

    design: Design
    analysis: Analysis
    words: pd.DataFrame

    @cached_property
    def regions(self) -> pd.DataFrame:
        return regions.regions(self.words, self.design.sentences, self.analysis)

    @cached_property
    def by_word(self) -> pd.DataFrame:
        return by_word(self.words, self.design.sentences, self.design.columns)

    @property
    def by_pair(self) -> pd.DataFrame:
        return self._pairs[0]

    @cached_property
    def by_cond(self) -> pd.DataFrame:
        return by_cond.by_cond(self.by_pair, self.design.columns, self.analysis)

    @cached_property
    def means(self) -> pd.DataFrame:
        """The means of all cells, never over both sides of a comparison: see `core.analysis.by_cond`."""
        design = self.design
        if {"pairid", "comparison"} <= set(design.sentences):
            return side_means(self.by_pair, design.columns)
        return cell_means(self.regions, design.sentences, design.columns, self.analysis)

    @cached_property
    def profile(self) -> pd.DataFrame:
        return by_cond.profile(self.words, self.design.sentences, self.design.columns, self.analysis)

    @property
    def mixed(self) -> pd.DataFrame:
        return mixed_model.mixed_model_table(self.regions, self.design.sentences, self.design.columns)

    @cached_property
    def excluded(self) -> pd.DataFrame:
        """Everything excluded from a table: `model` (empty: all of them), `row`, `sentid`, `pairid`, `reason`."""
        sentences = self.design.sentences
        listed = sentences.loc[sentences["roi"].map(lambda roi: roi == ()), "sentid"] if "roi" in sentences else []
        regionless = self.regions.dropna(subset="excluded").drop_duplicates(["model", "sentid"])
        regionless = regionless[~regionless["sentid"].isin(listed)].rename(columns={"excluded": "reason"})
        parts = [self.design.excluded, regionless]
        if len(whole_pairs(sentences, self.design.columns.conditions)):
            parts.append(self._pairs[1])
        blank = {"model": "", "row": 0, "sentid": "", "pairid": ""}
        filled = [part.reindex(columns=["model", *EXCLUDED]).fillna(blank) for part in parts]
        return pd.concat(filled, ignore_index=True).astype({"row": "int64"})

    @cached_property
    def _pairs(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return by_pair.by_pair(self.regions, self.design.sentences, self.design.columns, self.analysis)


def find(design: Design, words: pd.DataFrame, analysis: Analysis) -> Findings:
    """The findings of these words (`core.studies.experiment.words`) on a design.

    Words of sentences that the table does not have are excluded and listed, and so are sentences that another program
    spells with other letters. Raises InputError if nothing is left, or if a model occurs twice.
    """
    if (again := words.duplicated(["model", "sentid", "wordpos"])).any():
        raise InputError(f"The scores of {words.loc[again, 'model'].iloc[0]} are there twice: take one of the two.")
    known = words["sentid"].isin(design.sentences["sentid"])
    if not known.any():
        raise InputError("There are no scores of these sentences: none of their sentids is among the scored ones.")
    strangers = set(words.loc[~known, "sentid"]) - set(design.excluded["sentid"])
    others = _spelt_otherwise(design, words[known], cut=analysis.fold == "nlpscholar")
    if len(others) == words.loc[known, "sentid"].nunique():
        sentid, reason = next(iter(others.items()))
        raise InputError(f"The scores are those of another table. Sentence {sentid}: {reason}.")
    listed = pd.DataFrame(
        {"row": 0, "sentid": sorted(strangers), "pairid": "", "reason": "the table has no such sentence"}
    )
    excluded = pd.concat([design.excluded, listed], ignore_index=True) if strangers else design.excluded
    chosen = words[known & ~words["sentid"].isin(list(others))].reset_index(drop=True)
    return Findings(_located(replace(design, excluded=excluded).without(others), chosen), analysis, chosen)


def _located(design: Design, words: pd.DataFrame) -> Design:
    """The design with the positions of regions that are named by their words, as the words are cut here."""
    sentences = design.sentences
    if "roi" not in sentences or not sentences["roi"].map(lambda roi: isinstance(roi, str)).any():
        return design
    distinct = words.drop_duplicates(["sentid", "wordpos"]).groupby("sentid")
    known = {sentid: (of["wordpos"].tolist(), of["word"].tolist()) for sentid, of in distinct}
    located: list[object] = []
    for sentid, roi in zip(sentences["sentid"], sentences["roi"], strict=True):
        places, texts = known.get(sentid, ([], []))
        located.append(tuple(places[at] for at in places_of(roi, texts)) if isinstance(roi, str) else roi)
    return replace(design, sentences=sentences.assign(roi=pd.Series(located, sentences.index)))


def _spelt_otherwise(design: Design, words: pd.DataFrame, *, cut: bool) -> dict[str, str]:
    """Why another program's words are not those of the sentence, by sentid: letters and digits are compared.

    With `cut`, words may end before the sentence: NLPScholar's do where its tokenizer does not know a word.
    """
    foreign = words[words["start"].isna()]
    places = np.asarray(foreign.groupby(["model", "sentid"], sort=False).ngroup(), np.int64)
    sentids = foreign["sentid"].array[np.diff(places, prepend=-1) != 0]
    written = joined((foreign["word_given" if "word_given" in foreign else "word"] + " ").tolist(), places)
    sentences = dict(zip(design.sentences["sentid"], design.sentences["sentence"], strict=True))
    return {
        sentid: f"it is scored as {_quoted(text.rstrip())}, but the table has {_quoted(sentences[sentid])}"
        for sentid, text in zip(sentids, written, strict=True)
        if _letters(text) != _letters(sentences[sentid])[: len(_letters(text)) if cut else None]
    }


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def _letters(text: str) -> str:
    """Letters and digits, without case and accents."""
    if text.isascii():
        return "".join(filter(str.isalnum, text.lower()))
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))
