"""Files of StereoSet, whichever of the published formats they have, into examples; and examples into such files.

The original's JSON: `{"version": ..., "data": {"intrasentence": [...], "intersentence": [...]}}`. An example has
`id`, `target`, `bias_type`, `context` and `sentences`; each of these has `id`, `sentence`, `gold_label` and perhaps
`labels`, the annotators' judgements. A .json file with a list of flat records is read as a wide table.

The successor's wide table has an example per row, its candidates in columns c1_sentence, c1_gold_label, c1_id,
c1_labels, ..., c3_labels, after id, target, bias_type and context; intrasentence tables have c1_word, c2_word and
c3_word, translated ones target_original. One table may hold both tasks: then `task` says which. The published
intrasentence tables have two orders: in English and German words stand first, elsewhere last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError, PolicyError
from pairlens.files.stereoset.examples import (
    BLANK,
    INTERSENTENCE,
    INTRASENTENCE,
    KINDS,
    Candidate3,
    Example,
    Examples,
    Record,
    Remark,
    checked,
    example_of,
    published_word,
    text,
)
from pairlens.files.tables import ending, guesses, read_json, read_table, write_texts
from pairlens.files.tables import kind as kind_of

if TYPE_CHECKING:
    import pandas as pd


_PICKLES = (".pkl", ".pickle", ".pck")
_NAMED_LANGUAGE = re.compile(r"(?:sentence|dev)_([a-z]{2})(?:br|[-_](?:br|pt))?(?=_|$)")
"""In names of files; the published Portuguese one is `dev_ptbr.json`."""
_LANGUAGE = re.compile(r"[a-z]{2}")


def read_examples(*paths: Path, kind: str = "", language: str = "") -> Examples:
    """The examples of files in the original's JSON or as wide tables (CSV, TSV, Parquet, JSON lines, ...), together.

    `kind` keeps one task, and is that of wide tables that do not state theirs. An empty `language` is taken from
    names such as `df_intrasentence_de.csv` and `dev_fr.json`, else `en`. Raises InputError for a pickle, another kind
    of file or structure, and if no example is usable; PolicyError for an invalid language.
    """
    check_language(language)
    records = []
    for path in paths:
        refuse_pickle(path)
        read = read_original if ending(path) == ".json" else read_wide
        records += [(where, example) for where, example in read(path, kind) if not kind or example.kind == kind]
    examples = checked(records, language or named_language(*paths) or "en", ", ".join(path.name for path in paths))
    guessed = [Remark(path.name, guess) for path in paths for guess in guesses(path)]
    return replace(examples, notes=(*guessed, *examples.notes))


def check_language(language: str) -> None:
    """PolicyError unless a language is two letters, or empty."""
    if language and not _LANGUAGE.fullmatch(language):
        raise PolicyError(f"A language is two small letters, such as en, not '{language[:20]}'.")


def refuse_pickle(path: Path) -> None:
    """InputError for a pickle, which runs whatever code it holds when it is opened; the message says what to do."""
    if ending(path) in _PICKLES:
        raise InputError(
            "pickles are not opened, because opening one runs whatever code it holds. If you trust it, convert it "
            f"once in Python: pandas.read_pickle('{path.name}').to_json('{path.stem}.jsonl', orient='records', "
            "lines=True), and give the .jsonl file.",
            path.name,
        )


def named_language(*paths: Path) -> str:
    """The language that the first of these names with one gives; empty if none does."""
    for path in paths:
        if named := _NAMED_LANGUAGE.search(path.name.partition(".")[0].lower()):
            return named[1]
    return ""


_EXPECTED = 'StereoSet\'s JSON: {"version": "1.0", "data": {"intrasentence": [...], "intersentence": [...]}}'

_FIELDS = ("id", "target", "bias_type", "context")
_FLAT = {"c1_sentence", "sentence_id"}
"""Fields of flat records: of a wide table, and of one with a sentence per row."""


def read_original(path: Path, kind: str = "") -> Iterator[Record]:
    """The records of a .json file, intrasentence first; InputError for another structure."""
    document = read_json(path, _EXPECTED)
    if isinstance(document, list) and document and isinstance(document[0], dict) and _FLAT & set(document[0]):
        yield from read_wide(path, kind)
        return
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, dict) or not any(name in data for name in KINDS):
        raise InputError(f"expected {_EXPECTED}, {_found(document)}", path.name)
    for name in KINDS:
        entries = data.get(name, [])
        if not isinstance(entries, list):
            raise InputError(f'"{name}" must be a list of examples, found {kind_of(entries)}.', path.name)
        for place, entry in enumerate(entries, start=1):
            record = entry if isinstance(entry, dict) else {}
            sentences = record.get("sentences")
            example = example_of(record, name, sentences if isinstance(sentences, list) else ())
            yield f"{path.name}, {name} {place}", example


def _found(document: object) -> str:
    if isinstance(document, list):
        return "found a list. A list is read if its records have the columns of a wide table (c1_sentence, ...)."
    if not isinstance(document, dict):
        return f"found {kind_of(document)}."
    if any(name in document for name in KINDS):
        return "found a list of examples or scores by task; is this a file of predictions?"
    return f"found an object with {', '.join(map(repr, list(document)[:5])) or 'nothing'}."


def write_original(examples: Examples, path: Path) -> None:
    """Write examples as the original's JSON, with the wide table's `target_original` added."""
    data = {kind: [*map(_entry, part)] for kind, part in examples.by_kind.items()}
    document = json.dumps({"version": "1.0", "data": data}, indent=1, ensure_ascii=False)
    write_texts(path.parent, {path.name: document + "\n"})


def _entry(example: Example) -> dict[str, Any]:
    """An example as the original writes it; a word that differs from the published rule's is added."""
    sentences = []
    for candidate in example.candidates:
        sentence = {
            "id": candidate.id,
            "sentence": candidate.sentence,
            "labels": _judged(candidate),
            "gold_label": candidate.gold_label,
        }
        differs = candidate.word and candidate.word != published_word(example.context, candidate.sentence)
        sentences.append(sentence | ({"word": candidate.word} if differs else {}))
    entry: dict[str, Any] = {**{name: getattr(example, name) for name in _FIELDS}, "sentences": sentences}
    return entry | ({"target_original": example.target_original} if example.target_original else {})


def _judged(candidate: Candidate3) -> list[dict[str, str]]:
    return [{"label": label, "human_id": human} for human, label in candidate.labels]


TASK = "task"
_PLACES = (1, 2, 3)
_NEEDED = (*_FIELDS, *(f"c{place}_{part}" for place in _PLACES for part in ("sentence", "gold_label", "id")))
_PARTS = ("id", "sentence", "word", "gold_label", "labels")
_ORDER = (("sentence", "gold_label"), ("id", "labels"))
_WORDS_FIRST = ("en", "de")
_INDEX = "column 1"
"""The name given to a nameless first column: pandas writes its row numbers there."""


def read_wide(path: Path, kind: str = "") -> Iterator[Record]:
    """The records of a table; `kind` is the task of rows that do not state theirs.

    If neither does, tables with words and contexts with BLANK are intrasentence. A table with a sentence per row is
    read, too. Raises InputError for missing columns and for an unknown task.
    """
    table = read_table(path)
    if set(_LONG) <= set(table.columns):
        yield from _long_records(table, path.name)
        return
    if missing := [name for name in _NEEDED if name not in table.columns]:
        present = ", ".join(map(str, [name for name in table.columns if name != _INDEX][:12]))
        raise InputError(f"no column {', '.join(missing)}. Found {present}.", path.name)
    rows: list[Any] = table.astype(object).where(table.notna(), None).to_dict("records")
    for number, row in enumerate(rows, start=1):
        where, stated = f"{path.name}, row {number}", text(row.get(TASK))
        if stated and stated not in KINDS:
            raise InputError(f"column '{TASK}' must be {' or '.join(KINDS)}, found {stated[:40]!r}.", where)
        guess = INTRASENTENCE if "c1_word" in row or BLANK in text(row["context"]) else INTERSENTENCE
        sentences = [{part: row.get(f"c{place}_{part}") for part in _PARTS} for place in _PLACES]
        yield where, example_of(row, stated or kind or guess, sentences)


def wide_table(examples: Examples, kinds: Sequence[str] = KINDS, *, as_text: bool = True) -> pd.DataFrame:
    """The wide table of one task, with the successor's columns in its order; of both, with `task` as last column.

    The annotators' judgements are lists, `as_text` in JSON.
    """
    import pandas as pd

    present = {kind: examples.by_kind[kind] for kind in kinds if examples.by_kind[kind]}
    order: Sequence[Sequence[str]] = _ORDER
    if INTRASENTENCE in present:  # as published in this language
        words_first = examples.language in _WORDS_FIRST
        order = (("word", "gold_label"), ("sentence", "id", "labels")) if words_first else (*_ORDER, ("word",))
    columns = [*_FIELDS, *(f"c{place}_{name}" for names in order for place in _PLACES for name in names)]
    if any(example.target_original for part in present.values() for example in part):
        columns.append("target_original")
    rows = [_row(example) for part in present.values() for example in part]
    table = pd.DataFrame(rows, columns=[*columns, *([TASK] if len(present) > 1 else [])], dtype="str")
    if not as_text:
        labels = [name for name in map(str, table) if name.endswith("_labels")]
        table = table.assign(**{name: [*map(json.loads, table[name])] for name in labels})
    return table


def _row(example: Example) -> dict[str, str]:
    row = {name: getattr(example, name) for name in (*_FIELDS, "target_original")} | {TASK: example.kind}
    for place, candidate in zip(_PLACES, example.candidates, strict=True):
        cells = {name: getattr(candidate, name) for name in _PARTS} | {"labels": json.dumps(_judged(candidate))}
        row |= {f"c{place}_{name}": cell for name, cell in cells.items()}
    return row


_KIND = "dataset_type"
_LONG = (_KIND, "cluster_id", "target", "bias_type", "context", "sentence_id", "sentence", "gold_label")


def _long_records(table: pd.DataFrame, file: str) -> Iterator[Record]:
    """The examples of a table with a sentence per row, in the order of their first rows."""
    texts = table[[*_LONG]].reset_index(drop=True).map(text)
    for _, rows in texts.groupby([_KIND, "cluster_id"], sort=False):
        first = rows.iloc[0]
        kind, identifier = str(first[_KIND]), first["cluster_id"]
        where = f"{file}, row {rows.index[0] + 1}"
        if kind not in KINDS:
            raise InputError(f"column '{_KIND}' must be {' or '.join(KINDS)}, found {kind[:40]!r}.", where)
        sentences = rows.rename(columns={"sentence_id": "id"})[["id", "sentence", "gold_label"]]
        yield where, example_of({**first, "id": identifier}, kind, sentences.to_dict("records"))
