"""A run, from question to result.

requests         a task's items as the requests of a run
evaluate         requests into a stored run, resumable
exclusions       what cannot be compared in it
zero_shot        a benchmark, from question to result folder
sweep            a benchmark on all checkpoints of a model
predictions      numbers from other programs' predictions
imported_scores  token tables of other programs as runs
readers          the task that reads a file
estimate         estimated duration
command          the choices on a page as a command line, for jobs
result           a stored run, read back
requested        the texts that were scored, one by one
run_list         all runs with their numbers
formats          a run in other programs' formats
receipts         how a number was made, and recomputing it from its receipt
archive          a run as one file: pack and unpack
"""
