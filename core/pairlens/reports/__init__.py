"""Comparisons, reproductions and reports of finished runs.

columns          what the columns of tables about runs are
run_comparison   comparison of stored runs: recipes, numbers, items that changed sides; other policies
multiverse       a run's number under every defensible policy; which policies yield a number
reproduction     a run as programs for other tools
submission       a submission in one file
checklist        how far a model is with a suite
sweep            a number over the checkpoints of a training, and the order of learning
stereotype_profile runs of GEST and EuroGEST by stereotype and language
languages        runs by language and phenomenon, beside what a tokenizer makes of the words
run_report       a run as a printable page or table
model_evaluation what the card of a model says it reached
whole_set        what a model reaches on published sets, beside our own sample; a warning where simple rules outdo it
"""
