"""Agreement in sentences that make no sense, and in those they were made from: two forms after the same prefix."""

import re
from collections.abc import Iterator
from pathlib import Path

from pairlens.tasks._agreement_pairs import LABELS, TABLE, UNKNOWN, Row, form_candidates, groups
from pairlens.tasks._base import Numbering, PublishedTask, by_language
from pairlens.tasks._gold import GOLD, TEXT, Layout, gold_pairs, gold_sources, unknown_words
from pairlens.types import Item

LANGUAGE = re.compile(
    "(Arabic|Basque|Catalan|Chinese|Czech|Danish|Dutch|English|Finnish|French|German|Greek|Hebrew|Hindi|Hungarian|"
    "Italian|Japanese|Korean|Norwegian|Persian|Polish|Portuguese|Romanian|Russian|Spanish|Swedish|Turkish|Ukrainian)"
)
"""The names of folders that say a language."""
_ORIGINAL = "0"
"""The sentence from which the nonce ones with the same `constr_id` were made."""
_COLUMNS = (
    "pattern", "constr_id", "sent_id", "position", "part of speech", "features", "right", "wrong", "lemma",
    "position of the head", "part of speech of the head", "original context",
)  # fmt: skip
_NUMBERS = {"Number=Sing": "sing", "Number=Plur": "plur"}
_KEPT = (
    "type", "number", "attractors", "distance", "pattern", "prefix_length", "frequency_correct", "frequency_wrong",
    "constr_id", "contrast",
)  # fmt: skip
"""Groups that such files can tell."""


def _about(row: Row) -> Row:
    features = row["features"].split("|")
    head = row["position of the head"]
    return {
        "pattern": "__".join(row["pattern"].split("!")[:2]),
        "constr_id": row["constr_id"],
        "sent_id": row["sent_id"],
        "correct_number": next((_NUMBERS[one] for one in features if one in _NUMBERS), ""),
        "type": "original" if row["sent_id"] == _ORIGINAL else "generated",
        "len_context": str(int(row["position"]) - int(head)) if head.isdecimal() else "",
        "len_prefix": row["position"],
    }


_LAYOUT = Layout(_COLUMNS, _about, lambda row: row["sent_id"] == _ORIGINAL)


def read(path: Path) -> Iterator[Item]:
    """A folder per language (`English`), or one of them, or a file: sentences (.text) with their forms (.gold).

    A .tab of the same name says more about the items, and makes them where it is alone: it has a row per form, and
    the tables of released results in this layout are read too. What decides is the form after its prefix: with the
    end of the word (rule `word`), without it (`form`), or in the whole sentence (`joint`). Of a nonce sentence the
    part after the form was made for another word, so that its whole means less than the prefix and the form.

    Sentences are cut into tokens (` .`, `<eos>`, Hebrew prefixes): the policy `detokenise` joins them by the rules of
    a language (`en`, `fr`). An `<unk>` of a sentence stays as it is; the released sentences have none, but the
    prefixes in .tab do, where the released models did not know a word, and those words are read from the sentence.
    Groups, `unknown` where the files do not say:

        type                   `original`, or `generated`: the same structure with other content words
        language               the name of the folder
        number                 of the right form: `singular` or `plural`
        attractors             nouns of the other number between head and form (.tab only: not for Russian)
        distance               words from the head to the form
        pattern                the construction: parts of speech, L if the head is the left one
        prefix_length          words before the form
        unknown                `<unk>` among them, for the models of the .tab
        frequency_correct, frequency_wrong   of the two forms in the training text of the released models
        constr_id, contrast    the original sentence; the two forms

    Some items have the same word as right and wrong form (of the released ones 1 Italian, 11 Hebrew, 19 Russian):
    they can only be ties.
    """
    number = Numbering()
    for folder, language in by_language(path, LANGUAGE):
        for source in gold_sources(folder, (TEXT, GOLD, TABLE)):
            name = source.name if language == UNKNOWN else f"{language}_{source.name}"
            for place, pair in enumerate(gold_pairs(source, _LAYOUT)):
                known = groups(pair, place)
                of_item = {"language": language, "unknown": str(unknown_words(pair))}
                of_item |= {group: known[group] for group in _KEPT}
                yield Item(number(name), form_candidates(pair), LABELS[0], of_item)


TASK = PublishedTask(
    name="colorless_green",
    title="Colorless green",
    about="Does a form agree with its head in a sentence that makes no sense?",
    paper="Gulordava et al. 2018, Colorless Green Recurrent Networks Dream Hierarchically, NAACL",
    cites=("gulordava2018green",),
    noun="item",
    topic="Grammar",
    rules=("word", "form", "joint"),
    groups=("type", "language", "number", "attractors", "distance", "pattern"),
    prediction="sentence",
    reader=read,
)
