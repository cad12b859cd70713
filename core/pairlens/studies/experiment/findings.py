"""The results of an experiment: tables from a design, its words and an analysis, each computed on first use."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from pairlens.analysis import by_cond, by_pair, mixed_model, regions
from pairlens.analysis.by_cond import cell_means, side_means
from pairlens.analysis.experiment import EXPECTED, MOST_SPILL, UNEXPECTED, Analysis
from pairlens.analysis.interaction import Interaction, interaction, levels_of
from pairlens.analysis.regions import ROI
from pairlens.errors import InputError
from pairlens.studies.experiment.columns import TAKEN
from pairlens.studies.experiment.design import BARS, EXCLUDED, WORDS, Design, Region, places_of
from pairlens.studies.experiment.words import by_word, joined

_SHOWN = 60
"""The most characters of a sentence in a message."""


@dataclass(frozen=True)
class Findings:
    """The tables of `pairlens.analysis`; `by_pair` and `by_cond` raise InputError for a design without pairs."""

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
        """The means of all cells, never over both sides of a comparison: see `pairlens.analysis.by_cond`."""
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
        if len(self.design.pairs):
            parts.append(self._pairs[1])
        blank = {"model": "", "row": 0, "sentid": "", "pairid": ""}
        filled = [part.reindex(columns=["model", *EXCLUDED]).fillna(blank) for part in parts]
        return pd.concat(filled, ignore_index=True).astype({"row": "int64"})

    @cached_property
    def _pairs(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        return by_pair.by_pair(self.regions, self.design.sentences, self.design.columns, self.analysis)


def find(design: Design, words: pd.DataFrame, analysis: Analysis) -> Findings:
    """The findings of these words (`pairlens.studies.experiment.words`) on a design.

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
    about = {"row": 0, "pairid": "", "reason": "the table has no such sentence"}
    listed = [pd.DataFrame({"sentid": sorted(strangers), **about})] if strangers else []
    excluded = pd.concat([design.excluded, *listed], ignore_index=True)
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
    """Why another program's words are not those of the sentence, by sentid; with `cut` they may end before it."""
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


_LONGEST = 24


def in_own_names(design: Design) -> Design:
    """The design with its comparison as one more condition, called as in the table; the expected side comes first."""
    if not (name := comparison_of(design)):
        return design
    columns, comparison = design.columns, design.sentences["comparison"]
    sentences = design.sentences.drop(columns="comparison")
    sentences[name] = comparison.map(dict(zip((EXPECTED, UNEXPECTED), columns.sides, strict=True)))
    columns = replace(columns, comparison=name, conditions=(*columns.conditions, name))
    return replace(design, sentences=sentences, columns=columns)


def comparison_of(design: Design) -> str:
    """What the table calls its comparison; empty if it has none."""
    if "comparison" not in design.sentences:
        return ""
    return "comparison" if design.columns.comparison in TAKEN else design.columns.comparison


def factor_sets(design: Design) -> list[tuple[str, ...]]:
    """Every two, then every three factors with two levels each; those with the comparison first, which comes last."""
    own, last = in_own_names(design), comparison_of(design)
    factors = [name for name in own.columns.conditions if own.sentences[name].dropna().nunique() == 2]
    sets = [chosen for size in (2, 3) for chosen in combinations(factors, size)]
    return sorted(sets, key=lambda chosen: (len(chosen), bool(last) and last not in chosen))


def usual_factors(design: Design) -> tuple[str, ...]:
    """The factors of the interaction that is told unasked: a condition and the comparison, else two conditions."""
    return next(iter(factor_sets(design)), ())


def check_factors(design: Design, factors: Iterable[str]) -> None:
    """InputError for factors that the design does not have, or that have not two levels each."""
    own = in_own_names(design)
    levels_of(own.sentences, own.columns, _named(design, factors))


def crossed(findings: Findings, factors: Iterable[str]) -> Interaction:
    """The interaction in the region and in those after it; InputError in words."""
    own, chosen = in_own_names(findings.design), _named(findings.design, factors)
    return interaction(findings.regions, own.sentences, own.columns, findings.analysis, chosen)


def everywhere(findings: Findings, factors: Iterable[str]) -> Interaction | None:
    """The interaction region by region: between bars, else word by word.

    Regions are named by their place (the first is 0) and, where they are alike, their words. Where an item's
    sentences have not equally many words, it is told from the region of interest on (`ROI`, `ROI+1`, ...). None where
    nothing says which words of two sentences correspond; InputError as for `crossed`.
    """
    design, place = findings.design, _last_place(findings)
    last = _after_region(findings) if place is None else place
    if place is None and not last:
        return None
    if place is not None:
        design = design.marked(Region(BARS if "bars" in design.sentences else WORDS, (0,), (0,)))
    spread = replace(findings.analysis, spill=min(last, MOST_SPILL))
    result = replace(crossed(find(design, findings.words, spread), factors), n_beyond=max(0, last - MOST_SPILL))
    names = _names(findings) if place is not None else {}
    tables = {name: getattr(result, name) for name in ("table", "effects", "cells", "items", "excluded")}
    renamed = {name: rows.assign(region=rows["region"].replace(names)) for name, rows in tables.items()}
    return replace(result, **renamed)


def _named(design: Design, factors: Iterable[str]) -> tuple[str, ...]:
    columns = design.columns
    own = {"comparison": comparison_of(design), columns.comparison: comparison_of(design)}
    return tuple(own.get(name) or name for name in factors)


def _last_place(findings: Findings) -> int | None:
    """The last of the regions that follow one another in every item's sentences; None if they do not correspond."""
    sentences = findings.design.sentences
    if "bars" in sentences:
        return max(len(bars) for bars in sentences["bars"]) - 1
    last, item = _last_word(findings), next((name for name in ("item", "pairid") if name in sentences), "")
    alike = bool(item) and last.groupby(sentences[item]).nunique().le(1).all()
    return int(last.max()) if alike and last.notna().any() else None


def _last_word(findings: Findings) -> pd.Series:
    return findings.design.sentences["sentid"].map(findings.words.groupby("sentid")["wordpos"].max())


def _after_region(findings: Findings) -> int:
    """How many words at least half of the sentences have after their region of interest."""
    rois = findings.design.sentences.get("roi", pd.Series(dtype=object))
    ends = rois.map(lambda roi: max(roi) if isinstance(roi, tuple) and roi else None).astype(float)
    after = (_last_word(findings) - ends).dropna().sort_values()
    return max(int(after.iloc[(len(after) - 1) // 2]), 0) if len(after) else 0


def _names(findings: Findings) -> dict[str, str]:
    """`ROI`, `ROI+1`, ... of `everywhere` as places from 0, with their words."""
    names, profile = {}, findings.profile
    for place in profile["position"].unique().tolist():
        labels = profile.loc[profile["position"] == place, "label"]
        words = " / ".join(dict.fromkeys(labels)) if labels.ne("").all() else ""
        names[f"{ROI}+{place}" if place else ROI] = f"{place} {words if len(words) <= _LONGEST else ''}".strip()
    return names
