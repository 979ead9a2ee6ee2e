#!/usr/bin/env python3
"""Runs the package on the cases of data files, and counts the expected answers.

    conformance.py FILE.jsonl ...

Each line of a file is a case: `robots_base64` (or `robots`), `agent`, `url` (or `url_base64`),
`allowed`, and optionally `dialect` (google without it), `matching_line` (0: no rule) and
`contested`, for cases on which texts disagree: they are counted separately. Exits with 1 if a
google case is answered differently.
"""

import base64
import collections
import json
import sys

from robots_dialects import Robots


def field(case, name):
    """A field as bytes, from its text or from base64."""
    encoded = case.get(f"{name}_base64")
    return case[name].encode() if encoded is None else base64.b64decode(encoded)


def main(paths):
    has_failed = False
    for path in paths:
        right, total = collections.Counter(), collections.Counter()
        with open(path, encoding="utf-8") as lines:
            for number, case in enumerate(map(json.loads, lines), 1):
                dialect = case.get("dialect", "google")
                key = f"{dialect}, contested" if case.get("contested") else dialect
                robots = Robots(field(case, "robots"), dialect, limit=None)
                verdict = robots.verdict(case["agent"], field(case, "url"))
                is_right = verdict.allowed == case["allowed"]
                assert verdict.allowed == robots.allowed(case["agent"], field(case, "url"))
                if dialect == "google" and case.get("matching_line") is not None:
                    is_right &= verdict.line == (case["matching_line"] or None)
                right[key] += is_right
                total[key] += 1
                if dialect == "google" and not is_right:
                    has_failed = True
                    print(f"{path}:{number}: {verdict}", file=sys.stderr)
        for key in sorted(total):
            print(f"{path}: {key}: {right[key]:,} of {total[key]:,}")
    return has_failed


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
