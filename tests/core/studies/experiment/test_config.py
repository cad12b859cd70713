"""NLPScholar's configuration files: keys, defaults, and what is refused in a sentence that names file and key."""

from pathlib import Path

import pytest

from pairlens.analysis.experiment import Analysis
from pairlens.errors import PairlensError
from pairlens.studies.experiment.config import KEYS, read_config
from pairlens.studies.experiment.running import Chosen
from pairlens.training.options import Options
from tests.refusals import error_of

ANALYZE = """
exp: MinimalPair
mode: [analyze]
models: {hf_causal_model: [gpt2]}
datafpath: data.tsv
predfpath: pred.tsv
resultsfpath: results.tsv
"""
EVALUATE = ANALYZE.replace("[analyze]", "evaluate")
TRAIN = """
mode: train
models: {hf_masked_model: [./bert]}
trainfpath: text.txt
modelfpath: new
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """`read("key: value")`: what a file says, in a folder where the files it names are."""
    monkeypatch.chdir(tmp_path)
    for name in ("data.tsv", "pred.tsv", "text.txt"):
        (tmp_path / name).write_text("x\n")

    def parse(text, more=""):
        (tmp_path / "config.yaml").write_text(text + more, encoding="utf-8")
        return read_config(Path("config.yaml"))

    return parse


def test_the_published_defaults_hold_and_the_published_preset_brings_what_is_not_said(read):
    asked, remarks = read(ANALYZE)
    assert asked.modes == ("analyze",) and asked.models == (Chosen("gpt2", "causal"),) and not remarks
    assert (asked.data, asked.predictions, asked.results) == tuple(map(Path, ("data.tsv", "pred.tsv", "results.tsv")))
    assert asked.save == ("by_word", "by_pair", "by_cond") and asked.roles == {"conditions": ()}
    assert asked.analysis == Analysis(word_summary="mean") and asked.policy.name == "pairlens"
    asked, _ = read(ANALYZE, "preset: nlpscholar\nword_summary: sum\npunctuation: next\n")
    assert asked.published and asked.policy.first_token == "one"
    wanted = Analysis(
        word_summary="sum", punctuation="next", word_probability="mean", fold="nlpscholar", ties="wrong"
    )
    assert asked.analysis == wanted and read(ANALYZE.replace("datafpath: data.tsv", ""))[0].data is None


def lines(*keys):
    """Keys with their values, parted by ` / `."""
    return " / ".join(keys).replace(" / ", "\n")


def test_every_key_arrives(read):
    keys = lines(
        "pred_measure: perplexity / word_summary: sum / punctuation: ignore / conditions: number, long_dist,",
        "save: by_word, by_cond / sep: ';' / expected: good / unexpected: bad / item: frame / ROI: region",
        "region_summary: sum / spill: 2 / interaction: number, long_dist / contrast: sg - pl / device: best",
        "precision: 16bit / PLL_type: original / doLower: True / addPrefixSpace: True / stride: 20 / batchSize: 3",
        "tokenizers: {hf_tokenizer: [gpt2]}",
    )
    asked, _ = read(EVALUATE, keys)
    assert asked.analysis == Analysis(
        measure="perplexity", word_summary="sum", region_summary="sum", punctuation="ignore", spill=2
    )
    policy = asked.policy
    assert (policy.pll, policy.dtype, policy.leading_space, policy.stride) == ("original", "float16", True, 20)
    assert asked.roles == {
        "conditions": ("number", "long_dist"), "expected": "good", "unexpected": "bad", "item": "frame",
        "roi": "region",
    }  # fmt: skip
    assert asked.save == ("by_word", "by_cond") and asked.delimiter == ";" and asked.lower_case
    assert (asked.interaction, asked.contrast) == (("number", "long_dist"), "sg - pl")
    assert (asked.device, asked.batch_size) == ("auto", 3)


def test_training_has_its_published_defaults_and_keys_and_a_preset_unless_a_flag_takes_its_place(read, tmp_path):
    asked, _ = read(TRAIN)
    assert asked.training is not None and asked.training.options == Options()
    assert Options().epochs == 2 and Options().learning_rate == 5e-5 and Options().seed == 23
    keys = lines(
        "validfpath: data.tsv / textLabel: words / epochs: 3 / learning_rate: 1e-4 / weight_decay: 0 / batchSize: 8",
        "maxTrainSequenceLength: 64 / maskProbability: 0.3 / samplePercent: 10 / separator: none / seed: 5",
        "eval_strategy: no / eval_steps: 7 / save_strategy: steps / save_steps: 9 / loadPretrained: False",
    )
    asked, _ = read(TRAIN, keys)
    assert asked.training is not None
    assert (asked.training.validation, asked.training.column) == (Path("data.tsv"), "words")
    assert asked.training.options == Options(
        epochs=3, learning_rate=1e-4, weight_decay=0, batch_size=8, max_length=64, mask_probability=0.3,
        sample_percent=10, separator="none", seed=5, eval_strategy="no", eval_steps=7, save_strategy="steps",
        save_steps=9, pretrained=False,
    )  # fmt: skip
    published = Options(preset="nlpscholar", separator="none")
    asked, remarks = read(TRAIN, "preset: nlpscholar\nmaxTrainSequenceLength: 128\n")
    assert asked.training is not None and asked.training.options == published and not remarks
    for pretrained, said in (("True", "has no effect here"), ("False", "the number of positions of the new model")):
        text = f"preset: nlpscholar\nmaxTrainSequenceLength: 64\nloadPretrained: {pretrained}\n"
        (remark,) = read(TRAIN, text)[1]
        assert said in remark and "pieces of 128 tokens" in remark
    asked, _ = read(TRAIN, "separator: eos\n")
    asked, _ = read_config(tmp_path / "config.yaml", "nlpscholar")
    assert asked.published and asked.training is not None
    assert asked.training.options == Options(preset="nlpscholar", separator="eos")
    assert "preset" not in Options().stated() and published.stated()["preset"] == "nlpscholar"
    assert (published.piece, Options(max_length=9).piece) == (128, 9)


def test_no_key_is_passed_over_and_tables_that_are_none_are_left_out_with_a_remark(read):
    asked, remarks = read(ANALYZE, "save: by_cond, by_words, by_target\n")
    assert asked.save == ("by_cond",) and asked.lenient
    assert remarks[0].startswith("save: There is no table 'by_words'. Did you mean 'by_word'?") and len(remarks) == 2
    assert read(ANALYZE, "save: by_target\n")[0].save == ()
    asked, remarks = read(ANALYZE, "save: by_cond, mixed\n")
    assert asked.save == ("by_cond", "mixed") and not remarks
    assert read(ANALYZE, "numLabels: 2\n")[1] == ["numLabels has no effect here: it is for classifiers."]
    for key in KEYS:
        read(ANALYZE, "" if f"{key}:" in ANALYZE else f"{key}:\n")
    _, remarks = read(ANALYZE, "verbose: False\ngetHidden: True\nloadAll: True\naddPadToken: eos_token\n")
    assert [remark.partition(" ")[0] for remark in remarks] == ["verbose", "getHidden", "loadAll", "addPadToken"]
    _, remarks = read(ANALYZE, "verbose: True\nloadAll: False\n")
    assert not remarks


@pytest.mark.parametrize(("kind", "what"), [
    ("TextClassification", "label texts;"), ("TokenClassification", "label the words of texts;"),
    ("LanguageModel", "`perplexity`"), ("WordPredictability", "mode: evaluate"),
])  # fmt: skip
def test_other_experiments_are_named_before_their_keys_are_looked_at(kind, what, read):
    text = ANALYZE.replace("MinimalPair", kind)
    said = error_of(lambda: read(text, "id2label: {0: yes}\nno_key: 1\n"), PairlensError)
    assert said.startswith(f"config.yaml, exp: NLPScholar's {kind} ") and what in said and said.endswith("Pair only.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ANALYZE + "condition: a", "config.yaml: There is no key 'condition'. Did you mean 'conditions'?"),
        (ANALYZE + "pred_measure: surprisal", "config.yaml, pred_measure: There is no pred_measure 'surprisal'."),
        (ANALYZE + "word_summary: max", "config.yaml, word_summary:"),
        (ANALYZE + "spill: many", "config.yaml, spill: expected a number, found 'many'."),
        (ANALYZE + "spill: 1.5", "config.yaml, spill: expected a whole number"),
        (ANALYZE + "spill: .inf", "config.yaml, spill: expected a whole number"),
        (ANALYZE + f"spill: {10**400}", "config.yaml, spill: this number is too large"),
        (ANALYZE + "batchSize: -2", "config.yaml: -2 texts at once make no sense"),
        (ANALYZE.replace("results.tsv", '"a\\0.tsv"'), "config.yaml, resultsfpath: expected a path"),
        (ANALYZE.replace("results.tsv", "/"), "config.yaml: /: the results need the name of a file"),
        (EVALUATE.replace("[gpt2]", "[gpt2, gpt2]"), "config.yaml: the model 'gpt2' is named twice"),
        (ANALYZE + "conditions: {<<: {a: b}}", "config.yaml, line 8: this is not YAML"),
        (ANALYZE + "doLower: maybe", "config.yaml, doLower: expected True or False, found 'maybe'."),
        (ANALYZE + "conditions: {a: b}", "config.yaml, conditions: expected names with commas"),
        (ANALYZE + "sep: tab", "config.yaml, sep: expected the one character"),
        (ANALYZE + "interaction: a", "config.yaml: an interaction is of two or three factors, not 1"),
        (ANALYZE + "precision: 8bit", "config.yaml, precision: 8bit weights need"),
        (ANALYZE + "preset: nlpscholer", "config.yaml, preset: There is no preset 'nlpscholer'. Did you mean"),
        (TRAIN + "tokenizers: {hf_tokenizer: [a, b]}", "config.yaml, tokenizers: 2 tokenizers for 1 models"),
        (ANALYZE + "mode: evaluate", "config.yaml: the key 'mode' is there twice"),
        (ANALYZE + "verbose", "config.yaml, line 8: this is not YAML"),
        (ANALYZE + "a: &x [*x]\n", "config.yaml: There is no key 'a'"),
        ("- a list", "config.yaml: expected keys and values"),
        (ANALYZE.replace("[analyze]", "interact"), "config.yaml, mode: to type sentences"),
        (ANALYZE.replace("[analyze]", "analyse"), "config.yaml, mode: There is no mode 'analyse'. Did you mean"),
        (ANALYZE.replace("[analyze]", "[analyze, analyze]"), "config.yaml, mode: 'analyze' is there twice"),
        (ANALYZE.replace("[analyze]", ""), "config.yaml, mode: nothing is asked for"),
        (ANALYZE.replace("MinimalPair", "MinimalPairs"), "config.yaml, exp: There is no exp 'MinimalPairs'. Did you"),
        (ANALYZE.replace("hf_causal_model", "hf_model"), "config.yaml, models: There is no key 'hf_model'"),
        (ANALYZE.replace("hf_causal_model: [gpt2]", "hf_causal_model: {a: b}"), "config.yaml, models, hf_causal"),
        (EVALUATE.replace("hf_causal_model: [gpt2]", ""), "config.yaml, models: no model is named"),
        (ANALYZE.replace("predfpath: pred.tsv", ""), "config.yaml: mode analyze needs the key predfpath"),
        (ANALYZE.replace("pred.tsv", "none.tsv"), "config.yaml, predfpath: there is no file none.tsv"),
        (ANALYZE.replace("results.tsv", "data.tsv"), "config.yaml: data.tsv: this file would be replaced"),
        (EVALUATE.replace("pred.tsv", "data.tsv"), "config.yaml: data.tsv: this file would be replaced"),
        (TRAIN.replace("text.txt", "imdb:train"), "config.yaml, trainfpath: there is no file imdb:train. Data sets"),
        (TRAIN.replace("[./bert]", "[./bert, ./roberta]"), "config.yaml, models: mode train takes one model at a"),
        (TRAIN + "eval_strategy: epochs", "config.yaml, eval_strategy: There is no eval_strategy 'epochs'. Did you"),
        (TRAIN + "epochs: -1", "config.yaml, training: epochs must be more than 0"),
        (TRAIN + "load_best_model_at_end: True\nsave_strategy: no", "config.yaml, training: The best model cannot"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(text, said, read):
    assert error_of(lambda: read(text), PairlensError).startswith(said)


def test_a_folder_that_is_here_comes_before_the_hub_and_a_file_that_is_no_text_is_refused(read, save):
    Path("org/model").mkdir(parents=True)
    Path("org/model/config.json").touch()
    asked, remarks = read(ANALYZE.replace("[gpt2]", "[org/model, org/other, ./org/model]"))
    assert [model.name for model in asked.models] == ["./org/model", "org/other", "./org/model"]
    assert remarks == ["models: org/model is the folder ./org/model."]
    assert "not text in UTF-8" in error_of(lambda: read_config(save("binary.yaml", b"mode: \xff\xfe")), PairlensError)
    assert "cannot be read" in error_of(lambda: read_config(Path("nothing.yaml")), PairlensError)
