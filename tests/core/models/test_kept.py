"""Folders of models that are listed by their paths."""

from pairlens import models
from pairlens.models.inventory import inventory
from pairlens.models.kept import forget, is_kept, keep, kept


def test_a_kept_folder_is_listed_once_until_it_is_forgotten_or_gone(home, tiny, tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.symlink_to(tiny("gpt2"), target_is_directory=True)
    assert kept() == [] and not is_kept(str(folder))
    monkeypatch.chdir(tmp_path)
    name = keep("./mine")
    assert keep(str(folder)) == name and kept() == [name] and is_kept("./mine")
    (entry,) = [one for one in inventory([]) if one.name == name]
    assert (entry.kind, entry.origin) == ("causal", "folder") and models.find(name).kind == "causal"
    forget("./mine")
    assert kept() == []
    keep(str(tmp_path / "gone"))
    assert kept() == [], "a folder that is not there is left out"
