"""robots.txt as RFC 9309, Google's parser and four older dialects read it.

>>> from robots_dialects import Robots
>>> robots = Robots("User-agent: *\\nDisallow: /private/")
>>> robots.allowed("GPTBot", "https://example.org/private/page")
False
"""

from ._native import Robots, __version__, compare
from ._results import Comparison, Directive, Group, Reason, Remark, Verdict

__all__ = [
    "Comparison",
    "Directive",
    "Group",
    "Reason",
    "Remark",
    "Robots",
    "Verdict",
    "__version__",
    "compare",
]
