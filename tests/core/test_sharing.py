"""What the setting of a shared dashboard names, and which paths and models that opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.settings import ROOT
from core.sharing import WORDS, Rights, parsed

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


def test_the_setting_names_folders_models_and_words(monkeypatch):
    monkeypatch.setenv("HOME", "/srv/somebody")
    found = parsed(" /srv/data ,~/models,./here, org/name, org/other@v1.0 ,train,,hub ")
    assert found.folders == (Path("here"), Path("/srv/data"), Path("/srv/somebody/models"))
    assert found.hub_models == {"org/name", "org/other@v1.0"}
    assert found.words == {"train", "hub"}
    assert parsed("") == Rights()


@pytest.mark.parametrize("word", ["trian", "Train", "srv/data/x", "*", "everything", "org/", "gpt2", "train;hub"])
def test_an_unknown_word_is_refused_with_the_known_ones(word):
    with pytest.raises(InputError) as refused:
        parsed(f"train,{word}")
    assert str(refused.value).startswith("Environment variable PAIRLENS_ALLOWED: There is no right")
    assert all(known in str(refused.value) for known in WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_a_right_is_what_is_named_or_everything(word):
    assert parsed(word).may(word) and Rights(everything=True).may(word)
    assert not any(parsed(word).may(other) for other in WORDS if other != word)
    with pytest.raises(InputError, match="this dashboard is shared, and its operator has not allowed it"):
        Rights().need(word)


def test_models_of_the_hub():
    found = parsed("org/name,org/other@v1")
    assert found.may_name("org/name") and found.may_name("org/name", "v7")
    assert found.may_name("org/other", "v1")
    assert not found.may_name("org/other") and not found.may_name("org/other", "v2")
    assert not found.may_name("Org/name") and not found.may_name("org/name2")
    assert parsed("hub").may_name("any/thing")


@pytest.mark.parametrize(
    "inside", ["open", "open/a.csv", "open/inner/../a.csv", "open/not-there.csv", "secret/../open"]
)
def test_paths_inside_of_a_folder(tree, inside):
    assert Rights(folders=(tree / "open",)).path(f" {tree}/{inside} ").is_relative_to(tree / "open")


@pytest.mark.parametrize("outside", ["", "open2", "open2/c.csv", "secret/d.csv", "open/../secret/d.csv", "nothing"])
def test_paths_outside_of_it_are_refused_whether_they_exist_or_not(tree, outside):
    with pytest.raises(InputError, match=CLOSED):
        Rights(folders=(tree / "open",)).path(f"{tree}/{outside}")


@pytest.mark.parametrize(
    "given", ["~nobody-of-this-name/x", "a\0b", "/" + "x" * 5_000, "file:///etc/passwd", "/proc/self/cwd", "."]
)
def test_what_is_no_path_is_refused(tree, given):
    with pytest.raises(InputError, match=CLOSED):
        Rights(folders=(tree / "open",)).path(given)


def test_links_that_lead_out_are_refused_and_others_followed(tree):
    rights = Rights(folders=(tree / "open",))
    (tree / "open" / "near.csv").symlink_to(tree / "open" / "a.csv")
    assert rights.path(f"{tree}/open") and rights.path(f"{tree}/open/near.csv")
    (tree / "open" / "inner" / "far.csv").symlink_to(tree / "secret" / "d.csv")
    assert rights.path(f"{tree}/open/a.csv"), "what lies elsewhere in the folder is nothing to a file"
    for given in ("open", "open/inner", "open/inner/far.csv"):
        with pytest.raises(InputError, match=CLOSED):
            rights.path(f"{tree}/{given}")


def test_a_link_to_a_folder_inside_is_followed_to_what_lies_there(tree):
    rights = Rights(folders=(tree / "open",))
    (tree / "open" / "sub").mkdir()
    (tree / "open" / "sub" / "near").symlink_to(tree / "open" / "inner")
    (tree / "open" / "inner" / "round").symlink_to(tree / "open" / "sub")
    assert rights.path(f"{tree}/open/sub")
    (tree / "open" / "inner" / "far").symlink_to(tree / "secret")
    with pytest.raises(InputError, match=CLOSED):
        rights.path(f"{tree}/open/sub")


def test_a_companion_that_leads_out_closes_its_file(tree):
    (tree / "open" / "a.pred").symlink_to(tree / "secret" / "d.pred")
    with pytest.raises(InputError, match=CLOSED):
        Rights(folders=(tree / "open",)).path(f"{tree}/open/a.csv")


def test_a_folder_that_is_itself_a_link_is_where_it_leads(tree):
    (tree / "short").symlink_to(tree / "open")
    assert Rights(folders=(tree / "short",)).path(f"{tree}/short/a.csv") == tree / "open" / "a.csv"


def test_files_of_pairlens_and_the_secrets_of_a_sign_in_stay_closed(tree, home, monkeypatch):
    monkeypatch.setenv("HOME", str(tree / "user"))
    (tree / "open" / "back").symlink_to(home)
    rights = Rights(folders=(tree, ROOT))
    for closed in (home / ".secret", home, home.parent, ROOT / ".streamlit" / "secrets.toml", ROOT, tree / "open",
                   tree / "user" / ".streamlit" / "secrets.toml"):  # fmt: skip
        with pytest.raises(InputError, match=CLOSED):
            rights.path(str(closed))
    assert rights.path(f"{tree}/open2") and rights.path(f"{ROOT}/data")


def test_a_user_who_is_not_here_is_said():
    with pytest.raises(InputError, match="user who is not here"):
        parsed("~nobody-of-this-name/x")


def test_where_everything_is_open_a_path_is_what_was_typed(tree):
    assert Rights(everything=True).path(" open/../a.csv ") == Path("open/../a.csv")
    with pytest.raises(InputError, match="not a path that can be opened"):
        Rights(everything=True).path("~nobody-of-this-name/x")
