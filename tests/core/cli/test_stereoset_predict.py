"""`stereoset predict`: every published flag, the files it writes, and what it says when something is wrong."""

import json
import math
import shutil

import pytest

from pairlens.errors import PolicyError
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE
from pairlens.files.stereoset.predictions import read_predictions
from pairlens.files.stereoset.reading import read_examples, wide_table
from pairlens.files.tables import write_table
from pairlens.models import find
from pairlens.policies import preset
from pairlens.studies.stereoset import runs as stereoset_runs
from pairlens.studies.stereoset.cases import CASES
from pairlens.studies.stereoset.runs import check_tokenizer
from tests.refusals import refused


@pytest.fixture
def predict(cli, few_examples):
    """`predict(*options)`: the verb on few examples, unless the options have others."""

    def run(*options):
        gold = () if any("df-file" in str(option) for option in options) else ("--gold-file", few_examples)
        return cli("stereoset", "predict", *gold, *options)

    return run


@pytest.fixture
def written(predict, tmp_path):
    """`written(*options)`: output and errors of the verb, and the predictions it writes by the file's name."""

    def run(*options):
        folder = tmp_path / f"results{len([*tmp_path.iterdir()])}"
        status, out, err = predict(*options, "--output-dir", folder)
        assert status == 0, err
        return out, err, {file.name: read_predictions(file) for file in folder.iterdir()}

    return run


@pytest.fixture
def examples(few_examples):
    return read_examples(few_examples)


@pytest.mark.slow
def test_predictions_have_the_published_name_also_those_of_the_successors_tables(
    unigram, examples, written, tmp_path
):
    out, _, files = written("--pretrained-class", unigram)
    ((name, scores),) = files.items()
    assert name == f"{unigram}_GPT2LM_GPT2LM_d_en.json" and name in out
    for task, few in examples.by_kind.items():
        assert set(scores.by_kind[task]) == {candidate.id for example in few for candidate in example.candidates}
        assert all(0 < score < 1 for score in scores.by_kind[task].values())
    assert "case:d" in out and "reused" in out
    tables = {task: tmp_path / f"df_{task}_de.csv" for task in (INTRASENTENCE, INTERSENTENCE)}
    for task, path in tables.items():
        write_table(wide_table(examples.only([task]), [task]), path)
    given = (part for task, path in tables.items() for part in (f"--{task}-df-file", path))
    out, _, wide = written(*given, "--pretrained-class", unigram)
    assert wide[name.replace("_en", "_de")].by_kind == scores.by_kind
    assert out.count("scored 0") == 2, "what is scored is not scored again"


def test_every_published_flag_is_taken(tiny, written):
    arguments = {
        "--pretrained-class": tiny("gpt2"), "--device": "cpu", "--intrasentence-model": "GPT2LM",
        "--intersentence-model": "GPT2LM", "--tokenizer-name": "AutoTokenizer", "--batch-size": 2, "--num-workers": 3,
        "--case-no": "e", "--language": "fr",
    }  # fmt: skip
    out, _, files = written(*(part for pair in arguments.items() for part in pair))
    assert [*files] == [f"{tiny('gpt2').name}_GPT2LM_GPT2LM_e_fr.json"]
    assert "class:GPT2LM|case:e" in out


def test_the_preset_is_one_switch_and_says_what_it_is(tiny, examples):
    for architecture, expected in (
        ("gpt2", ("conditional", "cases_unspaced", "causal", "first:separate", False)),
        ("bert", ("gap_unspaced", "cases_unspaced", "stereoset", "words:mean", False)),
        ("t5", ("gap_unspaced", "conditional", "stereoset", "words:mean", True)),
    ):
        asked = []
        for task in (INTRASENTENCE, INTERSENTENCE):
            model, model_class = stereoset_runs.model_and_class(task, str(tiny(architecture)))
            asked.append(stereoset_runs.ask(examples.by_kind[task], task, model, model_class, preset("stereoset")))
        intra, inter = asked
        assert (intra.planned.rule, inter.planned.rule) == expected[:2]
        assert intra.planned.recipe.kind.name == expected[2]
        assert expected[3] in intra.signature("d")
        assert ("end:counted" in inter.signature("d")) == expected[4]


def test_what_the_preset_leaves_no_choice_of_is_said(tiny, written):
    def asked(*arguments):
        out, err, files = written("-m", tiny("t5"), "--skip-intrasentence", *arguments)
        assert ("whichever case is chosen" in err) == ("stereoset" in arguments)
        assert ("a case (--case-no), per token" in out) == ("stereoset" not in arguments)
        return out, sorted(name.split("_T5LM_")[1] for name in files)

    out, names = asked("--as", "stereoset", "--case-no", "e")
    assert "|case:d|" in out and names == ["e_en.json"]
    assert "context, per token, the context in the encoder; scored 12, reused 0" in out, "only B after A is asked for"
    assert asked("--as", "stereoset", "--all-cases")[1] == ["d_en.json"]
    out, names = asked("--case-no", "e")
    assert out.splitlines()[1].endswith("|case:e") and names == ["e_en.json"]
    assert len(asked("--all-cases")[1]) == len(CASES)


def test_words_and_spaces_can_be_chosen_apart_from_the_preset(tiny, written):
    def scores(*arguments):
        _, _, files = written("-m", tiny("bert"), "--skip-intersentence", *arguments)
        (predictions,) = files.values()
        return dict(predictions.intrasentence)

    joint, mean, published = scores(), scores("--word-value", "mean"), scores("--as", "stereoset")
    assert joint.keys() == mean.keys() == published.keys()
    assert all(joint[id] <= mean[id] + 1e-12 for id in joint) and joint != mean
    assert scores("--as", "stereoset", "--word-value", "joint") != published


def test_a_bert_with_both_heads_is_asked_for_the_next_sentence(tiny, examples, predict, written, tmp_path):
    folder, expected = both_heads(tiny("bert"), tmp_path / "both", examples)
    other = ("-m", tiny("gpt2"), "--nsp-model-path")
    for name, asked in (
        ("both_BertLM_BertNextSentence_en.json", ("-m", folder, "--intersentence-model", "auto")),
        ("both_BertLM_BertNextSentence_en.json", ("-m", folder, "--intersentence-model", "BertNextSentence")),
        (f"{tiny('gpt2').name}_GPT2LM_ModelNSP_en.json", (*other, folder, "--all-cases")),
    ):
        _, _, files = written(*asked)
        assert [*files] == [name]
        assert dict(files[name].intersentence) == pytest.approx(expected, abs=1e-5)
    (tmp_path / "x.pt").write_bytes(b"")
    refused(predict(*other, tmp_path / "x.pt"), f"models convert {tmp_path / 'x.pt'} --base MODEL")


def both_heads(bert, folder, examples):
    """A BERT with the heads that it was pretrained with, and P(is next) of every candidate, one by one."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        model = transformers.BertForPreTraining(transformers.AutoConfig.from_pretrained(bert)).eval()
        for weight in model.parameters():
            weight.data.normal_(0, 0.3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    expected = {}
    for example in examples.intersentence:
        for candidate in example.candidates:
            row = tokenizer(example.context, candidate.sentence, return_tensors="pt", return_token_type_ids=True)
            with torch.no_grad():
                logits = model(**row).seq_relationship_logits
            expected[candidate.id] = logits.double().softmax(-1)[0, 0].item()
    return folder, expected


def test_what_could_not_be_asked_about_is_named_and_has_no_score(tiny, written, few_examples):
    document = json.loads(few_examples.read_text(encoding="utf-8"))
    first, second, *_ = document["data"]["intrasentence"]
    first["context"] = "A context without the word."
    for record, field in [(second, "context"), *((one, "sentence") for one in second["sentences"])]:
        record[field] = f"[MASK] {record[field]}"
    few_examples.write_text(json.dumps(document), encoding="utf-8")
    _, err, files = written("-m", tiny("bert"), "--skip-intersentence", "--as", "stereoset")
    (predictions,) = files.values()
    scores = predictions.intrasentence
    assert f"left out: intrasentence {first['id']}: its context has no BLANK" in err
    assert [c["id"] in scores for c in first["sentences"]] == [False] * 3
    assert f"left out: intrasentence {second['id']}: a special token of this model stands in '[MASK] " in err
    assert [math.isnan(scores[c["id"]]) for c in second["sentences"]] == [True] * 3
    assert len(scores) == 9 and sum(map(math.isnan, scores.values())) == 3


NSP = ("--nsp-model-path", "x")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--case-no", "z"), "There is no case 'z'. Known: b, c, d, e, f, orig."),
        (("--intrasentence-model", "BertLm"), "Did you mean 'BertLM'? Known: BertLM, GPT2LM, T5LM, auto, mT5LM."),
        (("--intersentence-model", "X"), "Known: BertLM, BertNextSentence, GPT2LM, ModelNSP, T5LM, auto, mT5LM."),
        (("--intrasentence-model", "BertLM"), "is a unigram model. BertLM asks masked models."),
        (("--intersentence-model", "ModelNSP"), "is a unigram model. ModelNSP asks next-sentence models."),
        (("--tokenizer-name", "GPT"), "There is no tokenizer 'GPT'. Known: AutoTokenizer, BertTokenizer,"),
        ((*NSP, "--intersentence-model", "GPT2LM"), "ModelNSP and BertNextSentence, not with GPT2LM."),
        ((*NSP, "--skip-intersentence"), "--nsp-model-path has no effect without intersentence examples"),
        (("--word-value", "product"), "There is no value of words 'product'. Known: joint, mean."),
        (("--skip-intrasentence", "--skip-intersentence"), "Nothing is left: both tasks are skipped."),
        (("--as", "stereo"), "There is no preset 'stereo'. Did you mean 'stereoset'?"),
    ],
)
def test_mistakes_are_one_sentence_before_anything_is_scored(unigram, predict, tmp_path, arguments, sentence):
    refused(predict("-m", unigram, "-o", tmp_path / "results", *arguments), sentence)
    assert not (tmp_path / "results").exists()


def test_another_models_tokenizer_is_refused(tiny, tmp_path):
    folder = shutil.copytree(tiny("gpt2"), tmp_path / "gpt2")
    settings = folder / "tokenizer_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"tokenizer_class": "GPT2TokenizerFast"}))
    model = find(folder)
    for name in ("", "AutoTokenizer", "GPT2Tokenizer", "GPT2TokenizerFast"):
        check_tokenizer(name, model)
    with pytest.raises(PolicyError, match="read with its own tokenizer, a GPT2TokenizerFast, not with MT5Tokenizer"):
        check_tokenizer("MT5Tokenizer", model)
    for own in ("T5Tokenizer", "T5TokenizerFast", "MT5Tokenizer"):
        settings.write_text(json.dumps({"tokenizer_class": own}))
        for name in ("T5Tokenizer", "MT5Tokenizer"):  # the same class under two names
            check_tokenizer(name, find(folder))
    check_tokenizer("GPT2Tokenizer", find(tiny("gpt2")))
