"""Scores and verdicts of other programs: recognised, their figures computed anew, compared with runs of ours."""

import gzip
import json
import math

import pandas as pd
import pytest

from pairlens import identity
from pairlens.api import recipe, stereoset
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.imported_scores import Columns, Roles
from pairlens.evaluation.imported_scores.sources import Options, bring, recognised
from pairlens.evaluation.result import read
from pairlens.files.logs import Figure, standard_error
from pairlens.policies import PRESETS
from pairlens.reports.reproduction import bundle
from pairlens.reports.run_comparison.comparison import compare_runs
from pairlens.tasks import TASKS
from tests.logs_elsewhere import QUESTIONS, inspect_archive, inspect_log, lines, results, sample, samples


def written(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else str(content).encode()
        (folder / name).write_bytes(data)
    return folder


def brought(store, *paths, **options):
    return [*bring(paths, store, Options(**options))]


@pytest.fixture
def log(tmp_path):
    """A folder as lm-eval writes it."""
    return written(
        tmp_path / "lm_eval",
        {"samples_own_mc_2026-11-29T23-05-04.15.jsonl": lines(samples()), "results_1.json": json.dumps(results())},
    )


# lm-evaluation-harness


def test_samples_and_results_become_a_run_whose_accuracies_are_those_that_were_printed(store, log):
    (one,) = brought(store, log)
    run = read(store, one.runs[0])
    numbers = run.metrics.drop_duplicates("name").set_index("name")["value"]
    assert (numbers["accuracy"], numbers["accuracy_per_character"]) == (0.5, 0.75)
    assert one.notes[0] == "4 of 4 printed figures are the same when computed anew."
    assert run.manifest["model"] == "some/model" and run.manifest["scorer"] == identity.WHOLE
    assert "|first:unknown|" in run.signature
    assert run.metrics["length_only"].isna().all()  # tokens were not counted
    assert set(run.candidates["field"]) == {"agreement", "order"} and set(run.candidates["UID"]) == {"own_mc"}


def test_a_figure_that_does_not_follow_from_the_samples_is_named_with_both_values(store, tmp_path):
    wrong = results()
    wrong["results"]["own_mc"]["acc,none"] = 0.8018
    folder = written(tmp_path, {"samples_own_mc.jsonl": lines(samples()), "results.json": json.dumps(wrong)})
    (one,) = brought(store, folder)
    assert one.notes[:2] == (
        "3 of 4 printed figures are the same when computed anew.", "own_mc: acc 0.8018, computed anew 0.5",
    )  # fmt: skip


def test_samples_of_older_versions_and_other_requests_are_read(store, tmp_path):
    old = [
        {**one, "arguments": [[*request.values()] for request in one["arguments"].values()],
         "filtered_resps": [[float(value), False] for value, _ in one["filtered_resps"]]}
        for one in samples()
    ]  # fmt: skip
    for one in old:
        del one["metrics"]
    mutual = [
        {**one, "arguments": {**one["arguments"], **{f"more_{n}": {"arg_0": "", "arg_1": request["arg_1"]}
                                                     for n, request in enumerate(one["arguments"].values())}},
         "filtered_resps": [*one["filtered_resps"], *[["-5.0", "False"]] * len(one["filtered_resps"])],
         "metrics": ["acc", "acc_mutual_info"], "acc_mutual_info": one["acc"]}
        for one in samples()
    ]  # fmt: skip
    compete = [
        sample(
            number, target="are old.", acc=acc, filtered_resps=[["-9", "False"], [value, "False"]],
            arguments=[[f"The {noun}s", " are old."], [f"The {noun}", " are old."]],
        )
        for number, (noun, acc, value) in enumerate((("key", 1.0, "-10"), ("dog", 0.0, "-8"), ("cat", 0.0, "-9.5")))
    ]  # fmt: skip
    files = {
        "samples_old.jsonl": lines(old),
        "samples_mutual.jsonl": lines(mutual),
        "samples_contexts.jsonl": lines(compete),
    }
    printed = {"mutual": {"acc_mutual_info,none": 0.5}, "contexts": {"acc,none": 1 / 3}, "old": {"acc,none": 0.5}}
    document = results(results=printed, configs={name: {} for name in printed})
    (one,) = brought(store, written(tmp_path, {**files, "results.json": json.dumps(document)}))
    assert one.notes[0].startswith("3 of 3")
    run = read(store, one.runs[0])
    by_task = run.metrics.query("name == 'accuracy' and group_by == 'UID'").set_index("group")["value"]
    assert by_task.to_dict() == {"old": 0.5, "mutual": 0.5, "contexts": pytest.approx(1 / 3)}
    gold = run.candidates.query("UID == 'contexts'").drop_duplicates("item")["gold"].tolist()
    assert gold == ["choice 1", "choice 1", "choice 2"]  # as follows from what was preferred and whether it was right


def test_a_group_and_generated_answers_and_single_texts_are_computed_from_their_documents(store, tmp_path):
    single = [
        sample(n, arguments=[["The dog", " barks"]], filtered_resps=[[value, True]], target=" barks",
               metrics=["perplexity", "acc"], acc=float(n == 0), perplexity=value)
        for n, value in enumerate((-1.0, -2.0))
    ]  # fmt: skip
    answer = sample(0, arguments=[["Say dog.", {"until": ["."]}]], filtered_resps=["dog"], target="dog",
                    metrics=["exact_match"], exact_match=1.0)  # fmt: skip
    files = {
        "samples_a.jsonl": lines(samples()), "samples_b.jsonl": lines(samples()[:2]),
        "samples_single.jsonl": lines(single), "samples_made.jsonl": lines([answer]),
    }  # fmt: skip
    printed = {
        "both": {"acc,none": 0.75}, "single": {"perplexity,none": math.exp(1.5), "perplexity_stderr,none": 2.0},
        "made": {"exact_match,none": 1.0},
    }  # fmt: skip
    document = results(results=printed, configs={}, group_subtasks={"both": ["a", "b"]})
    (one,) = brought(store, written(tmp_path, {**files, "results.json": json.dumps(document)}))
    assert (
        one.notes[0].startswith("3 of 4") and "not recomputed (its standard error is drawn at random)" in one.notes[1]
    )
    choosing, judged = (read(store, run) for run in one.runs)
    assert (choosing.task.name, judged.task.name) == ("choices", "answers")
    assert judged.value == pytest.approx(0.75) and len(judged.items) == 3  # the mean of 1/2 and 1
    assert judged.items["margin"].isna().all()


def test_the_fields_own_samples_of_lm_eval_give_its_figures(store, shared_data):
    (one,) = brought(store, shared_data("field/lm_eval"))
    run = read(store, one.runs[0])
    values = run.metrics.drop_duplicates("name").set_index("name")
    assert values["value"].tolist() == [1.0, 0.75] and one.notes[0].startswith("4 of 4")
    printed = json.loads((shared_data("field/lm_eval") / "results.json").read_text())["results"]["own_mc"]
    decided = [0.0] * 6 + [1.0] * 18
    assert standard_error(decided) == pytest.approx(printed["acc_norm_stderr,none"], rel=1e-12)


# inspect-ai


@pytest.mark.parametrize("form", ["json", "eval"])
def test_a_log_of_inspect_ai_becomes_verdicts_with_its_own_figures(store, tmp_path, form):
    content = json.dumps(inspect_log()) if form == "json" else inspect_archive()
    (one,) = brought(store, written(tmp_path / "logs", {f"1_colours.{form}": content}) / f"1_colours.{form}")
    assert one.notes == ("2 of 2 printed figures are the same when computed anew.",)
    run = read(store, one.runs[0])
    assert run.value == 0.625 and run.metrics["n"].iloc[0] == 4
    assert run.candidates["logprob"].isna().all() and run.metrics["chance"].iloc[0] == 0.5
    assert "as another program judged" in run.result().headlines[0].sentence
    assert [*TASKS["choices"].read(tmp_path / "logs" / f"1_colours.{form}")][1].gold == "choice 2"


def test_the_verdicts_of_several_epochs_are_averaged_and_other_scores_named(store, tmp_path):
    log = inspect_log()
    again = [{**one, "epoch": 2, "scores": {"choice": {"value": 1}}} for one in log["samples"]]
    log["samples"] += again
    log["results"]["scores"].append({"name": "includes", "metrics": {}})
    log["results"]["scores"][0]["metrics"] = {"mean": {"name": "inspect_ai/mean", "value": 0.8125}}
    (one,) = brought(store, written(tmp_path, {"log.json": json.dumps(log)}) / "log.json")
    assert read(store, one.runs[0]).value == 0.8125
    assert one.notes == (
        "1 of 1 printed figures are the same when computed anew.",
        "colours: read by its score 'choice', not by 'includes'.",
    )


# Predictions and tables


def test_predictions_of_babylm_with_their_data_give_their_report(store, shared_data):
    results_of = shared_data("babylm_results") / "opt-128-warmup/main/zero_shot/causal"
    data = shared_data("babylm") / "evaluation_data/full_eval"
    for of, name in (
        ("blimp/supplement_filtered", "predictions.json.gz"),
        ("wug/wug_adj_nominalization", "predictions.json"),
    ):
        (one,) = brought(store, results_of / of / name, data / of.rpartition("/")[2], model="opt")
        n = one.notes[0].split()[0]
        assert one.notes == (f"{n} of {n} printed figures are the same when computed anew.",)
    run = read(store, one.runs[0])
    assert run.manifest["stated"]["program"] == "BabyLM's pipeline"


def test_predictions_of_stereoset_with_their_data_give_the_published_numbers(store, shared_data):
    folder = shared_data("stereoset")
    file = folder / "predictions" / "predictions_gpt2_ModelNSP_GPT2LM.json.gz"
    (one,) = brought(store, file, folder / "dev_en_reconstructed.json.gz", model="gpt2")
    run, table = read(store, one.runs[0]), stereoset.evaluate(folder / "dev_en_reconstructed.json.gz", file).table()
    whole = table.query("kind == 'overall' and bias_type == 'overall' and metric == 'ss'").set_index("aggregation")[
        "value"
    ]
    ours = run.metrics.query("name == 'ss' and group_by == 'overall'").set_index("group")["value"]
    assert (100 * ours["macro"], 100 * ours["micro"]) == pytest.approx((whole["term_means"], whole["pooled"]))


def test_syntaxgyms_results_are_verdicts_by_suite(store, shared_data):
    file = shared_data("syntaxgym") / "data/raw/sg_results/syntaxgym_results_grnn_.csv"
    table = pd.read_csv(file)
    (one,) = brought(store, file)
    run = read(store, one.runs[0])
    assert run.manifest["model"] == "grnn__0" and run.value == pytest.approx(
        table.groupby("suite")["correct"].mean().mean()
    )


TABLES = {
    "texts": ("text,surprisal_bits,comparison,item\nA dog barks.,10,good,1\nA dog bark.,12,bad,1\n", {"model": "m"}),
    "in one row": ("good,bad,good_logprob,bad_logprob\nA dog barks.,A dog bark.,-7,-9\n", {"model": "m"}),
    "decimal commas": ("good;bad;good_logprob;bad_logprob\nA dog barks.;A dog bark.;-7,0;-9,0\n", {"model": "m"}),
    "named": ("s,lp,l,i\nA dog barks.,-7,good,1\nA dog bark.,-9,bad,1\n",
              {"model": "m", "columns": Columns(sentence="s", logprob="lp", unit="nats")}),
}  # fmt: skip


@pytest.mark.parametrize("how", TABLES)
def test_a_table_with_a_score_per_text_is_a_run_of_pairs(store, tmp_path, how):
    text, options = TABLES[how]
    if how == "named":
        options = {**options, "roles": Roles(good="good", bad="bad", label="l", item="i")}
    (one,) = brought(store, written(tmp_path, {"t.csv": text}) / "t.csv", **options)
    assert not one.problem, one.problem
    run = read(store, one.runs[0])
    assert run.value == 1.0 and len(run.items) == 1


def test_a_table_of_word_surprisals_as_psycholing_metrics_gives_it_names_its_model(store, tmp_path):
    text = "Word,Length,gpt2_Surprisal,POS\nMany,4,7.2,ADJ\nof,2,1.8,ADP\nus,2,1.6,PRON\n"
    (one,) = brought(store, written(tmp_path, {"words.csv": text}) / "words.csv", columns=Columns(unit="bits"))
    run = read(store, one.runs[0])
    assert run.manifest["model"] == "gpt2" and run.candidates["text"].tolist() == ["Many of us"]
    assert run.candidates["logprob"].iloc[0] == pytest.approx(-(7.2 + 1.8 + 1.6) * math.log(2))


def test_columns_of_a_table_with_other_names_can_be_said(store, tmp_path):
    file = written(tmp_path, {"t.csv": "nr,ok\n1,yes\n2,no\n3,\n"}) / "t.csv"
    sources, unknown = recognised([file])
    assert not sources and "no scores are recognised" in unknown[0][1]
    (one,) = brought(store, file, model="m", verdicts={"item": "nr", "correct": "ok"})
    run = read(store, one.runs[0])
    assert run.value == 0.5 and len(run.items) == 2
    assert one.notes == ("Left out: 1 question with neither a right text nor a verdict in the log.",)


# Comparison and the way out


def test_imported_and_own_runs_of_the_same_samples_are_paired(store, log, tiny):
    (one,) = brought(store, log)
    own = recipe(tiny("gpt2"), policy=PRESETS["lm-eval"])
    *_, last = evaluate(TASKS["choices"], log, own, store)
    comparison = compare_runs(store, [one.runs[0], last.run_id])
    assert comparison.overall["basis"].tolist() == ["same"] and comparison.overall["n"].tolist() == [4]


def test_runs_of_other_tasks_are_paired_by_their_texts_and_the_rest_is_listed(store, tmp_path, tiny):
    pairs = [(f"The {noun}s are here.", f"The {noun}s is here.") for noun in ("key", "dog", "cat")]
    records = [sample(n, ("", pair, 0, (-7.0, -9.0 + 4 * (n == 1)))) for n, pair in enumerate(pairs)]
    (one,) = brought(store, written(tmp_path / "a", {"samples_blimp.jsonl": lines(records)}), model="theirs")
    table = "".join(f"{good},{bad}\n" for good, bad in [*pairs[1:], ("A hat fits.", "A hat fit.")])
    file = written(tmp_path, {"pairs.csv": "good,bad\n" + table}) / "pairs.csv"
    *_, last = evaluate(TASKS["pairs"], file, recipe(tiny("gpt2")), store)
    comparison = compare_runs(store, [one.runs[0], last.run_id])
    overall = comparison.overall.iloc[0]
    assert (overall["basis"], overall["n"], overall["value_reference"]) == ("shared", 2, 0.5)
    assert "the same texts in both" in comparison.cautions[0]
    assert sorted(comparison.alone()["item"]) == ["blimp_0", "pair_2"]


def test_verdicts_are_paired_by_id_where_they_have_no_texts(store, tmp_path):
    runs = []
    for name, values in (("a", "1,0,1,1"), ("b", "0,0,1,1")):
        rows = "".join(f"{number},{value}\n" for number, value in enumerate(values.split(",")))
        (one,) = brought(
            store, written(tmp_path, {f"{name}.csv": "item,correct\n" + rows}) / f"{name}.csv", model=name
        )
        runs += one.runs
    overall = compare_runs(store, runs).overall.iloc[0]
    assert (overall["n"], overall["difference"]) == (4, -0.25)


def test_a_run_goes_out_as_logs_and_comes_back_with_the_same_decisions(store, log, tmp_path):
    (one,) = brought(store, log)
    run = read(store, one.runs[0])
    files = bundle([run], ["logs"], store)
    logs = written(
        tmp_path / "out", {name.rpartition("/")[2]: text for name, text in files.items() if "/logs/" in name}
    )
    back = brought(store, logs)
    assert [source.notes[0] for source in back] == ["2 of 2 printed figures are the same when computed anew."] * 2
    values = {read(store, source.runs[0]).task.name: read(store, source.runs[0]).value for source in back}
    assert values == {"choices": 0.5, "answers": 0.5}


# Bad input

_GOOD = samples()
_LINE = json.dumps(_GOOD[0])
_ZIP = inspect_archive()


def _log(**changes):
    return {"log.json": json.dumps(inspect_log(**changes))}


def _samples(*records):
    return {"samples_t.jsonl": "".join(f"{json.dumps(one) if isinstance(one, dict) else one}\n" for one in records)}


BAD = {
    "cut line": ({"samples_t.jsonl": _LINE + "\n" + _LINE[:80]}, "line 2"),
    "empty": ({"samples_t.jsonl": ""}, ""),
    "not objects": (_samples("[1, 2]"), "line 1"),
    "another record": (_samples(_GOOD[0], {"a": 1}), "line 2: no sample of lm-eval"),
    "no arguments": (_samples({**_GOOD[0], "arguments": {}}), "line 1: "),
    "arguments of text": (_samples({**_GOOD[0], "arguments": "x"}), "another form than lm-eval's"),
    "arguments of numbers": (_samples({**_GOOD[0], "arguments": [1, 2]}), "another form than lm-eval's"),
    "short argument": (_samples({**_GOOD[0], "arguments": [["a"], ["b"]]}), "another form than lm-eval's"),
    "answers of text": (_samples({**_GOOD[0], "filtered_resps": ["a", "b"]}), "another form than lm-eval's"),
    "answers of null": (_samples({**_GOOD[0], "filtered_resps": None}), "another form than lm-eval's"),
    "one answer": (_samples({**_GOOD[0], "filtered_resps": [["-1", "False"]]}), "1 answers to 2 requests"),
    "empty answers": (_samples({**_GOOD[0], "filtered_resps": [[], []]}), "another form than lm-eval's"),
    "twice": (_samples(_GOOD[0], _GOOD[0]), "document 't_0' of t is in these files twice"),
    "no model": (_samples(*_GOOD), "does not say which model"),
    "results alone": ({"results.json": json.dumps(results())}, "have no samples beside them"),
    "results of two models": (
        {**_samples(*_GOOD), "results_1.json": json.dumps(results()),
         "results_2.json": json.dumps(results(model_name="other"))}, "of 2 models (some/model, other)"),
    "results cut": ({**_samples(*_GOOD), "results.json": json.dumps(results())[:90]}, "results.json"),
    "json of nothing": ({"x.json": "{}"}, "no scores are recognised"),
    "json list": ({"x.json": "[1, 2]"}, "x.json"),
    "no json": ({"x.json": "hello"}, "x.json"),
    "log without header": (_log(eval={}), "another form than inspect-ai's"),
    "log of an error": (_log(status="error", results=None), "its status is 'error'"),
    "log without samples": (_log(samples=None), "no scored sample"),
    "log with a list for samples": (_log(samples=[1, 2]), "another form than inspect-ai's"),
    "log of other scores": (
        _log(samples=[{**one, "scores": {"choice": {"value": 7}}} for one in inspect_log()["samples"]]),
        "says of no sample whether the answer was right"),
    "log with scores of text": (
        _log(samples=[{**one, "scores": {"choice": {"value": "good"}}} for one in inspect_log()["samples"]]),
        "says of no sample whether the answer was right"),
    "metrics of text": (_log(results={"scores": [{"name": "choice", "metrics": "x"}]}), "another form"),
    "eval cut": ({"log.eval": _ZIP[:200]}, "no log of inspect-ai, or one that is damaged"),
    "eval of text": ({"log.eval": "hello"}, "no log of inspect-ai, or one that is damaged"),
    "eval with other bytes": ({"log.eval": _ZIP[:60] + bytes(40) + _ZIP[100:]}, "log.eval"),
    "eval empty": ({"log.eval": ""}, "log.eval"),
    "zip of another kind": ({"run.zip": _ZIP}, ""),
    "predictions without data": ({"predictions.json": json.dumps({"a": {"predictions": []}})}, "bring the data"),
    "verdicts of words": ({"t.csv": "item,correct\n1,maybe\n"}, "row 2: column 'correct': 'maybe'"),
    "verdicts twice": ({"t.csv": "item,correct\n1,1\n1,0\n"}, "item '1' is in row 2 already"),
    "verdicts of two models": ({"t.csv": "item,correct,model\n1,1,a\n1,0,b\n"}, "choose one (--model): a, b"),
    "no row": ({"t.csv": "item,correct\n"}, "t.csv"),
    "text scores of words": ({"t.csv": "sentence,logprob,model\nA dog.,x,m\n"}, "row 2: column 'logprob': 'x'"),
    "a pair's scores of words": (
        {"t.csv": "good,bad,good_logprob,bad_logprob,model\na,b,-1,-2,m\na,c,-1,x,m\n"}, "row 3",
    ),
    "scores of no kind": ({"t.csv": "good,bad,good_score,bad_score\na,b,-1,-2\n"}, "no scores are recognised"),
    "text score above 0": ({"t.csv": "sentence,logprob,model\nA dog.,3,m\n"}, "is no log-probability"),
    "text scores of no unit": ({"t.csv": "sentence,surprisal,model\nA dog.,3,m\n"}, "say which unit"),
    "binary": ({"x.csv": bytes(range(256))}, "x.csv"),
    "another table": ({"t.csv": "a,b\n1,2\n"}, "no scores are recognised"),
    "a picture": ({"x.png": b"\x89PNG\r\n"}, "no scores are recognised"),
}  # fmt: skip


@pytest.mark.parametrize("how", BAD)
def test_what_cannot_be_used_is_one_sentence_and_no_run(store, tmp_path, how):
    files, sentence = BAD[how]
    folder = written(tmp_path / "brought", files)
    problems = [one.problem for one in brought(store, *sorted(folder.iterdir()))]
    assert any(sentence in problem for problem in problems if problem), problems
    assert all("Traceback" not in problem and "\n" not in problem for problem in problems)


def test_files_beside_a_bad_one_are_stored(store, log):
    written(log, {"bad.json": "{", "more.csv": "item,correct,model\n1,1,m\n"})
    by_problem = {bool(one.problem): one for one in brought(store, log)}
    assert "bad.json" in by_problem[True].names and len(store.runs()) == 2


def test_a_figure_in_words():
    assert Figure("acc", 0.5, 0.5).in_words() == "acc 0.5: the same"
    assert Figure("acc", 0.5, None, "why").in_words() == "acc 0.5: not recomputed (why)"
    assert Figure("acc", 0.5, 0.25).same is False


def test_log_probabilities_that_are_none_leave_their_question_out(store, tmp_path):
    strange = sample(4, ("A cat", ("sleeps.", "sleep."), 0, (float("-inf"), -3.0)))
    folder = written(tmp_path, {"samples_t.jsonl": lines([*samples(), strange]).replace('"-inf"', '"-Infinity"')})
    (one,) = brought(store, folder, model="m")
    run = read(store, one.runs[0])
    assert run.metrics["n"].iloc[0] == len(QUESTIONS) and run.metrics["excluded"].iloc[0] == 1


def test_one_text_with_two_log_probabilities_is_told(store, tmp_path):
    noisy = sample(4, (*QUESTIONS[0][:3], (-7.2, -10.0)))
    (one,) = brought(store, written(tmp_path, {"samples_t.jsonl": lines([*samples(), noisy])}), model="m")
    assert "Of 1 text the log has several log-probabilities" in one.notes[0]


def test_gzipped_samples_are_read(store, tmp_path):
    file = tmp_path / "samples_t.jsonl.gz"
    file.write_bytes(gzip.compress(lines(samples()).encode()))
    (one,) = brought(store, file, model="m")
    assert read(store, one.runs[0]).value == 0.5
