//! Change over time.

use crate::analysis::report::section::{Chapter, Chart, Colour, Needs, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Change over time",
    about: "From one crawl of the corpus to the next. Crawls may hold different hosts: what changes may be the sample.",
    sections: &[
        Section {
            query: "agent-restrictions-over-time",
            title: "Fully blocked, crawl after crawl",
            set: &[(
                "agents",
                "[gptbot,ccbot,claudebot,google-extended,bytespider,googlebot]",
            )],
            finding: &[
                "GPTBot was fully blocked by {product_token=gptbot:pct_full} of the hosts in {product_token=gptbot:crawl} and is by \
                 {product_token=gptbot,-1:pct_full} in {product_token=gptbot,-1:crawl}.",
            ],
            says: "By name, by way of a fallback, or by way of `*`.",
            columns: &[
                "product_token",
                "crawl",
                "hosts",
                "pct_full",
                "pct_full_by_name",
                "pct_full_by_wildcard",
                "change",
            ],
            rows: 30,
            chart: Chart::Lines {
                x: "crawl",
                y: &["pct_full"],
                series: Some("product_token"),
            },
            needs: Needs::SeveralCrawls,
            compare: Some((&["product_token"], "pct_full")),
            ..PLAIN
        },
        Section {
            query: "agent-adoption-over-time",
            title: "Named, crawl after crawl",
            finding: &[
                "{0:product_token} was named by {0:pct_of_hosts_with_rules} of the hosts with rules in {0:crawl}.",
            ],
            rows: 24,
            chart: Chart::Lines {
                x: "crawl",
                y: &["pct_of_hosts_with_rules"],
                series: Some("product_token"),
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
        Section {
            query: "restrictions-added-and-removed",
            title: "Blocks added and removed",
            finding: &[
                "From the crawl before to {product_token=gptbot,-1:crawl}, {product_token=gptbot,-1:full_added} of \
                 {product_token=gptbot,-1:hosts} hosts in both shut GPTBot out, and {product_token=gptbot,-1:full_removed} let it in again.",
            ],
            columns: &[
                "product_token",
                "crawl",
                "hosts",
                "full_added",
                "full_removed",
                "named_first",
                "named_no_more",
            ],
            rows: 24,
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
        Section {
            query: "agent-changes",
            title: "Rules that came and went",
            finding: &[
                "Rules for {0:product_token} changed on {0:origins} origins: {0:added} began to name it, {0:removed} stopped, {0:stricter} tightened and {0:looser} loosened them.",
            ],
            says: "Origins between two captures in a row; one that changes back counts in both directions.",
            rows: 15,
            chart: Chart::Stack {
                label: &["product_token"],
                parts: &[
                    ("added", "added", Colour::None),
                    ("removed", "removed", Colour::Other),
                    ("stricter", "stricter", Colour::Full),
                    ("looser", "looser", Colour::Partial),
                ],
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
        Section {
            query: "directives-over-time",
            title: "Directives, crawl after crawl",
            finding: &[
                "{0:directive} is used by {0:pct_of_hosts_with_file} of the hosts in {0:crawl}.",
            ],
            rows: 24,
            chart: Chart::Lines {
                x: "crawl",
                y: &["pct_of_hosts_with_file"],
                series: Some("directive"),
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
    ],
};
