"""A class that predicts before it looks: votes by phone and by raised hand, beside the answers of a model.

classroom    `Classroom` and `Answer`: where a class is in its lesson, who chose what; nothing of a server
shares       the model's answers; votes into shares: the class beside the model; what phones and files are told
kept         a class on disk, changed by many threads at once; as a run: human choices
"""
