//! How published counting methods would have differed.

use crate::analysis::report::section::{Chapter, Chart, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "How published methods would have counted",
    about: "The same corpus by the definitions of other studies, and by the grouping that their scripts make of files.",
    sections: &[
        Section {
            query: "agent-definitions",
            title: "Fully blocked, by four definitions",
            finding: &[
                "{0:product_token} is fully blocked by {0:pct_full} of the hosts by our exact definition, by {0:pct_cc_disallow_all} by Common Crawl's, by {0:pct_dpi_all} by the Data Provenance Initiative's, and by {0:pct_imc_full} by that of Liu et al.",
            ],
            columns: &[
                "product_token",
                "hosts",
                "pct_full",
                "pct_cc_disallow_all",
                "pct_dpi_all",
                "pct_imc_full",
            ],
            rows: 15,
            chart: Chart::Bars {
                label: &["product_token"],
                value: "pct_full",
            },
            ..PLAIN
        },
        Section {
            query: "grouping-errors-total",
            title: "Rules lost to faulty grouping",
            finding: &[
                "Formed as the scripts of {2:grouping_of} form groups, {2:pct_pairs_lost} of all pairs of a file and a crawler lose their rules.",
            ],
            says: "Published scripts give the rules of a group to the last of its user-agent lines alone, or break a stack \
                   of them at any other line. The last columns count what a study would have published otherwise.",
            columns: &[
                "grouping_of",
                "file_agent_pairs",
                "pairs_lost",
                "pct_pairs_lost",
                "pct_pairs_of_other_class",
                "pct_host_pairs_lost",
            ],
            chart: Chart::Bars {
                label: &["grouping_of"],
                value: "pct_pairs_lost",
            },
            ..PLAIN
        },
        Section {
            query: "grouping-errors",
            title: "Crawlers whose rules get lost",
            finding: &[
                "Of the {0:hosts} hosts that give {0:product_token} rules, Common Crawl's script misses {0:pct_lost_cc}, HTTP Archive's {0:pct_lost_ha}.",
            ],
            columns: &[
                "product_token",
                "hosts",
                "pct_lost_cc",
                "pct_lost_ha",
                "pct_lost_dpi",
                "cc_disallow_all",
                "cc_disallow_all_script",
            ],
            rows: 15,
            chart: Chart::Bars {
                label: &["product_token"],
                value: "pct_lost_cc",
            },
            ..PLAIN
        },
        Section {
            query: "agent-definitions-agree",
            title: "Where the definitions part",
            finding: &[],
            says: "Each row is a combination of what the four definitions say of a host and a crawler that it names.",
            columns: &[
                "restriction",
                "restriction_cc",
                "restriction_dpi",
                "restriction_imc",
                "pairs",
                "pct_of_pairs",
            ],
            rows: 12,
            ..PLAIN
        },
    ],
};
