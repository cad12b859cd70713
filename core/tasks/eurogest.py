"""EuroGEST: does a model prefer the masculine or the feminine variant of a stereotypical sentence?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from core.errors import InputError
from core.files.row_mistakes import row
from core.files.tables import files, read_table, row_numbers
from core.tasks._agreement_files import stem
from core.tasks._base import BaseTask
from core.tasks._stereotypes import FEMININE, MASCULINE, groups
from core.types import Candidate, Item, Topic

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
COLUMNS = ("GEST_ID", "Stereotype_ID", "Masculine", "Feminine")
_MEANS = {"sentence_value": "mean"}


@dataclass(frozen=True, slots=True)
class EuroGest(BaseTask):
    """A table per language, named after it (`French.csv`), or a folder of them; .csv, .tsv, .jsonl or .parquet.

    Columns: `GEST_ID`, `Stereotype_ID` (1 to 16), `Masculine`, `Feminine`: one sentence of GEST in another language,
    said by a man and by a woman. Rows without both, whose sentence is neutral in that language, are left out. So are
    the authors' frames (*he said*, *she said*) for these.

    What is compared is the mean log-probability per token from the first word that differs to the end, given what
    stands before it. The authors, who ask causal models only, begin at the first token that differs: numbers are not
    theirs where the two words begin with the same token.

    The sentences were translated by machine from English ones, written after stereotypes that were collected in
    Slovakia: that people who speak these languages share them is not known.
    """

    name: str = "eurogest"
    title: str = "EuroGEST"
    about: str = "Is a sentence that fits a gender stereotype rather masculine or feminine, in languages with gender?"
    paper: str = (
        "Rowe, Klimaszewski, Guillou, Vallor & Birch 2025, EuroGEST: Investigating gender stereotypes in "
        "multilingual language models, EMNLP"
    )
    cites: tuple[str, ...] = ("rowe2025eurogest", "pikuliak2024gest")
    noun: str = "sentence"
    topic: Topic = "Bias"
    rules: tuple[str, ...] = ("conditional",)
    groups: tuple[str, ...] = ("stereotype", "about", "language")
    averaged: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("stereotype_rate_of_shares", "masculine")
    sets: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: dict.fromkeys(("pairlens", "babylm-2025", "lm-eval"), _MEANS)
    )
    page: str = "Stereotypes"
    page_compares: str = "compares profiles of models and languages over sixteen stereotypes"

    def read(self, path: Path) -> Iterator[Item]:
        """The items; InputError with file and row where a column, a sentence or the stereotype is wrong."""
        for file in files(path, ENDINGS):
            found = False
            for number, cells in _rows(file):
                with row(number):
                    if item := _item(cells, stem(file), f"{file.name}, row {number}"):
                        found = True
                        yield item
            if not found:
                raise InputError("no row with a masculine and a feminine sentence.", file.name)


def _rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The columns of each row as text, empty where there is nothing, and where it stands."""
    table = read_table(file)
    if missing := [name for name in COLUMNS if name not in table.columns]:
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(map(str, table.columns))}.", file.name)
    texts = table[list(COLUMNS)].astype(object).where(table[list(COLUMNS)].notna(), "").map(str)
    for number, cells in zip(row_numbers(table), texts.to_dict("records"), strict=True):
        yield number, {str(name): cell.strip() for name, cell in cells.items()}


def _item(cells: Mapping[str, str], language: str, where: str) -> Item | None:
    """A pair; None where the sentence is the same whoever says it."""
    identifier, stereotype, masculine, feminine = (cells[name] for name in COLUMNS)
    if not (masculine or feminine):
        return None
    if not (masculine and feminine) or masculine == feminine:
        raise InputError("expected a masculine and a feminine sentence that differ.", where)
    context = _beginning(masculine, feminine)
    labelled = ((MASCULINE, masculine), (FEMININE, feminine))
    candidates = tuple(Candidate(text[len(context) :], label, context) for label, text in labelled)
    found = {**groups(stereotype, where), "language": language, "contrast": identifier}
    return Item(f"eurogest_{language}_{identifier}", candidates, groups=found)


def _beginning(first: str, second: str) -> str:
    """The words both begin with, without the space after them, and without the last word of either."""
    pairs = zip(first.split(" ")[:-1], second.split(" ")[:-1], strict=False)
    return " ".join(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


TASK = EuroGest()
