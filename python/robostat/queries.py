"""The shipped queries, each a function: the dataset, then parameters by name.

>>> robostat.queries.agent_adoption("out/", top=1).project("product_token").fetchall()
[('*',)]

`dir(robostat.queries)` lists them, and `help(robostat.queries.agent_adoption)` has the question,
the denominator and the parameters of one query. Both are the program's own description
(``robostat query --format json``). Every function passes its arguments to `robostat.query`, which
describes the arguments that all of them take.
"""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import json
import re
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from robostat._program import run
from robostat._query import query

if TYPE_CHECKING:
    import duckdb

    Query: TypeAlias = Callable[..., duckdb.DuckDBPyRelation]

_TYPES = {"INTEGER": int, "BIGINT": int, "DOUBLE": float, "BOOLEAN": bool}
"""Types of parameters; others are text."""


@functools.cache
def _functions() -> dict[str, Query]:
    described = json.loads(run(["query", "--format=json"], show_errors=False).stdout)
    functions = [_function(entry) for entry in described]
    return {function.__name__: function for function in functions}


def _function(entry: dict[str, Any]) -> Query:
    def function(out: Any, /, **parameters: Any) -> duckdb.DuckDBPyRelation:
        return query(out, entry["name"], **parameters)

    only, keyword = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY
    own = [
        inspect.Parameter(each["name"], keyword, default=default, annotation=kind)
        for each in entry["parameters"]
        for default, kind in [(_default(each["default"]), _type(each["type"]))]
    ]
    further = inspect.Parameter("further", inspect.Parameter.VAR_KEYWORD)
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("out", only, annotation="StrPath | Iterable[StrPath]"), *own, further],
        return_annotation="duckdb.DuckDBPyRelation",
    )
    function.__name__ = function.__qualname__ = entry["name"].replace("-", "_")
    function.__module__ = __name__
    parts = [("Parameters", "about_parameters")]
    parts += [("Denominator", "denominator"), ("Reproduces", "reproduces")]
    about = [f"{title}: {entry[key]}" for title, key in parts if entry[key]]
    paragraphs = [entry["question"], f"Topic: {entry['topic']}.", *about]
    function.__doc__ = "\n\n".join(textwrap.fill(each, 96) for each in paragraphs)
    return function


def _type(sql: str) -> Any:
    """A parameter's type in Python, or None, which means the default."""
    scalar = _TYPES.get(sql.rstrip("[]"), str)
    for _ in range(sql.count("[]")):
        scalar = list[scalar]  # type: ignore[valid-type]
    return scalar | None


def _default(sql: str) -> Any:
    """A default in Python, without the SQL type after it; None if the query computes it."""
    literal = re.sub(r"\s+", " ", sql.partition("::")[0])
    return None if literal == "NULL" else ast.literal_eval(literal)


def __getattr__(name: str) -> Query:
    if name.startswith("_"):
        raise AttributeError(name)
    functions = _functions()
    if name in functions:
        return functions[name]
    near = difflib.get_close_matches(name, functions, cutoff=0.6)
    hint = f"is it {' or '.join(near)}?" if near else "dir(robostat.queries) lists them all"
    raise AttributeError(f"there is no query {name}; {hint}")


def __dir__() -> list[str]:
    return list(_functions())
