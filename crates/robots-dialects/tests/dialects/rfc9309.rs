//! RFC 9309, "Robots Exclusion Protocol", September 2022, by its sections;
//! §2.2.2 and §2.2.3 in `rfc9309_paths`.

use super::{ALLOWED, BLOCKED, Case, case, case_of_bytes};

pub(crate) const CASES: &[Case] = &[
    case(
        "§2.1: a group is user-agent lines and the rules after them",
        "User-agent: a\nUser-agent: b\nDisallow: /x\nAllow: /x/y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/x/y", ALLOWED),
            ("b", "/x", BLOCKED),
            ("c", "/x", ALLOWED),
        ],
    ),
    case(
        "§2.1: a user-agent line after a rule ends the group",
        "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "§2.1: the last group may have no rules, which allows everything",
        "User-agent: *\nDisallow: /\n\nUser-agent: a\n",
        &[("a", "/x", ALLOWED), ("b", "/x", BLOCKED)],
    ),
    case(
        "§2.2: blank lines are nothing: not between groups, not between names, not between rules",
        "\n\nUser-agent: a\n\nUser-agent: b\n \t\nDisallow: /x\n\n\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("b", "/x", BLOCKED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "§2.2: a line ends with LF, CR or CRLF, mixed as it may be",
        "User-agent: a\rDisallow: /x\r\nDisallow: /y\nDisallow: /z",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", BLOCKED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "§2.2: no other byte ends a line",
        "User-agent: a\nDisallow: /x\u{b}Disallow: /y\u{c}Disallow: /z\u{85}\u{2028}\n",
        &[("a", "/x", ALLOWED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§2.2: space and tab may stand around name, colon and value",
        " \tUser-agent \t:\ta \t\n  Disallow : /x  \nDisallow:/y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "§2.2: names of lines are compared without regard to case",
        "USER-AGENT: a\nallow: /x/y\nDISallow: /x\n",
        &[("a", "/x", BLOCKED), ("a", "/x/y", ALLOWED)],
    ),
    case(
        "§2.2: a name is that name: misspellings and longer words are other records",
        "User-agent: a\nDisalow: /x\nDisallowed: /x\nDis allow: /x\n\nUseragent: b\nDisallow: /y\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/y", BLOCKED),
            ("b", "/y", ALLOWED),
        ],
    ),
    case(
        "§2.2: a line without a colon is ignored",
        "User-agent: a\nDisallow /x\nDisallow\t/y\nDisallow\nDisallow: /z\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/y", ALLOWED),
            ("a", "/z", BLOCKED),
        ],
    ),
    case(
        "§2.2: a comment goes from # to the end of its line",
        "# a\nUser-agent: a # b\n#Disallow: /\nDisallow: /x#y\n  # c\nDisallow: /z # Allow: /\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/xa", BLOCKED),
            ("a", "/z", BLOCKED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "§2.2: rules before any user-agent line belong to no group",
        "Disallow: /x\nUser-agent: *\nDisallow: /y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§2.2.1: product tokens are compared without regard to case",
        "User-agent: ExampleBot\nDisallow: /\n",
        &[("examplebot", "/", BLOCKED), ("EXAMPLEBOT", "/", BLOCKED)],
    ),
    case(
        "§2.2.1: a token is equal or another, never a part",
        "User-agent: example\nDisallow: /\n",
        &[
            ("example", "/", BLOCKED),
            ("ExampleBot", "/", ALLOWED),
            ("exam", "/", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: a token is letters, _ and -; what follows it does not count, on either side",
        "User-agent: example_bot-news/2.1 (a)\nDisallow: /\n",
        &[
            ("Example_Bot-News", "/", BLOCKED),
            ("example_bot-news/7", "/", BLOCKED),
            ("example_bot", "/", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: digits are not part of a token, so two crawlers may share one",
        "User-agent: bot1\nDisallow: /\n",
        &[("bot2", "/", BLOCKED), ("bot", "/", BLOCKED)],
    ),
    case(
        "§2.2.1: a value that begins with no token names nobody",
        "User-agent: 1bot\nUser-agent:\nUser-agent: (bot)\nDisallow: /\n",
        &[
            ("1bot", "/", ALLOWED),
            ("bot", "/", ALLOWED),
            ("", "/", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: all groups of a token are one group",
        "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n\n\
         User-agent: A/2\nAllow: /x/z\nDisallow: /w\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/x/z", ALLOWED),
            ("a", "/w", BLOCKED),
            ("a", "/y", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: without a group of its own a crawler obeys that of *",
        "User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n",
        &[
            ("b", "/y", BLOCKED),
            ("b", "/x", ALLOWED),
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: several groups of * are one",
        "User-agent: *\nDisallow: /x\nUser-agent: a\nDisallow:\nUser-agent: *\nDisallow: /y\n",
        &[
            ("b", "/x", BLOCKED),
            ("b", "/y", BLOCKED),
            ("a", "/x", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: a group of its own without rules is a group: * does not apply",
        "User-agent: a\nSitemap: /s\n\nUser-agent: b\nDisallow: /\n\nUser-agent: c\n",
        // The first two lines of names stand together: nothing between them is a rule.
        &[
            ("a", "/x", BLOCKED),
            ("b", "/x", BLOCKED),
            ("c", "/x", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: a group with * and a token applies to both",
        "User-agent: a\nUser-agent: *\nDisallow: /x\n",
        &[("a", "/x", BLOCKED), ("b", "/x", BLOCKED)],
    ),
    case(
        "§2.2.1: * is alone, or it names nobody",
        "User-agent: *bot\nUser-agent: a*\nDisallow: /x\n",
        &[
            ("robot", "/x", ALLOWED),
            ("a", "/x", BLOCKED),
            ("ab", "/x", ALLOWED),
        ],
    ),
    case(
        "§2.2.1: without a group of the token or of * no rules apply",
        "User-agent: a\nDisallow: /\n",
        &[("b", "/", ALLOWED)],
    ),
    case(
        "§2.2.1: without any group no rules apply",
        "# nothing here\n",
        &[("a", "/", ALLOWED), ("a", "/x", ALLOWED)],
    ),
    case(
        "§2.2.4: other records end no group, wherever they stand",
        "User-agent: a\nSitemap: https://h.example/s.xml\nUser-agent: b\nCrawl-delay: 5\nHost: h\n\
         Disallow: /x\nSitemap: /t\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("b", "/x", BLOCKED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "§2.2.4: other records are not rules",
        "User-agent: a\nNoindex: /x\nClean-param: a /x\nRequest-rate: 1/5\n",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "§2.3: the file is UTF-8, and a byte order mark is not part of its first line",
        "\u{feff}User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case_of_bytes(
        "§2.3: a byte that is not UTF-8 is just a byte of its value",
        b"User-agent: a\nDisallow: /\xe9\nDisallow: /y\n",
        &[
            ("a", "/%E9", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/%C3%A9", ALLOWED),
        ],
    ),
    case_of_bytes(
        "§2.3: a file in UTF-16 has no line that can be read",
        b"\xff\xfeU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0D\0i\0s\0a\0l\0l\0o\0w\0:\0/\0\n\0",
        &[("a", "/", ALLOWED)],
    ),
    case(
        "§2.3.1.5: every line is tried, and those that can be read are used",
        "<html>\n\u{1}\u{2}\nnonsense\n: /\nUser-agent: a\n???\nDisallow: /x\n</html>\n\
         Disallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§2.3.1.5: a NUL ends what can be read of its line",
        "User-agent: a\nDisallow: /x\0y\nDisallow: /z\n",
        &[("a", "/x1", BLOCKED), ("a", "/z", BLOCKED)],
    ),
    case(
        "§5.1: a group for all, one for a crawler, one for two, one without rules",
        "User-Agent: *\nDisallow: *.gif$\nDisallow: /private/\nAllow: /papers/\n\n\
         User-Agent: abot\nDisallow: /\nAllow: /private/page.html\nAllow: /private/pic.gif\n\n\
         User-Agent: bbot\nUser-Agent: cbot\nDisallow: /private/page.html\n\nUser-Agent: dbot\n",
        &[
            ("x", "/papers/a", ALLOWED),
            ("x", "/papers/a.gif", ALLOWED),
            ("x", "/a.gif", BLOCKED),
            ("x", "/a.gif?b", ALLOWED),
            ("x", "/private/page.html", BLOCKED),
            ("ABot", "/private/page.html", ALLOWED),
            ("abot", "/private/pic.gif", ALLOWED),
            ("abot", "/papers/a", BLOCKED),
            ("bbot", "/private/page.html", BLOCKED),
            ("cbot", "/private/page.html", BLOCKED),
            ("cbot", "/a.gif", ALLOWED),
            ("dbot", "/private/page.html", ALLOWED),
        ],
    ),
    case(
        "§5.2: of two rules that match, the longer is used",
        "User-Agent: abot\nAllow: /page/\nDisallow: /page/not-this.gif\n",
        &[
            ("abot", "/page/not-this.gif", BLOCKED),
            ("abot", "/page/other.gif", ALLOWED),
        ],
    ),
];
