"""A drop-in for `urllib.robotparser`, with the answers of RFC 9309.

>>> from robots_dialects.robotparser import RobotFileParser
>>> parser = RobotFileParser()
>>> parser.parse(["User-agent: *", "Allow: /*", "Disallow: /private/"])
>>> parser.can_fetch("ExampleBot", "/private/page")
False
"""

from __future__ import annotations

import urllib.error
import urllib.request
import urllib.robotparser
from collections.abc import Iterable
from urllib.robotparser import RequestRate

from . import Robots

__all__ = ["RequestRate", "RobotFileParser"]


class RobotFileParser(urllib.robotparser.RobotFileParser):
    """Reads a robots.txt and answers for it, as the class of the standard library does.

    Attributes that the standard library does not document, such as `entries`, stay empty. `parse`
    replaces the file that was parsed before.
    """

    disallow_all: bool
    allow_all: bool
    last_checked: float
    url: str

    def __init__(self, url: str = "", dialect: str = "rfc9309") -> None:
        super().__init__(url)
        self._robots = Robots(b"", dialect)

    def read(self) -> None:
        """Fetch the file and parse it. Raises URLError if the server cannot be reached.

        401 and 403 disallow everything, as in the standard library (RFC 9309 §2.3.1.3 permits
        both); other statuses from 400 allow everything, and those from 500 nothing (§2.3.1.4).
        """
        try:
            with urllib.request.urlopen(self.url) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            error.close()
            access = Robots(b"", self._robots.dialect, error.code).access
            self.disallow_all = error.code in (401, 403) or access != "allow_all"
            self.allow_all = not self.disallow_all
        else:
            self._take(body)

    def parse(self, lines: Iterable[str]) -> None:
        """Parse the lines of a file."""
        self._take("\n".join(line.rstrip("\r\n") for line in lines))

    def _take(self, body: bytes | str) -> None:
        self.modified()
        self.allow_all = self.disallow_all = False
        self._robots = Robots(body, self._robots.dialect)

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Whether the crawler may fetch the URL; False before a file was parsed."""
        if self.disallow_all or self.allow_all:
            return self.allow_all
        return bool(self.last_checked) and self._robots.allowed(useragent, url)

    def crawl_delay(self, useragent: str) -> int | None:  # type: ignore[override]
        """The last Crawl-delay for the crawler that is a whole number, in seconds."""
        values = self._values(useragent, "crawl-delay")
        return next((int(value) for value in values if value.isdecimal()), None)

    def request_rate(self, useragent: str) -> RequestRate | None:
        """The last Request-rate for the crawler, of the form requests/seconds."""
        for value in self._values(useragent, "request-rate"):
            numbers = [number.strip() for number in value.split("/")]
            if len(numbers) == 2 and all(map(str.isdecimal, numbers)):
                return RequestRate(*map(int, numbers))
        return None

    def _values(self, useragent: str, name: str) -> Iterable[str]:
        """The values of a directive for the crawler, if shorter than 20 characters; last first."""
        found = reversed(self._robots.directives(useragent)) if self.last_checked else ()
        return (line.value for line in found if line.name == name and len(line.value) < 20)

    def site_maps(self) -> list[str] | None:
        """The URLs of the Sitemap lines; None without such lines."""
        return self._robots.sitemaps or None

    def __str__(self) -> str:
        """The groups in the form of a robots.txt, in the order of this Python's own class."""
        groups = self._robots.groups
        # Python's class has groups in file order if it follows RFC 9309; older ones put `*` last.
        if not hasattr(self, "groups"):
            groups.sort(key=lambda group: "*" in group.user_agents)
        body = self._robots.body.lower()
        has_values = b"crawl-delay" in body or b"request-rate" in body
        return "\n\n".join(self._text(group, has_values) for group in groups)

    def _text(self, group: tuple[list[str], list[str]], has_values: bool) -> str:
        user_agents, rules = group
        # Crawlers of a group may have values of their own: they are written as groups.
        agents_by_values: dict[tuple[str, ...], list[str]] = {}
        for agent in user_agents:
            values = []
            # Each of these searches the whole file: slow for thousands of user-agent lines.
            if has_values and (delay := self.crawl_delay(agent)) is not None:
                values.append(f"Crawl-delay: {delay}")
            if has_values and (rate := self.request_rate(agent)) is not None:
                values.append(f"Request-rate: {rate.requests}/{rate.seconds}")
            agents_by_values.setdefault(tuple(values), []).append(f"User-agent: {agent}")
        lines = [rule[0].upper() + rule[1:] for rule in rules]
        return "\n\n".join(
            "\n".join([*agents, *values, *lines]) for values, agents in agents_by_values.items()
        )
