"""The surprisal of regions: the region of interest, the words after it, or the whole sentence."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.analysis.experiment import Analysis
from pairlens.messages import counted

ROI, SENTENCE = "ROI", "sentence"

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]


def regions(words: pd.DataFrame, sentences: pd.DataFrame, analysis: Analysis) -> pd.DataFrame:
    """One row per model of the word table, sentence and region (`pairlens.analysis.experiment` describes the tables).

    model, sentid
    region               `ROI`, then `ROI+1`, `ROI+2`, ... up to `analysis.spill`: the words, or regions between bars,
                         after the last of the ROI. `sentence` if no sentence of the design has an ROI
    n_words, n_tokens    the numbers of its words and tokens
    text                 its words
    surp                 bits: mean or sum over its words (`analysis.region_summary`)
    prob, perplexity     2^-surp and 2^surp; with `word_probability` = `mean`, the arithmetic mean of the words'
                         probabilities, and 2^(mean surprisal of a word), as in NLPScholar
    excluded             why there is no value; missing if there is one

    A region counts only if all its words exist (with fold `nlpscholar`, one of them) and are scored; a whole sentence
    may lack the first word, where the policy leaves it unscored.
    """
    models = [str(name) for name in words["model"].unique()]
    names = region_names(sentences, analysis)
    places = _places(sentences, names, len(models))
    slots = pd.MultiIndex.from_product([models, sentences["sentid"], names], names=["model", "sentid", "region"])
    known = _located(words, sentences, models)
    occupied = _found(known, places, len(sentences))
    excluded, n_slots = _reasons(known, occupied, places, sentences, slots, analysis), len(slots)
    table: pd.DataFrame = slots.to_frame(index=False).astype("str")
    return table.assign(
        n_words=np.bincount(occupied["slot"], minlength=n_slots),
        n_tokens=_sums(occupied, "n_tokens", n_slots).astype(np.int64),
        text=pd.array(_texts(occupied, n_slots), "str"),
        **_values(occupied, n_slots, analysis, pd.isna(excluded)),
        excluded=pd.array(excluded, "str"),
    )


def per_word(regions: pd.DataFrame, analysis: Analysis) -> bool:
    """Whether surprisals of these regions are bits per word: means over the words of regions with several."""
    means = analysis.measure == "surp" and analysis.region_summary == "mean"
    return means and bool(regions["n_words"].gt(1).any())


def region_names(sentences: pd.DataFrame, analysis: Analysis) -> list[str]:
    """The regions that the design has: `ROI`, `ROI+1`, ..., or `sentence` alone."""
    if not any(isinstance(roi, tuple | str) for roi in sentences.get("roi", ())):
        return [SENTENCE]
    return [ROI, *(f"{ROI}+{after}" for after in range(1, analysis.spill + 1))]


def _places(sentences: pd.DataFrame, names: list[str], n_models: int) -> pd.DataFrame | None:
    """The places in each region under each model; None for whole sentences.

    One row per place: `row` (of the sentences), `region` (its place in `names`), `place` (a word's position, or the
    number of a region between bars), `code` (of the model) and `slot`, the place of all three in the result.
    """
    if names == [SENTENCE]:
        return None
    numbered = [(row, roi) for row, roi in enumerate(sentences["roi"]) if isinstance(roi, tuple) and roi]
    places = [(row, 0, place) for row, roi in numbered for place in dict.fromkeys(roi)]
    places += [(row, after, max(roi) + after) for after in range(1, len(names)) for row, roi in numbered]
    table = pd.DataFrame(places, columns=["row", "region", "place"], dtype=np.int64)
    table = table.merge(pd.DataFrame({"code": range(n_models)}), how="cross")
    return table.assign(slot=(table["code"] * len(sentences) + table["row"]) * len(names) + table["region"])


def _n_bars(sentences: pd.DataFrame) -> Ints:
    """The number of regions between bars of each sentence; -1 without bars, where the ROI counts words."""
    if "bars" not in sentences:
        return np.full(len(sentences), -1)
    return np.array([len(bars) if isinstance(bars, tuple) else -1 for bars in sentences["bars"]], np.int64)


def _located(words: pd.DataFrame, sentences: pd.DataFrame, models: list[str]) -> pd.DataFrame:
    """The words of these sentences with `row` (of the sentence), `code` (of the model) and `place`, -1 if unknown."""
    rows = pd.Index(sentences["sentid"]).get_indexer(pd.Index(words["sentid"]))
    codes = pd.Index(models).get_indexer(pd.Index(words["model"]))
    places = words["wordpos"].to_numpy(np.int64)
    by_bar = _n_bars(sentences)[rows] >= 0
    if by_bar.any():
        places = np.where(by_bar, words["bar"].fillna(-1).to_numpy(np.int64), places)
    located: pd.DataFrame = words.assign(row=rows, code=codes, place=places).loc[rows >= 0]
    return located


def _found(words: pd.DataFrame, places: pd.DataFrame | None, n_sentences: int) -> pd.DataFrame:
    """The words of each region, in order of `slot`."""
    if places is None:
        unscored_first = words["surp"].isna() & (words["wordpos"] == 0)
        chosen = words.assign(slot=words["code"] * n_sentences + words["row"])[~unscored_first]
    else:
        chosen = words.merge(places, on=["row", "code", "place"])
    return chosen.sort_values(["slot", "wordpos"], kind="stable", ignore_index=True)


def _sums(slots: pd.DataFrame, column: str, n_slots: int) -> Reals:
    sums = np.bincount(slots["slot"], weights=slots[column].to_numpy(np.float64), minlength=n_slots)
    return sums.astype(np.float64)


def _texts(slots: pd.DataFrame, n_slots: int) -> list[str]:
    """The words of each region, with a space between two unless they touch in the sentence."""
    touching = (slots["start"] == slots["end"].shift()).fillna(False).to_numpy(bool)
    stripped = slots["word"].str.strip()
    pieces = stripped.where(touching, " " + stripped).tolist()
    ends = np.cumsum(np.bincount(slots["slot"], minlength=n_slots)).tolist()
    return ["".join(pieces[start:end]).strip() for start, end in zip([0, *ends], ends, strict=False)]


def _values(slots: pd.DataFrame, n_slots: int, analysis: Analysis, counts: NDArray[np.bool_]) -> dict[str, Reals]:
    n_words = np.where(counts, np.bincount(slots["slot"], minlength=n_slots), np.nan)
    total = _sums(slots, "surp", n_slots)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        mean = total / n_words
        surp = mean * n_words if analysis.region_summary == "sum" else mean
        if analysis.word_probability == "mean":
            return {"surp": surp, "prob": _sums(slots, "prob", n_slots) / n_words, "perplexity": 2**mean}
        return {"surp": surp, "prob": 2**-surp, "perplexity": 2**surp}


def _reasons(
    words: pd.DataFrame,
    found: pd.DataFrame,
    places: pd.DataFrame | None,
    sentences: pd.DataFrame,
    slots: pd.MultiIndex,
    analysis: Analysis,
) -> NDArray[np.object_]:
    reasons = np.full(len(slots), None, dtype=object)
    reasons[np.isnan(_sums(found, "surp", len(slots)))] = "a word of the region is not scored"
    n_regions = slots.levshape[2]
    owner = words["code"] * len(sentences) + words["row"]
    n_words = np.zeros(len(slots) // n_regions, np.int64)
    np.maximum.at(n_words, owner, words["wordpos"] + 1)
    n_lost = np.bincount(owner[words["place"] < 0], minlength=len(n_words))
    n_words, n_lost = (np.repeat(counts, n_regions) for counts in (n_words, n_lost))
    if places is None:
        reasons[np.bincount(found["slot"], minlength=len(slots)) == 0] = "none of its words is scored"
    else:
        there, having = (pd.MultiIndex.from_frame(table[["slot", "place"]]) for table in (places, found))
        missing = places[~there.isin(having)].drop_duplicates("slot")  # the first place that no word has
        if analysis.fold == "nlpscholar":
            missing = missing[~missing["slot"].isin(found["slot"])]
        reasons[missing["slot"]] = _outside(missing.assign(n_words=n_words[missing["slot"]]), sentences)
        row = np.arange(len(slots)) // n_regions % len(sentences)
        reasons[n_lost > 0] = "the scores do not say between which bars each of its words stands"
        reasons[~np.isin(row, places["row"])] = "it has no ROI"
    reasons[n_words == 0] = "no scores of this sentence"
    return reasons


def _outside(missing: pd.DataFrame, sentences: pd.DataFrame) -> list[str]:
    """Why no word has the first place that a region lacks."""
    reasons = []
    columns = missing[["region", "place", "n_words"]].itertuples(index=False, name=None)
    for (region, place, n_words), n_bars in zip(columns, _n_bars(sentences)[missing["row"]], strict=True):
        name, length = ("word", n_words) if n_bars < 0 else ("region", n_bars)
        if not 0 <= place < length:
            has = f"ROI {place} but the sentence has {counted(length, name)} (counted from 0)"
            reasons.append(f"the sentence ends before ROI+{region}" if region else has)
        elif n_bars < 0:
            reasons.append(f"word {place} (counted from 0) has no token of its own")
        else:
            reasons.append(f"no word begins in region {place} (counted from 0)")
    return reasons
