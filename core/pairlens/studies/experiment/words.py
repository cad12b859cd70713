"""The word table (`pairlens.analysis.experiment`), from stored scores or from a per-token table of any program; and
its words beside the table's columns about their sentences (`by_word`)."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.analysis.experiment import Analysis, Columns, refuse_taken
from pairlens.analysis.tokens import LONG
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.evaluate import are_marks, only_marks, prediction_table, scores_of
from pairlens.text.words import Word, word_spans, words
from pairlens.types import Request, Span, TokenScores

_KINDS = {
    "model": "str", "tokenizer": "str", "sentid": "str", "wordpos": "int64", "word": "str", "start": "Int64",
    "end": "Int64", "bar": "Int64", "n_tokens": "int64", "punctuation": "bool", "surp": "float64", "prob": "float64",
}  # fmt: skip
_GIVEN = {"wordpos_given": "int64", "word_given": "str"}
"""The position that the per-token table gives a word (that of its first token), and its text without joined marks."""
_ORDER = ("wordpos_mod", "word_mod", "sentid", "punctuation", "model", "prob", "surp", "wordpos")
_OURS = ("tokenizer", "n_tokens", "start", "end", "bar")
_BEFORE = {"previous": True, "next": False}


def words_of_scores(design: Design, recipe: Recipe, store: Store, analysis: Analysis) -> pd.DataFrame:
    """The words of the design's sentences that are stored, in order.

    A word's surprisal is that of `pairlens.text.words` (the recipe's `word_value`: by default with the end of the
    word) or the mean over its tokens, as the analysis says; its probability that of the word, or the mean over its
    tokens. Positions count the words of the text, so that they mean the same for every tokenizer. Fold `nlpscholar`
    goes by tokens and the words of `prediction_table`.
    """
    if analysis.fold == "nlpscholar":
        return words_of_predictions(prediction_table(design, recipe, store), analysis, design)
    policy = recipe.policy.but(punctuation=analysis.punctuation)
    bars = _bars(design)
    rows: list[tuple[object, ...]] = []
    for sentid, (text, scores) in scores_of(design, recipe, store).items():
        measured = words(scores, text, policy)
        sentence, spans = bars.get(sentid, ("", ()))
        edges = [start for start, _ in spans]
        if text != sentence:  # whose length the text policy may have changed
            before = [sentence[:start].rstrip() for start in edges]
            edges = [len(recipe.request(Request("", part)).text) if part else 0 for part in before]
        regions = [bisect_right(edges, word.span[0]) - 1 if edges else None for word in measured]
        places = {start: place for place, (start, _) in enumerate(word_spans(text, policy.punctuation))}
        rows += [
            (sentid, places[word.span[0]], word.text, *word.span, bar, word.n_tokens, only_marks(word.text), *values)
            for word, bar, values in zip(measured, regions, _values(measured, scores, analysis), strict=True)
        ]
    table = pd.DataFrame(rows, columns=[name for name in _KINDS if name not in ("model", "tokenizer")])
    return _typed(table.assign(model=recipe.model.name, tokenizer=recipe.model.name))


def _values(measured: Iterable[Word], scores: TokenScores, analysis: Analysis) -> Iterator[tuple[float, float]]:
    for word in measured:
        value = word.value
        prob = measures.probability(value)
        if word.tokens and "mean" in (analysis.word_summary, analysis.word_probability):
            logprobs = np.array([scores.logprobs[token] for token in word.tokens])
            value = float(logprobs.mean()) if analysis.word_summary == "mean" else value
            prob = float(np.exp(logprobs).mean()) if analysis.word_probability == "mean" else prob
        yield measures.surprisal(value), prob


def _bars(design: Design) -> dict[str, tuple[str, tuple[Span, ...]]]:
    """Sentence and regions between bars by sentid; empty for a design without bars."""
    if "bars" not in design.sentences:
        return {}
    table = design.sentences[["sentid", "sentence", "bars"]]
    return {sentid: (text, bars) for sentid, text, bars in table.itertuples(index=False) if isinstance(bars, tuple)}


def words_of_predictions(predictions: pd.DataFrame, analysis: Analysis, design: Design | None = None) -> pd.DataFrame:
    """The words of a per-token table (`predictions`), in order; `design` gives the bars.

    A model with several tokenizers is several models, `model (tokenizer)`. Under fold `whole` a first token with
    probability exactly 1 counts as not scored, since nothing precedes it. `start` and `end` are missing;
    `wordpos_given` and `word_given` are the word's position and text in that table.
    """
    several = predictions.groupby("model", sort=False)["tokenizer"].transform("nunique") > 1
    label = predictions["model"] + " (" + predictions["tokenizer"] + ")"
    tokens = predictions.assign(model=predictions["model"].mask(several, label))
    sentences = np.asarray(tokens.groupby(["model", "tokenizer", "sentid"], sort=False).ngroup(), np.int64)
    order = np.argsort(sentences, kind="stable")
    tokens, sentences = tokens.iloc[order].reset_index(drop=True), np.asarray(sentences[order], np.int64)
    if not (published := analysis.fold == "nlpscholar"):
        first = np.diff(sentences, prepend=-1) != 0
        certain = first & (tokens["prob"] == 1) & (tokens["surp"] == 0)
        tokens[["prob", "surp"]] = tokens[["prob", "surp"]].mask(certain)
    table = published_words(tokens, sentences, analysis) if published else _one_per_word(tokens, sentences, analysis)
    table["start"] = table["end"] = pd.array([None] * len(table), dtype="Int64")
    table["bar"] = _regions(table, _bars(design) if design else {})
    return _typed(table, _KINDS | _GIVEN)


def _one_per_word(tokens: pd.DataFrame, sentences: Ints, analysis: Analysis) -> pd.DataFrame:
    """One row per word, from its tokens, which are made adjacent."""
    numbers = align_tokens(sentences, tokens, analysis.punctuation)
    firsts = np.flatnonzero(numbers >= 0)
    order = firsts[np.lexsort((numbers[firsts], sentences[firsts]))]
    tokens, sentences, numbers = tokens.iloc[order], np.asarray(sentences[order], np.int64), numbers[order]
    begins = (np.diff(sentences, prepend=-1) != 0) | (np.diff(numbers, prepend=-1) != 0)
    word = np.cumsum(begins) - 1
    n_tokens = np.bincount(word)
    total = np.bincount(word, weights=tokens["surp"])
    mean = {"surp": total / n_tokens, "prob": np.bincount(word, weights=tokens["prob"]) / n_tokens}
    places = tokens["wordpos"].to_numpy(np.int64)
    new = begins | (np.diff(places, prepend=-1) != 0)
    texts = [text.strip() for text in joined(tokens["word"].array[new].tolist(), word[new])]
    labels: pd.DataFrame = tokens.loc[begins, ["model", "tokenizer", "sentid"]]
    return labels.assign(
        wordpos=numbers[begins],
        wordpos_given=tokens["wordpos"].array[begins],
        word=texts,
        word_given=texts,
        n_tokens=n_tokens,
        punctuation=are_marks(texts),
        surp=mean["surp"] if analysis.word_summary == "mean" else total,
        prob=mean["prob"] if analysis.word_probability == "mean" else np.exp2(-total),
    )


def joined(pieces: Sequence[str], owners: Ints) -> list[str]:
    """The pieces of each owner as one text; owners are numbers, and their pieces are adjacent."""
    ends = [*(np.flatnonzero(np.diff(owners)) + 1).tolist(), len(pieces)] if len(pieces) else []
    return ["".join(pieces[start:end]) for start, end in pairwise([0, *ends])]


def _regions(table: pd.DataFrame, bars: dict[str, tuple[str, tuple[Span, ...]]]) -> list[int | None]:
    """The region between bars in which each word begins, found by its letters; None if it is not found."""
    numbers_found: list[int | None] = []
    for sentid, part in table.groupby(["model", "sentid"], sort=False)["word"] if bars else ():
        sentence, spans = bars.get(str(sentid[1]), ("", ()))
        letters, place = _squeezed(sentence), 0
        edges = [len(_squeezed(sentence[:start])) for start, _ in spans]
        for word in map(_squeezed, part):
            at = letters.find(word, place)
            numbers_found.append(bisect_right(edges, at) - 1 if at >= 0 else None)
            place = at + len(word) if at >= 0 else place
    return numbers_found or [None] * len(table)


def _squeezed(text: str) -> str:
    """Without white space, in lower case: some programs write neither spaces nor capitals."""
    return "".join(text.lower().split())


def _typed(table: pd.DataFrame, kinds: Mapping[str, str] = _KINDS) -> pd.DataFrame:
    return table[[*kinds]].astype(dict(kinds)).reset_index(drop=True)


def by_word(words: pd.DataFrame, sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, sentence and word: NLPScholar's columns first, under its names.

    wordpos_mod           the position of its first token in the file with the scores (`wordpos_given` of the word
                          table); the same as wordpos for words scored by Pairlens
    [conditions]
    word_mod              the word, with the punctuation that the policy joined to it
    sentid, punctuation, model, prob, surp
    wordpos               the word's position among the words of the punctuation policy, from 0, as in an ROI
    [other columns]       of the sentences, including those of the table; regions as written (`4,3`), under `ROI`
    tokenizer, n_tokens, start, end, bar    where the word comes from: see `pairlens.analysis.experiment`

    Works without pairs. A column of the table with one of these names is prefixed with `given_`. Of a cell with more
    than `LONG` characters, only the first row of a sentence has the text.
    """
    refuse_taken(columns.conditions, {*_ORDER, *_OURS})
    about = renamed(sentences, {*_ORDER, *_OURS} - {"sentid"})
    others = [name for name in about if name not in {"sentid", *columns.conditions}]
    positions = words["wordpos_given"] if "wordpos_given" in words else words["wordpos"]
    table = words.rename(columns={"word": "word_mod"}).assign(wordpos_mod=positions)
    order = [_ORDER[0], *columns.conditions, *_ORDER[1:], *others, *_OURS]
    long = [str(name) for name in others if _is_long(about[name]).any()]
    brief = about.assign(**{name: about[name].mask(_is_long(about[name]), "") for name in long})
    merged = table.merge(brief, on="sentid", how="left")[order]
    firsts = ~merged.duplicated(["model", "sentid"])
    for name in long:
        merged.loc[firsts, name] = merged.loc[firsts, "sentid"].map(about.set_index("sentid")[name])
    return merged


def _is_long(column: pd.Series) -> pd.Series:
    texts = pd.api.types.is_string_dtype(column)
    return column.str.len().fillna(0) > LONG if texts else pd.Series(False, column.index)


def renamed(sentences: pd.DataFrame, taken: Set[str]) -> pd.DataFrame:
    """The sentences without column names of the words, and without tuples, which a file cannot hold."""
    table = sentences.drop(columns="bars", errors="ignore")
    if "roi" in table:
        texts = [",".join(map(str, roi)) if isinstance(roi, tuple) else None for roi in table["roi"]]
        table["roi"] = pd.array(texts, "str")
        table["roi"] = table.pop("roi_written") if "roi_written" in table else table["roi"]
        table = table.rename(columns={} if "ROI" in table else {"roi": "ROI"})
    return table.rename(columns={name: f"given_{name}" for name in table if name in taken})


Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def align_tokens(sentences: Ints, tokens: pd.DataFrame, punctuation: str) -> Ints:
    """The number of each token's word in its sentence, from 0; -1 if it belongs to none.

    `sentences` numbers the sentence of each token from 0, in ascending order; `tokens` has `word`, `wordpos` (in
    order within a sentence), `model` and `punctuation`. Words follow `pairlens.text.words.segmentation` as far as
    such a table allows: a word of marks only is a mark, and two words touch unless white space separates them. So
    under `previous` a mark belongs to the word before it, but an opening mark to the word it opens, and under `next`
    to the word after it; at the edges to the only neighbour. Where no word of a model has white space before it, only
    opening brackets and quotation marks open a word. `separate` keeps the table's words and `ignore` drops marks.
    """
    if not len(tokens):
        return np.empty(0, np.int64)
    places = tokens["wordpos"].to_numpy(np.int64)
    if punctuation != "separate":
        marks = are_marks(tokens["word"].array)
        ignored = punctuation == "ignore"
        places = np.where(marks, -1, places) if ignored else _attached(sentences, tokens, places, marks, punctuation)
    aligned = places >= 0
    width = int(places.max()) + 1
    distinct, word = np.unique(sentences[aligned] * width + places[aligned], return_inverse=True)
    owner = distinct // width
    numbers = np.full(len(places), -1, np.int64)
    numbers[aligned] = (np.arange(len(distinct)) - np.searchsorted(owner, owner))[word]
    return numbers


def _attached(sentences: Ints, tokens: pd.DataFrame, places: Ints, marks: Flags, punctuation: str) -> Ints:
    """The position of the table's word that heads each token's word."""
    begins = (np.diff(sentences, prepend=-1) != 0) | (np.diff(places, prepend=-1) != 0)
    kinds, distinct = pd.factorize(tokens["word"].array[begins])
    spaced = np.array([word[:1].isspace() for word in distinct], np.bool_)[kinds]
    opening = np.array([unicodedata.category(word.strip()[:1] or " ") in ("Ps", "Pi") for word in distinct], np.bool_)
    inside, models = np.diff(sentences[begins], prepend=-1) == 0, tokens["model"].array[begins]
    spaces_known = pd.Series(spaced & inside).groupby(models, sort=False).transform("any").to_numpy(np.bool_)
    touching = inside & ~spaced & spaces_known
    heads = _heads(sentences[begins], marks[begins], touching, opening[kinds], punctuation)
    owners: Ints = places[begins][heads][np.cumsum(begins) - 1]
    return owners


def _heads(sentences: Ints, marks: Flags, touching: Flags, opens: Flags, punctuation: str) -> Ints:
    """The word that each word of the table is part of: itself, or for a mark a neighbour."""
    here = np.arange(len(marks))
    first = np.searchsorted(sentences, sentences)
    left = np.maximum.accumulate(np.where(marks, -1, here))
    left = np.where(left >= first, left, -1)
    right = _next_where(~marks)
    right = np.where((right < len(marks)) & (sentences[np.minimum(right, len(marks) - 1)] == sentences), right, -1)
    apart = np.where(touching, -1, here)
    touches_left = (left >= 0) & (np.maximum.accumulate(apart) <= left)
    touches_right = (right >= 0) & (np.append(_next_where(~touching), len(marks))[1:] > right)
    opening = marks & np.where(touches_left, touches_right & opens, touches_right | opens)
    opened = np.maximum.accumulate(np.where(opening, here, -1)) > left  # later marks do not cross it
    forward = (right >= 0) & ((left < 0) | opened | (punctuation == "next"))
    heads = np.where(forward, right, left)
    return np.where(marks, np.where(heads >= 0, heads, first), here)


def _next_where(wanted: Flags) -> Ints:
    """For each position the next one, itself included, that is wanted; the length if there is none."""
    places = np.where(wanted, np.arange(len(wanted)), len(wanted))
    return np.minimum.accumulate(places[::-1])[::-1]


def published_words(tokens: pd.DataFrame, sentences: NDArray[np.int64], analysis: Analysis) -> pd.DataFrame:
    """One row per word; `wordpos_given` and `word_given` are its position and text in the per-token table."""
    whole = tokens.assign(sentence=sentences, place=tokens["wordpos"], text=tokens["word"])
    whole["punctuation"] = tokens["punctuation"].astype(bool)
    if analysis.punctuation == "ignore":
        whole = whole[~whole["punctuation"]]
    elif analysis.punctuation in _BEFORE:
        whole = _joined(whole, before=_BEFORE[analysis.punctuation])
    by_word = whole.groupby(["sentence", "place"], sort=False)
    values = by_word[["prob", "surp"]].mean(skipna=False).assign(n_tokens=by_word.size())
    total = by_word["surp"].sum(skipna=False)
    if analysis.word_summary == "sum":
        values["surp"] = total
    if analysis.word_probability == "product":
        values["prob"] = np.exp2(-total)
    heads = whole if analysis.punctuation == "separate" else whole[~whole["punctuation"]]
    heads = heads.drop(columns=["prob", "surp"]).drop_duplicates(["sentence", "place"], keep="last")
    table = heads.merge(values.reset_index(), on=["sentence", "place"])
    table["wordpos"] = table.groupby("sentence").cumcount()
    return table.rename(columns={"place": "wordpos_given", "word": "word_given", "text": "word"})


def _joined(tokens: pd.DataFrame, *, before: bool) -> pd.DataFrame:
    """Marks at the position of the token before or after them, and their text beside that token's word."""
    of_sentence = tokens.groupby("sentence", sort=False)
    there, here = (1, -1) if before else (-1, 1)
    place = tokens["wordpos"].mask(tokens["punctuation"], of_sentence["wordpos"].shift(there, fill_value=0))
    marked = of_sentence["punctuation"].shift(here, fill_value=False)
    beside = of_sentence["word"].shift(here, fill_value="").where(marked, "")
    text = tokens["word"] + beside if before else beside + tokens["word"]
    return tokens.assign(place=place, text=text)
