"""Perplexity: against plain transformers code, with and without unknown words, per text and over a file."""

from collections import deque

import numpy as np
import pandas as pd
import pytest

from pairlens.analysis.perplexity import names, overall, perplexity_table
from pairlens.analysis.tokens import token_table
from pairlens.api import recipe as recipe_of
from pairlens.cli import main
from pairlens.identity import request_key
from pairlens.policies import Policy
from pairlens.store import Store
from pairlens.store.parts import Scored
from pairlens.types import Request

TEXTS = ["The keys to the cabinet are on the table.", "No author", "The keys to the cabinet are on the table."]


def table_of(recipe, texts=TEXTS):
    return perplexity_table(texts, recipe, Store(), watch=lambda steps: deque(steps, maxlen=1)[0])


def plain_losses(folder, text, start):
    """The loss of each token after the start symbol, as a model's own training would have it."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model, tokenizer = AutoModelForCausalLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    ids = torch.tensor([[*start, *tokenizer(text, add_special_tokens=False).input_ids]])
    with torch.inference_mode():
        logits = model(ids).logits[0, :-1]
    return torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none").double().numpy()


@pytest.mark.parametrize(("architecture", "start"), [("gpt2", 0), ("llama", 1)])
def test_it_is_exp_of_the_mean_loss(tiny, architecture, start):
    folder = tiny(architecture)
    recipe = recipe_of(str(folder))
    table = table_of(recipe)
    losses = [plain_losses(folder, text, [start]) for text in TEXTS]
    assert table["perplexity"].to_numpy() == pytest.approx([np.exp(one.mean()) for one in losses], rel=1e-4)
    assert table["scored"].tolist() == [len(one) for one in losses]
    assert table["words"].tolist() == [9, 2, 9]
    by_word = [np.exp(one.sum() / words) for one, words in zip(losses, [9, 2, 9], strict=True)]
    assert table["perplexity_word"].to_numpy() == pytest.approx(by_word, rel=1e-4)
    every = np.concatenate(losses)
    total = overall(table, recipe)
    assert total["perplexity"] == pytest.approx(np.exp(every.mean()), rel=1e-4)
    assert total["perplexity_word"] == pytest.approx(np.exp(every.sum() / 20), rel=1e-4)


def test_without_a_start_symbol_the_first_token_does_not_count_or_is_certain_as_nlpscholar_has_it(tiny):
    folder = tiny("gpt2")
    recipe = recipe_of(str(folder), policy=Policy(first_token="none"))
    table = table_of(recipe, ["The keys", "x"])
    losses = plain_losses(folder, "The keys", [])
    assert table["perplexity"].iloc[0] == pytest.approx(np.exp(losses.mean()), rel=1e-4)
    assert table["tokens"].iloc[0] - table["scored"].iloc[0] == 1
    assert table.loc[1, ["logprob", "perplexity", "perplexity_known", "perplexity_word"]].isna().all()
    assert overall(table, recipe)["perplexity"] == pytest.approx(table["perplexity"].iloc[0])
    table = table_of(recipe_of(str(folder), policy=Policy(first_token="one")), ["The keys to"])
    losses = plain_losses(folder, "The keys to", [])
    assert table["perplexity"].iloc[0] == pytest.approx(np.exp(losses.sum() / (len(losses) + 1)), rel=1e-4)


def test_unknown_tokens_can_be_left_out(tiny):
    folder = tiny("gpt2", tokenizer="unigram-eos")
    recipe = recipe_of(str(folder))
    text = "The 猫 keys"
    table = table_of(recipe, [text, "猫"])
    losses = plain_losses(folder, text, [2])
    from transformers import AutoTokenizer

    known = np.asarray(AutoTokenizer.from_pretrained(folder)(text, add_special_tokens=False).input_ids) != 3
    assert not known.all()
    assert table["unknown"].iloc[0] == (~known).sum()
    assert table["perplexity"].iloc[0] == pytest.approx(np.exp(losses.mean()), rel=1e-4)
    assert table["perplexity_known"].iloc[0] == pytest.approx(np.exp(losses[known].mean()), rel=1e-4)
    assert overall(table, recipe)["unknown"] == (~known).sum() + 1


def test_with_a_masked_model_it_is_another_measure_and_word_counts_do_not_say_what_is_unknown(tiny, unigram):
    recipe = recipe_of(str(tiny("bert")))
    table = table_of(recipe)
    assert set(names(recipe).values()) == {"pseudo_perplexity", "pseudo_perplexity_known", "pseudo_perplexity_word"}
    assert "perplexity" not in table and table["pseudo_perplexity"].gt(1).all()
    first = table.iloc[0]
    assert first["pseudo_perplexity"] == pytest.approx(np.exp(-first["logprob"] / first["scored"]))
    table = table_of(recipe_of(unigram), ["the cat sleeps"])
    assert table["unknown"].isna().all() and table["perplexity_known"].isna().all()
    assert table["perplexity"].gt(1).all()


@pytest.mark.parametrize("made", [perplexity_table, token_table])
def test_sums_that_are_kept_without_tokens_are_not_enough(unigram, made):
    """As those of a run that was imported without tokens."""
    recipe, store, texts = recipe_of(unigram), Store(), ["the cat sleeps"]
    (scores,) = recipe.open().score([Request("", texts[0])])
    key = request_key(recipe.fingerprint, recipe.request(Request("", texts[0])))
    store.add(recipe.fingerprint, [Scored(key, scores, ())], {}, tokens=False)
    steps = deque(maxlen=1)
    made(texts, recipe, store, watch=steps.extend)
    assert steps[0].scored == 1


def test_the_verb_prints_the_file_and_writes_the_texts(tiny, tmp_path, capsys):
    source, output = tmp_path / "texts.txt", tmp_path / "out.tsv"
    source.write_text("The keys\n\n   \nThe cat\n")
    assert main(["perplexity", "--model", str(tiny("gpt2")), "--input", str(source), "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("2 texts, ") and "\nperplexity\t" in printed and "unknown tokens left out" in printed
    written = pd.read_csv(output, sep="\t")
    assert written["text"].tolist() == ["The keys", "The cat"]
    assert main(["perplexity", "--model", str(tiny("gpt2")), "--input", str(source)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("item\ttext\ttokens\tscored\tunknown\twords") and "perplexity\t" in told.err
    assert main(["perplexity", "--input", str(tmp_path / "none.txt")]) == 2
