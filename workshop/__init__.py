"""How the models, heads, data and translations that ship with Pairlens are made: README.md has the rooms."""
