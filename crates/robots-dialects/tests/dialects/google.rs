//! Google's specification, "How Google interprets the robots.txt specification", by its headings,
//! and the open-source parser (`robots.cc`) where the specification is silent.

use super::{ALLOWED, BLOCKED, Case, case};

pub(crate) const CASES: &[Case] = &[
    case(
        "\"File format\": lines end with CR, CR/LF or LF",
        "user-agent: a\rdisallow: /x\r\ndisallow: /y\ndisallow: /z",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", BLOCKED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "\"File format\": a byte order mark is ignored, or a beginning of one",
        "\u{feff}user-agent: a\ndisallow: /x\n",
        &[("a", "/x", BLOCKED)],
    ),
    case(
        "\"File format\": a second byte order mark belongs to its line, which is invalid",
        "\u{feff}\u{feff}user-agent: a\nuser-agent: b\ndisallow: /x\n",
        &[("a", "/x", ALLOWED), ("b", "/x", BLOCKED)],
    ),
    case(
        "\"File format\": invalid lines are ignored, valid ones used, in HTML too",
        "<html><body>\nuser-agent: a\n<p>text\ndisallow: /x\n</p>\ndisallow: /y\n</body>\n",
        &[("a", "/x", BLOCKED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"File format\": a NUL ends its line, and the path that is asked for",
        "user-agent: a\ndisallow: /x\0y\ndisallow: /zw$\n",
        &[
            ("a", "/x1", BLOCKED),
            ("a", "/zw\0a", BLOCKED),
            ("a", "/zwa", ALLOWED),
        ],
    ),
    case(
        "\"Syntax\": field, colon, value; white space around each is ignored",
        " \tuser-agent \t:\ta\t \n  disallow : /x  \ndisallow:/y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"Syntax\": field names are compared without regard to case",
        "USER-AGENT: a\nDisAllow: /x\nALLOW: /x/y\n",
        &[("a", "/x", BLOCKED), ("a", "/x/y", ALLOWED)],
    ),
    case(
        "\"Syntax\": # and everything after it is ignored",
        "# a\nuser-agent: a # b\n# disallow: /\ndisallow: /x#y\ndisallow #: /z\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", ALLOWED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"user-agent\": names of crawlers are compared without regard to case",
        "user-agent: ExampleBot\ndisallow: /\n",
        &[("examplebot", "/", BLOCKED), ("EXAMPLEBOT", "/", BLOCKED)],
    ),
    case(
        "\"user-agent\": in the file, what follows the token does not count",
        "user-agent: example-bot_x/2.1 (a)\ndisallow: /x\nuser-agent: b1\ndisallow: /y\n",
        &[
            ("example-bot_x", "/x", BLOCKED),
            ("example-bot", "/x", ALLOWED),
            ("b", "/y", BLOCKED),
        ],
    ),
    case(
        "\"user-agent\": a crawler asks by its bare token, no version is taken off (robots.cc)",
        "user-agent: example\ndisallow: /\n",
        &[("example", "/", BLOCKED), ("example/2.1", "/", ALLOWED)],
    ),
    case(
        "\"user-agent\": * is alone or precedes white space (robots.cc)",
        "user-agent: * all\ndisallow: /x\nuser-agent: *all\ndisallow: /y\n",
        &[("a", "/x", BLOCKED), ("a", "/y", ALLOWED)],
    ),
    case(
        "\"disallow\": paths are compared with regard to case",
        "user-agent: *\ndisallow: /X\n",
        &[("a", "/X", BLOCKED), ("a", "/x", ALLOWED)],
    ),
    case(
        "\"disallow\": without a path the rule is ignored",
        "user-agent: *\ndisallow:\nuser-agent: b\ndisallow: # none\ndisallow: /x\n",
        &[
            ("a", "/x", ALLOWED),
            ("b", "/x", BLOCKED),
            ("b", "/y", ALLOWED),
        ],
    ),
    case(
        "\"disallow\": a path begins with a slash or a star, another matches nothing",
        "user-agent: *\ndisallow: x\ndisallow: http://h.example/x\ndisallow: *z\n",
        &[("a", "/x", ALLOWED), ("a", "/yz", BLOCKED)],
    ),
    case(
        "\"allow\": names what may be crawled all the same; without a path it is ignored",
        "user-agent: *\ndisallow: /\nallow: /x\nallow:\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"allow\": a page index.htm… allows its directory (robots.cc)",
        "user-agent: *\ndisallow: /\nallow: /x/index.html\nallow: /y/index.htm\n\
         allow: /index.html\n",
        &[
            ("a", "/x/", ALLOWED),
            ("a", "/x/index.html", ALLOWED),
            ("a", "/x/z", BLOCKED),
            ("a", "/x", BLOCKED),
            ("a", "/y/", ALLOWED),
            ("a", "/", ALLOWED),
        ],
    ),
    case(
        "\"disallow\": a page index.html blocks itself alone (robots.cc)",
        "user-agent: *\ndisallow: /x/index.html\n",
        &[("a", "/x/index.html", BLOCKED), ("a", "/x/", ALLOWED)],
    ),
    case(
        "\"sitemap\": it belongs to no group and ends none",
        "user-agent: a\nsitemap: https://h.example/s.xml\nuser-agent: b\ndisallow: /x\n",
        &[("a", "/x", BLOCKED), ("b", "/x", BLOCKED)],
    ),
    case(
        "\"Grouping of lines and rules\": names in a row share the rules that follow",
        "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\n\
         user-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h\n",
        &[
            ("a", "/c", BLOCKED),
            ("a", "/d", ALLOWED),
            ("b", "/d", BLOCKED),
            ("e", "/g", BLOCKED),
            ("f", "/g", BLOCKED),
            ("h", "/g", ALLOWED),
        ],
    ),
    case(
        "\"Grouping of lines and rules\": lines other than rules are ignored, blank lines too",
        "user-agent: a\ncrawl-delay: 5\n\nsitemap: /s\nuser-agent: b\n\ndisallow: /x\n\n\
         disallow: /y\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("b", "/x", BLOCKED),
        ],
    ),
    case(
        "\"Grouping of lines and rules\": rules before any user-agent are ignored",
        "disallow: /x\nuser-agent: *\ndisallow: /y\n",
        &[("a", "/x", ALLOWED), ("a", "/y", BLOCKED)],
    ),
    case(
        "\"Order of precedence for user agents\": the group that names the crawler, else that of *",
        "user-agent: example-news\ndisallow: /1\n\nuser-agent: *\ndisallow: /2\n\n\
         user-agent: example\ndisallow: /3\n",
        &[
            ("Example-News", "/1", BLOCKED),
            ("Example-News", "/3", ALLOWED),
            ("Example", "/3", BLOCKED),
            ("Example", "/1", ALLOWED),
            ("Example-Image", "/2", BLOCKED),
            ("Other", "/2", BLOCKED),
            ("Other", "/3", ALLOWED),
        ],
    ),
    case(
        "\"Order of precedence for user agents\": all groups of a crawler are one, all of * are one",
        "user-agent: a\ndisallow: /b\nuser-agent: *\ndisallow: /c\nuser-agent: A\ndisallow: /d\n\
         user-agent: *\ndisallow: /e\n",
        &[
            ("a", "/b", BLOCKED),
            ("a", "/d", BLOCKED),
            ("a", "/c", ALLOWED),
            ("x", "/c", BLOCKED),
            ("x", "/e", BLOCKED),
        ],
    ),
    case(
        "\"Order of precedence for user agents\": a group without rules switches * off (robots.cc)",
        "user-agent: *\ndisallow: /\nuser-agent: a\n",
        &[("a", "/x", ALLOWED), ("b", "/x", BLOCKED)],
    ),
    case(
        "\"Order of precedence for user agents\": without a group everything is allowed",
        "user-agent: a\ndisallow: /\n",
        &[("b", "/", ALLOWED)],
    ),
    case(
        "\"URL matching\": / matches the root and everything below",
        "user-agent: *\ndisallow: /\n",
        &[("a", "/", BLOCKED), ("a", "/fish/a?b", BLOCKED)],
    ),
    case(
        "\"URL matching\": /* is /, since a final star changes nothing",
        "user-agent: *\ndisallow: /*\n",
        &[("a", "/", BLOCKED), ("a", "/fish/a?b", BLOCKED)],
    ),
    case(
        "\"URL matching\": /$ matches the root alone",
        "user-agent: *\ndisallow: /$\n",
        &[
            ("a", "/", BLOCKED),
            ("a", "/fish", ALLOWED),
            ("a", "/?a", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": /fish matches what begins so, and /fish* the same",
        "user-agent: a\ndisallow: /fish\nuser-agent: b\ndisallow: /fish*\n",
        &[
            ("a", "/fish", BLOCKED),
            ("a", "/fish.html", BLOCKED),
            ("a", "/fishy/a.html", BLOCKED),
            ("a", "/fish.php?id=1", BLOCKED),
            ("a", "/Fish.asp", ALLOWED),
            ("a", "/catfish", ALLOWED),
            ("a", "/?id=fish", ALLOWED),
            ("b", "/fishy.html", BLOCKED),
            ("b", "/catfish", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": /fish/ matches paths in the folder",
        "user-agent: *\ndisallow: /fish/\n",
        &[
            ("a", "/fish/", BLOCKED),
            ("a", "/fish/?id=1", BLOCKED),
            ("a", "/fish/a.htm", BLOCKED),
            ("a", "/fish", ALLOWED),
            ("a", "/fish.html", ALLOWED),
            ("a", "/a/fish/", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": /*.php matches what holds it, /*.php$ what ends with it",
        "user-agent: a\ndisallow: /*.php\nuser-agent: b\ndisallow: /*.php$\n",
        &[
            ("a", "/index.php", BLOCKED),
            ("a", "/a/b.php?c", BLOCKED),
            ("a", "/a/b.php.c.html", BLOCKED),
            ("a", "/", ALLOWED),
            ("a", "/a.PHP", ALLOWED),
            ("b", "/a/b.php", BLOCKED),
            ("b", "/a.php?b", ALLOWED),
            ("b", "/a.php/", ALLOWED),
            ("b", "/a.php5", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": /fish*.php matches both in this order",
        "user-agent: *\ndisallow: /fish*.php\n",
        &[
            ("a", "/fish.php", BLOCKED),
            ("a", "/fishy/cat.php?a", BLOCKED),
            ("a", "/Fish.php", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": $ is special at the end alone (robots.cc)",
        "user-agent: *\ndisallow: /x$y\ndisallow: /z$$\n",
        &[
            ("a", "/x$y", BLOCKED),
            ("a", "/x", ALLOWED),
            ("a", "/z$", BLOCKED),
            ("a", "/z", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": bytes outside US-ASCII are escaped in a rule, and not in the URL (robots.cc)",
        "user-agent: *\ndisallow: /x/\u{30c4}\ndisallow: /y/%e3%83%84\n",
        &[
            ("a", "/x/%E3%83%84", BLOCKED),
            ("a", "/x/\u{30c4}", ALLOWED),
            ("a", "/y/%E3%83%84", BLOCKED),
            ("a", "/y/%e3%83%84", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": nothing is decoded (robots.cc)",
        "user-agent: *\ndisallow: /%62\ndisallow: /%2A\ndisallow: /%24\n",
        &[
            ("a", "/b", ALLOWED),
            ("a", "/%62", BLOCKED),
            ("a", "/*", ALLOWED),
            ("a", "/%2A", BLOCKED),
            ("a", "/$", ALLOWED),
        ],
    ),
    case(
        "\"URL matching\": /robots.txt is a path as any other (robots.cc)",
        "user-agent: *\ndisallow: /\n",
        &[("a", "/robots.txt", BLOCKED)],
    ),
    case(
        "\"Order of precedence for rules\": /p against /, the longer",
        "user-agent: *\nallow: /p\ndisallow: /\n",
        &[("a", "/page", ALLOWED), ("a", "/a", BLOCKED)],
    ),
    case(
        "\"Order of precedence for rules\": of equal rules the least restrictive wins",
        "user-agent: *\ndisallow: /folder\nallow: /folder\n",
        &[("a", "/folder/page", ALLOWED)],
    ),
    case(
        "\"Order of precedence for rules\": /page against /*.htm, the longer, its star counted",
        "user-agent: *\nallow: /page\ndisallow: /*.htm\n",
        &[("a", "/page.htm", BLOCKED)],
    ),
    case(
        "\"Order of precedence for rules\": /page against /*.ph, equal, so allowed",
        "user-agent: *\nallow: /page\ndisallow: /*.ph\n",
        &[("a", "/page.php5", ALLOWED), ("a", "/a.php", BLOCKED)],
    ),
    case(
        "\"Order of precedence for rules\": /$ against /, the longer for the root alone",
        "user-agent: *\nallow: /$\ndisallow: /\n",
        &[("a", "/", ALLOWED), ("a", "/page.htm", BLOCKED)],
    ),
    case(
        "robots.cc: misspellings of disallow count",
        "user-agent: a\ndissallow: /1\ndissalow: /2\ndisalow: /3\ndiasllow: /4\ndisallaw: /5\n\
         desallow: /6\ndisalllow: /7\n",
        &[
            ("a", "/1", BLOCKED),
            ("a", "/2", BLOCKED),
            ("a", "/3", BLOCKED),
            ("a", "/4", BLOCKED),
            ("a", "/5", BLOCKED),
            ("a", "/6", ALLOWED),
            ("a", "/7", ALLOWED),
        ],
    ),
    case(
        "robots.cc: user-agent may be one word or two",
        "useragent: a\ndisallow: /1\nuser agent: b\ndisallow: /2\nuser_agent: c\ndisallow: /3\n",
        &[
            ("a", "/1", BLOCKED),
            ("b", "/2", BLOCKED),
            // No user-agent line: its rule is b's too.
            ("c", "/3", ALLOWED),
            ("b", "/3", BLOCKED),
        ],
    ),
    case(
        "robots.cc: a longer word that begins with a name counts as the name",
        "user-agents: a\ndisallowed: /x\nallowance: /x/y\n",
        &[("a", "/x", BLOCKED), ("a", "/x/y", ALLOWED)],
    ),
    case(
        "robots.cc: white space does for the colon where exactly two words stand",
        "user-agent a\ndisallow /x\ndisallow\t/y\ndisallow /z /w\ndisallow\n",
        &[
            ("a", "/x", BLOCKED),
            ("a", "/y", BLOCKED),
            ("a", "/z", ALLOWED),
            ("a", "/w", ALLOWED),
        ],
    ),
    case(
        "robots.cc: a colon goes before white space",
        "user-agent: a\ndisallow /x:y\n",
        // The name is "disallow /x", which begins with disallow; its path is not a path.
        &[("a", "/x", ALLOWED), ("a", "/x:y", ALLOWED)],
    ),
    case(
        "robots.cc: no other byte than CR and LF ends a line",
        "user-agent: a\ndisallow: /x\u{b}disallow: /y\u{2028}disallow: /z\n",
        &[("a", "/x", ALLOWED), ("a", "/y", ALLOWED)],
    ),
];
