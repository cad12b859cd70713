"""A film: how much a model prefers each of some pairs, at moments of its training; a table, without any weights.

pairs       pairs to watch: from a table, typed, the sample's, the gallery's
measuring   one moment: a model in a folder, its margins, a sample of its text
observer    beside a training: writes down its losses, margins and samples
reel        the table: written row by row while a model learns, read back, shares right with their intervals
wording     what a film shows, in words
shipped     films in `data/film`, which `core.bundled.film` makes

The same scorers as everywhere measure it: a margin of the last moment is the one that Compare shows for the model.
"""
