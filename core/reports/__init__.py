"""What is said about finished runs.

alongside        what stands beside a run: other policies, another run
run_comparison   stored runs beside each other: recipes, numbers, items that changed sides
multiverse       a run's number under every defensible policy; which policies give a number
reproduction     a run as programs of others
submission       a submission in one file
run_report       a run as a page or a table to print
model_evaluation what the card of a model says it reached
"""
