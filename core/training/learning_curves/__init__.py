"""Learning curves: a model's margin on each of some pairs, at moments of its training. A table, no weights.

pairs       pairs to watch: from a table, typed, the sample's, the gallery's
measuring   one moment: a model in a folder, its margins, a sample of its text
recorder    beside a training: records its losses, margins and samples
curves      the table: written row by row while a model learns, read back, shares right with their intervals
wording     sentences about learning curves
shipped     those in `data/learning_curves`, which `workshop.learning_curves` makes

Margins come from the same scorers as everywhere: that of the last moment is the one that Compare shows.
"""
