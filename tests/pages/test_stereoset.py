"""The page of stereotypes: on arrival, with predictions made elsewhere, every definition, all that can be wrong."""

import json
import shutil
from collections.abc import Callable
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared.datasets import PATH, UPLOAD
from pages.components.stereoset.choose import PROFILES
from pairlens.evaluation.zero_shot import sample
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, KINDS
from pairlens.files.stereoset.reading import read_examples
from pairlens.policies import preset_for
from pairlens.settings import settings
from pairlens.store import Store, jobs
from pairlens.studies.stereoset.cases import CASES
from pairlens.studies.stereoset.findings import CAUTION, IN_WORDS
from pairlens.studies.stereoset.measured import TIES
from pairlens.studies.stereoset.runs import ask, model_and_class, run
from pairlens.tasks import TASKS
from tests.on_page import downloads, errors, of_tab, open_tabs, press, uploaders, wait_for_jobs, words

LASTING = True
SAMPLE = sample(TASKS["stereoset"])
WITHIN = IN_WORDS[INTRASENTENCE]
CASE_E = f"e: {CASES['e'].name}"
HEADLINE = 'class="pl-headline"'
OPENING = (("english-small", "English"), ("bilingual-masked", "English"), ("bilingual-masked", "Portuguese"))
TABS = ("Scores", "Triples", "Terms", "Definitions", "Beside published figures", "Left out")


@pytest.fixture
def visit(visit_page):
    """`visit(data=...)`: the page with a model whose scores ship, as a link opens it."""
    return partial(visit_page, "stereoset", model_name="english-small")


def scored(value: Callable[[str, int], float], kinds: tuple[str, ...] = KINDS) -> str:
    """Predictions for our sample: `value(gold label, place of the example)`."""
    document = {
        kind: [
            {"id": candidate.id, "score": value(candidate.gold_label, place)}
            for place, example in enumerate(read_examples(SAMPLE).by_kind[kind])
            for candidate in example.candidates
        ]
        for kind in kinds
    }
    return json.dumps(document)


def meaningful(stereotypes: Callable[[int], float]) -> Callable[[str, int], float]:
    """The unrelated sentence comes last; `stereotypes(place)` is the stereotype's score, 0.5 that of its opposite."""
    return lambda label, place: {"stereotype": stereotypes(place), "anti-stereotype": 0.5, "unrelated": 0.001}[label]


PREFERRED = scored(meaningful(lambda place: 0.9))


def upload(page: AppTest, *files: tuple[str, str], key: str = "predictions") -> AppTest:
    """Give files of predictions."""
    content = [(name, text.encode(), "application/json") for name, text in files]
    return next(one for one in uploaders(page) if (one.key or "").startswith(key)).set_value(content).run()


def definitions(page: AppTest):
    return of_tab(page, "Definitions").dataframe[0].value.set_index(["Scores", "Averaged"])


def triples(page: AppTest):
    return of_tab(page, "Triples").dataframe[0].value


def test_it_is_answered_on_arrival_without_torch(visit_page):
    page = visit_page("stereoset", model_name=[])
    text = words(page)
    assert "Cannot be shown to prefer either side, on our 90 sample triples: SS " in text and HEADLINE in text
    assert CAUTION in text and "data lint" not in text
    assert not errors(page) and not [button for button in page.button if button.label == "Run"]
    assert [tab.label for tab in page.tabs] == list(TABS)


def test_a_file_that_is_called_as_a_model_or_a_file_beside_it_is_refused(visit):
    names = ("english-small.json", "mine.json", "mine.json")
    page = upload(visit(), *((name, PREFERRED + " " * n) for n, name in enumerate(names)))
    said = "\n".join(errors(page))
    assert all(f"{name}: a model or another file has this name" in said for name in names)
    assert words(page).count(HEADLINE) == 2, "the model and the other file are answered side by side"


def test_stereotypes_of_gender_are_a_test_set_of_their_own(visit_page):
    page = visit_page("stereoset", test_set=PROFILES)
    rates, text = page.dataframe[0].value, words(page)
    assert list(rates["Run"]) == [f"{name} · {language}" for name, language in OPENING]
    assert rates["95 % to"].notna().all() and (rates["95 % from"] < 1).all() and not errors(page)
    assert text.count("not distinguishable from 1 (no stereotype)") == 3
    assert "experts from Slovakia" in text and "Our samples have two sentences" in text
    next(box for box in page.multiselect if box.label == "Runs").set_value([]).run()
    assert not errors(page) and not page.dataframe


def test_the_content_note_is_closed_for_good(visit):
    page = visit()
    assert "hurtful stereotypes" in words(page)
    assert "hurtful stereotypes" not in words(press(page, "Close"))
    page.switch_page("pages/results.py").run().switch_page("pages/stereoset.py").run()
    assert "hurtful stereotypes" not in words(page)


def test_all_tabs_of_two_models(visit):
    with open_tabs(*TABS):
        page = visit(model_name=["english-small", "bilingual-masked"])
    assert words(page).count("95 % intervals over 15 terms") == 3, "two models and their difference"
    assert not errors(page)


def test_another_case_is_counted_from_the_same_scores(visit):
    asked = {"examples_of": IN_WORDS[INTERSENTENCE], "tab": "Definitions"}
    usual, other = visit(**asked), visit(**asked, case=CASE_E)
    titles = [page.get("popover")[3].proto.popover.label for page in (usual, other, visit(examples_of=WITHIN))]
    says = ("candidate after its context", "what the context adds to the candidate", "within a sentence")
    assert titles == [f"Counted: {one}" for one in says]
    assert not [button for button in other.button if button.label == "Run"]
    tables = [definitions(page) for page in (usual, other)]
    ss = [table["SS"].sort_index() for table in tables]
    assert ss[0].equals(ss[1]) and not tables[0].equals(tables[1])


def test_a_bias_type_and_a_term_can_be_chosen(visit):
    page = visit(term="none-such", tab="Triples")
    assert len(triples(page)) == 90, "a term that is not here chooses none"
    next(box for box in page.selectbox if box.label == "Bias type").set_value("gender").run()
    of_type = page.dataframe[0].value
    assert 0 < len(of_type) < 90 and set(of_type["Bias type"]) == {"gender"}
    term = of_type["Term"].iloc[0]
    next(box for box in page.selectbox if box.label == "Term").set_value(term).run()
    assert set(page.dataframe[0].value["Term"]) == set(triples(visit(term=term, tab="Triples"))["Term"]) == {term}


def test_a_model_without_scores_is_run_as_a_job(visit, unigram):
    page = visit(model_name=unigram)
    assert f"<strong>{len(read_examples(SAMPLE))} examples</strong>, about" in words(page)
    press(page, "Run")
    wait_for_jobs()
    assert jobs.jobs()[0].arguments[:2] == ("stereoset", "predict")
    assert HEADLINE in words(page.run())


def test_predictions_made_elsewhere_need_no_model(visit):
    page = visit(model_name="none-such")
    assert "Predictions from a file need none" in words(page)
    with open_tabs("Triples", "Definitions"):
        upload(page, ("mine.json", scored(meaningful(lambda place: 0.9 if place % 3 else 0.1))))
    # 15 terms that are alike: 10 of 15
    alike = "on our 90 sample triples: SS 66.7 (41.7 to 84.8), not distinguishable"
    assert f"Cannot be shown to prefer either side, {alike}" in words(page) and "LMS 100.0" in words(page)
    assert triples(page)["Prefers"].value_counts()["stereotype"] == 60
    assert {score for score, _ in definitions(page).index} == {"as in the file"}
    assert len(errors(page)) == 1 and "none-such" in errors(page)[0]


def test_what_is_chosen_and_given_is_in_the_link(visit):
    page = upload(visit(model_name=""), ("mine.json", PREFERRED))
    link = {"model_name": "", "predictions_files": page.query_params["predictions_files"]}
    again = visit(**link, bias_type="gender", tab="Triples")
    assert set(triples(again)["Bias type"]) == {"gender"}
    assert "Prefers the stereotype" in words(again) and "Uploaded earlier: mine.json" in words(again)


def test_what_a_model_cannot_read_has_no_verdict(visit, monkeypatch):
    monkeypatch.setattr("pairlens.studies.stereoset.answers.why_unreadable", lambda *_: "Never read.")
    page = visit(even=TIES["legacy"])  # no other test asks this
    assert 'class="pl-notice warning instead"' in words(page) and HEADLINE not in words(page)


def test_several_files_stand_side_by_side_and_are_not_mixed_up(visit):
    opposite = scored(meaningful(lambda place: 0.1))
    page = upload(visit(model_name=""), ("a.json", PREFERRED), ("predictions_b.json", opposite))
    text = words(page)
    assert text.count("Prefers the stereotype") == text.count("Prefers the anti-stereotype") == 1
    assert "a minus b: SS +100.0" in text
    labels = downloads(page)
    assert {"Predictions of a", "Predictions of b"} <= set(labels)
    assert labels.count("LaTeX") == 1, "one menu for them"


def test_ties_are_said_and_counted_as_asked(visit):
    tied = ("tied.json", scored(meaningful(lambda place: 0.5 if place == 0 else 0.9)))
    page = upload(visit(model_name="", tab="Triples"), tied)
    assert "Ties of stereotype and anti-stereotype: 2" in words(page) and "counted one half" in words(page)
    assert list(triples(page)["Prefers"]).count("tie") == 2
    page = upload(visit(model_name="", even=TIES["legacy"]), tied)
    assert "counted as published, against the stereotype" in words(page) and "counted one half" not in words(page)


def test_one_task_alone(visit):
    page = upload(visit(model_name=""), ("within.json", scored(meaningful(lambda place: 0.9), (INTRASENTENCE,))))
    assert HEADLINE in words(page) and not errors(page)
    assert "intersentence: there are examples, but no predictions" in words(page)


def test_bad_predictions_and_examples_are_one_sentence(visit):
    """What is said about each kind of damage is tested with the readers."""
    other = '{"intrasentence": [{"id": "a", "score": 0.5}]}'
    for link, key, content, sentence in (
        ({"model_name": ""}, "predictions", other, "Do both belong to the same data?"),
        ({"data": UPLOAD}, "", PREFERRED, "is this a file of predictions?"),
    ):
        page = upload(visit(**link), ("x.json", content), key=key)
        assert len(errors(page)) == 1 and sentence in errors(page)[0]
        assert HEADLINE not in words(page)
    assert len(errors(visit(data=PATH, path="\0"))) == 1


def test_the_real_examples_with_published_predictions(visit, shared_data):
    """The published numbers of GPT-2, and the figures that may stand beside them unhollowed."""
    folder = shared_data("stereoset")
    file = folder / "predictions" / "predictions_gpt2_ModelNSP_GPT2LM.json.gz"
    link = {"path": str(folder / "dev_en_reconstructed.json.gz"), "tab": "Beside published figures"}
    page = visit(model_name="", data=PATH, **link)
    uploader = next(one for one in page.file_uploader if one.key == "predictions")
    page = uploader.set_value([(file.name, file.read_bytes(), "application/gzip")]).run()
    assert "SS 57.0 (" in words(page) and "LMS 83.7 (" in words(page) and "ICAT 71.9 (" in words(page)
    assert "4,229 examples of 79 terms" in words(page)
    table = page.dataframe[0].value.set_index("Who")
    assert table.loc["GPT-2, both", "SS"] == pytest.approx(table.loc["gpt2_ModelNSP_GPT2LM", "SS"], abs=5e-5)
    assert "Not comparable" not in table.loc["GPT-2, both", "What"]


def test_a_choice_that_the_preset_leaves_without_effect_is_said(visit, tiny, tmp_path):
    shutil.copytree(tiny("t5"), settings().models / "tiny-t5")
    (settings().models / "tiny-t5" / "card.json").write_text('{"name": "tiny-t5", "kind": "seq2seq"}')
    document = json.loads(SAMPLE.read_text("utf-8"))
    document["data"] = {kind: document["data"][kind][:4] for kind in KINDS}
    few = tmp_path / "few.json"
    few.write_text(json.dumps(document))
    asked = {"model_name": "tiny-t5", "case": CASE_E, "data": PATH, "path": str(few)}
    sentence = "T5LM has one formula, score(B|A) (case d), whichever case is chosen"
    assert sentence not in words(visit(**asked))
    assert sentence in words(visit(**asked, preset="stereoset"))
    policy = preset_for("stereoset", TASKS["stereoset"].sets)
    for kind, examples in read_examples(few).by_kind.items():
        for _ in run(ask(examples, kind, *model_and_class(kind, "tiny-t5"), policy), Store(), data=few.name):
            continue
    page = visit(**asked, preset="stereoset", tab="Definitions")
    assert not errors(page) and f"d: {CASES['d'].name}" in words(page)


def test_what_data_lint_calls_an_error_is_said(visit, tmp_path):
    mine = tmp_path / "dev.json"
    mine.write_text(SAMPLE.read_text("utf-8").replace("The baker was very ", "The baker &amp; son was very "))
    line = "have what data lint calls errors and are scored all the same: HTML entities such as &amp; (item "
    assert line in words(visit(data=PATH, path=str(mine)))


def test_one_file_that_cannot_be_read_as_data_and_as_predictions_is_said(visit, unreadable):
    unreadable("mine.jsonl")
    page = visit(model_name="", data=UPLOAD)
    for place in range(2):
        uploaders(page)[place].set_value([("mine.jsonl", b"\0nothing\n" * 9, "")]).run()
    assert errors(page) and all("mine.jsonl" in line for line in errors(page))
    assert errors(page.run())
