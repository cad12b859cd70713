-- The table `candidates`: what `Store.candidates` computes, one row per item and candidate of every run.
select s.run_id, s.item_id, s.candidate, s.label, s.gold, i.context, s.text, i.groups,
    s.logprob, s.value, s.n_tokens, s.n_scored
from candidate_sums s
join items i on i.run_id = s.run_id and i.item_id = s.item_id and i.candidate = s.candidate and i.term = 0
