"""One file out of many results: its keys, its numbers, and what is said to be missing."""

import gzip
import json
import math
import re
import shutil
from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.files.suites import Elsewhere, Entry, ItemSet, Suite, suite
from pairlens.reports import submission
from pairlens.reports.submission import ELSEWHERE, FAST, FAULTY, MISSING, PRESENT, collate, gather, what_is_missing
from pairlens.tasks import TASKS
from tests.records import write

PAIRS = ("Cats sleep.", "Cats sleeps."), ("Dogs bark.", "Dogs barks."), ("Nobody ever saw it.", "They ever saw it.")
BLIMP = [
    {"sentence_good": good, "sentence_bad": bad, "UID": uid, "field": "syntax"}
    for (good, bad), uid in zip(PAIRS, ("Agreement", "Agreement", "npi"), strict=True)
]
WUG = [
    {"sentences": f"the {stem}able thing: {stem}ability\tthe {stem}able thing: {stem}ableness", "ratio": ratio}
    for stem, ratio in (("flod", 0.9), ("grip", 0.6), ("lunt", 0.4), ("mord", 0.1))
]
FULL = "zero_shot/{backend}/blimp/full/predictions.json"
OF_FULL = "main/zero_shot/causal/blimp/full/predictions.json"
FAST_BLIMP = "zero_shot/causal/blimp/fast/predictions.json"
FAST_WUG = "zero_shot/causal/wug_adj/wug/predictions.json"
OF_AOA = "zero_shot/causal/AoA_word/surprisal.json"
N = {"agreement": 2, "npi": 1}
SMALL = Suite(
    "small", "Small", "collated_{backend}.json", {"short": ("chck_1M", "chck_2M")},
    (
        Entry("blimp", "blimp", ItemSet("full/blimp", FULL, N), ItemSet("fast/blimp", FAST_BLIMP, N)),
        Entry("wug_adj", "wug_adj", ItemSet("full/wug", FAST_WUG, each=4), ItemSet("fast/wug", FAST_WUG, each=4)),
        Entry("aoa", "aoa", ItemSet("full/aoa", OF_AOA, each=2)),
    ),
    (
        Elsewhere("glue", "it is trained", ("finetune/rte/predictions.json", "finetune/wsc/predictions.json"),
                  {"rte": 2, "wsc": 1}),
        Elsewhere("devbench", "it needs images"),
    ),
)  # fmt: skip


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def predicted(*texts, uid="x", **more):
    rows = [{"id": f"{uid}_{number}", "pred": text} for number, text in enumerate(texts)]
    for name, values in more.items():
        rows = [{**row, name: value} for row, value in zip(rows, values, strict=True)]
    return {"predictions": rows}


RIGHT, HALF = predicted("Nobody ever saw it.", uid="npi"), predicted("Cats sleep.", "Dogs barks.", uid="Agreement")
CHOICES = {"Agreement": HALF, "npi": RIGHT}
WUGS = predicted(*(one["sentences"].split("\t")[0] for one in WUG), prob=[0.8, 0.7, 0.2, 0.3])
AOA = {"metadata": {}, "results": [{"step": f"chck_{n}M", "surprisal": math.nan} for n in (1, 2) for _ in range(2)]}
GLUE = {"rte": {"predictions": [{"id": 0, "pred": 1}, {"id": 1, "pred": 0}]}, "wsc": predicted("1")}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "evaluation_data"
    for name, records in (("blimp/pairs.jsonl", BLIMP), ("wug/wug_adj_nominalization.jsonl", WUG)):
        (folder / "fast" / name).parent.mkdir(parents=True)
        write(folder / "fast" / name, *records)
    return folder


@pytest.fixture
def results(tmp_path, uid):
    """Everything that the small suite asks for."""
    home = tmp_path / "results" / "model"
    for revision, blimp in (("main", "full"), ("chck_1M", "fast"), ("chck_2M", "fast")):
        put(home / revision / f"zero_shot/causal/blimp/{blimp}/predictions.json", CHOICES)
        put(home / revision / FAST_WUG, {uid: WUGS})
    put(home / "main" / OF_AOA, AOA)
    for name, content in GLUE.items():
        put(home / f"main/finetune/{name}/predictions.json", {name: content})
    return tmp_path / "results"


@pytest.fixture
def uid(data):
    return next(iter(TASKS["wug_adj"].read(data / "fast" / "wug"))).groups["UID"]


def collated(results, data, model="model", **options):
    options = {"checkpoints": SMALL.tracks["short"], "evaluation_data": data} | options
    found = gather(results, model, "causal", SMALL, **options)
    content = json.loads(collate(found, SMALL, "causal").read_text())
    return content, {(one.key, one.items): (one.state, one.note) for one in found.pieces}


def test_everything_in_one_file_where_a_single_paradigm_may_bear_the_name_of_the_task(results, data, uid):
    content, pieces = collated(results, data)
    assert list(content) == ["blimp", "wug_adj", "aoa", "glue", FAST]
    assert content["blimp"] == CHOICES and content["glue"] == GLUE
    assert content["aoa"]["results"][-1]["step"] == "chck_2M"
    rho = 1 - 6 * (0 + 0 + 1 + 1) / (4 * 15)  # ranks 1 2 3 4 of people, 1 2 4 3 of the model
    assert content[FAST] == {
        "blimp": [{"Agreement": 0.5, "npi": 1.0}] * 2,
        "wug_adj": [{uid: pytest.approx(rho)}] * 2,
    }
    states = {key: state for key, (state, _) in pieces.items()}
    assert states.pop(("devbench", "")) == ELSEWHERE
    assert set(states.values()) == {PRESENT}
    assert (results / "model" / "collated_causal.json").is_file()
    put(results / "model" / "chck_1M" / FAST_WUG, {"wug_adj": WUGS})
    content, pieces = collated(results, data)
    assert list(content[FAST]["wug_adj"][0]) == ["wug_adj"]
    assert pieces["wug_adj", "fast"] == (PRESENT, "")


def test_what_is_not_there_is_listed_and_never_made_up(results, data):
    home = results / "model"
    shutil.rmtree(home / "chck_1M")
    (home / OF_FULL).unlink()
    (home / "main" / "finetune" / "wsc" / "predictions.json").unlink()
    table = what_is_missing(gather(results, "model", "causal", SMALL).pieces)
    assert list(table.columns) == ["key", "items", "state", "note"]
    assert table["state"].drop_duplicates().tolist() == [MISSING, ELSEWHERE, PRESENT], "what is missing comes first"
    content, pieces = collated(results, data)
    assert "blimp" not in content and content["glue"] == {"rte": GLUE["rte"]}
    assert content[FAST]["blimp"] == [None, {"Agreement": 0.5, "npi": 1.0}]
    for key, place in (("blimp", OF_FULL), ("glue", "finetune/wsc/predictions.json")):
        state, note = pieces[key, "full"]
        assert state == MISSING and place in note
    assert pieces["blimp", "fast"] == (MISSING, "1 of 2 checkpoints are not evaluated: chck_1M.")


def test_nothing_of_a_checkpoint_nothing_of_glue_and_no_data(results, data, tmp_path):
    home = results / "model"
    shutil.rmtree(home / "main" / "finetune")
    content, pieces = collated(results, data, checkpoints=())
    assert FAST not in content and "glue" not in content
    assert pieces[FAST, "fast"] == (MISSING, "no checkpoints were asked for.")
    assert pieces["glue", ""] == (ELSEWHERE, "it is trained.")
    nowhere = tmp_path / "nowhere", {}, "its data are not at"
    for folder, asked, said in ((data, {"checkpoints": ["chck_7M"]}, "1 of 1 checkpoints"), nowhere):
        content, pieces = collated(results, folder, **asked)
        assert FAST not in content and said in pieces["blimp", "fast"][1]


def test_wrong_numbers_of_items_are_said_in_words(results, data):
    home = results / "model"
    put(home / OF_FULL, {"agreement": predicted("a", "b", "c"), "extra": predicted("d")})
    put(home / "chck_2M" / FAST_BLIMP, {"npi": CHOICES["npi"]})
    put(home / "main" / OF_AOA, {"results": AOA["results"][:3]})
    content, pieces = collated(results, data)
    assert pieces["blimp", "full"] == (
        FAULTY,
        "blimp: agreement has 3 items, expected are 2. blimp: npi is missing (1 item). "
        "blimp: extra is not part of it (1 item).",
    )
    assert content["blimp"]["extra"]["predictions"][0]["pred"] == "d"
    assert pieces["blimp", "fast"] == (FAULTY, "chck_2M: blimp: agreement is missing (2 items).")
    assert content[FAST]["blimp"][1] == {"npi": 1.0}
    assert pieces["aoa", "full"] == (FAULTY, "aoa: chck_2m has 1 item, expected are 2.")
    put(home / "chck_1M" / FAST_BLIMP, {})
    put(home / "chck_2M" / FAST_BLIMP, {"agreement": predicted("nothing of this")})
    state, note = collated(results, data)[1]["blimp", "fast"]
    assert state == FAULTY and note.endswith(".") and "]}}. chck_2M: " in note


def test_items_that_could_not_be_scored_are_counted_and_predictions_of_other_data_reach_nothing(results, data, uid):
    empty = {**CHOICES, "npi": predicted("", uid="npi")}
    home = results / "model"
    for place in (OF_FULL, f"chck_1M/{FAST_BLIMP}"):
        put(home / place, empty)
    content, pieces = collated(results, data)
    assert pieces["blimp", "full"] == (FAULTY, "blimp: 1 predictions are empty, these items could not be scored.")
    assert content[FAST]["blimp"][0] == {"Agreement": 0.5, "npi": None}
    other = {**CHOICES, "npi": predicted("Somebody else's text.", uid="npi")}
    put(home / "chck_1M" / FAST_BLIMP, other)
    texts = [one["sentences"].split("\t")[0] for one in WUG]
    put(home / "chck_2M" / FAST_WUG, {uid: predicted(*texts)})
    content, pieces = collated(results, data)
    assert content[FAST]["blimp"][0] is None and "none of the candidates" in pieces["blimp", "fast"][1]
    assert content[FAST]["wug_adj"][1] is None and "probability" in pieces["wug_adj", "fast"][1]


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{", '{"a": 1}', '{"a": {"pred": []}}', '{"results": [1]}', '{"a": {"predictions": ["text"]}}',
        '{"a": {"predictions": "text"}}', '{"a": {"predictions": {"0": "text"}}}',
    ],
)  # fmt: skip
def test_a_file_in_another_format_is_faulty(results, data, text):
    (results / "model" / OF_FULL).write_text(text)
    content, pieces = collated(results, data)
    state, note = pieces["blimp", "full"]
    assert "blimp" not in content and state == FAULTY and "predictions.json" in note


def test_confidential_texts_reach_numbers_and_no_message_which_says_why_their_predictions_are_missing(tmp_path):
    record = {"Context1": "Ann gave Bo a pear.", "Context2": "Ann took a pear from Bo.", "Target1": "Bo has a pear.",
              "Target2": "Ann has a pear.", "Domain": "exchange", "ContextType": "direct", "ContextDiff": "verb",
              "TargetDiff": "name"}  # fmt: skip
    (tmp_path / "data" / "ewok").mkdir(parents=True)
    (tmp_path / "data" / "ewok" / "x.jsonl").write_text(2 * (json.dumps(record) + "\n"))
    place = "zero_shot/{backend}/ewok/predictions.json"
    items = ItemSet("ewok", place, {"exchange": 2})
    secret = Suite("secret", "", "whole.json", {}, (Entry("ewok", "ewok", items, items),), ())
    home = tmp_path / "results" / "m"
    for name, text in (("main", "Ann has a pear."), ("chck_1M", "A marker.")):
        put(home / name / place.format(backend="causal"), {"exchange": predicted("Bo has a pear.", text)})
    of_data = {"checkpoints": ["chck_1M", "main"], "evaluation_data": tmp_path / "data"}
    found = gather(tmp_path / "results", "m", "causal", secret, **of_data)
    assert found.content[FAST] == {"ewok": [None, {"exchange": 0.5}]}
    assert "marker" not in str(found.pieces) and "pear" not in str(found.pieces)
    assert "does not fit the data" in found.pieces[1].note
    assert "do not put it online" in found.pieces[0].note
    predictions = home / "main" / place.format(backend="causal")
    predictions.unlink()
    not_run = gather(tmp_path / "results", "m", "causal", secret).pieces[0]
    (predictions.parent / "best_temperature_report.txt").write_text("")
    run = gather(tmp_path / "results", "m", "causal", secret).pieces[0]
    assert (not_run.state, run.state) == (MISSING, MISSING)
    assert "--write-confidential" not in not_run.note and "only with --write-confidential" in run.note


def test_a_model_is_found_under_both_of_its_names(tmp_path):
    (tmp_path / "tiny-v1").mkdir()
    assert submission.model_folder(tmp_path, "lab/tiny-v1.5") == tmp_path / "tiny-v1"
    (tmp_path / "tiny-v1.5").mkdir()
    assert submission.model_folder(tmp_path, "lab/tiny-v1.5") == tmp_path / "tiny-v1.5"
    assert submission.model_folder(tmp_path, "lab/tiny-v1.5@main") == tmp_path / "tiny-v1.5"
    with pytest.raises(InputError, match=r"no results of 'other', but of tiny-v1, tiny-v1\.5"):
        submission.model_folder(tmp_path, "lab/other")


# The real suite and released results

BABYLM = suite("babylm-2025")
MODELS = ("mamba-8192-warmup", "opt-128-warmup")


@pytest.fixture(params=MODELS)
def released(request, shared_data, tmp_path):
    """Released results of a model, unpacked, as the pipeline wrote them."""
    source = shared_data(f"babylm_results/{request.param}")
    for file in filter(Path.is_file, source.rglob("*")):
        target = tmp_path / "results" / request.param / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        target.with_suffix("" if file.suffix == ".gz" else file.suffix).write_bytes(content)
    return tmp_path / "results" / request.param


def test_released_predictions_are_taken_over_whole(released):
    found = gather(released.parent, released.name, "causal", BABYLM)
    pieces = {(one.key, one.items): one for one in found.pieces}
    path = collate(found, BABYLM, "causal")
    assert path == released / "all_full_preds_and_fast_scores_causal.json"
    content = json.loads(path.read_text())
    source = released / "main/zero_shot/causal/blimp/supplement_filtered/predictions.json"
    assert content["blimp_supplement"] == json.loads(source.read_text())
    assert pieces["blimp_supplement", "full"].state == PRESENT
    missing = ["blimp", "ewok", "entity_tracking", "wug_adj", "wug_past", "comps", "reading", "aoa"]
    assert {one.key for one in found.pieces if one.state == MISSING and one.items == "full"} == {*missing}
    elsewhere = {one.key for one in found.pieces if one.state == ELSEWHERE}
    assert elsewhere == {"glue", "vqa", "winoground", "devbench", "hidden tasks"}


def test_released_results_as_if_of_a_checkpoint(released, shared_data):
    """What the pipeline printed for these predictions is what a checkpoint with them reaches."""
    zero_shot = released / "main" / "zero_shot" / "causal"
    rows = [json.loads(line) for line in (zero_shot / "reading" / "prediction.jsonl").read_text().splitlines()]
    surprisals = [{"id": row["Index"], "pred": row["Logprob"], "prev_pred": row["Prev_Logprob"]} for row in rows]
    put(zero_shot / "reading" / "predictions.json", {"reading": {"predictions": surprisals}})
    entries = {entry.key: entry for entry in BABYLM.entries}
    as_fast = [entries["blimp_supplement"], entries["reading"]]
    as_fast = tuple(Entry(one.key, one.task, one.full, one.full, one.values) for one in as_fast)
    whole = Suite("whole", "", "whole.json", {}, as_fast, ())
    of_data = {"checkpoints": ["main"], "evaluation_data": shared_data("babylm/evaluation_data")}
    found = gather(released.parent, released.name, "causal", whole, **of_data)
    reached = found.content[FAST]
    report = (zero_shot / "blimp" / "supplement_filtered" / "best_temperature_report.txt").read_text()
    printed = dict(re.findall(r"^(\w+): ([\d.]+)$", report.partition("### UID")[2].partition("###")[0], re.MULTILINE))
    assert {name: f"{100 * value:.2f}" for name, value in reached["blimp_supplement"][0].items()} == printed
    scores = (zero_shot / "reading" / "report.txt").read_text()
    eye, self_paced = (float(number) for number in re.findall(r"SCORE: (-?[\d.]+)", scores))
    assert round(100 * reached["reading"][0]["rt"], 2) == eye
    assert round(100 * reached["reading"][0]["spr"], 2) == self_paced
    assert {one.state for one in found.pieces} == {PRESENT}
