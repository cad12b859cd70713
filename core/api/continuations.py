"""Next-token predictions of left-to-right models: the verb `next-word`, and the likeliest continuations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Unpack

from core.api.asking import Choices, asking
from core.api.given import texts_of
from core.errors import PolicyError, unknown
from core.studies.next_word import SETS
from core.studies.next_word.prefix import predictor, read_prefix

if TYPE_CHECKING:
    import pandas as pd


def next_word(
    texts: str | Iterable[str],
    model: str = "english-small",
    *,
    by: str = "piece",
    prefix: bool = False,
    forms: str | Sequence[str] = (),
    **choices: Unpack[Choices],
) -> pd.DataFrame:
    """A row per position of each text: the actual and the likeliest next unit (`core.studies.next_word.table`; nats).

    `by` is `piece` or `word`; with `prefix`, a row for what follows the text is added. With `forms`, a row per form
    after each text instead: sentence, prefix, form, prob (with the end of the word), form_only (both in nats),
    n_pieces, pieces, preferred.

    >>> api.next_word("The keys to the cabinet", forms=["is", "are"]).set_index("form")["preferred"].to_dict()
    {'is': False, 'are': True}
    """
    from core.store import Store
    from core.studies.next_word.forms import compare_forms, forms_table, read_forms
    from core.studies.next_word.table import next_word_table

    given, recipe = texts_of(texts), asking(choices, SETS).recipe(model)
    opened = predictor(recipe)
    if not forms:
        return next_word_table(given, recipe, opened, by=by, prefixes=prefix)
    named = read_forms(forms)
    return forms_table(compare_forms([(one, named) for one in given], recipe, Store(), lambda: opened))


def expected(
    prefix: str, model: str = "english-small", *, by: str = "word", number: int = 10, **choices: Unpack[Choices]
) -> pd.DataFrame:
    """The likeliest words, or pieces, after a prefix: rank, text, logprob (nats), probability.

    `by` is `word` or `piece`. Words are complete and include their ends; `attrs["proved"]` says whether the search
    was exhaustive enough to exclude a likelier word.

    >>> api.expected("The keys to the", number=3)["rank"].tolist()
    [1, 2, 3]
    """
    import pandas as pd

    from core import measures
    from core.studies.next_word.pieces import cut, pieces_of
    from core.studies.next_word.table import BY
    from core.studies.next_word.top_words import top_words

    if by not in BY:
        raise PolicyError(unknown("kind of row", by, BY))
    if number < 1:
        raise PolicyError(f"{number} continuations make no sense: take 1 or more.")
    recipe = asking(choices, SETS).recipe(model)
    opened, text = predictor(recipe), read_prefix(prefix, recipe)
    if by == "word":
        (answer,) = top_words(opened, [text], number, recipe.policy)
        rows, proved = [(word.text, word.logprob) for word in answer.words], answer.proved
    else:
        top, shown = opened.expect([cut(opened.tokenizer, text)], number), pieces_of(opened.tokenizer).shown
        rows = [(shown[id], float(value)) for id, value in zip(top.ids[0], top.logprobs[0], strict=True)]
        proved = True
    table = pd.DataFrame(rows, columns=["text", "logprob"])
    table.insert(0, "rank", range(1, len(table) + 1))
    table["probability"] = [measures.probability(value) for value in table["logprob"]]
    table.attrs["proved"] = proved
    return table
