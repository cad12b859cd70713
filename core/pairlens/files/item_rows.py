"""Items as a table for people, right and wrong texts side by side, and counts of items by group."""

from collections.abc import Sequence

import pandas as pd

from pairlens.types import Candidate, Item

_CLUSTER = "contrast"
"""The group that clusters items for intervals; items are not counted by it."""
_OURS = frozenset({"row", "item", "context", "right", "wrong", "texts"})
_MOST_VALUES = 200


def item_rows(items: Sequence[Item], *, with_texts: bool = True) -> pd.DataFrame:
    """One row per item: `row` in reading order (from 1), `item`, its texts, its groups.

    The texts are `context` (if all candidates of an item share it), `right` and `wrong` (all others), or `texts` with
    their labels where no item has a right candidate. Without `with_texts` they are left out. A group with one of
    these names gets the prefix `given_`.
    """
    judged = any(item.gold for item in items)
    texts = [_texts(item, judged) if with_texts else {} for item in items]
    rows = [
        {"row": row, "item": item.id, **shown}
        | {f"given_{name}" if name in _OURS else name: value for name, value in item.groups.items()}
        for row, (item, shown) in enumerate(zip(items, texts, strict=True), start=1)
    ]
    table = pd.DataFrame(rows).drop(columns=_CLUSTER, errors="ignore")
    if "context" in table and not table["context"].any():
        table = table.drop(columns="context")
    return table


def group_columns(items: Sequence[Item], first: Sequence[str] = ()) -> list[str]:
    """The groups that items can be counted by: those of `first`, then others that several items share."""
    values: dict[str, set[str]] = {}
    for item in items:
        for name, value in item.groups.items():
            values.setdefault(name, set()).add(value)
    names = [name for name in first if name in values] + [name for name in values if name not in first]
    most = min(_MOST_VALUES, max(len(items) // 2, 1))
    return [name for name in names if name != _CLUSTER and (name in first or len(values[name]) <= most)]


def counts(items: Sequence[Item], column: str) -> pd.DataFrame:
    """How many items have each value of a group, in reading order: `value`, `items`, `share` (0 to 1)."""
    values = pd.Series([item.groups.get(column, "") for item in items], dtype="str")
    table = values.value_counts(sort=False).rename_axis("value").reset_index(name="items")
    return table.assign(share=table["items"] / len(items))


def sides(item: Item, hint: str = "") -> tuple[str, str] | None:
    """The right text of an item, or its first, and a wrong one, if possible part of `hint`; None without one."""
    right = next((candidate for candidate in item.candidates if candidate.label == item.gold), item.candidates[0])
    others = [_whole(candidate) for candidate in item.candidates if candidate is not right]
    if not others:
        return None
    return _whole(right), next((other for other in others if other in hint), others[0])


def mentioned(items: Sequence[Item], identifier: str, texts: str) -> Item | None:
    """The item with one of these texts, written as in findings (`a | b`); of several, the one with this id."""
    parts = texts.split(" | ")
    mentions = [item for item in items if any(_whole(candidate) in parts for candidate in item.candidates)]
    return next((item for item in mentions if item.id == identifier), mentions[0] if mentions else None)


def _texts(item: Item, judged: bool) -> dict[str, str]:
    contexts = {candidate.context for candidate in item.candidates}
    shared = len(contexts) == 1
    shown = {candidate.label: candidate.text if shared else _whole(candidate) for candidate in item.candidates}
    context = {"context": contexts.pop() if shared else ""}
    if not judged:
        labelled = " | ".join(f"{label}: {text.strip()}" for label, text in shown.items())
        return context | {"texts": labelled if len(shown) > 1 else next(iter(shown.values()))}
    wrong = " | ".join(text for label, text in shown.items() if label != item.gold)
    return context | {"right": shown.get(item.gold or "", ""), "wrong": wrong}


def _whole(candidate: Candidate) -> str:
    return (candidate.context + candidate.text).strip()
