//! Size and structure.

use crate::analysis::report::section::{Chapter, Chart, Needs, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Size and structure",
    about: "How long files are and what they are made of.",
    sections: &[
        Section {
            query: "size-quantiles",
            title: "A typical file",
            finding: &[
                "Half of the files with rules have at most {measure=bytes:median} bytes, {measure=lines:median} lines and {measure=rules:median} rules; one in a hundred has more than {measure=bytes:p99} bytes.",
            ],
            compare: Some((&["measure"], "mean")),
            ..PLAIN
        },
        Section {
            query: "size-bins",
            title: "Large files",
            finding: &["{0:pct_of_hosts_with_file} of the files are {0:size}."],
            says: "Crawlers must read 500 KiB at least; what lies beyond may be ignored.",
            chart: Chart::Bars {
                label: &["size"],
                value: "pct_of_hosts_with_file",
            },
            ..PLAIN
        },
        Section {
            query: "size-thresholds",
            title: "How many files are large",
            rows: 20,
            chart: Chart::Bars {
                label: &["measure", "at_least"],
                value: "pct_of_hosts_with_file",
            },
            ..PLAIN
        },
        Section {
            query: "rule-features",
            title: "Features of the path language",
            finding: &[
                "The commonest is {1:feature}: {1:pct_of_rules} of all rules, on {1:pct_of_hosts_with_rules} of the hosts with rules.",
            ],
            chart: Chart::Bars {
                label: &["feature"],
                value: "pct_of_hosts_with_rules",
            },
            ..PLAIN
        },
        Section {
            query: "sitemaps-per-file",
            title: "Sitemaps in a file",
            finding: &[
                "{sitemaps_in_file=0:pct_of_hosts_with_file} of the files name no sitemap, {sitemaps_in_file=1:pct_of_hosts_with_file} name one.",
            ],
            columns: &[
                "sitemaps_in_file",
                "hosts",
                "pct_of_hosts_with_file",
                "sitemap_lines",
                "most_in_a_file",
            ],
            chart: Chart::Bars {
                label: &["sitemaps_in_file"],
                value: "pct_of_hosts_with_file",
            },
            ..PLAIN
        },
        Section {
            query: "encodings",
            title: "Encodings and line ends",
            finding: &[
                "{0:pct_of_hosts_with_file} of the files are {0:encoding} with {0:line_ending} line ends.",
            ],
            rows: 8,
            ..PLAIN
        },
        Section {
            query: "sizes-over-time",
            title: "Sizes, crawl after crawl",
            finding: &[
                "The median file had {0:median_bytes} bytes in {0:crawl} and has {-1:median_bytes} in {-1:crawl}.",
            ],
            columns: &[
                "crawl",
                "hosts_with_rules",
                "mean_bytes",
                "median_bytes",
                "mean_lines",
                "mean_agents",
                "mean_rules",
            ],
            rows: 60,
            chart: Chart::Lines {
                x: "crawl",
                y: &["mean_bytes", "median_bytes"],
                series: None,
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
    ],
};
