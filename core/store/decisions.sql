-- The table `decisions`: the margins of `core.metrics`' choices, one row per item that has one right candidate.
select run_id, item_id,
    any_value(groups) as groups,
    any_value(context) filter (label = gold) as context,
    any_value(text) filter (label = gold) as right_text,
    arg_max(text, value) filter (label <> gold) as rival_text,
    case when count(*) = count(value) then
        max(value) filter (label = gold) - max(value) filter (label <> gold)
    end as margin,
    any_value(n_tokens) filter (label = gold) as n_tokens
from candidates
group by run_id, item_id
having count(*) filter (label = gold) = 1 and count(*) > 1
