from collections.abc import Iterable
from typing import Any, final

from ._results import Comparison, Directive, Group, Remark, Verdict

__all__ = ["Robots", "__version__", "compare"]

__version__: str

@final
class Robots:
    """A robots.txt as one dialect reads it, or the response that came instead.

    body: the file, as bytes or str.
    dialect: rep1994, koster1996, conner1996, rep2019, rfc9309 or google.
    status: the HTTP status that the body came with, which may allow or disallow everything;
        None if no response came.
    limit: the bytes that are read; a longer body is cut after its last complete line. None reads
        everything.

    A crawler is named by its product token ("GPTBot"), with or without a version (for google,
    without: its parser is called with the bare token). Only the path and the query of a URL count.
    Tokens and URLs are str or bytes. The only exceptions are for an argument of the wrong type
    (TypeError), an unknown dialect (ValueError) and a limit out of range (OverflowError).
    """

    def __new__(
        cls,
        body: bytes | str,
        dialect: str = "rfc9309",
        status: int | None = 200,
        *,
        limit: int | None = 512000,
    ) -> Robots: ...
    def __getnewargs_ex__(self) -> tuple[tuple[bytes, str, int | None], dict[str, Any]]: ...
    def allowed(self, agent: bytes | str, url: bytes | str) -> bool:
        """Whether the agent may fetch the URL."""

    def allowed_many(self, agent: bytes | str, urls: Iterable[bytes | str]) -> list[bool]:
        """Whether the agent may fetch each of the URLs, an iterable. Releases the GIL."""

    def verdict(self, agent: bytes | str, url: bytes | str) -> Verdict:
        """Whether the agent may fetch the URL, and why: a Verdict."""

    def restriction(self, agent: bytes | str) -> str:
        """How much of the site the agent is kept from: "none", "partial" or "full". Exact: decided
        over all possible paths, not by trying some.
        """

    def use(self, agent: bytes | str, url: bytes | str, category: bytes | str) -> bool | None:
        """Whether the content at the URL may be used for a category: "train-ai" or "search" of
        Content-Usage lines, "ai-train", "ai-input" or "search" of Content-Signal lines. None if no
        line answers, or the agent may not fetch the URL.
        """

    def crawl_delay(self, agent: bytes | str) -> float | None:
        """The first Crawl-delay of directives(agent) that is a number from 0 on, in seconds."""

    def directives(self, agent: bytes | str | None) -> list[Directive]:
        """The lines other than rules and sitemaps that apply to the agent, in order: Directives.
        Every dialect reads the groups for its whole product token here, or else the groups for *.
        With None, the lines that apply to the whole site, such as Host.
        """

    @property
    def groups(self) -> list[Group]:
        """The groups of rules, in order."""

    @property
    def sitemaps(self) -> list[str]:
        """The values of the Sitemap lines, in order."""

    @property
    def agents(self) -> list[str]:
        """The product tokens that the file names, each once, as first written, including "*"."""

    @property
    def remarks(self) -> list[Remark]:
        """What is wrong in the file, line by line: Remarks."""

    @property
    def dialect(self) -> str:
        """The name of the dialect."""

    @property
    def access(self) -> str:
        """What the response means: "parse" if the rules of the body apply, else "allow_all",
        "disallow_all", "defer", "follow_redirect" or "use_cached". Nothing is allowed yet after
        the last three.
        """

    @property
    def body(self) -> bytes:
        """The bytes that were read; empty if the response has no rules."""

def compare(
    old: Robots | bytes | str,
    new: Robots | bytes | str,
    agent: bytes | str,
    dialect: str | None = None,
) -> Comparison:
    """Compare what two files allow an agent, exactly: a Comparison.

    old, new: Robots, or bodies, which are read in the dialect.
    dialect: None for the dialect of the Robots, or else rfc9309.
    """
