//! "A Standard for Robot Exclusion", M. Koster, 30 June 1994, by its headings.

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "\"Format\": records are separated by a blank line",
        "User-agent: a\nDisallow: /x\n\nUser-agent: b\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "\"Format\": several blank lines separate as one does",
        "\n\nUser-agent: a\nDisallow: /x\n\n \t\n\nUser-agent: b\nDisallow: /y\n\n",
        &[("a", "/x", BLOCKED), ("b", "/y", BLOCKED)],
    ),
    case(
        "\"Format\": a blank line ends the record, so what follows without a name is nobody's",
        "User-agent: a\nDisallow: /x\n\nDisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "\"Format\": a blank line between names and rules leaves the names without rules",
        "User-agent: a\n\nDisallow: /\n",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "\"Format\": lines end with NL",
        "User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "\"Format\": lines end with CR, and two of them are a blank line",
        "User-agent: a\rDisallow: /x\r\rDisallow: /y\r",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "\"Format\": lines end with CR/NL, which is one line end",
        "User-agent: a\r\nDisallow: /x\r\nDisallow: /y\r\n\r\nDisallow: /z\r\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"Format\": the last line needs no end",
        "User-agent: a\nDisallow: /x",
        &[("a", "/xy", BLOCKED)],
    ),
    case(
        "\"Format\": a line is field, colon, value; space around the value is optional",
        "User-agent:a\nDisallow:/x\nDisallow: \t /y \t\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"Format\": a line without a colon is not a field",
        "User-agent: a\nDisallow /x\nDisallow: /y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"Format\": field names are compared without regard to case",
        "USER-AGENT: a\ndIsAlLoW: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "\"Format\": a field name is that name, not one like it",
        "User-agent: a\nDisalow: /x\nDisallowed: /y\n\nUseragent: b\nDisallow: /\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/y", ALLOWED),
            ("b", "/", ALLOWED),
        ],
    ),
    case(
        "\"Format\": # and the space before it end the line",
        "User-agent: a # of ours\nDisallow: /x# not all\nDisallow: /y\t#\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"Format\": a line with only a comment is not a blank line",
        "# of ours\nUser-agent: a\n# rules\nDisallow: /x\n   # more\nDisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"Format\": fields that are not recognised are ignored, Allow among them",
        "User-agent: a\nAllow: /x\nCrawl-delay: 5\nSitemap: /s\nDisallow: /x\n",
        &[("a", "/x", BLOCKED), ("a", "/s", ALLOWED)],
    ),
    case(
        "\"Format\": Disallow before any User-agent describes no robot",
        "Disallow: /\n",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "\"Format\": a User-agent line after rules begins a record (our interpretation)",
        "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "\"Format\": a byte order mark is not part of the first field",
        "\u{feff}User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "User-agent: several lines give several robots the same policy",
        "User-agent: a\nUser-agent: b\nDisallow: /x\n",
        &[
            ("a", "/x", BLOCKED),
            ("b", "/x", BLOCKED),
            ("c", "/x", ALLOWED),
        ],
    ),
    case(
        "User-agent: names are compared without regard to case",
        "User-agent: WebCrawler\nDisallow: /\n",
        &[("webcrawler", "/", BLOCKED), ("WEBCRAWLER", "/", BLOCKED)],
    ),
    case(
        "User-agent: a name that is part of the robot's name is enough",
        "User-agent: crawl\nDisallow: /\n",
        &[
            ("webcrawler", "/", BLOCKED),
            ("Crawl-9", "/", BLOCKED),
            ("craw", "/", ALLOWED),
            ("spider", "/", ALLOWED),
        ],
    ),
    case(
        "User-agent: versions do not count, neither the robot's nor the file's",
        "User-agent: crawler/1.0\nDisallow: /x\n\nUser-agent: 2.5\nDisallow: /y\n",
        &[
            ("crawler", "/x", BLOCKED),
            ("crawler/3.1", "/x", BLOCKED),
            ("other/2.5", "/y", ALLOWED),
        ],
    ),
    case(
        "User-agent: a name may hold digits and punctuation",
        "User-agent: 8bot.net\nDisallow: /\n",
        &[("8Bot.net", "/", BLOCKED), ("bot", "/", ALLOWED)],
    ),
    case(
        "User-agent: the first record that names the robot describes it, later ones do not",
        "User-agent: bot\nDisallow: /x\n\nUser-agent: spambot\nDisallow: /y\n",
        &[("spambot", "/x", BLOCKED), ("spambot", "/y", ALLOWED)],
    ),
    case(
        "User-agent: an empty name names nobody",
        "User-agent:\nDisallow: /\n",
        &[("a", "/", ALLOWED), ("", "/", ALLOWED)],
    ),
    case(
        "User-agent: * is for any robot that no record names",
        "User-agent: *\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n",
        &[
            ("b", "/x", BLOCKED),
            ("b", "/y", ALLOWED),
            ("a", "/x", ALLOWED),
            ("a", "/y", BLOCKED),
        ],
    ),
    case(
        "User-agent: * and a name in one record: it applies to both",
        "User-agent: a\nUser-agent: *\nDisallow: /x\n",
        &[("a", "/x", BLOCKED), ("b", "/x", BLOCKED)],
    ),
    case(
        "User-agent: of several * records, which are not allowed, the first counts",
        "User-agent: *\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "User-agent: * within a name is not a wildcard",
        "User-agent: *bot\nDisallow: /\n",
        &[("robot", "/", ALLOWED)],
    ),
    case(
        "Disallow: the value is a beginning of what is not visited",
        "User-agent: *\nDisallow: /help\nDisallow: /docs/\n",
        &[
            ("a", "/help", BLOCKED),
            ("a", "/help.html", BLOCKED),
            ("a", "/help/index.html", BLOCKED),
            ("a", "/hel", ALLOWED),
            ("a", "/docs/index.html", BLOCKED),
            ("a", "/docs", ALLOWED),
            ("a", "/docs.html", ALLOWED),
        ],
    ),
    case(
        "Disallow: a full path covers what begins with it, query and all",
        "User-agent: *\nDisallow: /a/b.html?c=1\n",
        &[
            ("a", "/a/b.html?c=1", BLOCKED),
            ("a", "/a/b.html?c=12&d", BLOCKED),
            ("a", "/a/b.html", ALLOWED),
        ],
    ),
    case(
        "Disallow: paths are compared with regard to case",
        "User-agent: *\nDisallow: /Help\n",
        &[("a", "/Help", BLOCKED), ("a", "/help", ALLOWED)],
    ),
    case(
        "Disallow: *, $ and % mean themselves",
        "User-agent: *\nDisallow: /a*b\nDisallow: /c$\nDisallow: /%7Ed\n",
        &[
            ("a", "/a*b", BLOCKED),
            ("a", "/axb", ALLOWED),
            ("a", "/c$d", BLOCKED),
            ("a", "/c", ALLOWED),
            ("a", "/%7Ed", BLOCKED),
            ("a", "/%7ed", ALLOWED),
            ("a", "/~d", ALLOWED),
        ],
    ),
    case(
        "Disallow: a value without a slash begins no path",
        "User-agent: *\nDisallow: help\nDisallow: http://h.example/x\nDisallow: *\n",
        &[("a", "/help", ALLOWED), ("a", "/x", ALLOWED)],
    ),
    case(
        "Disallow: an empty value means that everything may be retrieved",
        "User-agent: *\nDisallow:\n\nUser-agent: a\nDisallow: \t# nothing\n",
        &[("a", "/", ALLOWED), ("b", "/x", ALLOWED)],
    ),
    case(
        "Disallow: a record without one, though it should have one, restricts nothing",
        "User-agent: a\n\nUser-agent: *\nDisallow: /\n",
        &[("a", "/", ALLOWED), ("b", "/", BLOCKED)],
    ),
    case(
        "Disallow: an empty file is as none, all robots are welcome",
        "",
        &[("a", "/", ALLOWED), ("a", "/x", ALLOWED)],
    ),
    case(
        "\"Method\": the file itself can be retrieved at /robots.txt",
        "User-agent: *\nDisallow: /\n",
        &[
            ("a", "/robots.txt", ALLOWED),
            ("a", "/Robots.txt", BLOCKED),
            ("a", "/robots.txt?a", BLOCKED),
            ("a", "/a/robots.txt", BLOCKED),
            // Bytes are compared, so another spelling is another path.
            ("a", "/%72obots.txt", BLOCKED),
        ],
    ),
    case(
        "\"Examples\": two areas for nobody, explained by comments",
        "# robots.txt of a site\n\nUser-agent: *\nDisallow: /maps/ # has no end\n\
         Disallow: /tmp/ # goes away\nDisallow: /page.html\n",
        &[
            ("a", "/maps/a", BLOCKED),
            ("a", "/tmp/", BLOCKED),
            ("a", "/page.html", BLOCKED),
            ("a", "/maps", ALLOWED),
            ("a", "/", ALLOWED),
        ],
    ),
    case(
        "\"Examples\": one area for nobody but the robot that knows its way",
        "User-agent: *\nDisallow: /maps/\n\n# knows its way\nUser-agent: mapper\nDisallow:\n",
        &[
            ("a", "/maps/a", BLOCKED),
            ("a", "/b", ALLOWED),
            ("mapper", "/maps/a", ALLOWED),
        ],
    ),
    case(
        "\"Examples\": robots are to go no further",
        "# go away\nUser-agent: *\nDisallow: /\n",
        &[("a", "/", BLOCKED), ("a", "/a/b?c", BLOCKED)],
    ),
];
