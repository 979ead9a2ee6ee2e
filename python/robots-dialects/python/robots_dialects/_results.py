"""Results with several fields. The stub has the types: `typing` would take most import time."""

from collections import namedtuple


def _result(name, fields, doc):
    made = namedtuple(name, fields, module="robots_dialects")
    made.__doc__ = doc
    return made


Verdict = _result(
    "Verdict",
    "allowed line rule reason choice is_interpretation",
    "Whether an agent may fetch a URL, and why.",
)
Comparison = _result(
    "Comparison",
    "class_ reasons witness is_complete",
    "How the paths that two files allow an agent compare.",
)
Reason = _result(
    "Reason",
    "direction old_line old_rule new_line new_rule witness patterns",
    "Two rules that decide some paths differently.",
)
Group = _result("Group", "user_agents rules", "A group of rules, as RFC 9309 forms it.")
Directive = _result(
    "Directive", "line name value", "A line that is not user-agent, rule or sitemap."
)
Remark = _result("Remark", "line kind text meaning", "Something wrong with a line.")
