#!/usr/bin/env python3
"""Runs the tests of Protego and of CPython, unchanged, against the drop-in classes.

    suites.py [--protego FOLDER] [--cpython test_robotparser.py] [-v]

FOLDER is an unpacked source distribution of Protego (`pip download --no-binary :all: --no-deps
protego`). The tests of CPython are in `Lib/test/`; without the argument, those of this Python run
if it has them. Cases that RFC 9309 decides differently are listed below, with the clause. Exits
with 1 if another case fails, or a listed one passes.
"""

import argparse
import contextlib
import importlib.util
import io
import pathlib
import sys
import unittest
import urllib.robotparser

import robots_dialects.protego
import robots_dialects.robotparser

TOKEN = "§2.2.1: a product token is letters, _ and -; groups with an equal token apply, all merged"
KEYS = "§2.2: a line is a key as the RFC spells it, a colon and a value"
OTHER = "§2.2.4: other records do not interfere with groups"
OCTETS = "§2.2.2: octets outside US-ASCII are encoded, unreserved ones decoded, all others compared"
SPECIAL = "§2.2.3: a $ at the end is special; %24 is the character"
PATH = "§2.2: a path-pattern begins with a slash"
INDEX = "§2.2.2: only a rule that matches allows a path; the dialect google knows index pages"
SITEMAP = "§2.2.4 leaves Sitemap open: read as Google's parser does, by the beginning of the key"
PRIVATE = "not the RFC: a private attribute of the class"


def listed(cases):
    """The clause of each case, from the cases of each clause."""
    return {case: clause for clause, names in cases.items() for case in names}


# By the test that fails.
PROTEGO = listed({
    TOKEN: [
        "TestProtego::test_allowed_wildcards",
        "TestProtego::test_unicode_url_and_useragent",
        "TestProtego::test_1996rfc_examples",
        "test_user_agent_precedence[/group3-hedwig-new]",
        "test_user_agent_precedence[/group3-hedwig-images]",
        "test_user_agent_boundary_matching[googlebot-googlebot-news-True]",
        "test_user_agent_boundary_matching[google-googlebot-mobile-True]",
    ],
    KEYS: [
        "TestProtego::test_malformed_disallow",
        "TestProtego::test_empty_user_agent_line",
        "TestProtego::test_generosity",
        "TestProtego::test_generosity_case_insensitivity",
        "TestProtego::test_generosity_tab_separated",
        "TestProtego::test_generosity_visit_time",
    ],
    SITEMAP: [
        "TestProtego::test_generosity_sitemap",
        "TestProtego::test_generosity_not_for_unknown_colon_directives",
    ],
    OTHER: ["TestProtego::test_grouping_unknown_keys"],
    OCTETS: [
        "TestProtego::test_escaped_url",
        "TestProtego::test_unescaped_url",
        "test_equal_sign_in_path[https://example.com/1/filter/page%3D5/-True]",
    ],
    SPECIAL: ["TestProtego::test_special_symbols_dual_behaviour"],
    PATH: ["TestProtego::test_with_absolute_urls"],
    INDEX: ["TestProtego::test_index_html_is_directory"],
    PRIVATE: ["TestProtego::test_line_endings"],
})

# By test and URL. Python has PercentEncodingTest since it quotes both sides again.
CPYTHON = listed({
    TOKEN: [
        "UseFirstUserAgentWildcardTest.test_good_urls /another/path",
        "UserAgentGoogleMobileTest.test_bad_urls /something.jpg",
    ],
    OCTETS: [
        "PercentEncodingTest.test_good_urls /p2%f0",
        *(
            f"PercentEncodingTest.test_bad_urls {url}"
            for url in [
                "/p1%25xy", "/p3%xy", "/john smith", "/john%20doe", "/trailingspace ",
                "/sub%2Fdir", "/slash/", "/query/question?q=?", "/query/raw/question?q=%3F",
                *(f"/pc{reserved}" for reserved in ":/[]@!&'()+,;="),
            ]
        ),
    ],
    "§2.2.2: a path has no fragment": [
        "PercentEncodingTest.test_bad_urls /hash#f",
        "PercentEncodingTest.test_bad_urls /pc#",
    ],
})


class Reasons:
    """Which cases of a suite failed, compared with the list of cases that are expected to fail."""

    def __init__(self, name, listed):
        self.name, self.listed, self.passed, self.failed = name, listed, [], {}

    def add(self, case, error):
        if error is None:
            self.passed.append(case)
        else:
            self.failed[case] = error

    def report(self, is_verbose):
        """Prints the counts, and whether all is as expected."""
        unlisted = {case: why for case, why in self.failed.items() if case not in self.listed}
        stale = self.listed.keys() & set(self.passed)
        n_listed = len(self.failed) - len(unlisted)
        print(f"{self.name}: {len(self.passed)} pass, {n_listed} differ as listed")
        for case in self.failed if is_verbose else ():
            print(f"  {case}: {self.listed.get(case, 'NOT LISTED')}")
        for case, error in unlisted.items():
            print(f"  FAILED {case}: {error}")
        for case in sorted(stale):
            print(f"  LISTED, but it does not fail: {case}")
        return not unlisted and not stale and bool(self.passed)


def protego(folder):
    """The tests of Protego; its private functions, which some tests use, are not replaced."""
    import pytest

    sys.path.insert(0, str(folder / "src"))
    import protego as module

    for name in robots_dialects.protego.__all__:
        setattr(module, name, getattr(robots_dialects.protego, name))
    reasons = Reasons(f"Protego {version(folder)}", PROTEGO)

    class Plugin:
        def pytest_runtest_logreport(self, report):
            if report.when == "call" and not report.skipped:
                case = report.nodeid.split("::", 1)[1]
                crash = getattr(report.longrepr, "reprcrash", None)
                reasons.add(case, crash.message.splitlines()[0] if report.failed else None)

    options = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(folder)]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, str(folder / "tests")], plugins=[Plugin()])
    return reasons


def version(folder):
    text = (folder / "PKG-INFO").read_text() if (folder / "PKG-INFO").exists() else ""
    lines = [line.split()[1] for line in text.splitlines() if line.startswith("Version:")]
    return lines[0] if lines else "(no version)"


def cpython(path):
    """The tests of CPython; tests that need a network are left out, as CPython does by default."""
    urllib.robotparser.RobotFileParser = robots_dialects.robotparser.RobotFileParser
    spec = importlib.util.spec_from_file_location("test_robotparser", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    reasons = Reasons(f"CPython {path}", CPYTHON)

    class Result(unittest.TestResult):
        def startTest(self, test):
            super().startTest(test)
            self.is_ok = True

        def addSubTest(self, test, subtest, error):
            super().addSubTest(test, subtest, error)
            case = f"{type(test).__name__}.{test._testMethodName} {subtest.params['url']}"
            reasons.add(case, error and str(error[1]))
            self.is_ok = False

        def addSuccess(self, test):
            if self.is_ok:
                reasons.add(test.id().removeprefix("test_robotparser."), None)

        def addFailure(self, test, error):
            reasons.add(test.id().removeprefix("test_robotparser."), str(error[1]))

        addError = addFailure

    tests = unittest.defaultTestLoader.loadTestsFromModule(module)
    with_network = getattr(module, "NetworkTestCase", None)
    for case in tests:
        if not (with_network and any(isinstance(test, with_network) for test in case)):
            case.run(Result())
    return reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--protego", type=pathlib.Path)
    parser.add_argument("--cpython", type=pathlib.Path)
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    found = importlib.util.find_spec("test.test_robotparser")
    path = arguments.cpython or (found and pathlib.Path(found.origin))
    results = [protego(arguments.protego)] if arguments.protego else []
    results += [cpython(path)] if path else []
    are_fine = [result.report(arguments.verbose) for result in results]
    return not (are_fine and all(are_fine))


if __name__ == "__main__":
    sys.exit(main())
