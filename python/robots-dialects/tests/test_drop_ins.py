"""The drop-in classes for urllib.robotparser, Protego and Scrapy."""

import copy
import datetime
import itertools
import pickle
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.robotparser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from robots_dialects.protego import Protego, RequestRate, VisitTime
from robots_dialects.robotparser import RobotFileParser

BODY = """\
User-agent: *
Allow: /*
Disallow: /private/
Crawl-delay: 2
Request-rate: 3/15
Visit-time: 0600-0845
Sitemap: https://example.org/sitemap.xml
Host: example.org

User-agent: ExampleBot
Disallow: /bots/
"""


class Site(BaseHTTPRequestHandler):
    """Answers /STATUS/robots.txt with that status, and counts what is fetched."""

    fetched: list[str] = []
    robots = b"User-agent: *\nAllow: /*\nDisallow: /private/\nDisallow: /\xff\n"

    def do_GET(self) -> None:
        self.fetched.append(self.path)
        first = self.path.split("/")[1]
        self.send_response(int(first) if first.isdigit() else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        links = b'<a href="/page">1</a><a href="/private/page">2</a>'
        self.wfile.write(self.robots if self.path.endswith("/robots.txt") else links)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    Site.fetched = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_robot_file_parser() -> None:
    parser = RobotFileParser("https://example.org/robots.txt")
    assert isinstance(parser, urllib.robotparser.RobotFileParser)
    assert (parser.mtime(), parser.can_fetch("x", "/"), parser.crawl_delay("x")) == (0, False, None)
    parser.parse(BODY.splitlines(keepends=True))
    assert parser.mtime() > 0
    # The standard library compares lengths of matched text, so `/*` outweighs every other rule.
    assert not parser.can_fetch("x", "https://example.org/private/page")
    assert parser.can_fetch("ExampleBot/1.0", "/private/page")
    assert (parser.crawl_delay("x"), parser.request_rate("x")) == (2, (3, 15))
    assert isinstance(parser.request_rate("x"), urllib.robotparser.RequestRate)
    assert parser.crawl_delay("ExampleBot") is None
    assert parser.site_maps() == ["https://example.org/sitemap.xml"]
    assert "User-agent: ExampleBot\nDisallow: /bots/" in str(parser)
    # RFC 9309 makes one group of these: only a rule ends the user-agent lines.
    parser.parse("User-agent: a\nCrawl-delay: 5\nUser-agent: b\nUser-agent: c\nDisallow: /".split("\n"))
    a = "User-agent: a\nCrawl-delay: 5\nDisallow: /"
    assert str(parser) == f"{a}\n\nUser-agent: b\nUser-agent: c\nDisallow: /"
    parser.parse([])
    assert (parser.site_maps(), str(parser), parser.can_fetch("x", "/")) == (None, "", True)
    huge = ["User-agent: *", f"Crawl-delay: {'9' * 5_000}", f"Request-rate: {'9' * 5_000}/1"]
    parser.parse(huge)
    assert (parser.crawl_delay("x"), parser.request_rate("x")) == (None, None)
    copied = pickle.loads(pickle.dumps(copy.deepcopy(parser)))
    assert copied.can_fetch("x", "/") and copied.mtime() == parser.mtime()


def test_robot_file_parser_prints_a_long_group() -> None:
    tokens = map("".join, itertools.islice(itertools.permutations("abcdefgh"), 20_000))
    lines = [*(f"User-agent: {token}" for token in tokens), "Disallow: /"]
    parser = RobotFileParser()
    parser.parse(lines)
    start = time.process_time()
    assert str(parser) == "\n".join(lines)
    assert time.process_time() - start < 2


def test_robot_file_parser_reads(site: str) -> None:
    for status, allowed in [(200, True), (401, False), (403, False), (404, True), (503, False)]:
        parser = RobotFileParser()
        parser.set_url(f"{site}/{status}/robots.txt")
        parser.read()
        assert parser.can_fetch("x", f"{site}/page") == allowed, status
        assert not parser.can_fetch("x", f"{site}/private/") or status == 404
    parser = RobotFileParser(site.replace("127.0.0.1", "nowhere.invalid") + "/robots.txt")
    with pytest.raises(urllib.error.URLError):
        parser.read()


def test_protego() -> None:
    parser = Protego.parse(content=BODY)
    assert not parser.can_fetch("https://example.org/private/page", "x")
    header = "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.org)"
    assert parser.can_fetch("/private/", header) and not parser.can_fetch("/bots/", header)
    assert parser.can_fetch("/bots/", "NotExampleBot")
    for other in ["ExampleBot-Image", "ExampleBots"]:  # RFC 9309 §2.2.1: tokens are equal
        assert parser.can_fetch("/bots/", other) and not parser.can_fetch("/private/", other)
    assert (parser.crawl_delay("x"), parser.crawl_delay(header)) == (2.0, None)
    assert parser.request_rate("x") == RequestRate(3, 15, None, None)
    assert parser.visit_time("x") == VisitTime(datetime.time(6), datetime.time(8, 45))
    assert list(parser.sitemaps) == ["https://example.org/sitemap.xml"]
    assert parser.preferred_host == "example.org"
    with pytest.raises(TypeError):
        Protego.parse(BODY.encode())  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(parser)).can_fetch("/", "x")
    assert Protego.parse("User-agent: *\nDisalow: /", dialect="google").can_fetch("/", "x") is False


def test_protego_finds_a_token_where_a_word_begins() -> None:
    parser = Protego.parse("User-agent: bot\nDisallow: /")
    for header, is_named in [("a bot/1", True), ("(bot)", True), ("robot bots", True), ("é-bot", False)]:
        assert parser.can_fetch("/", header) != is_named, header
    tokens = map("".join, itertools.islice(itertools.permutations("abcdefgh"), 20_000))
    huge = "".join(f"User-agent: {token}\n" for token in tokens)
    parser = Protego.parse(f"{huge}User-agent: bot\nDisallow: /")
    start = time.process_time()
    assert not any(parser.can_fetch("/", f"bot/{version}") for version in range(10))
    assert time.process_time() - start < 2


def test_protego_values() -> None:
    def parsed(line: str) -> Protego:
        return Protego.parse(f"User-agent: *\n{line}\n")

    for value, seconds in [("1.5", 1.5), ("0", 0.0), ("-1", None), ("nan", None), ("inf", None)]:
        assert parsed(f"Crawl-delay: {value}").crawl_delay("x") == seconds
    morning = (datetime.time(6), datetime.time(8, 45))
    for value, rate in [
        ("1/5m", (1, 300, None, None)),
        ("20/1h 0600-0845", (20, 3600, *morning)),
        ("0/5", None),
        ("1/5 9-17", None),
        ("1/" + "9" * 5_000, None),
        ("١/٥", None),
    ]:
        assert parsed(f"Request-rate: {value}").request_rate("x") == rate
    for value, window in [("0600 0845", morning), ("600-845", morning), ("2500-2600", None)]:
        assert parsed(f"Visit-time: {value}").visit_time("x") == window


def test_scrapy_crawl(site: str, tmp_path: Path) -> None:
    spider = """
import scrapy
class Spider(scrapy.Spider):
    name = "spider"
    async def start(self):
        yield scrapy.Request(self.site)
    def parse(self, response):
        yield from response.follow_all(css="a")
"""
    (tmp_path / "spider.py").write_text(spider)
    parser = "ROBOTSTXT_PARSER=robots_dialects.scrapy.RobotParser"
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-a", f"site={site}/"]
    settings = ["-s", "ROBOTSTXT_OBEY=1", "-s", parser, "-s", "TELNETCONSOLE_ENABLED=0"]
    done = subprocess.run(
        [*command, *settings], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert "Forbidden by robots.txt" in done.stderr, done.stderr
    assert sorted(Site.fetched) == ["/", "/page", "/robots.txt"], done.stderr


def test_scrapy_parser() -> None:
    from scrapy.utils.test import get_crawler

    from robots_dialects.scrapy import RobotParser

    body = b"User-agent: *\nDisalow: /a\nDisallow: /\xff"
    crawler = get_crawler(settings_dict={"ROBOTSTXT_DIALECT": "google"})
    assert not RobotParser.from_crawler(crawler, body).allowed("https://example.org/a", "x")
    parser = RobotParser.from_crawler(get_crawler(), body)
    assert parser.allowed("https://example.org/a", b"x\xff")
    assert not parser.allowed("https://example.org/%FF", "x")
