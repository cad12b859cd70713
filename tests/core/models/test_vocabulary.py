"""Word-level vocabularies: read, refused by line, and used by a small language model trained here."""

import math
import random

import numpy as np
import pytest

from pairlens.api import recipe as recipe_of
from pairlens.cli import main
from pairlens.errors import ModelError
from pairlens.evaluation.evaluate import evaluate
from pairlens.models import find, unknown_token
from pairlens.models.vocabulary import import_vocabulary, read_vocabulary, reads_whole_words
from pairlens.policies import preset_for
from pairlens.studies.lint.running import lint, token_counter
from pairlens.studies.next_word import SETS
from pairlens.studies.next_word.forms import compare_forms
from pairlens.studies.next_word.pieces import predictor
from pairlens.studies.next_word.table import next_word_table
from pairlens.studies.next_word.top_words import top_words
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import Request
from tests.refusals import error_of
from tests.toy_language import END

POLICY = preset_for("pairlens", SETS)
LANGUAGE = {
    "": {"the": 0.7, "a": 0.3},
    "the": {"key": 0.5, "keys": 0.5},
    "a": {"key": 1.0},
    "key": {"is": 0.9, "are": 0.1},
    "keys": {"is": 0.2, "are": 0.8},
    "is": {"here": 1.0},
    "are": {"here": 1.0},
    "here": {".": 0.6, END: 0.4},
    ".": {END: 1.0},
}
"""What follows each word, and how often."""
WORDS = [word for word in LANGUAGE if word]


def vocabulary(save, *tokens):
    return save("tokcodes", "\n".join(["<unk>", *tokens]) + "\n")


@pytest.mark.model
def test_transformers_loads_it_as_those_models_were_run_and_it_is_not_replaced(save, tmp_path, capsys):
    from transformers import AutoTokenizer

    source, folder = vocabulary(save, "<pad>", "<bos>", "<eos>", "<unk>", "l'", "office"), tmp_path / "made"
    assert main(["models", "import-vocabulary", str(source), "--output", str(folder)]) == 0
    assert "a tokenizer of 6 words" in capsys.readouterr().out
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer("l' office Office").input_ids == [1, 4, 5, 3]
    roles = tokenizer.bos_token, tokenizer.eos_token, tokenizer.unk_token, tokenizer.pad_token, tokenizer.pad_token_id
    assert roles == ("<bos>", "<eos>", "<unk>", "<pad>", 0)
    with pytest.raises(ModelError, match=r"tokenizer\.json already"):
        import_vocabulary(source, folder)
    assert main(["models", "import-vocabulary", str(tmp_path / "none"), "--output", str(folder / "other")]) == 2


def test_ids_are_lines_minus_two_and_what_is_no_vocabulary_is_refused_by_line(save):
    read = read_vocabulary(vocabulary(save, "<pad>", "<bos>", "l'", "Office", "<unk>", "<eos>", "office"))
    assert read == ("<unk>", {"<pad>": 0, "<bos>": 1, "l'": 2, "Office": 3, "<unk>": 4, "<eos>": 5, "office": 6})
    for tokens, sentence in {
        ("<pad>", "<bos>", "a", "<eos>", "<unk>", "a"): "tokcodes, line 7: 'a' is on line 4 already",
        ("<pad>", "<bos>", "", "<eos>", "<unk>"): "tokcodes, line 4: the line is empty",
        ("<pad>", "<bos>", "a b", "<eos>", "<unk>"): "tokcodes, line 4: 'a b' has white space",
        ("<pad>", "<bos>", "<eos>"): "tokcodes, line 1: expected the string for unknown words",
        ("<pad>", "<eos>", "<unk>"): "the start symbol <bos> is not among its 3 tokens",
        ("<pad>", "<bos>", "<unk>"): "the end symbol <eos> is not among",
        ("<bos>", "<pad>", "<eos>", "<unk>"): "line 2: expected <pad>, whose id is 0; found '<bos>'",
        (): "line 1: expected the string",
    }.items():
        assert sentence in error_of(lambda tokens=tokens: read_vocabulary(vocabulary(save, *tokens)))


def sentences(number):
    drawn = random.Random(0)
    for _ in range(number):
        words = [""]
        while words[-1] != END:
            follow = LANGUAGE[words[-1]]
            words += drawn.choices(list(follow), list(follow.values()))
        yield words[1:-1]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A word-level model of the toy language with an imported vocabulary; unknown words occur as `<unk>`."""
    import torch
    from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

    folder = tmp_path_factory.mktemp("word-level")
    (folder / "tokcodes").write_text("\n".join(["<unk>", "<pad>", "<bos>", "<eos>", "<unk>", *WORDS]) + "\n")
    size = import_vocabulary(folder / "tokcodes", folder / "model")
    tokenizer = AutoTokenizer.from_pretrained(folder / "model")
    rows = [[*tokenizer(" ".join(words)).input_ids, tokenizer.eos_token_id] for words in sentences(400)]
    ids = torch.nn.utils.rnn.pad_sequence([*map(torch.tensor, rows)], batch_first=True)
    torch.manual_seed(0)
    sizes = {"vocab_size": size, "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 16}
    still = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
    model = GPT2LMHeadModel(GPT2Config(**sizes, **still, bos_token_id=1, eos_token_id=2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.03)
    for step in range(100):
        some = ids[torch.arange(64) + 64 * (step % 6)]
        optimizer.zero_grad()
        model(some, labels=some.masked_fill(some == 0, -100)).loss.backward()
        optimizer.step()
    model.eval().save_pretrained(folder / "model")
    return folder / "model"


@pytest.fixture
def recipe(trained):
    return recipe_of(str(trained), policy=POLICY)


@pytest.mark.model
def test_nobody_is_told_to_join_the_words_of_a_word_level_model(trained, unigram, capsys):
    """Such models have read text cut into words: joined, it would be unknown words."""
    assert reads_whole_words(find(str(trained)))
    for model, told in ((str(trained), False), (unigram, True)):
        assert main(["score", "--model", model, "the key is n't here ."]) == 0
        assert ("cut into tokens" in capsys.readouterr().err) == told
    counter = token_counter(find(str(trained)))
    cut = [pair("pair_0", "the key is n't here .", "the keys is n't here .")]
    for reader, applies in ((counter, False), (None, True)):
        assert ("tokenised" in set(lint(cut, counter=reader).summary["check"])) == applies


@pytest.mark.model
def test_scores_are_those_of_plain_code_and_of_the_language_it_has_learned(trained, recipe):
    """What the model expects is what follows in the language: the vocabulary's ids and words belong together."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, tokenizer = AutoModelForCausalLM.from_pretrained(trained), AutoTokenizer.from_pretrained(trained)
    text = "the keys are qwerty ."
    ids = tokenizer(text).input_ids
    with torch.inference_mode():
        logprobs = model(torch.tensor([ids])).logits[0].double().log_softmax(-1).numpy()
    (scores,) = recipe_of(str(trained)).open().score([Request("", text)])
    assert scores.tokens == ("the", "keys", "are", "<unk>", ".") and list(scores.ids) == ids[1:]
    assert np.asarray(scores.logprobs) == pytest.approx(logprobs[range(5), ids[1:]], abs=1e-4)
    asked = predictor(recipe)
    for prefix, after in (("", ""), ("the keys", "keys"), ("the", "the"), ("a key is here", "here")):
        (answer,) = top_words(asked, [prefix], 2, POLICY)
        follow = {word if word != END else "<eos>": chance for word, chance in LANGUAGE[after].items()}
        told = {word.text: math.exp(word.logprob) for word in answer.words}
        assert answer.proved
        assert told == pytest.approx(follow, abs=0.12)


@pytest.mark.model
def test_each_token_is_a_word_so_that_both_tables_agree_and_unknown_forms_have_no_answer(
    recipe, store, trained, save
):
    """What ends the text after it is no end of the word: counting that would decide by which form may be the last."""
    asked = predictor(recipe)
    texts = ["the keys are here .", "the keys qwerty here . <eos>"]
    pieces, words = (next_word_table(texts, recipe, asked, by=by) for by in ("piece", "word"))
    columns = ["sentence", "token", "ref_next", "pred_next"]
    assert pieces[columns].equals(words[columns])
    by_words, by_pieces = (table[["ref_prob", "pred_prob"]].to_numpy() for table in (words, pieces))
    assert by_words == pytest.approx(by_pieces, abs=1e-5)
    assert pieces["token"].tolist()[:6] == ["<bos>", "the", "keys", "are", "here", "<bos>"]
    assert pieces["ref_next"].tolist()[5:] == ["the", "keys", "<unk>", "here", ".", "<eos>"]
    assert pieces["pred_next"].tolist()[2] == "are"
    assert unknown_token(recipe.model) == "<unk>"
    known, unknown = compare_forms([("the keys", ["is", "are"]), ("the keys", ["was", "were"])], recipe, store)
    assert known.ranked[0].text == "are" and known.ranked[0].whole == known.ranked[0].only
    assert unknown.outcome == "unknown" and unknown.margin == 0
    items = save("items.txt", "the keys are here .\nthe keys is here .\n")
    *_, last = evaluate(TASKS["agreement"], items, recipe_of(str(trained)), store, rule="word")
    word, form = (store.candidates(last.run_id, ends=ends)["logprob"].tolist() for ends in (True, False))
    assert word == form and form[0] > form[1]
