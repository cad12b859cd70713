"""Scores of other programs as runs: the script's file, tables with a row per token, and what is wrong with either."""

import gzip
import json
import math

import numpy as np
import pandas as pd
import pytest
import score_anywhere

from pairlens.api import recipe
from pairlens.errors import InputError, PolicyError
from pairlens.evaluation.imported_scores import Columns, Roles, import_scores
from pairlens.evaluation.imported_scores.token_table import aligned, put_together
from pairlens.evaluation.result import read
from pairlens.files.tables import write_table
from pairlens.models import find
from tests.records import write

TEXTS = ("The cat is tired.", "The cat are tired.", "Two dogs are old.", "Two dogs is old.")
LN2 = math.log(2)


def scored_by_script(model, pairs, output):
    return score_anywhere.main(["--model", str(model), "--input", str(pairs), "--output", str(output)])


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs") / "pairs.csv"
    rows = zip(TEXTS[::2], TEXTS[1::2], ("agreement", "copula"), strict=True)
    path.write_text("sentence_good,sentence_bad,UID\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def scored(tiny, pairs):
    """The script's file of these pairs, which no test changes."""
    output = pairs.with_name("scores.jsonl.gz")
    assert scored_by_script(tiny("gpt2"), pairs, output) == 0
    return output


def lines(scored):
    with gzip.open(scored, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# The script's files


def test_the_scripts_file_becomes_a_run_by_which_what_it_states_never_counts_as_our_own_score(store, scored, tiny):
    run_id = import_scores(scored, store)
    manifest, candidates = store.manifest(run_id), store.candidates(run_id)
    model = find(tiny("gpt2"))
    assert candidates["logprob"].tolist() == pytest.approx([sum(line["logprobs"]) for line in lines(scored)[1:]])
    assert candidates["text"].tolist() == list(TEXTS)
    assert set(candidates["UID"]) == {"agreement", "copula"}
    assert (manifest["state"], manifest["n"], manifest["weights"]) == ("done", 2, model.weights)
    assert manifest["stated"]["input"] == "pairs.csv"
    assert "scorer:stated-causal.v1|first:bos|" in manifest["signature"]
    assert "as stated by the file" in manifest["title"]
    assert len(read(store, run_id).items) == 2

    fingerprint = manifest["fingerprint"]
    assert fingerprint != recipe(str(tiny("gpt2"))).fingerprint
    (part,) = store.parts(fingerprint)
    assert part.about["provenance"]["stated"] is True
    assert part.about["provenance"]["versions"]["transformers"]


def test_the_same_file_is_the_same_run_and_another_one_is_not(store, scored, tmp_path):
    run_id = import_scores(scored, store)
    assert import_scores(scored, store) == run_id
    changed = ({**line, "logprobs": [-1.0] * len(line["ids"])} if "ids" in line else line for line in lines(scored))
    second = import_scores(write(tmp_path / "other.jsonl", *changed), store)
    assert second != run_id
    assert store.candidates(run_id)["logprob"].ne(store.candidates(second)["logprob"]).all()


def test_a_text_that_the_script_refused_is_left_out_with_the_reason(store, tiny, tmp_path):
    pairs, output = tmp_path / "long.csv", tmp_path / "long.jsonl.gz"
    long = "The keys " * 60
    pairs.write_text(f"sentence_good,sentence_bad\n{TEXTS[0]},{TEXTS[1]}\n{long},{TEXTS[2]}\n")
    assert scored_by_script(tiny("gpt2"), pairs, output) == 0
    run_id = import_scores(output, store)
    ((item, reason),) = store.manifest(run_id)["refused"].items()
    assert item == "pair_1" and "more than the" in reason
    assert store.manifest(run_id)["excluded"] == 1


def test_the_script_goes_on_where_it_was(tiny, pairs, scored, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(score_anywhere, "SAVED_EVERY", 1)
    output = tmp_path / "again.jsonl.gz"
    arguments = tiny("gpt2"), pairs, output
    score, calls = score_anywhere.Scorer.score, []

    def interrupted(self, texts):
        calls.append(texts)
        if len(calls) == 3:
            raise OSError("the power went out")
        return score(self, texts)

    monkeypatch.setattr(score_anywhere.Scorer, "score", interrupted)
    assert scored_by_script(*arguments) == 2
    part = output.with_name(f"{output.name}.part")
    part.write_text(part.read_text() + '{"row": 2, "lab')  # cut off in the middle of a line
    assert scored_by_script(*arguments) == 0
    assert [text for (text,) in calls[3:]] == list(TEXTS[2:])
    assert not part.exists()
    assert [line for line in lines(output)[1:]] == lines(scored)[1:]
    assert scored_by_script(*arguments) == 2
    assert "exists already" in capsys.readouterr().err
    part.write_text(json.dumps({**lines(output)[0], "model": "another"}) + "\n")
    output.unlink()
    assert scored_by_script(*arguments) == 2
    assert "another model, policy or input" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b\n1,2\n", "no column"),
        ("", "holds no row"),
        (None, "There is no file"),
        ("good,bad\nA cat.,A cats.\nA dog., \n", "row 2: column 'bad' has no text"),
    ],
)
def test_the_script_says_what_is_wrong(tiny, tmp_path, capsys, content, sentence):
    source = tmp_path / "x.csv"
    if content is not None:
        source.write_text(content)
    assert scored_by_script(tiny("gpt2"), source, tmp_path / "y.jsonl.gz") == 2
    assert sentence in capsys.readouterr().err


def changed(number, **fields):
    """A change of fields of a line, the header being line 1."""
    return lambda rows: rows[number - 1].update(fields)


WRONG = {
    "newer": (changed(1, pairlens_scores=2), "newer score_anywhere"),
    "no model": (changed(1, model=" "), "line 1 does not say which model"),
    "unknown kind": (changed(1, kind="magic"), "line 1 does not say"),
    "unknown policy": (changed(1, policy={"first_token": "x"}), "line 1 does not say"),
    "no sha256": (changed(1, weights="abc"), "line 1 does not say"),
    "cut off": (lambda rows: rows.pop(), "holds 3 of 4 texts"),
    "half a pair": (lambda rows: (rows.pop(), rows[0].update(texts=3)), "but not both"),
    "nothing": (lambda rows: (rows.__delitem__(slice(1, None)), rows[0].update(texts=0)), "holds no text"),
    "two models": (lambda rows: rows.append(rows[0]), "line 6: another file begins here"),
    "twice": (lambda rows: rows.append(rows[1]), "line 6: row 1 has its 'good' text twice"),
    "another value": (
        lambda rows: rows.append({**rows[1], "row": 9, "logprobs": [-1.0] * len(rows[1]["ids"])}),
        "other scores too",
    ),
    "no text": (changed(2, text=None), "line 2: no row number, label"),
    "a strange label": (changed(2, label="x"), "line 2: no row number, label"),
    "not a list": (changed(3, tokens="abc"), "line 3: 'tokens' is not the list"),
    "ids are texts": (changed(3, ids=["a"]), "line 3: 'ids' is not"),
    "uneven": (changed(3, tokens=["a"]), "line 3: its lists of tokens"),
    "outside the text": (lambda rows: rows[1]["spans"].__setitem__(-1, [0, 999]), "line 2: a token at characters"),
    "positive": (lambda rows: rows[1]["logprobs"].__setitem__(0, 0.5), "line 2: 0.5 is no log-probability"),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_file_that_is_not_what_it_should_be_is_refused(store, scored, tmp_path, how):
    change, sentence = WRONG[how]
    change(rows := lines(scored))
    with pytest.raises(InputError, match=sentence):
        import_scores(write(tmp_path / "wrong.jsonl", *rows), store)
    assert store.runs().empty


def test_what_json_does_not_have_and_a_damaged_file_are_refused(store, scored, tmp_path):
    rows, damaged = lines(scored), tmp_path / "damaged.jsonl.gz"
    damaged.write_bytes(scored.read_bytes()[:-20])
    files = [damaged]
    for value in (math.nan, math.inf, -math.inf):  # which `json` writes as NaN, Infinity, -Infinity
        rows[1]["logprobs"][0] = value
        files.append(write(tmp_path / f"{value}.jsonl", *rows))
    for path in files:
        with pytest.raises(InputError):
            import_scores(path, store)


# Tables with a row per token


@pytest.fixture
def table():
    """As NLPScholar writes it, with the columns of whoever asked."""
    rows = []
    for number, text in enumerate(TEXTS):
        for place, word in enumerate(text[:-1].split()):
            prob = 0.5 ** (1 + (place + number) % 3)
            rows.append(
                {"token": word if not place else f"Ġ{word}", "sentid": f"s{number}", "model": "gpt0",
                 "tokenizer": "gpt0", "prob": prob, "surp": -math.log2(prob), "pairid": number // 2,
                 "comparison": ("expected", "unexpected")[number % 2]}
            )  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize("ending", [".tsv", ".csv", ".jsonl"])
def test_a_table_as_nlpscholar_writes_it(store, table, tmp_path, ending):
    write_table(table, path := tmp_path / f"predictions{ending}")
    run_id = import_scores(path, store)
    manifest, candidates = store.manifest(run_id), store.candidates(run_id)
    expected = -table.groupby("sentid")["surp"].sum().to_numpy() * LN2
    np.testing.assert_allclose(candidates["logprob"], expected, rtol=1e-12)
    assert candidates["text"].tolist() == [text[:-1] for text in TEXTS]
    assert (manifest["model"], manifest["n"], manifest["stated"]["unit"]) == ("gpt0", 2, "bits")


@pytest.mark.slow
def test_the_unit_is_seen_from_the_probabilities_or_must_be_named(store, table, tmp_path):
    nats = table.assign(surp=-np.log(table["prob"]))
    totals = {}
    for name, frame in (("bits", table), ("nats", nats)):
        frame.to_csv(path := tmp_path / f"{name}.csv", index=False)
        run_id = import_scores(path, store)
        assert store.manifest(run_id)["stated"]["unit"] == name
        totals[name] = store.candidates(run_id)["logprob"].tolist()
    assert totals["bits"] == pytest.approx(totals["nats"])
    nats.drop(columns="prob").to_csv(path := tmp_path / "silent.csv", index=False)
    with pytest.raises(InputError, match="say which unit column 'surp' has"):
        import_scores(path, store)
    run_id = import_scores(path, store, columns=Columns(unit="nats"))
    assert store.candidates(run_id)["logprob"].tolist() == pytest.approx(totals["nats"])


def test_a_table_as_minicons_gives_it_with_named_columns(store, tmp_path):
    """Its first token has surprisal 0, which says that it was not scored."""
    rows = [
        {"stimulus": text, "piece": word, "s": 2.0 * place}
        for text in TEXTS[:2] for place, word in enumerate(text.replace(".", " .").split())
    ]  # fmt: skip
    pd.DataFrame(rows).to_csv(path := tmp_path / "m.csv", index=False)
    columns = Columns(sentence="stimulus", token="piece", surprisal="s", unit="nats")
    run_id = import_scores(path, store, model="gpt2", columns=columns)
    manifest, candidates = store.manifest(run_id), store.candidates(run_id)
    assert candidates["logprob"].tolist() == [-20.0, -20.0]
    assert candidates["n_scored"].tolist() == [4, 4]
    assert manifest["policy"]["first_token"] == "none"
    assert manifest["value"] is None and manifest["excluded"] == 2  # no pairs: nothing is decided
    kept = store.token_scores(manifest["fingerprint"], set(store.items(run_id)["request_key"]))
    assert {scores.spans for scores in kept.values()} == {
        ((0, 3), (4, 7), (8, 10), (11, 16), (16, 17)), ((0, 3), (4, 7), (8, 11), (12, 17), (17, 18)),
    }  # fmt: skip


def test_pairs_can_be_named_and_names_that_are_not_there_are_said(store, table, tmp_path):
    named = table.rename(columns={"pairid": "stim", "comparison": "ok"}).replace({"expected": "y", "unexpected": "n"})
    named.to_csv(path := tmp_path / "t.csv", index=False)
    run_id = import_scores(path, store, roles=Roles(sentence="sentence", label="ok", item="stim", good="y", bad="n"))
    assert store.manifest(run_id)["n"] == 2
    table.to_csv(path := tmp_path / "t.csv", index=False)
    for kind, words, asked in (
        (InputError, r"no column 'tokn'\. Did you mean 'token'", {"columns": Columns(token="tokn")}),
        (PolicyError, "--kind takes", {"kind": "magic"}),
        (PolicyError, "no policy field", {"policy": {"first": "bos"}}),
    ):
        with pytest.raises(kind, match=words):
            import_scores(path, store, **asked)


@pytest.mark.slow
def test_one_of_several_models_is_chosen_and_one_of_several_lines_named_on_one(store, table, tmp_path):
    both = pd.concat([table, table.assign(model="gpt1", prob=table["prob"] / 2, surp=table["surp"] + 1)])
    both.to_csv(path := tmp_path / "both.csv", index=False)
    with pytest.raises(InputError, match=r"2 models, choose one \(--model\): gpt0, gpt1"):
        import_scores(path, store)
    runs = [import_scores(path, store, model=name) for name in ("gpt0", "gpt1")]
    first, second = (store.candidates(run_id)["logprob"] for run_id in runs)
    np.testing.assert_allclose(first - second, 4 * LN2)
    table.assign(model="one\n \u202etwo").to_csv(path, index=False)
    manifest = store.manifest(import_scores(path, store))
    assert manifest["model"] == "one two" and "\n" not in manifest["signature"]


BAD_TABLES = {
    "no tokens": (lambda table: table.drop(columns="token"), "no column says the tokens"),
    "no sentences": (lambda table: table.drop(columns="sentid"), "which sentence a token is of"),
    "no numbers": (lambda table: table.drop(columns=["surp", "prob"]), "log-probabilities or surprisals"),
    "no model": (lambda table: table.drop(columns="model"), "name it"),
    "no number": (lambda table: table.assign(surp="much"), r"row 2: column 'surp': 'much' is no number"),
    "thousands": (lambda table: table.assign(surp=["1,234", *table["surp"][1:].astype(str)]), "'1,234' is no number"),
    "no sentence": (lambda table: table.assign(sentid=["", *table["sentid"][1:]]), "row 2: column 'sentid' does not"),
    "infinite": (lambda table: table.drop(columns="prob").assign(surprisal_bits=math.inf), "is no log-probability"),
    "negative": (lambda table: table.drop(columns="prob").assign(surprisal_bits=-3.0), "is no log-probability"),
    "empty": (lambda table: table.head(0), "no token below"),
    "only special": (lambda table: table.assign(token="[SEP]"), "no token but special ones"),
    "other texts": (lambda table: table.assign(text="Something else."), "is not what comes next in the text"),
    "two texts": (lambda table: table.assign(text=[str(n) for n in range(len(table))]), "different texts"),
}  # fmt: skip


@pytest.mark.parametrize("how", BAD_TABLES)
def test_a_table_that_cannot_be_used_is_refused(store, table, tmp_path, how):
    change, sentence = BAD_TABLES[how]
    change(table).to_csv(path := tmp_path / "bad.csv", index=False)
    with pytest.raises(InputError, match=sentence):
        import_scores(path, store)
    assert store.runs().empty


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["The", "Ġcats", "Ġpur", "r", "."], "The cats purr."),
        (["▁The", "▁cats", "."], "The cats."),
        (["the", "cat", "##s", "."], "the cats ."),
        (["Ã", "©t", "Ã©", "Ġdog"], "été dog"),
    ],
)
def test_tokens_are_put_together_and_found_again(tokens, text):
    found = aligned(tokens, text, "x")
    assert all(start <= end <= len(text) for start, end in found)
    assert found[-1][1] == len(text)
    assert tokens[0] == "Ã" or put_together(tokens) == (text, found)
