"""What the setting of a shared dashboard names, and which paths and models that opens."""

from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.places import FOLDER as ROOT
from pairlens.sharing import WORDS, Rights, parsed
from tests.refusals import error_of

CLOSED = "read only from folders that its operator names"


@pytest.fixture
def tree(tmp_path):
    """Two folders side by side, with links between them."""
    root = tmp_path.resolve()
    for folder in ("open/inner", "open2", "secret"):
        (root / folder).mkdir(parents=True)
    for file in ("open/a.csv", "open/inner/b.csv", "open2/c.csv", "secret/d.csv", "secret/d.pred"):
        (root / file).write_text("x")
    return root


@pytest.fixture
def rights(tree):
    return Rights(folders=(tree / "open",))


def test_the_setting_names_rights_folders_and_models_of_the_hub(monkeypatch):
    monkeypatch.setenv("HOME", "/srv/somebody")
    found = parsed(" /srv/data ,~/models,./here, org/name, org/other@v1.0 ,train,,hub ")
    assert found.folders == (Path("here"), Path("/srv/data"), Path("/srv/somebody/models"))
    assert found.hub_models == {"org/name", "org/other@v1.0"}
    assert found.words == {"train", "hub"}
    assert parsed("") == Rights()
    found = parsed("org/name,org/other@v1")
    assert found.may_name("org/name") and found.may_name("org/name", "v7")
    assert found.may_name("org/other", "v1")
    assert not found.may_name("org/other") and not found.may_name("org/other", "v2")
    assert not found.may_name("Org/name") and not found.may_name("org/name2")
    assert parsed("hub").may_name("any/thing")
    for word in WORDS:
        assert Rights(everything=True).may(word) and [other for other in WORDS if parsed(word).may(other)] == [word]
        with pytest.raises(InputError, match="this dashboard is shared, and its operator has not allowed it"):
            Rights().need(word)


@pytest.mark.parametrize("word", ["trian", "Train", "srv/data/x", "*", "everything", "org/", "gpt2", "train;hub"])
def test_an_unknown_word_is_refused_with_the_known_ones(word):
    with pytest.raises(InputError) as refused:
        parsed(f"train,{word}")
    assert str(refused.value).startswith("Environment variable PAIRLENS_ALLOWED: There is no right")
    assert all(known in str(refused.value) for known in WORDS)


def closed(rights, *paths):
    for path in paths:
        with pytest.raises(InputError, match=CLOSED):
            rights.path(str(path))
    return True


def test_paths_inside_of_a_folder_are_open_and_others_refused_unless_everything_is_open(tree, rights):
    for inside in ("open", "open/a.csv", "open/inner/../a.csv", "open/not-there.csv", "secret/../open"):
        assert rights.path(f" {tree}/{inside} ").is_relative_to(tree / "open")
    outside = ("", "open2", "open2/c.csv", "secret/d.csv", "open/../secret/d.csv", "nothing")
    assert closed(rights, *(f"{tree}/{path}" for path in outside))
    nothing = ("~nobody-of-this-name/x", "a\0b", "/" + "x" * 5_000, "file:///etc/passwd", "/proc/self/cwd", ".")
    assert closed(rights, *nothing)
    assert Rights(everything=True).path(" open/../a.csv ") == Path("open/../a.csv")
    assert "not a path that can be opened" in error_of(lambda: Rights(everything=True).path("~nobody-of-this-name/x"))
    assert "user who is not here" in error_of(lambda: parsed("~nobody-of-this-name/x"))


def test_links_inside_are_followed_and_those_that_lead_out_refused_also_of_a_companion(tree, rights):
    (tree / "open" / "sub").mkdir()
    (tree / "open" / "sub" / "near").symlink_to(tree / "open" / "inner")
    (tree / "open" / "inner" / "round").symlink_to(tree / "open" / "sub")
    assert rights.path(f"{tree}/open/sub")
    (tree / "open" / "inner" / "far").symlink_to(tree / "secret")
    assert closed(rights, tree / "open" / "sub")
    (tree / "open" / "inner" / "far").unlink()
    (tree / "open" / "near.csv").symlink_to(tree / "open" / "a.csv")
    assert rights.path(f"{tree}/open") and rights.path(f"{tree}/open/near.csv")
    (tree / "open" / "inner" / "far.csv").symlink_to(tree / "secret" / "d.csv")
    assert rights.path(f"{tree}/open/a.csv"), "what lies elsewhere in the folder is nothing to a file"
    assert closed(rights, tree / "open", tree / "open" / "inner", tree / "open" / "inner" / "far.csv")
    (tree / "short").symlink_to(tree / "open")
    assert Rights(folders=(tree / "short",)).path(f"{tree}/short/a.csv") == tree / "open" / "a.csv"
    (tree / "open" / "a.pred").symlink_to(tree / "secret" / "d.pred")
    assert closed(rights, tree / "open" / "a.csv")


def test_files_of_pairlens_and_the_secrets_of_a_sign_in_stay_closed(tree, home, monkeypatch):
    monkeypatch.setenv("HOME", str(tree / "user"))
    (tree / "open" / "back").symlink_to(home)
    rights = Rights(folders=(tree, ROOT))
    secrets = (folder / ".streamlit" / "secrets.toml" for folder in (ROOT, tree / "user"))
    assert closed(rights, home / ".secret", home, home.parent, ROOT, tree / "open", *secrets)
    assert rights.path(f"{tree}/open2") and rights.path(f"{ROOT}/data")
