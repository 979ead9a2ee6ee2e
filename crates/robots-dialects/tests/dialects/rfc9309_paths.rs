//! RFC 9309 §2.2.2, "The "Allow" and "Disallow" Lines", and §2.2.3, "Special Characters".

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "§2.2.2: a rule matches a path that begins with it",
        "User-agent: *\nDisallow: /x\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/xy", BLOCKED),
            ("a", "/x/y?z", BLOCKED),
            ("a", "/y/x", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: paths are compared with regard to case",
        "User-agent: *\nDisallow: /X\n",
        &[("a", "/X", BLOCKED), ("a", "/x", ALLOWED)],
    ),
    case(
        "§2.2.2: the match with the most bytes decides, whatever the order",
        "User-agent: *\nAllow: /x/y\nDisallow: /x\nDisallow: /x/y/z\nAllow: /\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/x/y", ALLOWED),
            ("a", "/x/y/z", BLOCKED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: special characters count among the bytes of a rule",
        "User-agent: *\nDisallow: /*a*b\nAllow: /xab\nDisallow: /c$\nAllow: /c\n",
        &[
            // Five bytes against four.
            ("a", "/xab", BLOCKED),
            ("a", "/c", BLOCKED),
            ("a", "/cd", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: a byte outside US-ASCII counts as its three encoded bytes",
        "User-agent: *\nDisallow: /\u{e9}*\nAllow: /*%A9\n",
        // Eight bytes against five.
        &[("a", "/%C3%A9", BLOCKED)],
    ),
    case(
        "§2.2.2: where allow and disallow are equivalent, allow decides",
        "User-agent: *\nDisallow: /x\nAllow: /x\nAllow: /y*\nDisallow: /*y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§2.2.2: a path that no rule matches is allowed",
        "User-agent: *\nDisallow: /x\nAllow: /y\n",
        &[("a", "/", ALLOWED), ("a", "/z", ALLOWED)],
    ),
    case(
        "§2.2.2: an empty pattern matches nothing, on either line",
        "User-agent: a\nDisallow:\n\nUser-agent: b\nDisallow: /\nAllow:\n\nUser-agent: c\n\
         Disallow: # no\n",
        &[
            ("a", "/x", ALLOWED),
            ("b", "/x", BLOCKED),
            ("c", "/x", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: /robots.txt is allowed, however it is encoded",
        "User-agent: *\nDisallow: /\nDisallow: /robots.txt$\n",
        &[
            ("a", "/robots.txt", ALLOWED),
            ("a", "/%72obots%2Etxt", ALLOWED),
            ("a", "/Robots.txt", BLOCKED),
            ("a", "/a/robots.txt", BLOCKED),
            ("a", "/robots.txt?a", BLOCKED),
        ],
    ),
    case(
        "§2.2.2: bytes outside US-ASCII equal their escapes, on both sides (table, rows 3 and 4)",
        "User-agent: *\nDisallow: /x/\u{30c4}\nDisallow: /y/%E3%83%84\n",
        &[
            ("a", "/x/%E3%83%84", BLOCKED),
            ("a", "/x/%e3%83%84", BLOCKED),
            ("a", "/x/\u{30c4}", BLOCKED),
            ("a", "/y/\u{30c4}", BLOCKED),
            ("a", "/x/%E3%83%85", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: an escaped unreserved byte equals the byte (table, row 5)",
        "User-agent: *\nDisallow: /x/%62%61%7A\nDisallow: /y/baz\nDisallow: /%2D%2E%5F%7e\n",
        &[
            ("a", "/x/baz", BLOCKED),
            ("a", "/y/%62%61%7a", BLOCKED),
            ("a", "/-._~", BLOCKED),
        ],
    ),
    case(
        "§2.2.2: a reserved byte and its escape differ (table, rows 1 and 2: treated alike on both \
         sides)",
        "User-agent: *\nDisallow: /x?u=http://h.example\nDisallow: /y%2Fz\n",
        &[
            ("a", "/x?u=http://h.example/w", BLOCKED),
            ("a", "/x?u=http%3A%2F%2Fh.example", ALLOWED),
            ("a", "/y%2fz", BLOCKED),
            ("a", "/y/z", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: a percent sign that begins no escape is itself",
        "User-agent: *\nDisallow: /x%\nDisallow: /y%zz\nDisallow: /z%4\n",
        &[
            ("a", "/x%y", BLOCKED),
            ("a", "/y%zz", BLOCKED),
            ("a", "/z%4", BLOCKED),
            ("a", "/zA", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: a pattern begins with a slash (or a star), another matches nothing",
        "User-agent: *\nDisallow: x\nDisallow: https://h.example/x\nDisallow: $\nDisallow: %2Fx\n",
        &[("a", "/x", ALLOWED), ("a", "/", ALLOWED)],
    ),
    case(
        "§2.2.3: # begins a comment, and a path has it only escaped",
        "User-agent: *\nDisallow: /x%23y\n",
        &[("a", "/x%23y", BLOCKED), ("a", "/x", ALLOWED)],
    ),
    case(
        "§2.2.3: $ at the end is the end of the path",
        "User-agent: *\nDisallow: /x$\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/xy", ALLOWED),
            ("a", "/x?y", ALLOWED),
            ("a", "/x$", ALLOWED),
        ],
    ),
    case(
        "§2.2.3: $ elsewhere is itself",
        "User-agent: *\nDisallow: /x$y\nDisallow: /z$$\n",
        &[
            ("a", "/x$y", BLOCKED),
            ("a", "/x$yz", BLOCKED),
            ("a", "/x", ALLOWED),
            ("a", "/z$", BLOCKED),
            ("a", "/z$a", ALLOWED),
        ],
    ),
    case(
        "§2.2.3: * is any number of any bytes, none among them",
        "User-agent: *\nDisallow: /x/*/y\nDisallow: *.gif$\nDisallow: /z*\n",
        &[
            ("a", "/x//y", BLOCKED),
            ("a", "/x/a/b/y/c", BLOCKED),
            ("a", "/x/y", ALLOWED),
            ("a", "/a/b.gif", BLOCKED),
            ("a", "/a/b.gif?c", ALLOWED),
            ("a", "/z", BLOCKED),
            ("a", "/zz", BLOCKED),
        ],
    ),
    case(
        "§2.2.3: * and $ together: the end of the last part",
        "User-agent: *\nDisallow: /*a*b$\nDisallow: /c*$\nDisallow: **d\n",
        &[
            ("a", "/xaxb", BLOCKED),
            ("a", "/xaxbxb", BLOCKED),
            ("a", "/xaxbx", ALLOWED),
            ("a", "/cx", BLOCKED),
            ("a", "/x/d", BLOCKED),
        ],
    ),
    case(
        "§2.2.3: %2A and %24 are the characters themselves, escaped or not in the path",
        "User-agent: *\nDisallow: /x-%2A.html\nDisallow: /y-%24\n",
        &[
            ("a", "/x-*.html", BLOCKED),
            ("a", "/x-%2a.html", BLOCKED),
            ("a", "/x-a.html", ALLOWED),
            ("a", "/y-$", BLOCKED),
            ("a", "/y-$z", BLOCKED),
            ("a", "/y-", ALLOWED),
        ],
    ),
    case(
        "§2.2.3: every other character is itself",
        "User-agent: *\nDisallow: /x?\nDisallow: /[y]\nDisallow: /z+\\\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/xa", ALLOWED),
            ("a", "/x?a", BLOCKED),
            ("a", "/y", ALLOWED),
            ("a", "/[y]", BLOCKED),
            ("a", "/zz", ALLOWED),
        ],
    ),
];
