-- One row per item and candidate of every run: what its terms sum to, without the maps of groups, which are slow to
-- group. The tables `candidates` and `decisions` take these from the items.
with refused as (
    select run_id, unnest(map_keys(refused)) as item_id from runs
),
terms as (
    select i.*, s.n_tokens, s.n_scored, r.compared_by,
        s.logprob + case when r.ends then e.mass else 0 end as logprob,
        coalesce(r.shared, false) or x.item_id is not null as absent
    from items i
    join runs r on r.run_id = i.run_id
    left join scores s on s.fingerprint = i.fingerprint and s.request_key = i.request_key and s.temperature = 1
    left join word_ends e on e.request_key = i.request_key
    left join refused x on x.run_id = i.run_id and x.item_id = i.item_id
    where i.weight <> 0
),
summed as (
    select run_id, item_id, candidate,
        any_value(label) as label,
        any_value(gold) as gold,
        any_value(text) filter (term = 0) as text,
        case when count(*) = count(logprob) and not bool_or(absent) then sum(weight * logprob) end as logprob,
        any_value(n_tokens) filter (term = 0) as n_tokens,
        any_value(n_scored) filter (term = 0) as n_scored,
        any_value(compared_by) as compared_by
    from terms
    group by run_id, item_id, candidate
)
select * exclude (compared_by),
    logprob / case compared_by
        when 'sum' then 1
        when 'mean of all tokens' then nullif(n_tokens, 0)
        else nullif(n_scored, 0)
    end as value
from summed
