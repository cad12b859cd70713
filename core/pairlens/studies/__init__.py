"""One folder per question; a later one may use an earlier one.

study        what a study is: its fields, declared once, and what comes of the answers (`pairlens.results`)
provenance   how answers were made that are scores and nothing else
generator    items from templates: minimal pairs and factorial designs whose cells share their words
compare      two sentences side by side
next_word    what a model expects next: tokens, whole words, forms of a word
experiment   your own design: sentences, regions, conditions, results
agreement    agreement sets in published formats; surface heuristics
stereoset    StereoSet's cases and numbers; its examples scored by a model
nli          answers about sentence pairs, evaluated across label systems
lint         what in a data set may distort a result, one check per file
gallery      worked examples
lesson       steps for a class that predicts before it looks
classroom    a class that works through a lesson: votes by phone, beside a model's answers
take_home    a lesson with its model as one HTML file
inside       where in a network the decision falls: states of one beginning put into the run of another
gathering    files that are opened together: out of folders and ZIP archives
opening      files, recognised by their content, and the page that opens them
"""
