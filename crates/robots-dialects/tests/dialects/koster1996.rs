//! "A Method for Web Robots Control", M. Koster, draft-koster-robots-00, November and December
//! 1996, by its sections.

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "§3.2: blank lines separate records",
        "User-agent: a\nDisallow: /x\n\n\nUser-agent: b\nDisallow: /y\n\nDisallow: /z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/y", BLOCKED),
            ("b", "/z", ALLOWED),
        ],
    ),
    case(
        "§3.2: a blank line between names and rules leaves the names without rules",
        "User-agent: a\n\nDisallow: /\n",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "§3.2: a record begins with User-agent lines, rules of either kind follow",
        "User-agent: a\nUser-agent: b\nAllow: /x/y\nDisallow: /x\n",
        &[
            ("a", "/x/y", ALLOWED),
            ("a", "/x", BLOCKED),
            ("b", "/x", BLOCKED),
            ("c", "/x", ALLOWED),
        ],
    ),
    case(
        "§3.2: a User-agent line after rules begins a record (our interpretation)",
        "User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("b", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "§3.2: fields that are not specified may occur and change nothing",
        "User-agent: a\nX-Note: b\nDisallow: /x\nSitemap: /s\nCrawl-delay: 9\nDisallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("b", "/x", ALLOWED),
        ],
    ),
    case(
        "§3.2: rules before any User-agent line belong to no record",
        "Disallow: /x\nUser-agent: a\nDisallow: /y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "§3.2: lines are not continued",
        "User-agent: a\nDisallow: /x\\\n/y\nDisallow: /z,\n  /w\n",
        &[
            ("a", "/x\\", BLOCKED),
            ("a", "/x/y", ALLOWED),
            ("a", "/z", ALLOWED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "§3.2: comments may stand anywhere, alone or after a line",
        "# a\nUser-agent: a # b\n# c\nDisallow: /x# d\n  # e\nAllow: / # f\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§3.2.1: a name that is part of the robot's name is enough (our interpretation of the \
         direction)",
        "User-agent: tree\nDisallow: /\n",
        &[("FigTree", "/", BLOCKED), ("fig", "/", ALLOWED)],
    ),
    case(
        "§3.2.1: the robot's name is a token without version",
        "User-agent: figtree\nDisallow: /\n",
        &[
            ("FigTree/0.1", "/", BLOCKED),
            ("FigTree/0.1 Robot perl/5.0", "/", BLOCKED),
            ("Other/0.1 figtree", "/", ALLOWED),
        ],
    ),
    case(
        "§3.2.1: names are compared without regard to case",
        "User-agent: FigTREE\nDisallow: /\n",
        &[("figtree", "/", BLOCKED), ("FIGTREE", "/", BLOCKED)],
    ),
    case(
        "§3.2.1: the first record that names the robot is obeyed, later ones are not",
        "User-agent: fig\nDisallow: /x\n\nUser-agent: figtree\nDisallow: /y\n",
        &[("figtree", "/x", BLOCKED), ("figtree", "/y", ALLOWED)],
    ),
    case(
        "§3.2.1: without one, the first record of * is obeyed, wherever it stands",
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
        "§3.2.1: without any of these, or without records, access is unlimited",
        "User-agent: a\nDisallow: /\n",
        &[("b", "/", ALLOWED)],
    ),
    case(
        "§3.2.1: an empty file has no records",
        "",
        &[("a", "/x", ALLOWED)],
    ),
    case(
        "§3.2.2: the first line that matches decides, in file order, whatever its length",
        "User-agent: *\nAllow: /a/b\nDisallow: /a\nAllow: /a/c\nDisallow: /a/b/d\n",
        &[
            ("x", "/a/b", ALLOWED),
            ("x", "/a/b/d", ALLOWED),
            ("x", "/a/c", BLOCKED),
            ("x", "/a", BLOCKED),
        ],
    ),
    case(
        "§3.2.2: a path that no line matches is allowed",
        "User-agent: *\nAllow: /a\nDisallow: /b\n",
        &[("x", "/c", ALLOWED), ("x", "/", ALLOWED)],
    ),
    case(
        "§3.2.2: Allow alone restricts nothing",
        "User-agent: *\nAllow: /a\n",
        &[("x", "/a", ALLOWED), ("x", "/b", ALLOWED)],
    ),
    case(
        "§3.2.2: /robots.txt is always allowed, in any spelling of the same bytes",
        "User-agent: *\nDisallow: /robots.txt\nDisallow: /\n",
        &[
            ("x", "/robots.txt", ALLOWED),
            ("x", "/%72obots%2etxt", ALLOWED),
            ("x", "/%2Frobots.txt", BLOCKED),
            ("x", "/ROBOTS.TXT", BLOCKED),
            ("x", "/robots.txt?a", BLOCKED),
        ],
    ),
    case(
        "§3.2.2: a path matches what begins with it (table, rows 1 to 3)",
        "User-agent: *\nDisallow: /tmp\n",
        &[
            ("x", "/tmp", BLOCKED),
            ("x", "/tmp.html", BLOCKED),
            ("x", "/tmp/a.html", BLOCKED),
            ("x", "/tm", ALLOWED),
            ("x", "/a/tmp", ALLOWED),
        ],
    ),
    case(
        "§3.2.2: a final slash counts (table, rows 4 to 6)",
        "User-agent: *\nDisallow: /tmp/\n",
        &[
            ("x", "/tmp", ALLOWED),
            ("x", "/tmp/", BLOCKED),
            ("x", "/tmp/a.html", BLOCKED),
        ],
    ),
    case(
        "§3.2.2: an escape is decoded on both sides, its digits in either case (table, rows 7 and \
         8)",
        "User-agent: *\nDisallow: /a%3cd.html\nDisallow: /b%3Ce.html\n",
        &[
            ("x", "/a%3cd.html", BLOCKED),
            ("x", "/a%3Cd.html", BLOCKED),
            ("x", "/a<d.html", BLOCKED),
            ("x", "/b%3ce.html", BLOCKED),
        ],
    ),
    case(
        "§3.2.2: an escaped slash equals itself and no slash (table, rows 9 and 10)",
        "User-agent: *\nDisallow: /a%2fb.html\nDisallow: /c/d.html\n",
        &[
            ("x", "/a%2fb.html", BLOCKED),
            ("x", "/a%2Fb.html", BLOCKED),
            ("x", "/a/b.html", ALLOWED),
            ("x", "/c/d.html", BLOCKED),
            ("x", "/c%2Fd.html", ALLOWED),
        ],
    ),
    case(
        "§3.2.2: an unescaped byte equals its escape, either way round (table, rows 11 and 12)",
        "User-agent: *\nDisallow: /%7ejoe/index.html\nDisallow: /~ann/index.html\n",
        &[
            ("x", "/~joe/index.html", BLOCKED),
            ("x", "/%7Ejoe/index.html", BLOCKED),
            ("x", "/%7eann/index.html", BLOCKED),
            ("x", "/~bob/index.html", ALLOWED),
        ],
    ),
    case(
        "§3.2.2: a byte outside US-ASCII equals its escape",
        "User-agent: *\nDisallow: /\u{e9}\nDisallow: /%C3%BC\n",
        &[("x", "/%c3%a9", BLOCKED), ("x", "/\u{fc}", BLOCKED)],
    ),
    case(
        "§3.2.2: a percent sign outside an escape is literal, and an escaped one does not begin an escape",
        "User-agent: *\nDisallow: /a%zz\nDisallow: /b%252F\nDisallow: /c%4\n",
        &[
            ("x", "/a%zz", BLOCKED),
            ("x", "/a%25zz", BLOCKED),
            ("x", "/b%252F", BLOCKED),
            ("x", "/b%2F", ALLOWED),
            ("x", "/c%4", BLOCKED),
            ("x", "/c%41", ALLOWED),
        ],
    ),
    case(
        "§3.2.2: paths are compared with regard to case",
        "User-agent: *\nDisallow: /Tmp\n",
        &[("x", "/Tmp", BLOCKED), ("x", "/tmp", ALLOWED)],
    ),
    case(
        "§3.2.2: no byte is special in a path",
        "User-agent: *\nDisallow: /*.gif\nDisallow: /a$\nDisallow: /b?\n",
        &[
            ("x", "/c.gif", ALLOWED),
            ("x", "/*.gif", BLOCKED),
            ("x", "/a", ALLOWED),
            ("x", "/a$b", BLOCKED),
            ("x", "/bc", ALLOWED),
            ("x", "/b?c", BLOCKED),
        ],
    ),
    case(
        "§3.2.2: an empty path matches at once, and allows on either line (our interpretation)",
        "User-agent: a\nDisallow:\nDisallow: /\n\nUser-agent: b\nAllow:\nDisallow: /\n\n\
         User-agent: c\nDisallow: /\nDisallow:\n",
        &[
            ("a", "/x", ALLOWED),
            ("b", "/x", ALLOWED),
            ("c", "/x", BLOCKED),
        ],
    ),
    case(
        "§3.3: a path begins with a slash, another value matches none",
        "User-agent: *\nDisallow: tmp\nDisallow: http://h.example/tmp\nDisallow: *\n",
        &[("x", "/tmp", ALLOWED), ("x", "/", ALLOWED)],
    ),
    case(
        "§3.3: field names are compared without regard to case",
        "user-AGENT: a\nDISALLOW: /x\naLLOW: /\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "§3.3: the names of fields are these, followed by a colon",
        "User-agent: a\nDisalow: /x\nDisallow /y\nAllowed: /z\nDisallow: /z\n\n\
         Useragent: b\nDisallow: /\n",
        &[
            ("a", "/x", ALLOWED),
            ("a", "/y", ALLOWED),
            ("a", "/z", BLOCKED),
            ("b", "/", ALLOWED),
        ],
    ),
    case(
        "§3.3: white space may stand between colon and value, and after it",
        "User-agent:a\nDisallow:\t  /x  \nDisallow:/y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "§4: one robot is blocked, two are not, the others as the order of lines says",
        "# of a site\nUser-agent: badbot\nDisallow: /\n\n\
         User-agent: goodbot\nUser-agent: nicebot\nDisallow:\n\n\
         User-agent: *\nDisallow: /club/plans.html\nAllow: /club/\nAllow: /ser\nAllow: /~ann\n\
         Disallow: /\n",
        &[
            ("badbot", "/", BLOCKED),
            ("badbot", "/club/about.html", BLOCKED),
            ("badbot", "/robots.txt", ALLOWED),
            ("GoodBot/1.0", "/", ALLOWED),
            ("nicebot", "/club/plans.html", ALLOWED),
            ("x", "/", BLOCKED),
            ("x", "/index.html", BLOCKED),
            ("x", "/robots.txt", ALLOWED),
            ("x", "/server.html", ALLOWED),
            ("x", "/services/fast.html", ALLOWED),
            ("x", "/clubs.gif", BLOCKED),
            ("x", "/club/about.html", ALLOWED),
            ("x", "/club/plans.html", BLOCKED),
            ("x", "/%7Ebob/bob.html", BLOCKED),
            ("x", "/%7Eann/ann.html", ALLOWED),
        ],
    ),
    case(
        "§5.1: Allow before a Disallow that it overrides is what a robot of 1994 would not \
         retrieve",
        "User-agent: *\nAllow: /a/b\nDisallow: /a\n",
        &[("x", "/a/b", ALLOWED), ("x", "/a/c", BLOCKED)],
    ),
    case(
        "§5.2: any end of line is accepted: CR, LF, CRLF, none at the end",
        "User-agent: a\rDisallow: /x\r\nDisallow: /y\nDisallow: /z",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", BLOCKED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "§5.2: a page of HTML at this place has no records",
        "<html><head><title>Not found: /</title></head>\n<body>Disallow: /</body></html>\n",
        &[("a", "/", ALLOWED)],
    ),
    case(
        "§5.2: a byte order mark is not part of the first field",
        "\u{feff}User-agent: a\nDisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
];
