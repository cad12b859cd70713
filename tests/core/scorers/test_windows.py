"""Windows over long texts, as full ones and at multiples of the stride."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import PolicyError
from pairlens.models import find
from pairlens.policies import preset
from pairlens.scorers import SCORERS
from pairlens.scorers._windows import begins, centred, step, strided


def test_only_the_last_window_differs():
    assert [*strided(10, 4, 3)] == [(0, 4, 0), (3, 7, 4), (6, 10, 7)]
    assert [*strided(9, 4, 3)] == [(0, 4, 0), (3, 7, 4), (5, 9, 7)]
    assert [*strided(9, 4, 3, "stride")] == [(0, 4, 0), (3, 7, 4), (6, 9, 7)]


@given(st.integers(1, 200), st.integers(2, 50), st.integers(0, 50), st.sampled_from(["full", "stride"]))
def test_every_token_is_new_once_in_the_window_that_is_said_for_it(total, window, stride, windows):
    all_windows = [*strided(total, window, stride, windows)]
    assert [place for _, end, new in all_windows for place in range(new, end)] == [*range(total)]
    for begin, end, new in all_windows:
        assert end - begin <= window and (new > begin or new == 0)
        assert begin % step(window, stride) == 0 or windows == "full"
        assert {begins(place, total, window, stride, windows) for place in range(new, end)} == {begin}
    if windows == "full":
        steps = {end - new for _, end, new in all_windows[1:-1]}
        assert steps <= {max(1, min(stride or window // 2, window - 1))}
        assert begins(total, total, window, stride) == all_windows[-1][0]
        assert begins(total, 0, window, stride) == max(0, total - window), "a whole text"


@given(total=st.integers(1, 200), window=st.integers(2, 50), data=st.data())
def test_centred_windows_hold_their_place(total, window, data):
    place = data.draw(st.integers(0, total - 1))
    begin, end = centred(total, window, place)
    assert 0 <= begin <= place < end <= total
    assert end - begin == min(total, window)
    assert begin < place or place == 0


@pytest.mark.model
@pytest.mark.parametrize(("architecture", "chosen", "said"), [
    ("gpt2", {"stride": 64}, "nothing before it"),
    ("roberta", {"stride": 45}, "leaves tokens out: windows by strides have 44 of the 64"),
    ("roberta", {"window": 20}, "take a window of more than 20 tokens, or windows=full"),
])  # fmt: skip
def test_windows_that_leave_tokens_without_a_value_are_refused(tiny, architecture, chosen, said):
    kind = SCORERS["causal" if architecture == "gpt2" else "masked"]
    with pytest.raises(PolicyError, match=said):
        kind.open(find(tiny(architecture)), preset("nlpscholar").but(**chosen))
