"""A run, from question to result.

requests         a task's items as the requests of a run
evaluate         these into a stored run, resumable
exclusions       what cannot be compared in it
zero_shot        a benchmark from question to result folder
sweep            a benchmark on all checkpoints of a model
predictions      numbers from the predictions of others
imported_scores  token tables of other programs as runs
readers          which task reads a file
estimate         how long it will take
command          what was chosen on a page as a command line, which jobs run
result           a finished run, read back
requested        what its model was asked, text by text
run_list         all runs with their numbers
formats          a run in the formats of others
receipts         how a number was made, and that number again from its receipt
archive          a run as one file, packed and unpacked
"""
