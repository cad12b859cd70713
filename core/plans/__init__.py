"""Plans: many models on many tasks, as one file, run by several workers.

file       plan.yaml: the models and tasks whose product is wanted
cells      a model on a task each: what it asks, what the store already has
chunks     the unit of work: some texts of a cell, scored by one worker into one part of the store
local, ray who runs the workers: processes of this machine, actors of a Ray cluster
estimates  texts, time, memory and price, before anything is run
running    a plan run to its end, whatever happens to single cells
progress   the record of a plan's last run, for whoever watches it
"""
