//! "An Extended Standard for Robot Exclusion", version 2.0, S. Conner, October and November 1996,
//! by its directives.

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "\"User-agent\": records are those of 1994, separated by blank lines",
        "User-agent: a\nDisallow: /x\n\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/z", BLOCKED),
            ("b", "/x", ALLOWED),
        ],
    ),
    case(
        "\"User-agent\": a comment alone ends no record",
        "User-agent: a\n# two\nRobot-version: 2.0\n# three\nAllow: /x\nDisallow: *\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"User-agent\": lines end with CR, LF or CRLF",
        "User-agent: a\rRobot-version: 2.0\r\nAllow: /x\nDisallow: *",
        &[("a", "/x", ALLOWED), ("a", "/xy", BLOCKED)],
    ),
    case(
        "\"User-agent\": a byte order mark is not part of the first field",
        "\u{feff}User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "\"User-agent\": a name that is part of the robot's, versions aside, is enough; the first counts",
        "User-agent: crawl\nDisallow: /x\n\nUser-agent: webcrawler/2.0\nDisallow: /y\n",
        &[
            ("WebCrawler/1.0", "/x", BLOCKED),
            ("WebCrawler/1.0", "/y", ALLOWED),
            ("spider", "/x", ALLOWED),
        ],
    ),
    case(
        "\"User-agent\": * is for every robot without a record of its own; the first counts",
        "User-agent: *\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n\nUser-agent: *\n\
         Disallow: /z\n",
        &[
            ("b", "/x", BLOCKED),
            ("b", "/z", ALLOWED),
            ("a", "/x", ALLOWED),
            ("a", "/y", BLOCKED),
        ],
    ),
    case(
        "\"User-agent\": several lines share a record and its version",
        "User-agent: a\nUser-agent: b\nRobot-version: 2.0\nAllow: */i.html\nDisallow: *\n",
        &[
            ("a", "/x/i.html", ALLOWED),
            ("b", "/x/i.html", ALLOWED),
            ("b", "/x/j.html", BLOCKED),
        ],
    ),
    case(
        "\"User-agent\": without a record everything is allowed",
        "User-agent: a\nRobot-version: 2.0\nDisallow: *\n",
        &[("b", "/", ALLOWED), ("a", "/", BLOCKED)],
    ),
    case(
        "\"User-agent\": an empty file restricts nothing",
        "",
        &[("a", "/", ALLOWED)],
    ),
    case(
        "\"Robot-version\": without it a record is one of 1.0: Allow is not known",
        "User-agent: a\nAllow: /x/y\nDisallow: /x\n",
        &[("a", "/x/y", BLOCKED), ("a", "/z", ALLOWED)],
    ),
    case(
        "\"Robot-version\": 1.0 says the same",
        "User-agent: a\nRobot-version: 1.0\nAllow: /x/y\nDisallow: /x\nDisallow: /*.gif\n",
        &[
            ("a", "/x/y", BLOCKED),
            ("a", "/b.gif", ALLOWED),
            ("a", "/*.gif", BLOCKED),
        ],
    ),
    case(
        "\"Robot-version\": 2.0 and 2.0.0 make paths explicit and Allow known",
        "User-agent: a\nRobot-version: 2.0\nAllow: /x/y\nDisallow: /x/*\n\n\
         User-agent: b\nRobot-version: 2.0.0\nAllow: /x/y\nDisallow: /x/*\n",
        &[
            ("a", "/x/y", ALLOWED),
            ("a", "/x/z", BLOCKED),
            ("b", "/x/y", ALLOWED),
            ("b", "/x/z", BLOCKED),
        ],
    ),
    case(
        "\"Robot-version\": it holds for its record alone",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /x\n\nUser-agent: b\nDisallow: /x\n",
        &[("a", "/xy", ALLOWED), ("b", "/xy", BLOCKED)],
    ),
    case(
        "\"Robot-version\": outside a record it holds for none",
        "Robot-version: 2.0\nUser-agent: a\nDisallow: /x\n",
        &[("a", "/xy", BLOCKED)],
    ),
    case(
        "\"Robot-version\": a version that does not exist is ignored (our interpretation)",
        "User-agent: a\nRobot-version: 3.0\nAllow: /x/y\nDisallow: /x\n",
        &[("a", "/x/y", BLOCKED)],
    ),
    case(
        "\"Robot-version\": the first of several counts (our interpretation)",
        "User-agent: a\nRobot-version: 2.0\nRobot-version: 1.0\nDisallow: /x\n",
        &[("a", "/x", BLOCKED), ("a", "/xy", ALLOWED)],
    ),
    case(
        "general format: a path of 1.0 is itself followed by anything",
        "User-agent: a\nDisallow: /help\nDisallow: /docs/\n",
        &[
            ("a", "/help", BLOCKED),
            ("a", "/help.html", BLOCKED),
            ("a", "/docs/a", BLOCKED),
            ("a", "/docs", ALLOWED),
        ],
    ),
    case(
        "explicit format: a path of 2.0 without wildcard is itself alone",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /help.html\n",
        &[
            ("a", "/help.html", BLOCKED),
            ("a", "/help.html?a", ALLOWED),
            ("a", "/help.htm", ALLOWED),
        ],
    ),
    case(
        "explicit format: * is any number of bytes, none and slashes among them",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /info*\nDisallow: *.shtml\nDisallow: /d*/e\n",
        &[
            ("a", "/info", BLOCKED),
            ("a", "/info/a/b", BLOCKED),
            ("a", "/a/b.shtml", BLOCKED),
            ("a", "/a/b.shtml2", ALLOWED),
            ("a", "/d/e", BLOCKED),
            ("a", "/dx/y/e", BLOCKED),
            ("a", "/de", ALLOWED),
        ],
    ),
    case(
        "explicit format: ? is one byte",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /a?c\n",
        &[
            ("a", "/abc", BLOCKED),
            ("a", "/a?c", BLOCKED),
            ("a", "/ac", ALLOWED),
            ("a", "/abbc", ALLOWED),
        ],
    ),
    case(
        "explicit format: [set] is one byte of a set, with ranges, or of those outside it with !",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /[a-c9]\nDisallow: /x[!0-9]\n",
        &[
            ("a", "/b", BLOCKED),
            ("a", "/9", BLOCKED),
            ("a", "/d", ALLOWED),
            ("a", "/xa", BLOCKED),
            ("a", "/x5", ALLOWED),
        ],
    ),
    case(
        "explicit format: \\ takes the next byte as it is",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /a\\*b\nDisallow: /c\\?d\n",
        &[
            ("a", "/a*b", BLOCKED),
            ("a", "/axb", ALLOWED),
            ("a", "/c?d", BLOCKED),
            ("a", "/cxd", ALLOWED),
        ],
    ),
    case(
        "explicit format: $ and % mean themselves, and case counts",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /a$\nDisallow: /%7Eb\nDisallow: /C\n",
        &[
            ("a", "/a$", BLOCKED),
            ("a", "/a", ALLOWED),
            ("a", "/%7Eb", BLOCKED),
            ("a", "/~b", ALLOWED),
            ("a", "/c", ALLOWED),
        ],
    ),
    case(
        "\"Allow\" and \"Disallow\": the first match in file order decides (our interpretation)",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /x/y*\nAllow: /x/*\nDisallow: /x/z\n\
         Disallow: *\n",
        &[
            ("a", "/x/y1", BLOCKED),
            ("a", "/x/z", ALLOWED),
            ("a", "/w", BLOCKED),
        ],
    ),
    case(
        "\"Allow\": without a Disallow that matches it restricts nothing",
        "User-agent: a\nRobot-version: 2.0\nAllow: /x\n",
        &[("a", "/x", ALLOWED), ("a", "/y", ALLOWED)],
    ),
    case(
        "\"Allow\": an empty value matches nothing in 2.0 (our interpretation)",
        "User-agent: a\nRobot-version: 2.0\nAllow:\nDisallow: *\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "\"Disallow\": an empty value allows everything, in 1.0 and 2.0",
        "User-agent: a\nDisallow:\n\nUser-agent: b\nRobot-version: 2.0\nDisallow:\nDisallow: *\n",
        &[("a", "/x", ALLOWED), ("b", "/x", ALLOWED)],
    ),
    case(
        "\"Disallow\": in 2.0 a slash alone is the root alone",
        "User-agent: a\nRobot-version: 2.0\nDisallow: /\n",
        &[("a", "/", BLOCKED), ("a", "/x", ALLOWED)],
    ),
    case(
        "\"Disallow\": a value without slash or star matches no path",
        "User-agent: a\nDisallow: x\n\nUser-agent: b\nRobot-version: 2.0\nDisallow: x\n",
        &[("a", "/x", ALLOWED), ("b", "/x", ALLOWED)],
    ),
    case(
        "\"Disallow\": /robots.txt may be retrieved all the same",
        "User-agent: *\nRobot-version: 2.0\nDisallow: *\n",
        &[
            ("a", "/robots.txt", ALLOWED),
            ("a", "/%72obots.txt", BLOCKED),
            ("a", "/a/robots.txt", BLOCKED),
        ],
    ),
    case(
        "\"Visit-time\", \"Request-rate\", \"Comment\": they change no verdict and end no record",
        "User-agent: a\nVisit-time: 0600-0845\nRequest-rate: 1/10m\nComment: hello\nDisallow: /x\n\
         Comment: more\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "names of directives: exact but for case, followed by a colon",
        "User-agent: a\nRobotversion: 2.0\nDisalow: /x\nDisallow /y\nDISALLOW: /z\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/y", ALLOWED),
            ("a", "/z1", BLOCKED),
        ],
    ),
    case(
        "\"Examples\": blocked by 1.0, index pages by 2.0, paths by 2.0, all others blocked",
        "# knows 1.0\nUser-agent: fredbot\nDisallow: /\n\n\
         User-agent: annbot\nRobot-version: 2.0.0\nAllow: */index.html # no more\nDisallow: *\n\n\
         User-agent: alfbot\nUser-agent: oscarbot\nRobot-version: 2.0\nDisallow: /hole/info99*\n\
         Disallow: /hole/info8.html\nDisallow: *.shtml\nAllow: /hole/info*\n\
         Allow: /hole/index.html\n\
         Disallow: /hole*\nVisit-time: 0600-0845\n\nUser-agent: *\nDisallow: /\n",
        &[
            ("FredBot/1.0", "/", BLOCKED),
            ("AnnBot", "/a/index.html", ALLOWED),
            ("AnnBot", "/a/index.html/b", BLOCKED),
            ("AlfBot/2.0", "/hole/info7.html", ALLOWED),
            ("AlfBot/2.0", "/hole/info99.html", BLOCKED),
            ("AlfBot/2.0", "/hole/info8.html", BLOCKED),
            ("AlfBot/2.0", "/hole/info8.html?a", ALLOWED),
            ("AlfBot/2.0", "/hole/a.html", BLOCKED),
            ("oscarbot", "/a.shtml", BLOCKED),
            ("oscarbot", "/a.html", ALLOWED),
            // annbot is part of it, and the first record decides.
            ("joannbot", "/a.html", BLOCKED),
            ("x", "/a.html", BLOCKED),
        ],
    ),
];
