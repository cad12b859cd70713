-- The log mass of everything that ends a text's last word (`core.store.scores.ended`), by request key.
select request_key,
    case when boundary_logprob is null then 0
        else ln(exp(boundary_logprob) + coalesce(exp(eos_logprob), 0) + coalesce(exp(punctuation_logprob), 0))
    end as mass
from tokens
where token is null
