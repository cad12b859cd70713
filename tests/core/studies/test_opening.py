"""Files are recognised by their content, and the link of their page is filled in."""

import pytest

from pairlens.errors import InputError
from pairlens.places import bundled
from pairlens.store import uploads
from pairlens.studies.gathering import gathered
from pairlens.studies.opening import opened, openings
from tests.refusals import refused

SAMPLES = bundled("samples")
FIRST = {
    "minimal_pairs/agreement_pt.tsv": ("minimal_pairs", "24 items × 2 × 2, items in 'item', conditions in"),
    "blimp/agreement_attractor_pp.jsonl": ("zero_shot", "BLiMP, 20 pairs"),
    "agreement/agreement.tab": ("agreement", "Agreement, 64 items"),
    "stereoset/dev.json": ("stereoset", "StereoSet, 90 examples"),
    "choices/samples_everyday_choices.jsonl": ("results", "samples of lm-evaluation-harness"),
    "answers/everyday_choices.json": ("results", "a log of inspect-ai"),
    "pairs/agreement.csv": ("minimal_pairs", "100 items × 2"),
    "nli/snli.jsonl": ("nli", "pairs of premise and hypothesis: gold labels in 1 file"),
    "stereoset_predictions/english-small_GPT2LM_GPT2LM_d_en.json": ("stereoset", "a model's scores for"),
}


@pytest.mark.parametrize("name", FIRST)
def test_a_file_is_recognised_and_its_page_named(name):
    page, about = FIRST[name]
    first, *_ = openings([SAMPLES / name])
    assert first.page == page and about in first.about
    assert page == "results" or any("id" in value for value in first.query(lambda path: "id").values())


def test_gold_labels_and_answers_go_to_their_places():
    names = ("assin.xml", "assin_answers.csv", "assin_answers_reverse.csv")
    (first,) = openings([SAMPLES / "nli" / name for name in names])
    assert first.query(lambda path: path.name) == {
        "data": "upload", "nli_gold_files": ["assin.xml"], "nli_answers_files": ["assin_answers.csv"],
        "nli_reverse_files": ["assin_answers_reverse.csv"],
    }  # fmt: skip


def test_files_of_one_set_are_opened_together_and_other_readings_follow(tmp_path):
    kept = uploads.keep([(path.name, path.read_bytes()) for path in (SAMPLES / "blimp").iterdir()])
    first, *others = openings(sorted(kept.iterdir()))
    assert (first.page, first.link["task"], first.query(uploads.identified)["file"]) == (
        "zero_shot",
        "blimp",
        uploads.id_of(kept),
    )
    assert others[-1].link["task"] == "pairs"


def test_what_nothing_reads_opens_nothing(save):
    assert openings([save("x.txt", "Some text.\nAnd more.\n")]) == []


def test_a_table_with_unknown_columns_goes_where_they_are_named(save):
    experiment, pairs = opened([save("x.csv", "a,b\n1,2\n")], "x.csv")
    assert (experiment.page, pairs.page, pairs.link["task"]) == ("minimal_pairs", "zero_shot", "pairs")
    assert experiment.about == (
        "x.csv: sentences of an experiment, once you say which of the columns 'a', 'b' holds them"
    )


def test_of_a_folder_hidden_and_empty_files_are_left_out(tmp_path):
    (folder := tmp_path / "mine").mkdir()
    for name, content in {"a.csv": "good,bad\nA b.,A c.\n", ".DS_Store": "x", "__init__.py": ""}.items():
        (folder / name).write_text(content)
    assert [path.name for path in gathered([folder])] == ["a.csv"]
    (folder / "a.csv").unlink()
    with pytest.raises(InputError, match="mine: holds no files with data"):
        gathered([folder])


@pytest.mark.slow
def test_a_folder_of_checkpoints_opens_their_curve(tiny, tmp_path):
    for name in ("10", "20"):
        (tmp_path / "run" / f"checkpoint-{name}").parent.mkdir(exist_ok=True)
        (tmp_path / "run" / f"checkpoint-{name}").symlink_to(tiny("gpt2"))
    (only,) = openings([tmp_path / "run"])
    assert (only.page, only.link["benchmark_view"]) == ("zero_shot", "Checkpoints") and "2 checkpoints" in only.about


@pytest.mark.slow
def test_the_verb_prints_the_address(cli, save, tmp_path):
    status, out, err = cli("open", SAMPLES / "minimal_pairs" / "agreement_pt.tsv", "--no-browser")
    assert status == 0 and out.startswith("http://localhost:8501/minimal_pairs?data=Upload&upload=")
    assert "24 items × 2 × 2" in err and "Also: agreement_pt.tsv: Minimal pairs, 48 pairs." in err
    refused(cli("open", save("x.txt", "Some text.\nMore.\n"), "--no-browser"), "nothing here reads these files")
    refused(cli("open", tmp_path / "none.csv", "--no-browser"), "There is no file")
