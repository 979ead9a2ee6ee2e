from typing import NamedTuple

class Verdict(NamedTuple):
    """Whether an agent may fetch a URL, and why."""

    allowed: bool
    line: int | None
    """The line of the rule that decided, from 1."""
    rule: str | None
    """That rule, as "disallow: /path"."""
    reason: str
    """robots_txt, no_group, no_match, first_match, longest_match, allow_wins_tie, empty_rule, or
    response: the status decided, not a rule."""
    choice: str
    """How the group was chosen: named (it names the agent), wildcard or none."""
    is_interpretation: bool
    """Whether the dialect's text leaves the verdict open."""

class Comparison(NamedTuple):
    """How the paths that two files allow an agent compare."""

    class_: str
    """equal, stricter, looser, mixed, or undecided: the work limit was reached, a rule could not be
    compared, or the files are of dialects that compare paths in different forms."""
    reasons: list[Reason]
    witness: str | None
    """A path that one file allows and the other does not, from the first reason."""
    is_complete: bool
    """Whether the list of reasons is complete."""

class Reason(NamedTuple):
    """Two rules that decide some paths differently."""

    direction: str
    """blocked (allowed before, disallowed now) or opened."""
    old_line: int | None
    old_rule: str | None
    """The rule that decided in the old file; None if no rule did."""
    new_line: int | None
    new_rule: str | None
    witness: str
    """One of the paths."""
    patterns: list[str]
    """Patterns that match all these paths, in the syntax of RFC 9309."""

class Group(NamedTuple):
    """A group of rules, as RFC 9309 forms it."""

    user_agents: list[str]
    """The values of its user-agent lines."""
    rules: list[str]
    """Its rules, as "disallow: /path"."""

class Directive(NamedTuple):
    """A line that is not user-agent, rule or sitemap."""

    line: int
    name: str
    """In lower case."""
    value: str

class Remark(NamedTuple):
    """Something wrong with a line."""

    line: int
    kind: str
    text: str
    """The line, at most 200 bytes of it."""
    meaning: str
    """The meaning of the kind, in a sentence."""
