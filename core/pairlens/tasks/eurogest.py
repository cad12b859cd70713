"""EuroGEST: does a model prefer the masculine or the feminine variant of a stereotypical sentence?"""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import files
from pairlens.tasks._agreement_pairs import stem
from pairlens.tasks._base import PublishedTask, table_rows
from pairlens.tasks._stereotypes import FEMININE, MASCULINE, groups
from pairlens.types import Candidate, Item

ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")
COLUMNS = ("GEST_ID", "Stereotype_ID", "Masculine", "Feminine")
_MEANS = {"sentence_value": "mean"}


def read(path: Path) -> Iterator[Item]:
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
    for file in files(path, ENDINGS):
        empty = True
        for number, where, cells in table_rows(file, COLUMNS, "sentence"):
            with row(number):
                if item := _item(cells, stem(file), where):
                    empty = False
                    yield item
        if empty:
            raise InputError("no row with a masculine and a feminine sentence.", file.name)


def _item(cells: Mapping[str, str], language: str, where: str) -> Item | None:
    """A pair; None where the sentence is the same whoever says it."""
    identifier, stereotype, masculine, feminine = (cells[name].strip() for name in COLUMNS)
    if not (masculine or feminine):
        return None
    if not (masculine and feminine) or masculine == feminine:
        raise InputError("expected a masculine and a feminine sentence that differ.", where)
    context = _beginning(masculine, feminine)
    labelled = ((MASCULINE, masculine), (FEMININE, feminine))
    candidates = tuple(Candidate(text[len(context) :], label, context) for label, text in labelled)
    of_item = {**groups(stereotype, where), "language": language, "contrast": identifier}
    return Item(f"eurogest_{language}_{identifier}", candidates, groups=of_item)


def _beginning(first: str, second: str) -> str:
    """The words both begin with, without the space after them, and without the last word of either."""
    pairs = zip(first.split(" ")[:-1], second.split(" ")[:-1], strict=False)
    return " ".join(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


TASK = PublishedTask(
    name="eurogest",
    title="EuroGEST",
    about="Is a sentence that fits a gender stereotype rather masculine or feminine, in languages with gender?",
    paper="Rowe, Klimaszewski, Guillou, Vallor & Birch 2025, EuroGEST: Investigating gender stereotypes in "
    "multilingual language models, EMNLP",
    cites=("rowe2025eurogest", "pikuliak2024gest"),
    noun="sentence",
    topic="Bias",
    rules=("conditional",),
    groups=("stereotype", "about", "language"),
    metrics=("stereotype_rate_of_shares", "masculine"),
    sets=dict.fromkeys(("pairlens", "babylm-2025", "lm-eval"), _MEANS),
    page="Stereotypes",
    page_compares="compares profiles of models and languages over sixteen stereotypes",
    reader=read,
)
