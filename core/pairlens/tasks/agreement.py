"""Agreement at a distance: a prefix, and two forms of its next word that differ in number."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.tasks._agreement_pairs import LABELS, AgreementPair, form_candidates, groups, pairs, sources
from pairlens.tasks._base import Numbering, PublishedTask
from pairlens.types import Item


def read(path: Path, table: Path | None = None) -> Iterator[Item]:
    """Sentences in lines, two for each item: the right one, then the same with the wrong form (.txt, .text).

    Or a table with both forms of each item in consecutive rows: .tab (`class`, `form`, `prefix`, `sent`) or .raw-pred
    (`class`, `form`, `sent`). Or a folder of these; all also as .gz or .xz. A .tab, .raw-pred or .pred of the same
    name beside a file, or `table`, says more about its items, in one row per item or per form.

    A candidate's context is the prefix, its text the form and what follows, its region `form` the form. Texts stay as
    they are, without `<bos>` and `<eos>`; the policy `detokenise` joins what was cut into tokens. Groups, `unknown`
    where the files do not say:

        number                        of the head: `singular` or `plural`
        attractors                    nouns of the other number between the head and the form
        heuristics                    how many of five surface heuristics (`cls_noun`, `cls_token`, `fst_noun`, `com`,
                                      `que_n`: `pairlens.studies.agreement.heuristics`) predict the right number
        cls_noun ... que_n            what each predicts: `singular`, `plural` or `none`
        distance, prefix_length       words from the head to the form, and before the form
        inverted                      whether the subject follows the form: `yes`, `no` or `undetermined`
        frequency_correct, frequency_wrong   of the two forms in the training text of the model they were made for
        unknown                       words of the prefix which that model does not know
        que_id                        place of the *que* that is the form's object among the words, from 0
        pattern, type                 the construction; `original` or `generated` (nonce)
        constr_id, contrast           the item's number in the files; the two forms
    """
    return (item for _, item in pairs_and_items(path, table))


def pairs_and_items(path: Path, table: Path | None) -> Iterator[tuple[AgreementPair, Item]]:
    """What was read of each item, its rows included, and the item."""
    number = Numbering()
    for source in sources(path, table):
        for place, pair in enumerate(pairs(source)):
            yield pair, Item(number(source.name), form_candidates(pair), LABELS[0], groups(pair, place))


TASK = PublishedTask(
    name="agreement",
    title="Agreement",
    about="Does a form agree with its head, whatever stands between them?",
    paper="Li, Wisniewski & Crabbé 2023, Assessing the Capacity of Transformer to Abstract Syntactic "
    "Representations: A Contrastive Analysis Based on Long-distance Agreement, TACL 11",
    cites=("li2023assessing",),
    noun="item",
    topic="Grammar",
    rules=("word", "form", "joint"),
    groups=("number", "attractors", "heuristics", "distance", "inverted", "type"),
    prediction="sentence",
    reader=read,
)
