"""What comes next: against plain transformers code, and whole words against a list of all of them."""

import json
import math
import unicodedata
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pairlens.api import recipe as recipe_of
from pairlens.errors import ModelError, PolicyError
from pairlens.policies import Policy, preset_for
from pairlens.scoring.model_cache import ModelCache
from pairlens.store import Store
from pairlens.studies.next_word import SETS, wording
from pairlens.studies.next_word.forms import compare_forms, forms_table, guessed, read_forms, shared_prefixes
from pairlens.studies.next_word.pieces import cut, in_language, pieces_of, predictor, read_prefix, stretches, visible
from pairlens.studies.next_word.table import PUBLISHED, next_word_table
from pairlens.studies.next_word.top_words import next_tokens, places, top_words
from pairlens.studies.next_word.wording import form_table, piece_bars, word_bars
from pairlens.text.joining import following, joint
from pairlens.text.words import words
from pairlens.types import Extras, Predictor, Request
from tests.refusals import error_of
from tests.tiny import CAUSAL

POLICY = preset_for("pairlens", SETS)
SENTENCE = "The keys to the cabinet are on the table."


@cache
def opened(folder, policy=POLICY):
    recipe = recipe_of(str(folder), policy=policy)
    return recipe, predictor(recipe)


def form_choice(prefix, forms, recipe, asked):
    return compare_forms([(prefix, forms)], recipe, Store(), lambda: asked)[0]


@cache
def plain(folder):
    """The model as transformers loads it."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


def after(folder, ids):
    """Log-probabilities of what follows each of these ids, by plain code."""
    import torch

    model, _ = plain(folder)
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits[0].double().log_softmax(-1).numpy()


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gemma"])
def test_by_piece_is_what_plain_code_says_and_by_word_has_the_values_of_words(tiny, architecture):
    recipe, asked = opened(folder := tiny(architecture))
    _, tokenizer = plain(folder)
    table = next_word_table([SENTENCE], recipe, asked)
    ids = [tokenizer.bos_token_id, *tokenizer(SENTENCE, add_special_tokens=False).input_ids]
    logprobs = after(folder, ids)[:-1]
    assert tuple(table.columns) == ("sentence", *PUBLISHED, "entropy_bits") and len(table) == len(ids) - 1
    assert table["ref_prob"].to_numpy() == pytest.approx(logprobs[range(len(table)), ids[1:]], abs=1e-4)
    assert table["pred_prob"].to_numpy() == pytest.approx(logprobs.max(-1), abs=1e-4)
    shown = pieces_of(asked.tokenizer).shown
    assert table["token"].tolist() == [shown[id] for id in ids[:-1]]
    assert table["ref_next"].tolist() == [shown[id] for id in ids[1:]]
    assert table["pred_next"].tolist() == [shown[id] for id in logprobs.argmax(-1)]
    entropies = -(np.exp(logprobs) * logprobs).sum(-1) / math.log(2)
    assert table["entropy_bits"].to_numpy() == pytest.approx(entropies, abs=1e-3)
    table = next_word_table([SENTENCE], recipe, asked, by="word")
    (scores,) = asked.score([Request("", SENTENCE)], Extras(boundary=True))
    found = words(scores, SENTENCE, recipe.policy)
    assert table["ref_next"].tolist() == [word.text for word in found]
    assert architecture != "gpt2" or table["ref_next"].tolist() == [*SENTENCE[:-1].split(), "."]
    assert table["ref_prob"].to_numpy() == pytest.approx([word.value for word in found])
    assert (table["pred_prob"] >= table["ref_prob"] - 1e-4).all()


def test_a_prefix_has_one_more_row_without_ref_next(tiny):
    recipe, asked = opened(folder := tiny("gpt2"))
    whole = next_word_table([SENTENCE], recipe, asked)
    table = next_word_table([SENTENCE, ""], recipe, asked, prefixes=True)
    first = table[table["sentence"] == 1]
    pd.testing.assert_frame_equal(first.iloc[:-1], whole, check_dtype=False)
    _, tokenizer = plain(folder)
    logprobs = after(folder, [tokenizer.bos_token_id, *tokenizer(SENTENCE).input_ids])
    assert first["pred_prob"].iloc[-1] == pytest.approx(logprobs[-1].max(), abs=1e-4)
    beginning = table[table["sentence"] == 2]
    assert beginning["token"].tolist() == ["<|endoftext|>"]
    assert beginning["pred_prob"].tolist() == pytest.approx([logprobs[0].max()], abs=1e-4)
    assert table["ref_next"].isna().sum() == table["ref_prob"].isna().sum() == 2


def test_an_end_symbol_has_a_row_a_first_token_without_start_none_and_what_is_left_out_is_missing(tiny):
    recipe, asked = opened(folder := tiny("llama"))
    _, tokenizer = plain(folder)
    logprobs = after(folder, [1, *tokenizer("The keys", add_special_tokens=False).input_ids])
    for by in ("piece", "word"):
        table = next_word_table(["The keys </s>"], recipe, asked, by=by)
        assert table["ref_next"].iloc[-1] == "</s>"
    assert len(table) == 3
    piece = next_word_table(["The keys </s>"], recipe, asked)
    assert piece["ref_prob"].iloc[-1] == pytest.approx(logprobs[-1, tokenizer.eos_token_id], abs=1e-4)
    recipe, asked = opened(folder := tiny("gpt2"), POLICY.but(first_token="none"))
    ids = plain(folder)[1](SENTENCE).input_ids
    table = next_word_table([SENTENCE], recipe, asked)
    assert len(table) == len(ids) - 1
    assert table["ref_prob"].to_numpy() == pytest.approx(after(folder, ids)[range(len(table)), ids[1:]], abs=1e-4)
    assert next_word_table(["The keys"], recipe, asked, by="word")["token"].tolist() == ["The"]
    assert "nothing stands before a text" in error_of(lambda: next_word_table([""], recipe, asked, prefixes=True))
    recipe, asked = opened(tiny("gpt2"), POLICY.but(first_token="bos-unscored"))
    table = next_word_table(["The keys are here."], recipe, asked, by="word")
    assert table["ref_prob"].isna().tolist() == [True, False, False, False, False]


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A model over the letters a and b: `ab` is one piece, so that `a` and `b` in a row are never cut apart."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("small")
    listed = ["<s>", "</s>", "▁", "a", "b", "ab", "▁a", ".", "▁b", "▁ab"]
    merges = [("a", "b"), ("▁", "ab"), ("▁", "a"), ("▁", "b")]
    backend = Tokenizer(models.BPE({token: id for id, token in enumerate(listed)}, merges))
    backend.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    backend.decoder = decoders.Metaspace()
    fast = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<s>", eos_token="</s>")
    torch.manual_seed(5)
    sizes = {"vocab_size": len(listed), "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 32}
    model = GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=0, eos_token_id=1))
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.5)
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


@cache
def all_words(asked, prefix, policy):
    """Each word of up to five letters after a prefix, by scoring the text that ends with it; a mark ends a word."""
    between = " " if prefix else ""
    spelled = ["".join(letters) for n in range(1, 6) for letters in product("ab.", repeat=n)]
    texts = [prefix + between + word for word in spelled]
    scores = asked.score([Request("", text) for text in texts], Extras(boundary=True))
    found = {}
    for word, text, one in zip(spelled, texts, scores, strict=True):
        *_, last = words(one, text, policy) or [None]
        if last is not None and last.text == word and (policy.punctuation == "previous" or "." not in word):
            found[word] = last.value
    return found


@pytest.mark.model
@pytest.mark.parametrize(
    ("prefix", "punctuation"), [("", "previous"), ("a", "ignore"), ("ab b", "previous"), ("b ab.", "ignore")]
)
def test_the_likeliest_words_are_those_of_a_list_of_all_words(small, prefix, punctuation):
    policy = Policy(punctuation=punctuation)
    _, asked = opened(small, policy)
    expected = all_words(asked, prefix, policy)
    (answer,) = top_words(asked, [prefix], 8, policy)
    assert answer.proved
    told = {word.text: word.logprob for word in answer.words if not word.ends_text}
    short = {word: value for word, value in told.items() if len(word) <= 5}
    assert len(short) >= 4 and short == pytest.approx({word: expected[word] for word in short}, abs=1e-4)
    worst = min(word.logprob for word in answer.words)
    assert {word for word, value in expected.items() if value > worst + 1e-4} <= told.keys()


@pytest.mark.model
def test_where_marks_are_words_a_word_ends_at_them_and_all_have_no_more_than_all_of_the_probability(small):
    _, asked = opened(small)
    (answer,) = top_words(asked, ["a b"], 8, POLICY)
    told = {word.text: word for word in answer.words}
    expected = all_words(asked, "a b", POLICY)
    worst = answer.words[-1].logprob
    assert {word for word, value in expected.items() if value > worst + 1e-4} <= told.keys()
    values = {text: told[text].logprob for text in told if text in expected}
    assert values == pytest.approx({text: expected[text] for text in values}, abs=1e-4)
    assert {word.before for word in answer.words if set(word.text) <= set("ab")} == {" "}
    assert told["."].before == ""
    (scores,) = asked.score([Request("", "a b.")], Extras(boundary=True))
    mass = np.logaddexp.reduce([scores.boundary_logprobs[2], scores.eos_logprobs[2], scores.punctuation_logprobs[2]])
    assert told["."].logprob == pytest.approx(scores.logprobs[2] - mass, abs=1e-4)
    assert told["</s>"].ends_text and told["</s>"].logprob == pytest.approx(scores.eos_logprobs[2] - mass, abs=1e-4)
    (answer,) = top_words(asked, ["a"], 8, POLICY, limit=2)
    assert not answer.proved and answer.looked_at <= 2
    (answer,) = top_words(opened(small, Policy())[1], ["a b"], 400, Policy(), limit=2000)
    assert 0.5 < sum(math.exp(word.logprob) for word in answer.words) <= 1.001


@pytest.mark.model
@pytest.mark.parametrize("punctuation", ["previous", "separate"])
def test_a_guess_has_the_probability_and_the_place_of_its_word(small, punctuation):
    policy = POLICY.but(punctuation=punctuation)
    recipe, asked = opened(small, policy)
    read = read_prefix("ab a", recipe)
    n_tokens = len(asked.tokenizer.backend.encode(read, add_special_tokens=False).ids)
    seen = next_tokens(read, n_tokens, asked, policy)
    (more,) = top_words(asked, [read], 40, policy)
    spaced = [word for word in more.words if word.text.isalpha() and word.before]
    for word in (*spaced[:3], spaced[-1]):
        form = guessed("ab a ", word.text, recipe, Store(), lambda: asked)
        assert form.whole == pytest.approx(word.logprob, abs=1e-3)
        said, share = wording.guess(form, seen), wording.share(math.exp(form.whole))
        assert said.startswith(f"You guessed “{word.text}” ({share}): ")
        listed = [one.text for one in seen.words.words if not one.ends_text]
        place = listed.index(word.text) + 1 if word.text in listed else 0
        end = {0: "not among the likeliest words.", 1: "the likeliest word."}
        assert said.endswith(end.get(place, f"number {place} of the likeliest words."))


@pytest.mark.model
def test_outputs_without_an_entry_in_the_vocabulary_make_no_word(small, tmp_path):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(small)
    model.resize_token_embeddings(16)
    model.save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(small).save_pretrained(tmp_path)
    _, asked = opened(tmp_path)
    assert asked.tokenizer.size == 10
    (answer,) = top_words(asked, ["a"], 4, POLICY)
    wanted = sorted(all_words(asked, "a", POLICY).items(), key=lambda one: -one[1])
    assert next(word.text for word in answer.words if not word.ends_text) == wanted[0][0]


@pytest.mark.model
def test_the_answer_does_not_depend_on_what_is_asked_beside_it_and_the_vocabulary_is_sorted(small):
    _, asked = opened(small)
    texts = ["a", "ab ab", "", "b", "a"]
    alone = [top_words(asked, [text], 3, POLICY)[0] for text in texts]
    together, apart = ([[word.text for word in answer.words] for answer in answers]
                       for answers in (top_words(asked, texts, 3, POLICY), alone))  # fmt: skip
    assert together == apart
    pieces = pieces_of(asked.tokenizer)
    names = json.loads(asked.tokenizer.backend.to_str())["model"]["vocab"]
    assert {name for name, id in names.items() if pieces.spaced[id]} == {"▁", "▁a", "▁b", "▁ab"}
    assert {name for name, id in names.items() if pieces.marks[id]} == {"."}
    assert {name for name, id in names.items() if pieces.other[id]} == {"a", "b", "ab"} and not pieces.whole


@pytest.mark.parametrize(
    ("architecture", "prefix"),
    [("gpt2", "The keys to the"), ("llama", ""), ("gemma", "She said ("), ("gpt2", "日本"), ("llama", "Él"),
     ("gemma", "The keys to the")],
)  # fmt: skip
def test_each_likeliest_word_has_its_value_as_a_word_of_the_text(tiny, architecture, prefix):
    policy = Policy()
    _, asked = opened(tiny(architecture), policy)
    (answer,) = top_words(asked, [prefix], 4, policy, limit=64)
    for word in answer.words:
        if not word.ends_text:
            text = prefix + word.before + word.text
            (scores,) = asked.score([Request("", text)], Extras(boundary=True))
            (value,) = words(scores, text, policy, spans=[(len(text) - len(word.text), len(text))])
            assert word.logprob == pytest.approx(value.value, abs=1e-3), (word, value)


def word_ends(asked, tokenizer):
    """Ids of what ends a word."""

    def ends(character):
        mark = unicodedata.category(character).startswith("P") and character not in "'’-‑‐ʼ＇"
        return mark or character.isspace()

    texts = enumerate(asked.tokenizer.texts())
    return [*(id for id, text in texts if text and ends(text[0])), tokenizer.eos_token_id]


@pytest.mark.model
def test_a_decision_may_turn_when_the_end_of_the_word_counts_which_what_the_next_word_touches_has_not():
    choice = form_choice("The boy", ["laugh", "laughs"], *opened(Path("english-small")))
    assert choice.flips and choice.ranked[0].text == "laughs" and choice.likeliest_beginning.text == "laugh"
    said = wording.sentence(choice, "bits")
    assert said.startswith("The boy … Prefers laughs by ") and "form only would say laugh." in said
    assert "laugh is the beginning of laughs" in said
    table = forms_table([choice])
    assert table["preferred"].tolist() == [False, True] and table["n_pieces"].tolist() == [1, 2]
    assert "otherwise in 1; one form is the beginning of another in 1" in wording.tally([choice])
    recipe, asked = opened(Path("french-small"))
    elided, whole = form_choice("Il aime", ["l'", "la"], recipe, asked).forms
    (la,) = asked.score([Request("Il aime", " la")], Extras(boundary=True))
    begun = -np.logaddexp.reduce([la.boundary_logprobs[0], la.eos_logprobs[0], la.punctuation_logprobs[0]])
    assert elided.whole - elided.only == pytest.approx(begun, abs=1e-6) and whole.whole < whole.only + begun


def test_equal_forms_are_a_tie_unknown_ones_have_no_answer_and_whole_words_need_word_ends(tiny):
    choice = form_choice("The", ["cat", "cat "], *opened(tiny("gpt2")))
    assert choice.outcome in ("tie", "decided")  # the space at the end is a piece of its own
    choice = form_choice("The", ["猫", "犬"], *opened(tiny("gpt2", tokenizer="unigram-eos")))
    assert choice.outcome == "unknown"
    assert wording.decision(choice, "bits") == "No answer: not in this model's vocabulary: 猫, 犬."
    assert not choice.flips and not any("form only" in remark for remark in wording.remarks(choice))
    _, asked = opened(tiny("gpt2"), Policy())
    assert "another word value" in error_of(lambda: top_words(asked, ["a"], 1, Policy(word_value="sum")), PolicyError)
    _, wordpiece = opened(tiny("gpt2", tokenizer="wordpiece"), Policy(first_token="none"))
    assert "do not show where words begin" in error_of(lambda: top_words(wordpiece, ["the"], 1, Policy()), ModelError)
    seen = next_tokens("the", 1, wordpiece, Policy())
    assert seen.words is None and "do not show" in seen.no_words and seen.pieces["goes_on"].isna().all()
    assert wording.expectation(seen).startswith("Expects ")


def test_forms_are_read_from_a_line_and_sentences_that_differ_in_one_word_are_twins():
    assert read_forms("is, are / were|is") == ["is", "are", "were"]
    assert read_forms('".", ",", " -se"; _\'s, " is", ", \'') == [".", ",", "_-se", "_'s", "is", '"', "'"]
    assert read_forms([" -se", "de, pois ", " is", "is"]) == ["_-se", "de, pois", "is"]
    assert "two or more forms" in error_of(lambda: read_forms("is,"))
    assert "13 forms" in error_of(lambda: read_forms(",".join("abcdefghijklm")))
    lines = ["The keys are here.", "The keys is here.", "Is it?", "Are it?"]
    assert shared_prefixes(lines) == [("The keys", ("are", "is")), ("", ("Is", "Are"))]
    assert shared_prefixes(lines[:3]) == []
    assert shared_prefixes(["The keys are here.", "The key is here."]) == []
    assert shared_prefixes(["One word more.", "One word more here."]) == []
    assert shared_prefixes(["The same.", "The same."]) == []


TOUCHED = ["", "l'", "Il sait qu’", "He said (", 'He said "', "«", "日本", "日本。", "wait--", "„", "He said “",
           "小男孩游了", "小男孩 ("]  # fmt: skip
SPACED = ["The key", "the dogs'", 'He said "yes"', "wait -", "end.", "Er sagte: „Ja“", "»Ja«", "« a »", "„‚Ja‘",
          "小男孩 游 了", "小男孩 游 了 泳。"]  # fmt: skip


@pytest.mark.parametrize(
    ("prefix", "joined"),
    [("Ela sentou", ["-se", "-nos", " depois", " —", " - ", " -- "]), ("Parle", ["-t-il", "-là", " il"]),
     ("The dog", ["'s", "’s", "'ll", "’", "…", "...", "%", "?!", ")", "/or", " is", " (", " “", " «", " &", " #1"]),
     ("Does", ["n't", "N’T", " not", " nt"]), ("I like", [" 'em", " ’tis", " '90s", " 'so'", ' "', ' "so"', " €"]),
     ('He said "yes', ['"', '".', " too"]), ("Il aime", [" l'", " la", "!", "»"]), ("Il aime l'", ["eau", "un"]),
     ("他喜欢", ["狗", "。", "「", "dogs"]), ("The word", ["狗", "ไทย", "。"]), ("¿", ["Que"]), ("Si", [" ¿", "؟"]),
     ("Er sagte: „Ja", ["“", "“.", " „", " ist"]), ("„‚Ja", ["‘", "‘“"]), ("„Ja“, sagt er:", [" “", " „"]),
     ("He said “yes", ["”", " “"]), ("»Ja", ["«", " ist"]), ("« a » et", [" «"]),
     ("小男孩 游 了", [" 泳", "。", " 很久", "」"]), ("子供 が", [" 泳ぐ", " dogs"]), ("小男孩游了", ["泳"]),
     ("", ["Is", "-se", "'s"])],
)  # fmt: skip
def test_a_form_touches_its_text_or_follows_a_space(prefix, joined):
    for form in map(str.rstrip, joined):
        bare = form.strip()
        assert following(prefix, bare) == form, bare
        assert following(prefix, f"_{bare}") == (f" {bare}" if prefix else bare)
        assert following(prefix, bare, always=True) == (f" {bare}" if prefix else bare)


@pytest.mark.parametrize(
    ("prefix", "forms", "texts", "after_space"),
    [("The dog", ["'s", "is", "."], ["The dog's", "The dog is", "The dog."], False),
     ("The dog", ["_'s", "is", "_."], ["The dog 's", "The dog is", "The dog ."], True),
     ("She does", ["n't", "not"], ["She doesn't", "She does not"], True),
     ("The dog", ["+s", "barked"], ["The dogs", "The dog barked"], True)],
)  # fmt: skip
@pytest.mark.model
def test_forms_that_touch_their_text_are_as_likely_as_transformers_says(prefix, forms, texts, after_space):
    """What is given is the text up to the first token that not all have; after a space also that a word has ended."""
    recipe, asked = opened(Path("english-small"))
    tokenizer = plain(recipe.model.folder)[1]
    rows = [tokenizer(text).input_ids for text in texts]
    shared = min(sum(a == b for a, b in zip(row, tokenizer(prefix).input_ids, strict=False)) for row in rows)
    end = word_ends(asked, tokenizer)
    choice = form_choice(prefix, forms, recipe, asked)
    for form, row in zip(choice.forms, rows, strict=True):
        said = after(recipe.model.folder, row)
        only = sum(said[place - 1, row[place]] for place in range(shared, len(row)))
        ends = np.logaddexp.reduce(said[:, end], axis=1)
        assert form.only == pytest.approx(only, abs=1e-4)
        assert form.whole == pytest.approx(only + ends[-1] - after_space * ends[shared - 1], abs=1e-4)
    assert choice.begun == {"She does": "does"}.get(prefix, "dog" if "+s" in forms else "")


def test_at_each_place_uncertainty_is_told_and_the_likeliest_pieces_are_those_of_plain_code(tiny):
    recipe, asked = opened(folder := tiny("gpt2"))
    seen = places("The keys to", asked)
    table = next_word_table(["The keys to"], recipe, asked, prefixes=True)
    assert seen["entropy"].to_numpy() == pytest.approx(table["entropy_bits"].to_numpy(), abs=1e-4)
    assert seen["label"].tolist() == table["token"].tolist()
    assert seen["text"].iloc[0] == "" and seen["text"].iloc[-1] == "The keys to"
    assert places("", asked)["entropy"].tolist() == pytest.approx([seen["entropy"].iloc[0]], abs=1e-4)
    unstarted = places("The keys to", opened(tiny("gpt2"), POLICY.but(first_token="none"))[1])
    assert unstarted["text"].iloc[0] != "" and len(unstarted) == len(seen) - 1
    _, tokenizer = plain(folder)
    ids = [tokenizer.bos_token_id, *tokenizer("The keys to").input_ids]
    seen = next_tokens("The keys to the cabinet", len(ids) - 1, asked, recipe.policy)
    best = np.sort(np.exp(after(folder, ids)[-1]))[::-1][:10]
    assert seen.text == "The keys to"
    assert seen.pieces["probability"].to_numpy() == pytest.approx(best, rel=1e-3)
    assert seen.pieces["goes_on"].dropna().between(0, 1).all()
    assert (seen.pieces["piece"].str.endswith("…") == (seen.pieces["goes_on"] >= 0.05)).all()


def test_only_models_that_read_left_to_right_are_asked_also_those_in_the_cache(tiny):
    for architecture, said in (("bert", "from both sides"), ("t5", "one text from another")):
        with pytest.raises(ModelError, match=said):
            predictor(recipe_of(str(tiny(architecture))))
    cache = ModelCache(1_000)
    recipe, asked = opened(tiny("gpt2"))
    kept = predictor(recipe, lambda: cache.scorer(recipe))
    assert kept.start == asked.start and cache.holds(recipe)
    (one,), (other,) = (top_words(each, ["The"], 2, POLICY) for each in (kept, asked))
    assert [word.text for word in one.words] == [word.text for word in other.words]
    assert not isinstance(cache.scorer(recipe_of(str(tiny("bert")))), Predictor)


@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
def test_odd_prefixes_are_answered_and_parts_of_characters_are_bytes_that_go_on_with_words(tiny, architecture):
    recipe, asked = opened(tiny(architecture))
    for typed in ("The keys  ", "👍🏽", "שלום עולם", "été ’ ", "a\tb\n", "x" * 200, "İstanbul"):
        prefix = read_prefix(typed, recipe)
        assert prefix == typed.rstrip()
        seen = places(prefix, asked)
        assert np.isfinite(seen["entropy"]).all()
        told = next_tokens(prefix, int(seen["position"].iloc[-1]), asked, recipe.policy)
        assert told.text == prefix and len(told.pieces) == 10
        assert wording.expectation(told).startswith("Expects ")
        for bars in (word_bars(told), piece_bars(told)):
            assert list(bars.columns) == ["rank", "label", "adds", "probability", "remark"]
            assert bars["probability"].is_monotonic_decreasing
    pieces, cut = pieces_of(asked.tokenizer), asked.tokenizer.backend.encode("x ש", add_special_tokens=False)
    assert [pieces.shown[id] for id in cut.ids[-2:]] == ["<0xD7>", "<0xA9>"]
    assert all(pieces.other[id] for id in cut.ids[-2:])
    assert not pieces.other[list(asked.tokenizer.reserved)].any()


def test_chances_prefixes_and_pieces_are_shown_so_that_they_can_be_seen():
    shares = [wording.share(value) for value in (0.5587, 0.0645, 0.00123, 1.74e-7)]
    assert shares == ["56 %", "6.5 %", "0.12 %", "0.000017 %"]
    assert wording.uncertainty(3.0) == "Entropy 3.0 bits: like 8.0 equally likely tokens."
    assert wording.uncertainty(math.nan) == ""
    assert [prefix for prefix in TOUCHED + SPACED if joint(prefix) == " "] == SPACED
    assert [prefix for prefix in TOUCHED + SPACED if joint(prefix) == ""] == TOUCHED
    assert {joint(prefix, always=True) for prefix in TOUCHED[1:] + SPACED} == {" "} and joint("", always=True) == ""
    assert following("The dog", "+s") == "s" and following("C", "+1") == " +1" and following("a", "_") == " _"
    assert [visible(text) for text in (" the", "the", "\n", "  a b")] == ["·the", "the", "↵", "··a b"]


@pytest.mark.parametrize("architecture", ["gpt2", "opt"])
def test_after_a_text_is_expected_what_scoring_it_reports(tiny, architecture):
    texts = ["The keys", "The keys to the cabinet are on the table. " * 8 + "She"]
    for policy in (POLICY, POLICY.but(first_token="none"), POLICY.but(first_token="separate"), POLICY.but(window=9)):
        _, asked = opened(tiny(architecture), policy)
        scores = asked.score([Request("", text) for text in texts], Extras(boundary=True))
        said = asked.expect([one.ids for one in scores], 3)
        for number, one in enumerate(scores):
            row = said.row(number)
            assert row.eos_logprobs[0] == pytest.approx(one.eos_logprobs[-1], abs=1e-4)
            assert row.boundary_logprobs[0] == pytest.approx(one.boundary_logprobs[-1], abs=1e-4)
            assert row.punctuation_logprobs[0] == pytest.approx(one.punctuation_logprobs[-1], abs=1e-4)
            assert row.ids.shape == row.logprobs.shape == (1, 3) and (np.diff(row.logprobs) <= 0).all()


@pytest.mark.parametrize(("architecture", "stride"), [("gpt2", 0), ("opt", 3)])
def test_the_beginnings_of_a_long_text_are_read_in_its_own_windows(tiny, architecture, stride):
    _, asked = opened(tiny(architecture), POLICY.but(window=12, stride=stride))
    (whole,) = asked.score([Request("", SENTENCE * 3)], Extras(entropy=True, top=1))
    ids = whole.ids
    assert len(ids) > 3 * asked.window
    said = asked.expect([ids[:place] for place in range(len(ids))], 1, [len(ids)] * len(ids))
    assert said.entropies == pytest.approx(whole.entropies, abs=1e-5)
    assert said.logprobs[:, 0] == pytest.approx([top[0][1] for top in whole.tops], abs=1e-5)
    apart = asked.expect([ids[:place] for place in range(len(ids))], 1)
    assert apart.entropies != pytest.approx(whole.entropies, abs=1e-5)


@pytest.mark.model
def test_the_examples_are_what_their_notes_say_and_by_word_nothing_is_likelier_than_the_likeliest():
    text = "The keys to the cabinet are on the table, and he was the man who had seen it. " * 2
    table = next_word_table([text], *opened(Path("english-small"), POLICY.but(window=16)), by="word")
    assert (table["ref_prob"] <= table["pred_prob"] + 1e-4).all()
    same = table[(table["ref_next"] == table["pred_next"]) & table["ref_next"].str.isalpha()]
    assert len(same) > 3
    assert same["ref_prob"].to_numpy() == pytest.approx(same["pred_prob"].to_numpy(), abs=1e-5)
    recipe, asked = opened(Path("english-small"))
    examples = {example.title: example for example in in_language("en")}
    for title, best in {"Agreement past another noun": "are", "The nearest noun wins": "are",
                        "One letter before": "apple", "A word must end": "laughs"}.items():  # fmt: skip
        choice = form_choice(examples[title].prefix, read_forms(examples[title].forms), recipe, asked)
        assert choice.ranked[0].text == best
    assert choice.flips
    bits = {title: places(example.prefix, asked)["entropy"].iloc[-1] for title, example in examples.items()}
    assert bits["Nearly certain"] == min(bits.values()) < 5 and bits["Wide open"] == max(bits.values())
    rows = form_table(choice, "bits").frame
    assert rows["form"].tolist() == ["laughs", "laugh"] and rows["n_pieces"].tolist() == [2, 1]
    assert rows["whole"].diff().iloc[1] == pytest.approx(choice.margin / math.log(2))


@pytest.mark.parametrize("architecture", CAUSAL)
def test_a_prefix_cut_a_few_words_at_a_time_has_the_tokens_of_the_whole(tiny, architecture):
    _, asked = opened(tiny(architecture))
    repeated = [SENTENCE + " ", "L'élève qu'il a vu à l'école,  un jour\n", "日本語", "a1 b2 3 4 'tis don't (x) …  "]
    texts = [*(text * 5 for text in repeated), "", " a", "a "]
    for text in texts:
        for end in range(0, len(text) + 1, 17):
            whole = tuple(asked.tokenizer.backend.encode(text[:end], add_special_tokens=False).ids)
            assert cut(asked.tokenizer, text[:end]) == whole
            assert "".join(stretches(asked.tokenizer, text[:end])) == text[:end]
