"""Folders of models that are listed by their paths."""

from pairlens import models
from pairlens.models.folder_list import add, contains, folders, remove
from pairlens.models.inventory import inventory


def test_an_added_folder_is_listed_once_until_it_is_removed_or_gone(home, tiny, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.symlink_to(tiny("gpt2"), target_is_directory=True)
    assert folders() == [] and not contains(str(folder))
    monkeypatch.chdir(tmp_path)
    name = add("./mine")
    assert add(str(folder)) == name and folders() == [name] and contains("./mine")
    (entry,) = [one for one in inventory([]) if one.name == name]
    assert (entry.kind, entry.origin) == ("causal", "folder") and models.find(name).kind == "causal"
    remove("./mine")
    assert folders() == []
    add(str(tmp_path / "gone"))
    assert folders() == [], "a folder that is not there is left out"
