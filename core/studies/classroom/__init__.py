"""A class that predicts before it looks: votes by phone and by raised hand, beside the answers of a model.

classroom    `Classroom` and `Answer`: where a class is in its lesson, who chose what; nothing of a server
answers      the model's answers to the steps of a lesson, computed before the class begins
shares       votes into shares: the class beside the model, step by step; what a phone is told; votes as a table
kept         a class on disk, changed by many threads at once; as a run: human choices
"""
