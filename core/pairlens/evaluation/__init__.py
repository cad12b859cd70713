"""A run, from request to result.

requests         a task's items as the requests of a run
evaluate         requests into a stored run, resumable
zero_shot        a benchmark from request to result folder
reading_differences  in what a run on reading times differs from BabyLM's pipeline
sweep            a benchmark on all checkpoints of a model
predictions      numbers from other programs' predictions, or from one logarithm of a ratio per line
imported_scores  token tables of other programs as runs
readers          which tasks can read a file
estimate         how long scoring will take
command          choices on a page as a command line, for jobs and for people
result           a finished run, read back
samples          our own small samples, in words that never read like the published set
run_list         all runs with their numbers
formats          a run in the formats of other programs
receipts         how a number was made; the number recomputed from its receipt
archive          a run as one file, packed and unpacked
"""
