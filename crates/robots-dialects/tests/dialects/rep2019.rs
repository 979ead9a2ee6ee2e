//! "Robots Exclusion Protocol", M. Koster and others, draft-koster-rep-00, July 2019, by its
//! sections.

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "§2.1: a group is user-agent lines and the rules after them",
        "User-agent: a\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("b", "/x", BLOCKED),
            ("b", "/y", ALLOWED),
            ("c", "/x", ALLOWED),
            ("c", "/y", BLOCKED),
        ],
    ),
    case(
        "§2.2: blank lines end no group",
        "User-agent: a\n\nDisallow: /x\n\n\nDisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§2.2: lines end with LF, CR or CRLF",
        "User-agent: a\rDisallow: /x\r\nDisallow: /y\nDisallow: /z",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", BLOCKED),
        ],
    ),
    case(
        "§2.2: names of lines are exact but for case, white space aside, with a colon",
        " USER-agent : a\n\tdisALLOW\t:\t/x\nDisalow: /y\nDisallow /y\nDisallowed: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§2.2: a comment goes from # to the end of its line",
        "# a\nUser-agent: a # b\n# c\nDisallow: /x#y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§2.2: rules before any user-agent line belong to no group",
        "Disallow: /x\nUser-agent: *\nDisallow: /y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§2.2.1: product tokens are equal but for case, never a part",
        "User-agent: Example-Bot\nDisallow: /\n",
        &[
            ("EXAMPLE-BOT", "/", BLOCKED),
            ("example-bot/2.0", "/", BLOCKED),
            ("example", "/", ALLOWED),
            ("example-bot-news", "/", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: a token is letters, _ and -, another value names nobody",
        "User-agent: a_b-c/1 d\nUser-agent: 1x\nUser-agent:\nDisallow: /\n",
        &[
            ("a_b-c", "/", BLOCKED),
            ("d", "/", ALLOWED),
            ("x", "/", ALLOWED),
            ("", "/", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: all groups of a token are one group",
        "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\nUser-agent: a\nDisallow: /z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("a", "/z", BLOCKED),
        ],
    ),
    case(
        "§2.2.1: without a group of its own a crawler obeys the first of *, and no later one",
        "User-agent: a\nDisallow: /w\nUser-agent: *\nDisallow: /x\nUser-agent: b\nDisallow: /y\n\
         User-agent: *\nDisallow: /z\n",
        &[
            ("c", "/x", BLOCKED),
            ("c", "/z", ALLOWED),
            ("a", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "§2.2.1: a group of its own without rules switches * off",
        "User-agent: *\nDisallow: /\nUser-agent: a\n",
        &[("a", "/x", ALLOWED), ("b", "/x", BLOCKED)],
    ),
    case(
        "§2.2.1: without any of these no rules apply",
        "User-agent: a\nDisallow: /\n",
        &[("b", "/x", ALLOWED)],
    ),
    case(
        "§2.2.1: an empty file has no groups",
        "",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "§2.2.2: a rule matches a path that begins with it, with regard to case",
        "User-agent: *\nDisallow: /x\n",
        &[
            ("a", "/xy", BLOCKED),
            ("a", "/x/y?z", BLOCKED),
            ("a", "/X", ALLOWED),
            ("a", "/y/x", ALLOWED),
        ],
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
        "§2.2.2: of equivalent rules allow decides",
        "User-agent: *\nDisallow: /x\nAllow: /x\n",
        &[("a", "/xy", ALLOWED)],
    ),
    case(
        "§2.2.2: a path that no rule matches is allowed",
        "User-agent: *\nDisallow: /x\nAllow: /y\n",
        &[("a", "/z", ALLOWED)],
    ),
    case(
        "§2.2.2: an empty pattern matches nothing",
        "User-agent: a\nDisallow:\n\nUser-agent: b\nDisallow: /\nAllow:\n",
        &[("a", "/x", ALLOWED), ("b", "/x", BLOCKED)],
    ),
    case(
        "§2.2.2: /robots.txt is allowed, however it is encoded",
        "User-agent: *\nDisallow: /\n",
        &[
            ("a", "/robots.txt", ALLOWED),
            ("a", "/%72obots.txt", ALLOWED),
            ("a", "/ROBOTS.txt", BLOCKED),
        ],
    ),
    case(
        "§2.2.2: bytes outside US-ASCII equal their escapes (table, rows 3 and 4)",
        "User-agent: *\nDisallow: /x/\u{30c4}\nDisallow: /y/%E3%83%84\n",
        &[
            ("a", "/x/%e3%83%84", BLOCKED),
            ("a", "/y/\u{30c4}", BLOCKED),
        ],
    ),
    case(
        "§2.2.2: an escaped unreserved byte equals the byte (table, row 5)",
        "User-agent: *\nDisallow: /x/%62%61%7A\nDisallow: /y/baz\n",
        &[("a", "/x/baz", BLOCKED), ("a", "/y/%62%61%7a", BLOCKED)],
    ),
    case(
        "§2.2.2: a reserved byte and its escape differ (table, rows 1 and 2: treated alike on both \
         sides)",
        "User-agent: *\nDisallow: /x?u=http://h.example\n",
        &[
            ("a", "/x?u=http://h.example/w", BLOCKED),
            ("a", "/x?u=http%3A%2F%2Fh.example", ALLOWED),
        ],
    ),
    case(
        "§2.2.2: a pattern begins with a slash or a star, another matches nothing",
        "User-agent: *\nDisallow: x\nDisallow: http://h.example/x\n",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "§2.2.3: $ at the end is the end of the path, elsewhere itself",
        "User-agent: *\nDisallow: /x$\nDisallow: /y$z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/x?", ALLOWED),
            ("a", "/y$z", BLOCKED),
            ("a", "/y", ALLOWED),
        ],
    ),
    case(
        "§2.2.3: * is any number of any bytes",
        "User-agent: *\nDisallow: /x/*/y\nDisallow: *.gif$\n",
        &[
            ("a", "/x//y", BLOCKED),
            ("a", "/x/a/b/y", BLOCKED),
            ("a", "/x/y", ALLOWED),
            ("a", "/a.gif", BLOCKED),
            ("a", "/a.gif?b", ALLOWED),
        ],
    ),
    case(
        "§2.2.3: %2A and %24 are the characters themselves",
        "User-agent: *\nDisallow: /x-%2A.html\nDisallow: /y-%24\n",
        &[
            ("a", "/x-*.html", BLOCKED),
            ("a", "/x-a.html", ALLOWED),
            ("a", "/y-$z", BLOCKED),
            ("a", "/y-", ALLOWED),
        ],
    ),
    case(
        "§2.2.4: other records do not end a group and are not rules",
        "User-agent: a\nSitemap: /s\nUser-agent: b\nCrawl-delay: 5\nDisallow: /x\nNoindex: /y\n\
         Disallow: /z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/z", BLOCKED),
            ("b", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
        ],
    ),
    case(
        "§2.3: a byte order mark is not part of the first line",
        "\u{feff}User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "§2.3.1.5: every line is tried, and those that can be read are used",
        "<html>\nnonsense\n: /\nUser-agent: a\n???\nDisallow: /x\n</html>\nDisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§3.1: a group for all, one for a crawler, one for two, one without rules",
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /private/\nAllow: /papers/\n\n\
         User-Agent: abot\nDisallow: /\nAllow: /private/page.html\nAllow: /private/pic.gif\n\n\
         User-Agent: bbot\nUser-Agent: cbot\nDisallow: /private/page.html\n\nUser-Agent: dbot\n",
        &[
            ("x", "/papers/a.gif", ALLOWED),
            ("x", "/a.gif", BLOCKED),
            ("x", "/private/page.html", BLOCKED),
            ("abot", "/private/pic.gif", ALLOWED),
            ("abot", "/papers/a", BLOCKED),
            ("bbot", "/private/page.html", BLOCKED),
            ("cbot", "/a.gif", ALLOWED),
            ("dbot", "/private/page.html", ALLOWED),
        ],
    ),
    case(
        "§3.2: of two rules that match, the longer is used",
        "User-Agent: abot\nAllow: /page/\nDisallow: /page/not-this.gif\n",
        &[
            ("abot", "/page/not-this.gif", BLOCKED),
            ("abot", "/page/other.gif", ALLOWED),
        ],
    ),
];
