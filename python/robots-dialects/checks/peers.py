#!/usr/bin/env python3
"""Prints the table of the README: this package and others that are installed, side by side.

    peers.py --cases CASES.jsonl [--adversarial MORE.jsonl] [--files FILES.jsonl]

The first two are files of cases as conformance.py reads them; FILES is as timing.py reads it. The
packages come from PyPI: protego, fastrobots, fast-robotstxt, robotspy, robotexclusionrulesparser.
An exception counts as a wrong answer. Bytes that are not UTF-8 are decoded as surrogates for this
package, and replaced for the others, which do not expect surrogates.
"""

import argparse
import importlib.metadata
import json
import platform

import conformance
import timing

AGENT = timing.AGENT


def parsers():
    """Each installed parser: name, version, parsing of a str, and answer (parsed, agent, url)."""
    import urllib.robotparser

    from robots_dialects import Robots

    def standard(text):
        parser = urllib.robotparser.RobotFileParser()
        parser.parse(text.splitlines())
        return parser

    def protego():
        from protego import Protego

        return Protego.parse, lambda parsed, agent, url: parsed.can_fetch(url, agent)

    def fastrobots():
        from fastrobots import Robots

        return Robots.parse, lambda parsed, agent, url: parsed.allowed(url, agent)

    def fast_robotstxt():
        from robotstxt import RobotsMatcher

        matcher = RobotsMatcher()
        return str, lambda text, agent, url: matcher.is_allowed(text, agent, url)

    def robotspy():
        from robots import RobotsParser

        return RobotsParser.from_string, lambda parsed, agent, url: parsed.can_fetch(agent, url)

    def exclusion_rules():
        from robotexclusionrulesparser import RobotExclusionRulesParser

        def parse(text):
            parser = RobotExclusionRulesParser()
            parser.parse(text)
            return parser

        return parse, lambda parsed, agent, url: parsed.is_allowed(agent, url)

    def allowed(parsed, agent, url):
        return parsed.allowed(agent, url)

    yield "robots-dialects", version("robots-dialects"), lambda text: Robots(text, "google"), allowed
    python = platform.python_version()
    yield "urllib.robotparser", python, standard, lambda parsed, *asked: parsed.can_fetch(*asked)
    for name, make in [
        ("protego", protego),
        ("fastrobots", fastrobots),
        ("fast-robotstxt", fast_robotstxt),
        ("robotspy", robotspy),
        ("robotexclusionrulesparser", exclusion_rules),
    ]:
        try:
            yield name, version(name), *make()
        except importlib.metadata.PackageNotFoundError:
            pass


def version(name):
    return importlib.metadata.version(name)


def cases(path, errors):
    """Body, agent, URL and expected answer of the google cases in a file."""
    found = []
    for case in map(json.loads, open(path, encoding="utf-8") if path else ()):
        if case.get("dialect", "google") == "google" and not case.get("contested"):
            body, url = (conformance.field(case, name) for name in ("robots", "url"))
            asked = (text.decode("utf-8", errors) for text in (body, url))
            found.append((*asked, case["agent"], case["allowed"]))
    return found


def right(parse, answer, asked):
    """How many answers are as expected, of how many."""
    n_right = 0
    for body, url, agent, expected in asked:
        try:
            n_right += bool(answer(parse(body), agent, url)) == expected
        except Exception:
            pass
    return f"{n_right:,} of {len(asked):,}" if asked else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", required=True)
    parser.add_argument("--adversarial")
    parser.add_argument("--files")
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--step", type=int, default=1)
    arguments = parser.parse_args()
    files = arguments.files and timing.bodies(arguments.files, arguments.n, arguments.step)
    texts = [body.decode("utf-8", "replace") for body in files or []]
    private = "User-agent: *\nAllow: /*\nDisallow: /private/\n"
    print(
        "| parser | version | Google's behaviour | adversarial | `Allow: /*` beats "
        "`Disallow: /private/` | parse, µs | query, µs |\n|---|---|---|---|---|---|---|"
    )
    for name, number, parse, answer in parsers():
        beats = "yes" if answer(parse(private), AGENT, "/private/page") else "no"
        times = ["", ""]
        if texts:
            query = lambda parsed, url: answer(parsed, AGENT, url)
            rounds = [timing.round_of(parse, query, texts) for _ in range(2)]
            times = [f"{min(each):.2f}" for each in zip(*rounds)]
        errors = "surrogateescape" if name == "robots-dialects" else "replace"
        asked = (cases(path, errors) for path in (arguments.cases, arguments.adversarial))
        columns = [*(right(parse, answer, each) for each in asked), beats, *times]
        print(f"| {name} | {number} | {' | '.join(columns)} |", flush=True)


if __name__ == "__main__":
    main()
