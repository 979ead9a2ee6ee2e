"""The class Robots, compare, and what they promise: types, copies, threads, no exceptions."""

import copy
import doctest
import inspect
import pickle
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import robots_dialects
from robots_dialects import Robots, Verdict, compare

BODY = """\
User-agent: *
Disallow: /private/
Crawl-delay: 2
Content-Usage: train-ai=n
Content-Signal: search=yes

User-agent: GPTBot
User-agent: gptbot
Disallow: /
Allow: /$
Host: example.org
Sitemap: https://example.org/sitemap.xml
Disalow: /typo
"""


def test_answers() -> None:
    for body in (BODY, BODY.encode()):
        robots = Robots(body)
        assert robots.allowed("ExampleBot/1.0", "https://example.org/page")
        assert not robots.allowed(b"ExampleBot", b"https://example.org/private/page")
        urls: list[bytes | str] = ["/", "/private/", b"/a"]
        assert robots.allowed_many("ExampleBot", urls) == [True, False, True]
        assert robots.allowed_many("GPTBot", (url for url in urls)) == [True, False, False]
        verdict = robots.verdict("gptbot", "/a")
        assert verdict == Verdict(False, 9, "disallow: /", "longest_match", "named", False)
        assert robots.restriction("GPTBot") == "partial"
        assert robots.use("ExampleBot", "/a", "train-ai") is False
        assert robots.use("ExampleBot", "/a", "search") is True
        assert robots.use("ExampleBot", "/a", "train-genai") is None
        assert robots.use("ExampleBot", "/a", "\ud800") is None
        assert robots.use("ExampleBot", "/private/", "train-ai") is None
        assert (robots.crawl_delay("ExampleBot"), robots.crawl_delay("GPTBot")) == (2.0, None)
        assert robots.sitemaps == ["https://example.org/sitemap.xml"]
        assert robots.agents == ["*", "GPTBot"]
        assert [(remark.line, remark.kind) for remark in robots.remarks] == [
            (13, "tolerated_spelling")
        ]
        assert [line.value for line in robots.directives("x")][0] == "2"
        assert robots.directives(None) == [(11, "host", "example.org")]
        assert robots.groups[1].rules == ["disallow: /", "allow: /$", "disallow: /typo"]


def test_dialects_and_statuses() -> None:
    body = "User-agent: *\nAllow: /\nDisallow: /a\n"
    assert Robots(body, "koster1996").allowed("x", "/a")
    assert not Robots(body, dialect="google").allowed("x", "/a")
    for status, access in [
        (200, "parse"),
        (304, "use_cached"),
        (404, "allow_all"),
        (503, "disallow_all"),
        (None, "disallow_all"),
        (10**30, "disallow_all"),
        (-1, "disallow_all"),
    ]:
        robots = Robots(body, status=status)
        assert robots.access == access
        assert robots.allowed("x", "/b") == (access in ("parse", "allow_all"))
    assert Robots("", "google", 429).verdict("x", "/").reason == "response"


def test_limit() -> None:
    body = b"User-agent: *\n" + b"#" * 512_000 + b"\nDisallow: /\n"
    assert Robots(body).body == b"User-agent: *\n"
    assert Robots(body).allowed("x", "/")
    assert not Robots(body, limit=None).allowed("x", "/")
    assert not pickle.loads(pickle.dumps(Robots(body, limit=None))).allowed("x", "/")


def test_comparison() -> None:
    old, new = "User-agent: *\nDisallow: /*.pdf\n", b"User-agent: *\nDisallow: /\nAllow: /*.pdf$\n"
    mixed = compare(old, new, agent="GPTBot")
    assert (mixed.class_, mixed.witness, mixed.is_complete) == ("mixed", "/", True)
    blocked, opened = mixed.reasons
    assert (blocked.direction, blocked.old_rule, blocked.new_line) == ("blocked", None, 2)
    assert (opened.direction, opened.old_rule) == ("opened", "disallow: /*.pdf")
    assert Robots(new).allowed("GPTBot", opened.witness)
    assert not Robots(old).allowed("GPTBot", opened.witness)
    assert compare(Robots(old), "", "x", dialect="rfc9309").class_ == "looser"
    assert compare(Robots("", status=404), Robots("", status=503), "x").class_ == "stricter"
    assert compare(old, new, "x", dialect="koster1996").class_ == "stricter"
    # A body is read in the dialect of the other Robots, and two dialects are not compared.
    assert compare(Robots(old, "google"), old, "x").class_ == "equal"
    for other in (Robots(new, "google"), new):
        with pytest.raises(ValueError, match="read by google"):
            compare(Robots(old, "google"), other, "x", "rfc9309")
    # A witness of bytes that are not UTF-8 goes back in as it came out.
    raw = compare(b"", b"User-agent: *\nDisallow: /\xff\n", "x", "rep1994")
    assert raw.witness == "/\udcff"
    assert not Robots(b"User-agent: *\nDisallow: /\xff\n", "rep1994").allowed("x", raw.witness)


def test_wrong_types() -> None:
    robots = Robots("")
    for call in (
        lambda: Robots(None),  # type: ignore[arg-type]
        lambda: Robots("", 1),  # type: ignore[arg-type]
        lambda: Robots("", status="200"),  # type: ignore[arg-type]
        lambda: Robots("", status=True),
        lambda: robots.allowed(1, "/"),  # type: ignore[arg-type]
        lambda: robots.allowed("x", None),  # type: ignore[arg-type]
        lambda: robots.allowed_many("x", "/a"),
        lambda: robots.allowed_many("x", [1]),  # type: ignore[list-item]
        lambda: robots.use("x", "/", 3),  # type: ignore[arg-type]
        lambda: compare("", "", None),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError, match="rep1994"):
        Robots("", "rfc")


@pytest.mark.parametrize("dialect", ["rep1994", "koster1996", "conner1996", "rfc9309", "google"])
def test_no_content_raises(dialect: str) -> None:
    seed = random.Random(dialect)
    parts = "User-agent:|Disallow:|allow |/|*|$|%|%2|%zz|%00|\0|\r|\n|\n\n|\ufeff|é|\udc80|\ud800"
    pieces = [*parts.split("|"), "#", "://", "?", "Content-Usage: ", "Crawl-delay: 1e9", "*a" * 50]
    raw = [b"\xff\xfe", b"\x80", b"", b"\0\0", "é".encode("utf-16")]

    def text() -> bytes | str:
        made = "".join(seed.choices(pieces, k=seed.randrange(30)))
        if seed.random() < 0.3:
            return made.encode("utf-8", "surrogatepass") + seed.choice(raw)
        return made

    for _ in range(300):
        agent, url = text(), text()
        robots, other = Robots(text(), dialect), Robots(text(), dialect)
        verdict = robots.verdict(agent, url)
        assert robots.allowed(agent, url) == verdict.allowed
        assert robots.allowed_many(agent, [url]) == [verdict.allowed]
        assert robots.restriction(agent) in ("none", "partial", "full")
        robots.use(agent, url, "train-ai"), robots.crawl_delay(agent), robots.directives(agent)
        robots.sitemaps, robots.agents, robots.remarks, robots.groups, repr(robots)
        witness = compare(robots, other, agent).witness
        if witness is not None:
            assert robots.allowed(agent, witness) != other.allowed(agent, witness)
    huge = "/" + "a%" * 500_000
    assert Robots(huge, dialect).allowed(huge, huge)


def test_copies() -> None:
    for robots in (Robots(BODY), Robots("", "google", 503), Robots(b"\xff", "rep1994", None)):
        made = [pickle.loads(pickle.dumps(robots, protocol)) for protocol in range(2, 6)]
        for each in [*made, copy.copy(robots), copy.deepcopy(robots)]:
            assert (each.body, each.dialect, each.access) == (
                robots.body,
                robots.dialect,
                robots.access,
            )
            assert each.verdict("x", "/private/") == robots.verdict("x", "/private/")
    verdict = Robots(BODY).verdict("x", "/")
    assert pickle.loads(pickle.dumps(verdict)) == verdict


def test_threads() -> None:
    robots = Robots(BODY * 50)
    urls = [f"/{'private/' * (n % 2)}{n}" for n in range(5_000)]
    expected = [n % 2 == 0 for n in range(5_000)]
    answers = []

    def ask() -> None:
        answers.append(robots.allowed_many("x", urls) == expected)
        answers.append(robots.verdict("gptbot", "/a").line == 9)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 16


def test_a_pattern_bomb_is_harmless() -> None:
    rule = "Disallow: /" + "*a" * 200 + "b\n"
    start = time.process_time()
    assert Robots("User-agent: *\n" + rule * (500_000 // len(rule))).allowed("x", "/" + "a" * 2_000)
    assert time.process_time() - start < 5  # far less in a release build


def test_the_import_needs_little() -> None:
    code = "import sys, robots_dialects; print(*{'typing', 're', 'urllib.request'} & {*sys.modules})"
    command = [sys.executable, "-I", "-S", "-c", f"sys = __import__('sys'); sys.path[:] = {sys.path}; {code}"]
    assert subprocess.check_output(command, text=True).split() == []


def test_the_stub_has_the_documentation() -> None:
    stub = (Path(robots_dialects.__file__).parent / "_native.pyi").read_text()
    documented = [Robots, compare, *(each for name, each in vars(Robots).items() if name[0] != "_")]
    for each in documented:
        doc = inspect.getdoc(each)
        assert doc, each
        assert re.sub(r"\s+", " ", doc) in re.sub(r"\s+", " ", stub), each


def test_the_examples_of_the_readme_run() -> None:
    readme = Path(__file__).parent.parent / "README.md"
    failed, attempted = doctest.testfile(str(readme), module_relative=False)
    assert failed == 0 and attempted > 15
