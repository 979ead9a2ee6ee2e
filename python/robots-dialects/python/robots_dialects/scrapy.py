"""A robots.txt parser for Scrapy: ROBOTSTXT_PARSER = "robots_dialects.scrapy.RobotParser"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser as _RobotParser

from .protego import Protego

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler


class RobotParser(_RobotParser):
    """Answers under RFC 9309, or by the dialect that the setting ROBOTSTXT_DIALECT names. A
    crawler's name may be its whole User-Agent header.
    """

    def __init__(self, robotstxt_body: bytes, dialect: str = "rfc9309") -> None:
        self._protego = Protego(robotstxt_body, dialect)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> RobotParser:
        """Parse a body that a crawl fetched."""
        return cls(robotstxt_body, crawler.settings.get("ROBOTSTXT_DIALECT", "rfc9309"))

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Whether the crawler may fetch the URL."""
        return self._protego.can_fetch(_text(url), _text(user_agent))


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
