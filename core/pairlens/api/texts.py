"""Texts: by token, word and as wholes, two side by side, what comes next, and what decides it in a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pairlens.api.asking import NAME, Choices, Data, as_file, asking, texts_of
from pairlens.errors import InputError, PolicyError, unknown
from pairlens.results.result import Result
from pairlens.studies.compare.study import STUDY
from pairlens.studies.compare.typed import Fields
from pairlens.studies.next_word import SETS
from pairlens.studies.study import ask

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.studies.inside.pair import Inside
    from pairlens.studies.inside.runs import MeanMap
    from pairlens.studies.next_word.continuations import Continuations


_WORD_COLUMNS = ("item", "text", "word_position", "word", "start", "end", "n_tokens", "surprisal_bits", "probability")


def score(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per token, in order: item, text, position, token, token_id, start, end, word, word_position, logprob
    (nats), surprisal_bits (`pairlens.analysis.tokens`). `item` counts texts from 1; unscored values are missing. A
    `text` of more than 1,000 characters is in its first row only. `attrs["note"]` says so, and what the text policy
    changed.

    >>> tokens = pairlens.score(["The keys are here.", "The keys is here."])
    >>> int(tokens.groupby("item")["surprisal_bits"].sum().idxmin())
    1
    """
    from pairlens.analysis.tokens import token_table
    from pairlens.store import Store

    request = asking(choices)
    table, note = token_table(
        texts_of(texts), request.recipe(model), Store(), watch=request.finish, rescore=request.rescore
    )
    table.attrs["note"] = note
    return table


def words(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per word, in order: item, text, word_position, word, start, end, n_tokens, surprisal_bits, probability.

    A word includes its end (`word_value`; Pimentel & Meister 2024) and the punctuation that touches it
    (`punctuation`), as in `minimal-pair`. Positions and characters count from 0; unscored values are missing.

    >>> pairlens.words("The keys are here.")["word"].tolist()
    ['The', 'keys', 'are', 'here.']
    """
    from pairlens.store import Store
    from pairlens.studies.experiment.design import design_of
    from pairlens.studies.experiment.evaluate import evaluate
    from pairlens.studies.experiment.running import Experiment
    from pairlens.studies.experiment.words import words_of_scores

    request, listed = asking(choices), texts_of(texts)
    recipe, store, design = request.recipe(model), Store(), design_of(listed)
    refused: dict[str, str] = {}
    request.finish(evaluate(design, recipe, store, rescore=request.rescore, refused=refused))
    for number, reason in refused.items():
        raise InputError(reason, f"text {number}")
    usual = Experiment(preset=request.policy.name.partition(",")[0], scoring=request.policy.changes())
    table = words_of_scores(design, recipe, store, usual.analysis)
    named = table.rename(columns={"wordpos": "word_position", "surp": "surprisal_bits", "prob": "probability"})
    items = named["sentid"].astype("int64")
    return named.assign(item=items, text=items.map(dict(enumerate(listed, start=1))))[[*_WORD_COLUMNS]]


def perplexity(texts: str | Iterable[str], model: str = "english-small", **choices: Unpack[Choices]) -> pd.DataFrame:
    """A row per text: its counts, sums in nats, and perplexity per token, without unknown tokens, and per word.

    The columns are those of `pairlens.analysis.perplexity`; masked models have pseudo-perplexities.

    >>> pairlens.perplexity(["The keys are here.", "The keys is here."])["perplexity"].is_monotonic_increasing
    True
    """
    from pairlens.analysis.perplexity import perplexity_table
    from pairlens.store import Store

    request = asking(choices)
    recipe = request.recipe(model)
    return perplexity_table(texts_of(texts), recipe, Store(), watch=request.finish, rescore=request.rescore)


def compare(a: str, b: str, model: str | Iterable[str] = "english-small", **choices: Unpack[Choices]) -> Result:
    """Compare two sentences, or as many lines of sentences: which is likelier, and at which word it is decided.

    `margin` is the lead of A over B in the unit of the policy (per token if the policy compares means), `bits` the
    same in bits, NaN if something is not scored; `preferred` is `A`, `B`, `tie`, `undecided` (the last digits would
    decide) or `none` (something is not scored); of several models each is a series. `steps` has the difference by
    position, `words` a row per word, `tokens` a row per token, `pairs` a row per pair where there are several lines
    (`pairlens.studies.compare.tables`); with several models they have a column `model`.

    >>> found = pairlens.compare("The keys to the cabinet are here.", "The keys to the cabinet is here.")
    >>> found.preferred, found.steps.set_index("label")["difference"].idxmax()
    ('A', 'are | is')
    """
    from pairlens.store import Store

    asks, models = asking(choices), [model] if isinstance(model, str) else [*model]
    return ask(STUDY, Fields(*texts_of([a, b])), [asks.recipe(name) for name in models], Store())


def next_word(
    texts: str | Iterable[str],
    model: str = "english-small",
    *,
    by: str = "piece",
    prefix: bool = False,
    forms: str | Sequence[str] = (),
    **choices: Unpack[Choices],
) -> pd.DataFrame:
    """A row per position of each text: the actual and the likeliest next unit (docs/commands.md; nats).

    `by` is `piece` or `word`; with `prefix`, a row for what follows the text is added. With `forms`, a row per form
    after each text instead: sentence, prefix, form, prob (with the end of the word), form_only (both in nats),
    n_pieces, pieces, preferred.

    >>> pairlens.next_word("The keys to the cabinet", forms=["is", "are"]).set_index("form")["preferred"].to_dict()
    {'is': False, 'are': True}
    """
    from pairlens.store import Store
    from pairlens.studies.next_word.forms import compare_forms, forms_table, read_forms
    from pairlens.studies.next_word.pieces import predictor
    from pairlens.studies.next_word.table import next_word_table

    listed, recipe = texts_of(texts), asking(choices, SETS).recipe(model)
    opened = predictor(recipe)
    if not forms:
        return next_word_table(listed, recipe, opened, by=by, prefixes=prefix)
    named = read_forms(forms)
    return forms_table(compare_forms([(one, named) for one in listed], recipe, Store(), lambda: opened))


def expected(
    prefix: str, model: str = "english-small", *, by: str = "word", number: int = 10, **choices: Unpack[Choices]
) -> Continuations:
    """The likeliest words, or pieces, after a prefix: rank, text, logprob (nats), probability; drawn in a notebook.

    `by` is `word` or `piece`. Words are complete and include their ends; `attrs["proved"]` says whether the search
    was exhaustive enough to exclude a likelier word.

    >>> pairlens.expected("The keys to the", number=3)["rank"].tolist()
    [1, 2, 3]
    """
    from pairlens import measures
    from pairlens.studies.next_word.continuations import Continuations
    from pairlens.studies.next_word.pieces import cut, pieces_of, predictor, read_prefix
    from pairlens.studies.next_word.table import BY
    from pairlens.studies.next_word.top_words import top_words

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
    table = Continuations(rows, columns=["text", "logprob"])
    table.insert(0, "rank", range(1, len(table) + 1))
    table["probability"] = [measures.probability(value) for value in table["logprob"]]
    table.attrs |= {"prefix": prefix, "model": recipe.model.name, "by": by, "proved": proved}
    return table


def inside(
    first: str,
    second: str,
    forms: str | Sequence[str],
    model: str = "english-small",
    *,
    component: str = "residual",
    **choices: Unpack[Choices],
) -> Inside:
    """Put states of one beginning into the run of the other: how much of the decision between two forms moves.

    Of what is returned, `margins` are the leads of the first form after both beginnings, in bits; `cells` has a row
    per direction, layer and position: token, share (0 nothing, 1 all of the difference), bits, and random, the share
    that a random direction of the same size moves; `ladder` has the margins as each layer would have given them.
    `component` is residual, attention or mlp.

    >>> found = pairlens.inside("The keys to the cabinet", "The key to the cabinet", ["are", "is"])
    >>> embedding = found.cells.query("layer == 0 and direction == 'first'")
    >>> embedding.set_index("token")["share"].round(2).idxmax()
    '·key'
    """
    from pairlens.store import Store
    from pairlens.studies.inside import pair
    from pairlens.studies.inside.question import Question

    recipe = asking(choices, SETS).recipe(model)
    return pair.inside(Question.typed(first, second, forms), recipe, Store(), component=component)


def mean_map(
    data: Data,
    model: str = "english-small",
    *,
    component: str = "residual",
    factor: str = "",
    **choices: Unpack[Choices],
) -> MeanMap:
    """The mean map of many items, as a stored run: from one pair to a phenomenon.

    `data` has first, second, form_first and form_second, or is an experiment with a `factor` of two levels, an
    agreement set or minimal pairs (`pairlens.studies.inside.table`). Of what is returned, `cells` has a row per
    direction, layer and region: share with its 95 % interval over items, the same for both controls (`unrelated`,
    `random`), and bits; `run_id` names the run.

    >>> pairs = pd.DataFrame({"first": ["The keys", "The dogs"], "second": ["The key", "The dog"],
    ...                       "form_first": ["are", "are"], "form_second": ["is", "is"]})
    >>> cells = pairlens.mean_map(pairs).cells.query("direction == 'first' and layer == 0")
    >>> cells.set_index("region")["share"].round(1).to_dict()
    {'start': 0.0, 'The': 0.0, 'difference': 1.0}
    """
    from pairlens.evaluation import evaluate
    from pairlens.store import Store
    from pairlens.studies.inside import runs

    chosen, store = asking(choices, SETS), Store()
    with as_file(data) as path:
        request = runs.request_of(path, chosen.recipe(model), component, factor)
        named = runs.name_of(path) if isinstance(data, str | Path) else NAME
    context = evaluate.Context(store, data=named, rescore=chosen.rescore)
    last = chosen.finish(evaluate.run(request.planned, context))
    return runs.mean_map(store, last.run_id)
