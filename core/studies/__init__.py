"""A folder per question. A later one may use an earlier one.

generator    items from templates: minimal pairs and factorial designs whose cells share their words
compare      two sentences side by side
next_word    what comes next: tokens, whole words, forms of a word
experiment   a design of one's own: sentences, regions, conditions, and what was found
agreement    agreement sets in published formats; surface heuristics
stereoset    StereoSet's cases and numbers; its examples scored by a model
nli          answers about pairs of sentences, judged across label systems
lint         what in a data set may spoil a result, one check per file
gallery      worked examples
"""
