"""`plot`: shares with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    from matplotlib.axes import Axes

SOURCES = ("n", "population", "unit", "crawl")
"""Columns with the denominator of the share that has an interval."""
NUMBERS = ("BIGINT", "DOUBLE", "HUGEINT")
"""Types of counts and shares, which are not part of a label."""


def plot(
    answer: duckdb.DuckDBPyRelation,
    *,
    share: str | None = None,
    label: str | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draws the shares of an answer with their 95% intervals, and a line with their source.

    >>> answer = robostat.queries.ai_agents_most_blocked("out/", top=5)
    >>> print(robostat.plot(answer).get_xlabel())
    full by name, %
    n 272, population answered, unit host, crawl MADE-UP
    Bars are 95% intervals. Source: robostat

    An answer over several crawls becomes a line for each label, with the crawls in the order of the
    answer; any other becomes a point per row, from top to bottom.

    Args:
        answer: the relation that `robostat.query` returned, or a part of it.
        share: the column to draw [the one before ``pct_low``]. Its interval is in ``SHARE_low`` and
            ``SHARE_high``, or in ``pct_low`` and ``pct_high`` if these follow it; a share without
            an interval is drawn without bars, and without the denominator if others have one.
        label: the column with the names [``name``, else the first that is not the crawl]. If names
            repeat, further columns are added to them.
        axes: where to draw [a new figure].

    Raises:
        ImportError: matplotlib is not installed.
        ValueError: the answer has no such column, or several rows with the same label in a crawl.
    """
    columns = answer.columns
    if share is None:
        if "pct_low" not in columns:
            raise ValueError(f"no column pct_low in the answer; choose a share: {columns}")
        share = columns[columns.index("pct_low") - 1]
    if label is None:
        names = [each for each in columns if each != "crawl"]
        label = "name" if "name" in columns else names[0]
    missing = [each for each in (share, label) if each not in columns]
    if missing:
        raise ValueError(f"no column {missing[0]} in the answer, which has {columns}")
    ends = [f"{share}_low", f"{share}_high"]
    if not {*ends} <= {*columns}:
        # An interval of another share has another denominator, too.
        ends = columns[columns.index(share) + 1 :][:2]
        ends = ends if ends == ["pct_low", "pct_high"] else []
    rows = [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]
    rows = [row for row in rows if row[share] is not None]
    texts = [name for name, kind in zip(columns, answer.types, strict=True) if str(kind) not in NUMBERS]
    labels = _labels(rows, label, [name for name in texts if name not in (*SOURCES, "note")])
    crawls = list(dict.fromkeys(row.get("crawl") for row in rows))
    is_over_time = len(crawls) > 1
    if axes is None:
        axes = _new_axes(10 if is_over_time else len(rows))
    words = f"{share.removeprefix('pct_').replace('_', ' ')}, %"
    source = _source(rows, share, ends)
    if is_over_time:
        _draw_lines(axes, rows, labels, [share, *ends], crawls)
        axes.set(xlabel=f"crawl\n{source}", ylabel=words)
        if axes.dataLim.ymin >= 0:
            axes.set_ylim(bottom=0)
    else:
        shares, places = [row[share] for row in rows], range(len(rows))
        axes.errorbar(shares, places, xerr=_errors(rows, share, ends), fmt="o", capsize=3)
        axes.set_yticks(places, labels)
        axes.invert_yaxis()
        name = label.replace("_", " ")
        axes.set(xlabel=f"{words}\n{source}", ylabel=name)
        if axes.dataLim.xmin >= 0:
            axes.set_xlim(left=0)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _new_axes(n_rows: int) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        message = "robostat.plot needs matplotlib: pip install robostat[plot]"
        raise ImportError(message) from error
    size = (7, min(12, max(3, 1.2 + 0.3 * n_rows)))
    _, axes = pyplot.subplots(figsize=size, layout="constrained")
    return axes


def _labels(rows: list[dict[str, Any]], label: str, others: list[str]) -> list[str]:
    """The label of each row: the values of `label`, and of more columns until no label repeats in a
    crawl."""
    key = [label]

    def values(columns: list[str]) -> list[tuple[Any, ...]]:
        return [tuple(str(row.get(each)) for each in ("crawl", *columns)) for row in rows]

    for each in others:
        if len({*values([*key, each])}) > len({*values(key)}):
            key.append(each)
    cells = values(key)
    # Nulls are left out, unless different rows get the same label.
    labels = [", ".join(str(row[each]) for each in key if row[each] is not None) for row in rows]
    if len({*labels}) < len({tuple(parts) for _, *parts in cells}):
        labels = [", ".join(parts) for _, *parts in cells]
    labels = [each or "None" for each in labels]
    seen: set[tuple[str, str]] = set()
    for (crawl, *_), each in zip(cells, labels, strict=True):
        if (crawl, each) in seen:
            place = "" if crawl == "None" else f" in the crawl {crawl}"
            message = f"several rows have the label {each}{place}"
            raise ValueError(f"{message}; choose a column that distinguishes them with label=")
        seen.add((crawl, each))
    return labels


def _draw_lines(
    axes: Axes, rows: list[dict[str, Any]], labels: list[str], names: list[str], crawls: list[Any]
) -> None:
    share, *ends = names
    for each in dict.fromkeys(labels):
        own = [row for row, label in zip(rows, labels, strict=True) if label == each]
        places = [crawls.index(row["crawl"]) for row in own]
        shares, errors = [row[share] for row in own], _errors(own, share, ends)
        axes.errorbar(places, shares, yerr=errors, fmt="o-", capsize=3, label=each)
    axes.set_xticks(range(len(crawls)), [str(crawl) for crawl in crawls])
    axes.tick_params(axis="x", rotation=20)
    axes.legend(frameon=False)


def _errors(rows: list[dict[str, Any]], share: str, ends: list[str]) -> list[list[float]] | None:
    """How far the ends of the intervals are from the share; 0 for a row without an interval."""
    if not ends:
        return None
    low, high = ends
    return [
        [row[share] - row[low] if _has_bar(row, ends) else 0 for row in rows],
        [row[high] - row[share] if _has_bar(row, ends) else 0 for row in rows],
    ]


def _has_bar(row: dict[str, Any], ends: list[str]) -> bool:
    """Whether both ends of the interval are known; a share that is a lower bound has only one."""
    return bool(ends) and None not in [row[end] for end in ends]


def _source(rows: list[dict[str, Any]], share: str, ends: list[str]) -> str:
    """The base of the shares: every value that the rows agree on, or its range."""
    has_other_intervals = any(name.endswith("_low") for row in rows for name in row)
    # rules-read-otherwise has shares of rules, which n counts, and of hosts.
    is_of_others = "hosts" in share and any(row.get("unit") == "rule" for row in rows)
    parts = []
    for name in SOURCES if ends or not (has_other_intervals or is_of_others) else ["crawl"]:
        values = list(dict.fromkeys(row[name] for row in rows if row.get(name) is not None))
        if len(values) > 1:
            values = [f"{min(values)} to {max(values)}"] if name == "n" else []
        parts += [f"{name} {value}" for value in values]
    end = "Bars are 95% intervals. " if any(_has_bar(row, ends) for row in rows) else ""
    return "\n".join(filter(None, [", ".join(parts), f"{end}Source: robostat"]))
