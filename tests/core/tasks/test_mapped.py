"""Sets of pairs that are described as data: multiblimp, xcomps, and sets in one language such as zhoblimp."""

import tomllib

import pytest

from pairlens.errors import InputError
from pairlens.evaluation.zero_shot import sample
from pairlens.policies import preset_for
from pairlens.tasks import TASKS
from pairlens.tasks._mapped import MAPPINGS

NAMES = list(tomllib.loads(MAPPINGS.read_text("utf-8")))
FIRST = {
    "multiblimp": ("arb", "SV-#", "يلعبون|يلعب"),
    "xcomps": ("he", "comps", "כלב|עץ"),
    "blimp_nl": ("nl", "anaphor_agreement", "onszelf|mezelf"),
    "zhoblimp": ("zh", "BA", "他把门关上了。|他把门关。"),
    "rublimp": ("ru", "Negation", "не|"),
    "turblimp": ("tr", "npi_licensing", "gelmedi.|geldi."),
    "jblimp": ("ja", "argument structure", "花子が本を読んだ。|花子が本に読んだ。"),
    "blimp_fr": ("fr", "adjective_noun_agreement", "petite|petit"),
}


def test_a_set_that_is_data_is_a_task_like_any_other():
    assert set(FIRST) == set(NAMES) < set(TASKS)
    assert TASKS["blimp-nl"] is TASKS["blimp_nl"]
    spaced = {name for name in NAMES if preset_for("lm-eval", TASKS[name].sets).leading_space}
    assert spaced == {"xcomps", "rublimp", "jblimp", "blimp_fr"}, "those not in the harness keep the preset's space"


@pytest.mark.parametrize("name", FIRST)
def test_what_the_columns_and_the_names_of_files_say_and_a_missing_one_is_named_with_the_set(name, save):
    first = next(iter(TASKS[name].read(sample(TASKS[name]))))
    assert tuple(first.groups[group] for group in ("language", "phenomenon", "contrast")) == FIRST[name]
    assert first.gold == "good"
    with pytest.raises(InputError, match=rf"wrong\.csv.*{TASKS[name].title}.*one, two"):
        list(TASKS[name].read(save("wrong.csv", "one,two\na,b\n")))


def test_languages_come_from_a_column_or_a_folder_or_are_unknown(tmp_path, save):
    task = TASKS["multiblimp"]
    everything = list(task.read(sample(task)))
    assert len({item.groups["language"] for item in everything}) == 12
    hebrew = [item for item in everything if item.groups["language"] == "heb"]
    assert list(task.read(sample(task) / "heb")) == list(task.read(sample(task) / "heb" / "data.tsv")) == hebrew
    table = tmp_path / "fra" / "data.tsv"
    table.parent.mkdir()
    table.write_text("sen\twrong_sen\tphenomenon\tlanguage\nEl sol surt.\tEl sol surten.\tSV-#\tcat\n", "utf-8")
    assert [item.groups["language"] for item in TASKS["multiblimp"].read(tmp_path)] == ["cat"]
    table = save("Mine.csv", "acceptable_sent,unacceptable_sent\nA dog barks.,A tree barks.\n")
    (item,) = TASKS["xcomps"].read(table)
    assert (item.id, item.groups["language"]) == ("unknown_Mine_0", "unknown")
