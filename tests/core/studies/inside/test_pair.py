"""The map of a pair: shares that are known beforehand, what cannot be aligned, what comes next."""

import numpy as np
import pytest

from pairlens import measures
from pairlens.errors import InputError, ModelError
from pairlens.policies import PRESETS
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.studies.inside import wording
from pairlens.studies.inside.pair import coming_next, inside, settled
from pairlens.studies.inside.question import SMALLEST, Question, share
from pairlens.studies.next_word.forms import compare_forms

pytestmark = pytest.mark.model
KEYS = Question("The keys to the cabinet", "The key to the cabinet", ("are", "is"))


@pytest.fixture(scope="module")
def recipe():
    return recipe_of("english-small")


@pytest.fixture(scope="module")
def found(recipe, tmp_path_factory):
    return inside(KEYS, recipe, Store(tmp_path_factory.mktemp("store")))


def cell(found, direction, layer, position):
    cells = found.cells.set_index(["direction", "layer", "position"])
    return cells.loc[(direction, layer, position)]


@pytest.mark.parametrize("forms", [("are", "is"), (".", "_'s"), ("_.", "'s")])
def test_margins_are_those_of_forms_compared_after_prefixes_with_or_without_word_ends(recipe, store, forms):
    question = Question("The dogs", "The dog", forms)
    plain = recipe_of("english-small", policy=PRESETS["pairlens"].but(word_value="sum"))
    for asked, value in ((recipe, "whole"), *([(plain, "only")] if forms == ("are", "is") else [])):
        compared = compare_forms([(text, forms) for text in question.beginnings], asked, store)
        first, second = ([getattr(one.forms[side], value) for one in compared] for side in (0, 1))
        expected = [measures.bits(one - other) for one, other in zip(first, second, strict=True)]
        assert inside(question, asked, store).margins == pytest.approx(expected, abs=1e-4)


def test_the_embedding_of_the_only_token_that_differs_moves_all_at_the_last_layer_the_end_and_random_less(found):
    for direction, sign in (("first", 1), ("second", -1)):
        moved = cell(found, direction, 0, 2)
        assert moved["share"] == pytest.approx(1, abs=1e-4)
        assert moved["bits"] == pytest.approx(sign * (found.margins[0] - found.margins[1]), abs=1e-3)
        for place in (0, 1, 3, 4, 5):
            assert cell(found, direction, 0, place)["bits"] == pytest.approx(0, abs=1e-4)
    assert cell(found, "first", 0, 2)["token"] == "·key" and cell(found, "second", 0, 2)["token"] == "·keys"
    last = found.cells[(found.cells["direction"] == "first") & (found.cells["layer"] == 6)]
    # The state before the form says all about the form; the end of its word is read after it.
    assert last["share"].to_numpy() == pytest.approx([0, 0, 0, 0, 0, 1], abs=0.01)
    first, second = found.margins
    bits = found.cells["bits"].to_numpy()
    difference = np.where(found.cells["direction"] == "first", first - second, second - first)
    assert found.cells["share"].to_numpy() == pytest.approx(bits / difference)
    assert abs(cell(found, "first", 0, 2)["random"]) < 0.5
    assert (found.cells.loc[found.cells["position"] < 2, "random"].abs() < 1e-4).all()
    assert np.isnan(share(np.array([1.0]), SMALLEST / 2)).all()
    assert share(np.array([1.0]), -2.0).tolist() == [-0.5]


def test_the_ladder_ends_with_the_margins_and_what_differs_in_its_number_of_tokens_has_no_cells(found, recipe, store):
    assert found.ladder["layer"].tolist() == [*range(7)]
    assert found.ladder[["first", "second"]].iloc[-1].to_numpy() == pytest.approx(found.margins, abs=1e-4)
    for margins, layer in (([1.0, -1, 1, 1], 2), ([1.0, 1], 0), ([-1.0, 1], 1)):
        assert settled(np.array(margins)) == layer
    found = inside(Question("The keys to the town", "The umbrellas to the town", ("are", "is")), recipe, store)
    one, other = found.tokens
    assert len(one) != len(other) and "without cells" in next(wording.remarks(found))
    assert (found.cells["donor_token"] == found.cells["token"]).all()
    assert len(found.cells) == 2 * 7 * len(one[:2] + one[3:])
    assert found.cells["bits"].abs().max() > 0.5  # later tokens carry it


def test_what_comes_next_changes_with_the_patch(recipe, store):
    asked = {"direction": "first", "layer": 0, "position": 2, "number": 5}
    table = coming_next(KEYS, recipe, store, **asked)
    plain, patched = (table.loc[table["patched"] == one, "token"].tolist() for one in (False, True))
    assert len(plain) == len(patched) == 5 and "·was" in plain[:2] and "·were" in patched[:2]
    expected = coming_next(KEYS, recipe, store, **{**asked, "direction": "second", "position": 0})
    assert patched == expected.loc[~expected["patched"], "token"].tolist()
    with pytest.raises(InputError, match="no counterpart"):
        coming_next(KEYS, recipe, store, **{**asked, "position": 9})


def test_questions_that_ask_nothing_models_of_other_kinds_and_forms_outside_the_vocabulary_are_refused(store, tiny):
    for question, why in (
        (("", "The key", ("are", "is")), "first beginning is empty"),
        (("The key", " The key ", ("are", "is")), "both beginnings are the same"),
        (("The key", "The keys", ("is", " is")), "two different forms"),
    ):
        with pytest.raises(InputError, match=why):
            Question(*question)
    for model in ("bilingual-masked", "english-seq2seq", "unigram-english"):
        with pytest.raises(ModelError, match="read from left to right"):
            inside(KEYS, recipe_of(model), store)
    folder = tiny("llama", tokenizer="unigram-eos")
    with pytest.raises(InputError, match="'日本' is not in the model's vocabulary"):
        inside(Question("The keys", "The key", ("日本", "is")), recipe_of(str(folder)), store)
