//! Who may crawl.

use super::{BLOCKED, BLOCKED_SHARES};
use crate::analysis::report::section::{Chapter, Chart, Colour, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Who may crawl",
    about: "Which crawlers hosts write rules for, and how much they close to them.",
    sections: &[
        Section {
            query: "agent-adoption",
            set: &[("top", "60")],
            title: "Crawlers that hosts name",
            finding: &[
                "{product_token=*:pct_named} of the hosts with rules have a group for every crawler (*).",
                "The crawler named most is {1:usual_spelling}, by {1:pct_named} of them, before \
                 {2:usual_spelling} ({2:pct_named}).",
            ],
            says: "To be named is to have a group of one's own, whatever it says. A crawler's name is the HTTP product \
                   token that it publishes. Low and high are the ends of the 95 % interval, with registrable domains \
                   as clusters.",
            columns: &[
                "product_token",
                "hosts",
                "domains",
                "pct_named",
                "pct_low",
                "pct_high",
            ],
            rows: 20,
            without: Some(("product_token", "*")),
            chart: Chart::Bars {
                label: &["product_token"],
                value: "pct_named",
            },
            compare: Some((&["product_token"], "pct_named")),
            ..PLAIN
        },
        Section {
            query: "agent-restrictions",
            title: "What the rules written for a crawler close to it",
            finding: &[
                "Of the {0:hosts} hosts that name {0:product_token}, {0:full} block it fully, {0:partial} partly, and {0:none} not at all.",
            ],
            says: "Hosts by what their own group for the crawler comes to. The CSV has the three published definitions \
                   beside ours.",
            columns: &["product_token", "hosts", "full", "partial", "none"],
            rows: 20,
            chart: Chart::Stack {
                label: &["product_token"],
                parts: BLOCKED,
            },
            ..PLAIN
        },
        Section {
            query: "agent-restrictions-effective",
            title: "What hosts allow a crawler, named or not",
            finding: &[
                "{0:product_token} is fully blocked by {0:pct_own_full} of the hosts in a group of its own, and by {0:pct_other_full} \
                 by way of its fallback or *.",
            ],
            says: "Shares of all hosts that answered conclusively. A crawler that finds no group of its own \
                   takes that of its documented fallback, else the one for `*`.",
            columns: &[
                "product_token",
                "pct_own_full",
                "pct_own_partial",
                "pct_own_none",
                "pct_other_full",
                "pct_other_partial",
                "pct_other_none",
            ],
            rows: 20,
            chart: Chart::Stack {
                label: &["product_token"],
                parts: &[
                    ("pct_own_full", "full by name", Colour::Full),
                    ("pct_own_partial", "part by name", Colour::Partial),
                    ("pct_other_full", "full by *", Colour::Silent),
                ],
            },
            compare: Some((&["product_token"], "pct_own_full")),
            ..PLAIN
        },
        Section {
            query: "agent-categories",
            title: "Kinds of crawlers",
            finding: &[
                "{0:pct_of_hosts_with_rules} of the hosts with rules name a crawler of the kind \u{201c}{0:category}\u{201d}; {0:pct_full} shut one out.",
            ],
            says: "Kinds are those of the agent catalogue that comes with robostat.",
            chart: Chart::Bars {
                label: &["category"],
                value: "pct_of_hosts_with_rules",
            },
            columns: &[
                "category",
                "hosts",
                "pct_of_hosts_with_rules",
                "hosts_full",
                "hosts_partial",
                "pct_full",
            ],
            compare: Some((&["category"], "pct_of_hosts_with_rules")),
            ..PLAIN
        },
        Section {
            query: "agent-bias",
            title: "Treated better or worse than everybody",
            finding: &[
                "{0:product_token} is shut out by {0:pct_full} of the hosts with rules, where everybody is by {0:pct_full_of_everybody}.",
            ],
            says: "bias is the binary logarithm of the crawler's share of full blocks over that of everybody else: 1 is \
                   twice as often, \u{2212}1 half as often.",
            columns: &[
                "product_token",
                "hosts_naming",
                "pct_full",
                "bias",
                "hosts_looser",
                "hosts_alike",
                "hosts_stricter",
            ],
            rows: 20,
            chart: Chart::Stack {
                label: &["product_token"],
                parts: &[
                    ("hosts_stricter", "stricter", Colour::Full),
                    ("hosts_alike", "alike", Colour::Silent),
                    ("hosts_looser", "looser", Colour::None),
                ],
            },
            ..PLAIN
        },
        Section {
            query: "explicit-allows",
            title: "Opened by name",
            finding: &[
                "{0:product_token} is let in everywhere, by name, by {0:allowed_by_name} hosts: {0:pct_of_hosts_naming} of those that name it.",
            ],
            says: "needed at all: the group for `*` closes everything, so that being named is what lets the crawler in.",
            columns: &[
                "product_token",
                "hosts_naming",
                "allowed_by_name",
                "pct_of_hosts_naming",
                "needed_for_a_part",
                "needed_at_all",
            ],
            rows: 15,
            chart: Chart::Bars {
                label: &["product_token"],
                value: "pct_of_hosts_naming",
            },
            ..PLAIN
        },
        Section {
            query: "agent-restrictions-by-tld",
            title: "GPTBot by top-level domain",
            set: &[("agents", "[gptbot]")],
            finding: &[
                "Under .{0:tld}, the largest, {0:pct_full} of the hosts block GPTBot fully; under .{1:tld} {1:pct_full}.",
            ],
            columns: &[
                "tld",
                "hosts",
                "pct_named",
                "pct_full",
                "pct_full_by_name",
                "pct_partial",
            ],
            rows: 20,
            chart: Chart::Bars {
                label: &["tld"],
                value: "pct_full",
            },
            ..PLAIN
        },
        Section {
            query: "agent-restrictions-by-rank",
            title: "GPTBot by rank",
            set: &[("agents", "[gptbot]")],
            finding: &[
                "In the {0:stratum}, {0:pct_full} of the hosts block GPTBot fully; among all hosts {stratum=all:pct_full} do.",
            ],
            says: "Strata are cumulative: the top 10000 hold the top 1000.",
            columns: &[
                "stratum",
                "hosts",
                "pct_named",
                "pct_full",
                "pct_full_by_name",
                "pct_partial",
            ],
            chart: Chart::Stack {
                label: &["stratum"],
                parts: BLOCKED_SHARES,
            },
            needs: crate::analysis::report::section::Needs::Ranks,
            ..PLAIN
        },
        Section {
            query: "paths",
            title: "Paths that hosts close and open",
            finding: &[
                "The path that most hosts name is {0:path}: {0:pct_of_hosts_with_rules} of those with rules {0:rule_type} it.",
            ],
            columns: &["rule_type", "path", "hosts", "pct_of_hosts_with_rules"],
            rows: 20,
            chart: Chart::Bars {
                label: &["rule_type", "path"],
                value: "pct_of_hosts_with_rules",
            },
            ..PLAIN
        },
        Section {
            query: "crawl-delays",
            title: "Crawl delays",
            finding: &[
                "The delay asked for most is {0:seconds} seconds: {0:pct_of_delays} of all delays, by {0:hosts} hosts.",
            ],
            says: "Seconds between two requests, one for each host and crawler that has a delay. RFC 9309 does not know \
                   the directive; some crawlers obey it, Google's do not.",
            rows: 12,
            chart: Chart::Bars {
                label: &["seconds"],
                value: "pct_of_delays",
            },
            ..PLAIN
        },
    ],
};
