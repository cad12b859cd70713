"""Two beginnings that differ in one place, with the form of the next word that goes with each."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import files, read_table, row_numbers
from pairlens.tasks._base import PublishedTask
from pairlens.tasks._beginnings import BAR, Beginnings, beginnings, items
from pairlens.types import Item

ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx")
COLUMNS = (("first", "base"), ("second", "src"), ("form_first", "base_label"), ("form_second", "src_label"))
"""Names of each column, ours and CausalGym's."""

START = "<|endoftext|>"


def read(path: Path) -> Iterator[Item]:
    """A table, or a folder of them: two beginnings, `first` and `second`, and the form that goes with each,
    `form_first` and `form_second`.

    Bars in the beginnings part regions (*The | keys | to the cabinet*), equally many in both. An
    item is a beginning, its candidates are both forms; both items of a row are one `contrast`. Models are asked, and
    states put from one beginning into the other, by `pairlens.studies.inside.runs`.
    """
    number = 0
    for file in files(path, ENDINGS):
        for pair in rows(file, start=number):
            yield from items([pair])
            number += 1


def rows(file: Path, start: int = 0) -> Iterator[Beginnings]:
    """The rows of a table; those with the number of an `item` or `id` keep it."""
    table = read_table(file)
    names = {str(name).lower(): name for name in table.columns}
    columns = [next((names[name] for name in known if name in names), None) for known in COLUMNS]
    if missing := [known[0] for known, name in zip(COLUMNS, columns, strict=True) if name is None]:
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(map(str, table.columns))}.", file.name)
    if table.empty:
        raise InputError("no row below the column names.", file.name)
    for place, (number, cells) in enumerate(zip(row_numbers(table), table[columns].to_numpy().tolist(), strict=True)):
        with row(number):
            first, second, *forms = map(_text, cells)
            yield beginnings(
                str(start + place + 1), first, second, (forms[0], forms[1]), f"{file.name}, row {number}"
            )


def _text(cell: object) -> str:
    """A cell as text; a list of regions, which may begin with CausalGym's start symbol, with bars between them."""
    if isinstance(cell, str):
        return cell
    parts = [str(part) for part in cell] if isinstance(cell, Iterable) else [str(cell)]
    return BAR.join(part for part in parts if part != START)


TASK = PublishedTask(
    name="inside",
    title="Inside",
    about="Which form does the model prefer after two beginnings, and where in the network is that decided?",
    paper="Arora, Jurafsky & Potts 2024, CausalGym: Benchmarking Causal Interpretability Methods on Linguistic "
    "Tasks, ACL",
    cites=("arora2024causalgym", "finlayson2021causal", "meng2022locating", "vig2020investigating"),
    noun="beginning",
    topic="Your file",
    rules=("word", "form"),
    groups=("side",),
    instead="Networks are looked into with `$program inside --data FILE`.",
    reader=read,
)
