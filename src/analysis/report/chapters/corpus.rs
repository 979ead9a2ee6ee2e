//! What the corpus is.

use crate::analysis::report::section::{Chapter, Chart, Needs, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "The corpus",
    about: "What everything below is about, and what it rests on.",
    sections: &[
        Section {
            query: "corpus",
            title: "Captures, hosts, files and policies",
            finding: &[
                "{-1:robotstxt_captures} captures of robots.txt from {-1:hosts} hosts ({-1:domains} registrable domains), \
                 {-1:first_day} to {-1:last_day}, brought {-1:files} distinct files with {-1:policies} distinct rule sets.",
            ],
            says: "A file is one body, byte by byte; a policy is one rule set, whatever comments and sitemaps surround \
                   it. The row without a crawl is all of them together.",
            rows: 60,
            compare: Some((&["crawl"], "hosts")),
            ..PLAIN
        },
        Section {
            query: "populations",
            title: "From captures to hosts with rules",
            finding: &[
                "{population=captured:number} hosts were captured, {population=answered:number} answered conclusively, \
                 {population=with_file:number} have a robots.txt, {population=with_rules:number} one with rules.",
            ],
            says: "Every share in this report is of one of these populations, each a part of the one before.",
            rows: 20,
            ..PLAIN
        },
        Section {
            query: "status-over-time",
            title: "Who has a robots.txt, crawl after crawl",
            finding: &[
                "{-1:pct_with_rules} of the {-1:hosts} hosts of crawl {-1:crawl} have a robots.txt with rules; in {0:crawl} it was {0:pct_with_rules}.",
            ],
            says: "A robots.txt is judged by its content: a web page served in its place is none.",
            columns: &[
                "crawl",
                "captures",
                "hosts",
                "pct_with_rules",
                "pct_allow_all",
                "pct_forbidden",
                "pct_defer",
                "pct_unresolved",
            ],
            rows: 60,
            chart: Chart::Lines {
                x: "crawl",
                y: &[
                    "pct_with_rules",
                    "pct_allow_all",
                    "pct_forbidden",
                    "pct_defer",
                    "pct_unresolved",
                ],
                series: None,
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
        Section {
            query: "tlds",
            title: "Top-level domains",
            finding: &[
                "{0:pct_of_hosts} of the hosts are under .{0:tld}, {1:pct_of_hosts} under .{1:tld}.",
            ],
            columns: &["tld", "hosts", "pct_of_hosts", "domains", "pct_with_rules"],
            rows: 15,
            chart: Chart::Bars {
                label: &["tld"],
                value: "pct_of_hosts",
            },
            ..PLAIN
        },
    ],
};
