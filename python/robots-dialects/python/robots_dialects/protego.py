"""A drop-in for Protego, with the answers of RFC 9309.

>>> from robots_dialects.protego import Protego
>>> rp = Protego.parse("User-agent: *\\nDisallow: /private/")
>>> rp.can_fetch("https://example.org/private/page", "ExampleBot")
False
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import time
from typing import TYPE_CHECKING, NamedTuple

from . import Robots

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Protego", "RequestRate", "VisitTime"]

_TOKEN = re.compile(r"[a-z_-]+", re.I | re.A)
_RATE = re.compile(r"([0-9]{1,9})/([0-9]{1,9})([smhd]?)(?:\s+([0-9]+)-([0-9]+))?", re.I)
_VISIT = re.compile(r"([0-9]+)(?:\s*-\s*| )([0-9]+)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class RequestRate(NamedTuple):
    """How many requests a crawler may make in some seconds, and at which time of the day."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """When a crawler may come, each day."""

    start_time: time
    end_time: time


class Protego:
    """A robots.txt. A crawler may be named by its product token, or by its whole User-Agent header:
    then the longest token of the file that the header contains is its name, as in Protego.
    """

    def __init__(self, content: bytes | str = b"", dialect: str = "rfc9309") -> None:
        self._robots = Robots(content, dialect)
        self._tokens: list[tuple[str, str]] | None = None
        self._names: dict[str, str] = {}

    @classmethod
    def parse(cls, content: str, dialect: str = "rfc9309") -> Self:
        """Parse a file."""
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        return cls(content, dialect)

    def _name(self, user_agent: str) -> str:
        """The name to query by: `user_agent` itself if it is a product token, else the longest token
        that begins a word of the header, else the header."""
        if _TOKEN.fullmatch(user_agent):
            return user_agent
        known = self._names.get(user_agent)
        if known is None:
            if self._tokens is None:
                tokens = (agent for agent in self._robots.agents if agent != "*")
                tokens_by_length = sorted(tokens, key=len, reverse=True)
                self._tokens = [(token, token.lower()) for token in tokens_by_length]
            header = user_agent.lower()
            for token, lower in self._tokens:
                if _begins_word(lower, header):
                    known = token
                    break
            else:
                known = user_agent
            if len(self._names) > 1000:  # the crawlers of a server, not of one user
                self._names.clear()
            self._names[user_agent] = known
        return known

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Whether the crawler may fetch the URL."""
        return self._robots.allowed(self._name(user_agent), url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """The last Crawl-delay for the crawler, in seconds."""
        for value in self._values(user_agent, "crawl-delay"):
            try:
                seconds = float(value)
            except ValueError:
                continue
            if math.isfinite(seconds) and seconds >= 0:
                return seconds
        return None

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """The last Request-rate for the crawler: 1/10, 1/5m, 20/1h 0600-0845."""
        for value in self._values(user_agent, "request-rate"):
            if match := _RATE.fullmatch(value):
                requests, seconds, unit, start, end = match.groups()
                n_seconds = int(seconds) * _SECONDS[unit.lower()]
                window = _times(start, end) if start else (None, None)
                if int(requests) and n_seconds and window:
                    return RequestRate(int(requests), n_seconds, *window)
        return None

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """The last Visit-time for the crawler: 0600-0845, or 0600 0845."""
        for value in self._values(user_agent, "visit-time"):
            match = _VISIT.fullmatch(value)
            if match and (window := _times(*match.groups())):
                return VisitTime(*window)
        return None

    def _values(self, user_agent: str, name: str) -> Iterator[str]:
        """The values of a directive for the crawler, the last first."""
        for line in reversed(self._robots.directives(self._name(user_agent))):
            if line.name.replace(" ", "-") == name:
                yield line.value

    @property
    def sitemaps(self) -> Iterator[str]:
        """The URLs of the Sitemap lines."""
        return iter(self._robots.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The value of the last Host line."""
        hosts = [line.value for line in self._robots.directives(None) if line.name == "host"]
        return hosts[-1] if hosts else None


def _begins_word(token: str, header: str) -> bool:
    place = header.find(token)
    while place > 0 and (header[place - 1].isalnum() or header[place - 1] in "_-"):
        place = header.find(token, place + 1)
    return place >= 0


def _times(start: str, end: str) -> tuple[time, time] | None:
    """Two times of day, each HMM or HHMM."""
    if not (3 <= len(start) <= 4 and 3 <= len(end) <= 4):
        return None
    try:
        return (
            time(int(start[:-2]), int(start[-2:])),
            time(int(end[:-2]), int(end[-2:])),
        )
    except ValueError:
        return None
