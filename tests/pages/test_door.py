"""Files dropped beside the title of any page are recognised, and their page is opened, filled in."""

import pytest

from pairlens.evaluation.estimate import Estimate
from pairlens.places import bundled
from pairlens.sharing import Rights
from pairlens.store import jobs
from pairlens.studies import gathering
from pairlens.studies.opening import Opening
from tests.on_page import errors, words
from tests.tiny import tiny_model

SAMPLES = bundled("samples")


def drop(page, *names):
    door = next(one for one in page.file_uploader if one.key == "door_files")
    files = [(name.rpartition("/")[2], (SAMPLES / name).read_bytes(), "text/plain") for name in names]
    return door.set_value(files).run()


@pytest.mark.parametrize(
    ("at", "names", "page", "parameter"),
    [
        ("compare", ["minimal_pairs/agreement_pt.tsv"], "minimal_pairs", "upload"),
        ("results", ["blimp/agreement_attractor_pp.jsonl"], "zero_shot", "file"),
        ("compare", ["choices/samples_everyday_choices.jsonl"], "results", "brought"),
    ],
)
def test_the_page_of_dropped_files_is_opened_filled_in(visit_page, monkeypatch, at, names, page, parameter):
    opened = {}
    monkeypatch.setattr("streamlit.switch_page", lambda name, query_params=None: opened.update({name: query_params}))
    drop(visit_page(at), *names)
    ((name, link),) = opened.items()
    assert name == f"pages/{page}.py" and names[0].rpartition("/")[2] in str(link[parameter])


@pytest.mark.slow
def test_large_files_are_looked_at_in_a_process_that_has_limits(visit_page, monkeypatch):
    opened = []
    monkeypatch.setattr("streamlit.switch_page", lambda name, query_params=None: opened.append((name, query_params)))
    monkeypatch.setattr("pages.components.shared.door.large", lambda path: True)
    names = ["nli/assin.xml", "nli/assin_answers.csv"]
    drop(visit_page("compare"), *names)
    ((name, link),) = opened
    assert name == "pages/nli.py" and [*map(len, (link["nli_gold_files"], link["nli_answers_files"]))] == [1, 1]
    monkeypatch.setattr("pairlens.files.apart._run", lambda *_: {"failed": "takes longer than 1 s, the limit."})
    assert "takes longer than 1 s" in errors(drop(visit_page("compare"), *names))[0]


@pytest.mark.parametrize("page", ["minimal_pairs", "zero_shot", "results"])
def test_files_dropped_on_their_own_page_are_shown_there(visit_page, page):
    names = {
        "minimal_pairs": ["minimal_pairs/agreement_pt.tsv"], "zero_shot": ["blimp/agreement_attractor_pp.jsonl"],
        "results": ["choices/samples_everyday_choices.jsonl"],
    }  # fmt: skip
    shown = visit_page(page)
    shown.session_state["open_page"] = page  # as app.py says it, which AppTest passes over
    shown = drop(shown, *names[page])
    assert not shown.exception and not errors(shown)
    assert "Opened:" in words(shown) and names[page][0].rpartition("/")[2] in words(shown) + str(shown.query_params)
    hide = next(button for button in shown.button if button.label == "Hide")
    assert "Opened:" not in words(hide.click().run())


@pytest.mark.parametrize(("shared", "seconds", "begun"), [(False, 5.0, 1), (True, 5.0, 0), (False, 7200.0, 0)])
def test_a_benchmark_is_run_at_once_unless_it_takes_long_or_others_wait(
    visit_page, monkeypatch, shared, seconds, begun
):
    monkeypatch.setattr(jobs, "_spawn", lambda job: None)
    monkeypatch.setattr("pages.components.shared.jobs.is_shared", lambda: shared)
    monkeypatch.setattr("pages.components.shared.jobs.estimate", lambda *_: Estimate(seconds, measured=True))
    monkeypatch.setattr("pages.components.shared.jobs.so_far", lambda *_: "So far: accuracy 90.00 %")
    page = visit_page("zero_shot")
    page.session_state["open_page"] = "zero_shot"
    page = drop(page, "blimp/agreement_attractor_pp.jsonl")
    assert not page.exception and not errors(page) and len(jobs.jobs()) == begun
    assert words(page).count(" · So far: accuracy 90.00 %") == begun
    for job in jobs.jobs():
        jobs.cancel(job.id)
    assert any(button.label == "Run" for button in page.run().button) and len(jobs.jobs()) == begun


def named(page, path):
    next(one for one in page.text_input if one.key == "door_path").set_value(str(path))
    return next(one for one in page.button if one.key == "door_open").click().run()


def test_a_path_on_this_machine_is_opened_as_often_as_it_is_named(visit_page, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("streamlit.switch_page", lambda name, query_params=None: opened.append((name, query_params)))
    for number in range(1, 4):
        tiny_model(tmp_path / "trained" / f"chck_{number}M")
    page = visit_page("compare")
    named(page, SAMPLES / "minimal_pairs" / "agreement_pt.tsv")
    named(page, tmp_path / "trained")
    page = named(page, tmp_path / "trained")
    assert [name for name, _ in opened] == ["pages/minimal_pairs.py", *["pages/zero_shot.py"] * 2]
    assert opened[1][1]["checkpoints"] == str(tmp_path / "trained")
    assert "There is no file" in errors(named(page, tmp_path / "absent"))[0]
    (tmp_path / "empty").mkdir()
    assert "empty: holds no files with data" in errors(named(page, tmp_path / "empty"))[0]


def test_no_path_is_offered_where_visitors_may_name_none(visit_page, monkeypatch):
    monkeypatch.setattr("pages.components.shared.door.rights", lambda: Rights())
    assert not [one for one in visit_page("compare").text_input if one.key == "door_path"]


def test_what_nothing_reads_is_said_and_not_looked_at_again(visit_page, monkeypatch):
    looked_at = []
    monkeypatch.setattr(gathering, "kept", lambda files, kept=gathering.kept: looked_at.append(1) or kept(files))
    page = visit_page("data")
    door = next(one for one in page.file_uploader if one.key == "door_files")
    page = door.set_value([("x.txt", b"Some text.\nMore.\n", "text/plain")]).run()
    assert "Nothing here reads x.txt" in errors(page)[0]
    n_looked_at = len(looked_at)
    assert n_looked_at and "Nothing here reads x.txt" in errors(page.run())[0] and len(looked_at) == n_looked_at


def test_other_readings_are_offered(visit_page):
    page = visit_page("minimal_pairs")
    page.session_state["open_page"] = "minimal_pairs"
    first = Opening("minimal_pairs", {}, "a.tsv: 24 items × 2")
    page.session_state["opened_by_door"] = [first, Opening("zero_shot", {}, "a.tsv: Minimal pairs, 4")]
    page = page.run()
    assert "Opened: a.tsv: 24 items × 2." in words(page)
    assert any("Or as Minimal pairs" in button.label for button in page.button)
