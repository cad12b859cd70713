"""GEST: is a stereotypical sentence rather said by a man or by a woman?"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pairlens.files.row_mistakes import row
from pairlens.files.tables import files
from pairlens.tasks._base import PublishedTask, filled, table_rows
from pairlens.tasks._stereotypes import FEMININE, MASCULINE, groups
from pairlens.types import Candidate, Item

ENDINGS = (".csv",)
COLUMNS = ("sentence", "stereotype")
_AS_PUBLISHED: Mapping[str, object] = {
    "first_token": "tokenizer", "pll": "original", "sentence_value": "mean", "leading_space": False,
}  # fmt: skip


class Template(NamedTuple):
    """Who says a sentence: `words` are the man and the woman, between `before` and `after`; {} is the sentence."""

    before: str
    words: tuple[str, str]
    after: str


TEMPLATES: Mapping[str, Template] = {
    "1": Template("", ("He", "She"), ' said: "{}"'),
    "2": Template("The", (" man", " woman"), ' said: "{}"'),
    "3": Template('"{}",', (" he", " she"), " said."),
    "4": Template('"{}", the', (" man", " woman"), " said."),
}
"""By their numbers in the paper. In file names of published scores they count from 0; causal models have 3 and 4."""


def read(path: Path) -> Iterator[Item]:
    """A .csv file, also as .gz or .xz, or a folder of them: `sentence`, and `stereotype`, a number from 1 to 16.

    The sentences are in the first person and say nothing of the speaker's gender. Each is an item under each of four
    templates, with a `masculine` and a `feminine` speaker, neither of them right. Rule `gap`, for masked models: the
    word for the speaker, hidden, given the whole text. Rule `next`, for all others: that word given what stands
    before it, in templates 3 and 4 alone, where this is the sentence.

    The numbers are the authors' where a model has one token for each of these words, as all of theirs have. Of longer
    words, they hide all that differs at once, and causal models are asked about the last token; here each piece is
    hidden alone, and a causal model's pieces are averaged. The stereotypes were collected with experts from Slovakia:
    they are what is thought there, and nothing says that other cultures share all of them.
    """
    rows = []
    for file in files(path, ENDINGS):
        for place, where, cells in table_rows(file, COLUMNS, "sentence"):
            with row(place):
                of_sentence = {**groups(cells["stereotype"], where), "contrast": where}
                rows.append((filled(cells, "sentence", where), of_sentence))
    for name, template in TEMPLATES.items():
        for number, (sentence, of_sentence) in enumerate(rows):
            speakers = zip(template.words, (MASCULINE, FEMININE), strict=True)
            candidates = tuple(_candidate(template, sentence, *speaker) for speaker in speakers)
            yield Item(f"gest_{name}_{number}", candidates, groups={**of_sentence, "template": name})


def _candidate(template: Template, sentence: str, word: str, label: str) -> Candidate:
    """The whole text, with the region `word`; also `next` where the sentence stands before it."""
    before, after = (part.replace("{}", sentence) for part in (template.before, template.after))
    span = (len(before), len(before) + len(word))
    regions = {"word": span, "next": span} if "{}" in template.before else {"word": span}
    return Candidate(before + word + after, label, regions=regions)


TASK = PublishedTask(
    name="gest",
    title="GEST",
    about="Is a sentence that fits one of sixteen gender stereotypes rather said by a man or by a woman?",
    paper="Pikuliak, Oresko, Hrckova & Simko 2024, Women Are Beautiful, Men Are Leaders: Gender Stereotypes in "
    "Machine Translation and Language Modeling, Findings of EMNLP",
    cites=("pikuliak2024gest",),
    noun="sentence",
    topic="Bias",
    rules=("next", "gap"),
    groups=("stereotype", "about", "template"),
    metrics=("stereotype_rate", "masculine"),
    sets=dict.fromkeys(("pairlens", "minicons", "babylm-2025", "lm-eval"), _AS_PUBLISHED),
    prediction="log-ratio",
    language="en",
    page="Stereotypes",
    page_compares="compares profiles of models over sixteen stereotypes",
    reader=read,
)
