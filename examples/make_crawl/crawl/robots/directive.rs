//! Directives beyond RFC 9309, known and unknown.

use super::super::random::Random;
use super::super::time::Time;
use super::draft::Draft;

/// A directive of a group: how many files in a thousand have it, its key, and values.
struct InGroup {
    per_thousand: u32,
    key: &'static str,
    values: &'static [&'static str],
}

const IN_GROUP: [InGroup; 13] = [
    InGroup {
        per_thousand: 130,
        key: "Crawl-delay",
        values: &[
            "10", "10", "5", "1", "2", "30", "60", "0.5", "3600", "1.5", "10s", "-1",
        ],
    },
    InGroup {
        per_thousand: 28,
        key: "Clean-param",
        values: &[
            "utm_source&utm_medium&utm_campaign",
            "ref /goods/",
            "sid&sort /forum/*.php",
            "gclid",
        ],
    },
    InGroup {
        per_thousand: 9,
        key: "Request-rate",
        values: &["1/5", "10/60", "1/10m", "1/1s 0600-1800", "20/1h"],
    },
    InGroup {
        per_thousand: 6,
        key: "Visit-time",
        values: &["0600-0845", "2200-0600", "0100 0500", "0000-2359"],
    },
    InGroup {
        per_thousand: 12,
        key: "Noindex",
        values: &["/search/", "/*?print=", "/thank-you", "/tag/"],
    },
    InGroup {
        per_thousand: 5,
        key: "Revisit-after",
        values: &["7 days", "1 day", "15"],
    },
    InGroup {
        per_thousand: 2,
        key: "Noarchive",
        values: &["/", "/news/"],
    },
    InGroup {
        per_thousand: 2,
        key: "Nofollow",
        values: &["/out/", "/go/"],
    },
    InGroup {
        per_thousand: 2,
        key: "Cache-delay",
        values: &["10", "86400"],
    },
    InGroup {
        per_thousand: 1,
        key: "Robot-version",
        values: &["1.0", "2.0", "2.0.0"],
    },
    InGroup {
        per_thousand: 1,
        key: "Comment",
        values: &["come at night, please", "questions to the webmaster"],
    },
    InGroup {
        per_thousand: 1,
        key: "Crawldelay",
        values: &["10"],
    },
    InGroup {
        per_thousand: 2,
        key: "Disallow-query",
        values: &["sort", "page"],
    },
];

/// The day on which the first sites sent content signals, and from which the other preferences are
/// met.
const FIRST_PREFERENCES: Time = Time::of_date(2025, 9, 24);

const SIGNALS: [&str; 5] = [
    "search=yes,ai-train=no",
    "search=yes, ai-input=no, ai-train=no",
    "ai-train=no",
    "search=yes, ai-input=yes, ai-train=yes",
    "search=yes,ai-train=no,use=reference",
];

const USAGES: [&str; 3] = ["train-ai=n", "train-ai=n, search=y", "/free/ train-ai=y"];

/// Adds what this file has in its group for everybody.
pub(super) fn push_in_group(random: &mut Random, draft: &mut Draft, time: Time) {
    for directive in &IN_GROUP {
        if random.below(1_000) < directive.per_thousand {
            let value = random.pick(directive.values);
            draft.line(random, directive.key, value);
        }
    }
    if time >= FIRST_PREFERENCES && random.percent(5) {
        let signal = random.pick(&SIGNALS);
        draft.line(random, "Content-Signal", signal);
    }
    if time >= FIRST_PREFERENCES && random.percent(1) {
        let usage = random.pick(&USAGES);
        draft.line(random, "Content-Usage", usage);
    }
}

/// Adds what this file has for the whole site.
pub(super) fn push_global(random: &mut Random, draft: &mut Draft, host: &str, time: Time) {
    if random.below(1_000) < 35 {
        let value = if random.percent(30) {
            format!("https://{host}")
        } else {
            host.to_owned()
        };
        draft.line(random, "Host", &value);
    }
    if random.below(1_000) < 2 {
        draft.line(random, "Domain", host);
    }
    if time >= FIRST_PREFERENCES {
        if random.percent(1) {
            draft.line(random, "License", &format!("https://{host}/licence.xml"));
        }
        if random.below(1_000) < 4 {
            draft.line(random, "LLM-Policy", &format!("https://{host}/llms.txt"));
        }
        if random.below(1_000) < 3 {
            draft.line(random, "TDM-Reservation", "1");
        }
    }
}
