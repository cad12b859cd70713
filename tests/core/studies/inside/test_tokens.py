"""Tokens are aligned over the shared start and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.studies.inside.question import aligned


@given(*(st.lists(st.integers(0, 2), min_size=1, max_size=8) for _ in range(2)))
def test_aligned_positions_hold_the_same_token_or_stand_between(one, other):
    if one == other:
        with pytest.raises(InputError, match="nothing to move"):
            aligned(one, other)
        return
    found = aligned(one, other)
    same = [(to, of) for to, of in found.pairs if to < found.start or to >= len(one) - found.end]
    assert all(one[to] == other[of] for to, of in same)
    assert len(same) == found.start + found.end
    assert len(found.pairs) == len(same) + (found.parted[0] if found.whole else 0)
    assert sorted(found.pairs) == list(found.pairs)
    assert [pair[::-1] for pair in found.pairs] == list(aligned(other, one).pairs)


def test_an_end_never_takes_what_the_start_has():
    found = aligned([1, 2, 2, 3], [1, 2, 3])
    assert (found.start, found.end, found.parted) == (2, 1, (1, 0))
    assert found.pairs == ((0, 0), (1, 1), (3, 2))
