-- The table `decisions`: the margins of `core.metrics`' choices, one row per item that has one right candidate.
with leads as (
    select run_id, item_id,
        arg_max(text, value) filter (label <> gold) as rival_text,
        case when count(*) = count(value) then
            max(value) filter (label = gold) - max(value) filter (label <> gold)
        end as margin,
        any_value(n_tokens) filter (label = gold) as n_tokens
    from candidate_sums
    group by run_id, item_id
    having count(*) filter (label = gold) = 1 and count(*) > 1
)
select l.run_id, l.item_id, i.groups, i.context, i.text as right_text, l.rival_text, l.margin, l.n_tokens
from leads l
join items i on i.run_id = l.run_id and i.item_id = l.item_id and i.term = 0 and i.label = i.gold
