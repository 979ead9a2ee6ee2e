//! Small tables after the examples that the specifications give, by name.

use robots_dialects::dialect::{Choice, Dialect};
use robots_dialects::path::UrlPath;

fn verdict(dialect: Dialect, body: &str, agent: &str, path: &str) -> (bool, Option<u32>, Choice) {
    let compiled = dialect.compile(body.as_bytes());
    let verdict = compiled.verdict(agent.as_bytes(), &UrlPath::new(path.as_bytes()));
    (verdict.allowed, verdict.line, verdict.choice)
}

/// Dialects with the longest match and special characters.
const MODERN: [Dialect; 3] = [Dialect::Rep2019, Dialect::Rfc9309, Dialect::Google];

/// "URL matching based on path values" of Google's specification.
#[test]
fn google_path_table() {
    let table: [(&str, &[&str], &[&str]); 11] = [
        ("/", &["/", "/fish", "/fish/salmon.html?a"], &[]),
        ("/*", &["/", "/fish", "/a?b"], &[]),
        ("/$", &["/"], &["/fish", "/?a", "//"]),
        (
            "/fish",
            &[
                "/fish",
                "/fish.html",
                "/fishheads/yummy.html",
                "/fish.php?id=anything",
            ],
            &["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"],
        ),
        (
            "/fish*",
            &["/fish", "/fishheads.html"],
            &["/Fish.asp", "/catfish"],
        ),
        (
            "/fish/",
            &["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
            &["/fish", "/fish.html", "/Fish/Salmon.asp"],
        ),
        (
            "/fish/*",
            &["/fish/", "/fish/a"],
            &["/fish", "/animals/fish/"],
        ),
        (
            "/*.php",
            &[
                "/index.php",
                "/folder/filename.php?parameters",
                "/folder/any.php.file.html",
                "/filename.php/",
            ],
            &["/", "/windows.PHP"],
        ),
        (
            "/*.php$",
            &["/filename.php", "/folder/filename.php"],
            &[
                "/filename.php?parameters",
                "/filename.php/",
                "/filename.php5",
                "/windows.PHP",
            ],
        ),
        (
            "/fish*.php",
            &["/fish.php", "/fishheads/catfish.php?parameters"],
            &["/Fish.PHP"],
        ),
        ("*.gif$", &["/a.gif", "/b/c.gif"], &["/a.gif?", "/a.GIF"]),
    ];
    for (rule, matching, other) in table {
        let body = format!("User-agent: *\nDisallow: {rule}\n");
        for dialect in MODERN {
            for path in matching {
                assert!(
                    !verdict(dialect, &body, "x", path).0,
                    "{dialect} {rule} {path}"
                );
            }
            for path in other {
                assert!(
                    verdict(dialect, &body, "x", path).0,
                    "{dialect} {rule} {path}"
                );
            }
        }
    }
}

/// "Order of precedence for rules" of Google's specification, and what the first
/// match in file order makes of the same files.
#[test]
fn google_precedence_table() {
    for (allow, disallow, path, longest, first) in [
        ("/p", "/", "/page", true, true),
        ("/folder", "/folder", "/folder/page", true, true),
        ("/page", "/*.htm", "/page.htm", false, true),
        ("/page", "/*.ph", "/page.php5", true, true),
        ("/$", "/", "/", true, false),
        ("/$", "/", "/page.htm", false, false),
    ] {
        let body = format!("User-agent: *\nAllow: {allow}\nDisallow: {disallow}\n");
        for dialect in MODERN {
            assert_eq!(
                verdict(dialect, &body, "x", path).0,
                longest,
                "{dialect} {allow} {path}"
            );
        }
        let in_order = verdict(Dialect::Koster1996, &body, "x", path).0;
        assert_eq!(in_order, first, "{allow} {path}");
    }
}

/// "Order of precedence for user agents" of Google's specification.
#[test]
fn google_user_agent_table() {
    let body = "User-agent: googlebot-news\nDisallow: /1\n\nUser-agent: *\nDisallow: /2\n\nUser-agent: googlebot\nDisallow: /3\n";
    for dialect in MODERN {
        for (agent, path, line, choice) in [
            ("Googlebot-News", "/1", 2, Choice::Named),
            ("Googlebot", "/3", 8, Choice::Named),
            ("Otherbot", "/2", 5, Choice::Wildcard),
            ("Googlebot-Image", "/2", 5, Choice::Wildcard),
        ] {
            assert_eq!(
                verdict(dialect, body, agent, path),
                (false, Some(line), choice),
                "{dialect} {agent}"
            );
        }
    }
    // A substring is enough in the 1990s, and the first record wins.
    let choice = verdict(Dialect::Koster1996, body, "Googlebot-Image", "/3");
    assert_eq!(choice, (false, Some(8), Choice::Named));
}

/// "Grouping of lines and rules" of Google's specification: four groups, two of
/// them of two agents, one agent in two of them.
#[test]
fn google_four_groups() {
    let body = "user-agent: a\ndisallow: /c\n\nuser-agent: b\ndisallow: /d\n\nuser-agent: e\nuser-agent: f\ndisallow: /g\n\nuser-agent: h\n";
    for dialect in MODERN {
        for (agent, path, allowed) in [
            ("a", "/c", false),
            ("a", "/d", true),
            ("b", "/d", false),
            ("e", "/g", false),
            ("f", "/g", false),
            ("h", "/g", true),
        ] {
            assert_eq!(
                verdict(dialect, body, agent, path).0,
                allowed,
                "{dialect} {agent} {path}"
            );
        }
    }
    let body =
        "user-agent: a\ndisallow: /b\nuser-agent: c\ndisallow: /d\nuser-agent: A\ndisallow: /e\n";
    for dialect in MODERN {
        assert!(!verdict(dialect, body, "a", "/b").0 && !verdict(dialect, body, "a", "/e").0);
    }
    assert!(verdict(Dialect::Koster1996, body, "a", "/e").0);
}

/// The example file of the 1994 standard's "Format": a closed map and a closed
/// temporary folder for all, nothing closed for one.
#[test]
fn rep1994_examples() {
    let body = "# a site\n\nUser-agent: *\nDisallow: /cyberworld/map/ # infinite\nDisallow: /tmp/\n\n# knows where to go\nUser-agent: cybermapper\nDisallow:\n";
    for dialect in Dialect::all() {
        assert!(
            !verdict(dialect, body, "x", "/cyberworld/map/a").0,
            "{dialect}"
        );
        assert!(
            verdict(dialect, body, "cybermapper", "/cyberworld/map/a").0,
            "{dialect}"
        );
        assert!(verdict(dialect, body, "x", "/cyberworld/").0, "{dialect}");
    }
}

/// The example file of the 1996 draft (§4): one robot shut out, two let in, the
/// rest let in to some places in file order.
#[test]
fn koster1996_example() {
    let body = "User-agent: unhipbot\nDisallow: /\n\nUser-agent: webcrawler\nUser-agent: excite\nDisallow:\n\nUser-agent: *\nDisallow: /org/plans.html\nAllow: /org/\nAllow: /serv\nAllow: /~mak\nDisallow: /\n";
    for (path, unhipbot, excite, other) in [
        ("/", false, true, false),
        ("/index.html", false, true, false),
        ("/robots.txt", true, true, true),
        ("/server.html", false, true, true),
        ("/services/fast.html", false, true, true),
        ("/orgo.gif", false, true, false),
        ("/org/about.html", false, true, true),
        ("/org/plans.html", false, true, false),
        ("/%7Ejim/jim.html", false, true, false),
        ("/%7Emak/mak.html", false, true, true),
    ] {
        let got = ["unhipbot", "Excite/1.0", "other"]
            .map(|agent| verdict(Dialect::Koster1996, body, agent, path).0);
        assert_eq!(got, [unhipbot, excite, other], "{path}");
    }
}

/// RFC 9309 §5.1 and draft-koster-rep-00 §3.1: one group for all, one for one agent, one for two,
/// one without rules.
#[test]
fn rfc9309_simple_example() {
    let body = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
        User-Agent: foobot\nDisallow: /\nAllow: /example/page.html\nAllow: /example/allowed.gif\n\n\
        User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
        User-Agent: quxbot\n";
    for dialect in MODERN {
        for (agent, path, allowed) in [
            ("other", "/publications/a", true),
            ("other", "/publications/a.gif", true),
            ("other", "/a.gif", false),
            ("other", "/a.gif?b", true),
            ("other", "/example/page.html", false),
            ("FooBot", "/example/page.html", true),
            ("foobot", "/example/allowed.gif", true),
            ("foobot", "/publications/a", false),
            ("barbot", "/example/page.html", false),
            ("bazbot", "/example/page.html", false),
            ("bazbot", "/a.gif", true),
            ("quxbot", "/example/page.html", true),
        ] {
            assert_eq!(
                verdict(dialect, body, agent, path).0,
                allowed,
                "{dialect} {agent} {path}"
            );
        }
    }
}

/// RFC 9309 §5.2 and draft-koster-rep-00 §3.2: the longest match.
#[test]
fn rfc9309_longest_match() {
    let body =
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
    for dialect in MODERN {
        assert!(
            !verdict(dialect, body, "foobot", "/example/page/disallowed.gif").0,
            "{dialect}"
        );
        assert!(
            verdict(dialect, body, "foobot", "/example/page/other.gif").0,
            "{dialect}"
        );
    }
}

/// The path of the robots.txt is exempt in whatever spelling a dialect takes for the same path.
#[test]
fn every_spelling_of_robots_txt_is_exempt() {
    let body = "User-agent: *\nRobot-version: 2.0\nDisallow: *\nDisallow: /\n";
    for (path, exempt) in [
        ("/robots.txt", [true, true, true, true, true, false]),
        ("/%72obots%2etxt", [false, true, false, true, true, false]),
        ("/%2Frobots.txt", [false; 6]),
        ("/Robots.txt", [false; 6]),
        ("/robots.txt?a", [false; 6]),
    ] {
        let got = Dialect::ALL.map(|dialect| verdict(dialect, body, "x", path).0);
        assert_eq!(got, exempt, "{path}");
    }
}

/// The records of the 1996 extended standard's examples: a robot of version 1.0 is shut out, one of
/// 2.0 gets index pages, one more, with a time and three rates; all others are shut out.
#[test]
fn conner1996_examples() {
    let body = "# understands 1.0 only\nUser-agent: fredsbot\nDisallow: /\n\n\
        User-agent: chives\nRobot-version: 2.0.0\nAllow: */index.html # and no more\nDisallow: *\n\n\
        User-agent: alfred\nUser-agent: oscarbot\nRobot-version: 2.0\n\
        Disallow: /blackhole/info99*\nDisallow: /blackhole/info8.html\nDisallow: *.shtml\n\
        Allow: /blackhole/info*\nAllow: /blackhole/index.html\nDisallow: /blackhole*\n\
        Visit-time: 0600-0845\n\
        Request-rate: 1/10m 1300-1659\nRequest-rate: 1/20m 1700-0459\nRequest-rate: 5/1m 0500-1259\n\n\
        User-agent: *\nDisallow: /\n";
    for (agent, path, allowed) in [
        ("FredsBot/1.0", "/", false),
        ("Chives", "/a/index.html", true),
        ("Chives", "/a/index.html/b", false),
        ("Alfred/2.0", "/blackhole/info7.html", true),
        ("Alfred/2.0", "/blackhole/info99.html", false),
        ("Alfred/2.0", "/blackhole/info8.html", false),
        ("Alfred/2.0", "/blackhole/info8.html?a", true),
        ("Alfred/2.0", "/blackhole/a.html", false),
        ("oscarbot", "/a.shtml", false),
        ("oscarbot", "/a.html", true),
        // chives is a substring of it, and the first record decides.
        ("newchives", "/a.html", false),
        ("other", "/a.html", false),
    ] {
        assert_eq!(
            verdict(Dialect::Conner1996, body, agent, path).0,
            allowed,
            "{agent} {path}"
        );
    }
    let compiled = Dialect::Conner1996.compile(body.as_bytes());
    let terms = compiled.visit_terms(b"alfred").expect("a record");
    let seconds_per_document = |minute| {
        terms
            .rate_at(minute)
            .map(|rate| rate.seconds / rate.documents)
    };
    assert_eq!(seconds_per_document(14 * 60), Some(600));
    assert_eq!(seconds_per_document(4 * 60 + 59), Some(1_200));
    assert_eq!(seconds_per_document(5 * 60), Some(12));
    assert!(
        compiled
            .visit_terms(b"other")
            .is_some_and(|terms| terms.visit_time.is_none())
    );
}
