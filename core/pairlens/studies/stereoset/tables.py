"""Answers as tables, beside what was published about StereoSet; what their columns are. Numbers are in per cent."""

from collections.abc import Iterator, Sequence
from functools import cache, partial

import numpy as np
import pandas as pd

from pairlens.files.stereoset.examples import ANTI, INTERSENTENCE, INTRASENTENCE, STEREOTYPE, UNRELATED
from pairlens.places import bundled
from pairlens.results.result import Column, Table
from pairlens.studies.stereoset.answers import Answer
from pairlens.studies.stereoset.cases import of_kind
from pairlens.studies.stereoset.measured import AGGREGATIONS, METRICS, OVERALL, Cell, Measured

Answers = Sequence[Answer]
_AS_PUBLISHED = ("", "stereoset")
"""Predictions made elsewhere, and the preset that scores as the programs do."""
_PUBLISHED_N = {
    ("en", INTRASENTENCE): 2106, ("en", INTERSENTENCE): 2123, ("en", OVERALL): 4229,
    ("de", INTRASENTENCE): 2103,
}  # fmt: skip
"""Examples of the published figures, by language and task; other languages have as many as English."""
FILE = bundled("published", "stereoset", "figures.csv")


def described(answers: Answers, kind: str, detail: Answer) -> list[Table]:
    """The tables of a result about one task: scores of all, everything else of `detail`."""
    scores = Table("scores", "Scores", _SCORES, partial(score_table, answers, kind))
    terms, names = detail.measured.terms, [column.name for column in _TERMS]
    return [
        scores,
        Table("triples", "Triples", _TRIPLES, partial(triple_table, detail, kind), most=500),
        Table("terms", "Terms", _TERMS, lambda: terms.loc[terms["kind"] == kind, names]),
        Table("definitions", "Definitions", _DEFINITIONS, partial(definitions, detail, kind)),
        Table(
            "published", "Beside published figures", _PUBLISHED, partial(published_table, answers[0], kind, scores)
        ),
        Table("left_out", "Left out", _LEFT_OUT, partial(remark_table, detail)),
    ]


def score_table(answers: Answers, kind: str) -> pd.DataFrame:
    """LMS, SS and ICAT: of all bias types in every aggregation, of each as means over terms."""
    rows = []
    for answer in answers:
        *parts, whole = answer.measured.by_bias_type(kind).values()
        rows += [_score_row(answer, whole, aggregation) for aggregation in AGGREGATIONS]
        rows += [_score_row(answer, part, "term_means") for part in parts]
    return pd.DataFrame(rows, columns=[column.name for column in _SCORES])


def _score_row(answer: Answer, cell: Cell, aggregation: str) -> dict[str, object]:
    row: dict[str, object] = {"model": answer.name, "bias_type": cell.bias_type, "n": cell.n, "n_terms": cell.n_terms}
    for metric, one in cell.numbers[aggregation].items():
        row |= {metric: one.value, f"{metric}_low": one.low, f"{metric}_high": one.high}
    return {**row, "aggregation": AGGREGATIONS[aggregation]}


def whole_rows(scores: pd.DataFrame, *, bias_types: bool = False) -> pd.DataFrame:
    """Of a table of scores, the means over terms: a row per model, or per model and bias type."""
    means = scores[scores["aggregation"] == AGGREGATIONS["term_means"]]
    return means[(means["bias_type"] != OVERALL) == bias_types]


def triple_table(answer: Answer, kind: str) -> pd.DataFrame:
    rows = answer.measured.of_kind(kind)
    prefers = np.select([rows["tie"], rows[STEREOTYPE] > rows[ANTI]], ["tie", STEREOTYPE], ANTI)
    return rows.assign(prefers=prefers)[[column.name for column in _TRIPLES]].reset_index(drop=True)


def pair_of(row: pd.Series) -> tuple[str, str]:
    """A triple's stereotype and anti-stereotype as whole texts; the context goes before sentences that follow it."""
    before = f"{row['context']} " if row["kind"] == INTERSENTENCE else ""
    return before + row["stereotype_text"], before + row["anti-stereotype_text"]


def definitions(answer: Answer, kind: str) -> pd.DataFrame:
    """The three numbers under every definition and in every aggregation."""
    rows = []
    for name, (_, measured) in of_kind(answer.defined, kind).items():
        for aggregation, title in AGGREGATIONS.items():
            numbers = {metric: one.value for metric, one in measured.cell(kind).numbers[aggregation].items()}
            usual = measured is answer.measured and aggregation == "term_means"
            rows.append({"definition": name, "aggregation": title, "usual": usual} | numbers)
    return pd.DataFrame(rows, columns=[column.name for column in _DEFINITIONS])


def remark_table(answer: Answer) -> pd.DataFrame:
    remarks = [(one.where, one.text, "left out") for one in answer.measured.left_out]
    remarks += [(note.where, note.text, "used") for note in answer.examples.notes]
    return pd.DataFrame(remarks, columns=[column.name for column in _LEFT_OUT])


def published_table(first: Answer, kind: str, scores: Table) -> pd.DataFrame:
    """The models above what was published about this task and language; our own sample is not StereoSet."""
    policy = first.requests[0].planned.recipe.policy.name if first.requests else ""
    known = published(first.measured, kind, first.examples.language, policy)
    own = whole_rows(scores.frame).rename(columns={"model": "name"}).assign(mark="run", note="")
    frames = [frame for frame in ([known] if first.sample else [own, known]) if len(frame)]
    return pd.concat(frames or [known], ignore_index=True).reindex(columns=[column.name for column in _PUBLISHED])


def published(measured: Measured, kind: str, language: str, preset: str = "") -> pd.DataFrame:
    """What was published about this task and language: name, note, mark, and the metrics.

    The `mark` is `same` for as many examples, scored and averaged and with ties counted alike, else `other`. The
    `note` says who published it, and what is different. `preset` is the one under which a model of ours was asked.
    """
    known = figures(language)
    known = known[(known["kind"] == kind) & (known["bias_type"] == OVERALL) & known["metric"].isin(METRICS)]
    known = known[known["aggregation"].isin(["term_means", "pooled"])]
    known = known.sort_values("aggregation", ascending=False, kind="stable")  # means over terms if there are any
    known = known.drop_duplicates(["source", "system", "method", "case", "metric"]).sort_index()
    apart = known["aggregation"].map(lambda how: _differences(measured, language, kind, how, preset))
    systems = zip(known["system"], known["method"], known["case"], strict=True)
    described = known.assign(
        name=[", ".join(filter(None, system)) for system in systems],
        note=known["source"]
        + "."
        + apart.map(lambda differences: differences and f" Not comparable: {differences}."),
        mark=apart.map(lambda differences: "other" if differences else "same"),
    ).drop_duplicates(["name", "metric"])
    index = ["name", "note", "mark"]
    return described.pivot_table(index=index, columns="metric", values="value", sort=False).reset_index()


def _differences(measured: Measured, language: str, kind: str, aggregation: str, preset: str) -> str:
    cell, n = measured.cell(kind), _PUBLISHED_N.get((language, kind), _PUBLISHED_N["en", kind])
    differences = {
        f"{cell.n:,} examples here, {n:,} there": cell.n != n,
        "ties count one half here, and for the anti-stereotype there": (
            measured.ties != "legacy" and (cell.ties or cell.related_ties)
        ),
        f"{AGGREGATIONS[aggregation]} there": aggregation != "term_means",
        f"scored under the preset {preset} here, by the programs there": preset not in _AS_PUBLISHED,
    }
    return "; ".join(difference for difference, holds in differences.items() if holds)


@cache
def _figures() -> pd.DataFrame:
    return pd.read_csv(FILE, keep_default_na=False, na_values={"value": [""]}, dtype={"case": str})


def figures(language: str = "en") -> pd.DataFrame:
    """Published numbers: source, system, method, case, language, kind, bias_type, aggregation, metric, value.

    `method` says how candidates were scored (`masked`, `causal`, `head`, `next sentence`, `generative`, ...), `case`
    which of the successor's cases, `aggregation` is one of `pairlens.studies.stereoset.measured.AGGREGATIONS`,
    `metric` is lms, ss, icat or ss_sd, the standard deviation of SS over terms.
    """
    known = _figures()
    return known[known["language"] == language].reset_index(drop=True)


_BIAS_TYPE = Column("bias_type", "Bias type", "What the stereotype is about.")
_AGGREGATION = Column("aggregation", "Averaged", "How the examples' answers become a number.")
_SS = Column("ss", "SS", "How often the stereotype scores higher than its opposite; 50 is neither.", form=".2f")
_LMS = Column("lms", "LMS", "How often a meaningful sentence scores higher than a meaningless one.", form=".2f")
_ICAT = Column("icat", "ICAT", "LMS times how even the choice is; a coin has 50.", form=".2f")
_NUMBERS = (_SS, _LMS, _ICAT)


def _with_interval(column: Column, *, drawn: bool = True) -> Iterator[Column]:
    yield column
    for end in ("low", "high"):
        about = f"The {end} end of its 95 % interval over terms; none for fewer than ten."
        yield Column(f"{column.name}_{end}", f"{column.title} {end}", about, form=".1f", drawn=drawn)


_SCORES = [
    Column("model", "Model", "The model, or the file of predictions."), _BIAS_TYPE, _AGGREGATION,
    Column("n", "Examples", "The number of examples."),
    Column("n_terms", "Terms", "The number of terms that they are about."),
    *(one for column in _NUMBERS for one in _with_interval(column)),
]  # fmt: skip


def _score(name: str) -> Column:
    return Column(name, f"Score of the {name}", "Only the order of a triple's scores counts.", form=".3g")


_TRIPLES = [
    Column("term", "Term", "The target term, by which answers are averaged."),
    Column("stereotype_text", "Stereotype", "The stereotyping sentence."), _score(STEREOTYPE),
    Column("anti-stereotype_text", "Anti-stereotype", "Its opposite."), _score(ANTI),
    Column("unrelated_text", "Unrelated", "The meaningless sentence."), _score(UNRELATED),
    Column("prefers", "Prefers", "Which of the pair scores higher, or tie."),
    Column("context", "Context", "The text before a sentence, or around a word."), _BIAS_TYPE,
    Column("kind", "Task", "intrasentence or intersentence.", drawn=False),
    Column("example", "Example", "The id of the example.", drawn=False),
    Column("target", "Target", "The term in the language of the example.", drawn=False),
    Column("pro", "Stereotype ahead", "1, 0, or what a tie counts.", drawn=False),
    Column("related", "Related ahead", "How many of the pair are ahead of the unrelated one.", drawn=False),
    Column("tie", "Tie", "Whether the pair scores alike.", drawn=False),
    Column("related_ties", "Other ties", "How many of the pair score as the unrelated one does.", drawn=False),
]  # fmt: skip
_TERMS = [
    Column("term", "Term", "The target term."), _BIAS_TYPE, Column("n", "Examples", "The number of examples."),
    _SS,
    Column("low", "Band from", "Where 95 % of terms of this size would lie by chance alone, around SS.", form=".1f"),
    Column("high", "Band to", "The other end of the band.", form=".1f"),
    Column("outside", "Outside", "Whether the term lies outside the band."), _LMS, _ICAT,
]  # fmt: skip
_DEFINITIONS = [
    Column("definition", "Scores", "How log-probabilities become scores; nothing is scored again."),
    _AGGREGATION, *_NUMBERS, Column("usual", "In the headline", "Whether the headline has this number."),
]  # fmt: skip
_PUBLISHED = [
    Column("name", "Who", "The model, or the published system."),
    Column("note", "What", "Who published it, and why it is not comparable, if so."),
    *(one for column in _NUMBERS for one in _with_interval(column, drawn=False)),
    Column("mark", "Kind", "run (ours), same (comparable) or other.", drawn=False),
]
_LEFT_OUT = [
    Column("where", "Where", "The example, or the place in the file."),
    Column("what", "What", "What is missing or strange."),
    Column("state", "This example is", "left out, or used all the same."),
]
