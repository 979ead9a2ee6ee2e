//! Directives, and what is written wrong.

use crate::analysis::report::section::{Chapter, Chart, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Directives and mistakes",
    about: "What files say beyond user-agent, allow, disallow and sitemap, and what their authors get wrong.",
    sections: &[
        Section {
            query: "directives",
            title: "Directives beyond RFC 9309",
            finding: &[
                "The commonest is {0:directive}, in the files of {0:hosts} hosts ({0:pct_of_hosts_with_file}).",
            ],
            says: "known: a crawler or a proposal documents it; misspelling: evidently meant for a known one.",
            columns: &[
                "directive",
                "kind",
                "hosts",
                "pct_of_hosts_with_file",
                "lines",
            ],
            rows: 15,
            chart: Chart::Bars {
                label: &["directive"],
                value: "pct_of_hosts_with_file",
            },
            naming: &["usual_value"],
            compare: Some((&["directive"], "pct_of_hosts_with_file")),
            ..PLAIN
        },
        Section {
            query: "unknown-directives",
            title: "Directives that nobody is known to read",
            finding: &["The commonest is {0:directive}, written by {0:hosts} hosts."],
            columns: &["directive", "hosts", "pct_of_hosts_with_file", "lines"],
            naming: &["a_value"],
            ..PLAIN
        },
        Section {
            query: "mistakes",
            title: "What is wrong in files",
            finding: &[
                "The commonest mistake is {0:kind}, in the files of {0:pct_of_hosts_with_file} of the hosts.",
            ],
            says: "`robostat inspect` shows for any file which line is wrong and why.",
            columns: &["kind", "hosts", "pct_of_hosts_with_file", "files", "lines"],
            rows: 20,
            chart: Chart::Bars {
                label: &["kind"],
                value: "pct_of_hosts_with_file",
            },
            naming: &["example"],
            compare: Some((&["kind"], "pct_of_hosts_with_file")),
            ..PLAIN
        },
        Section {
            query: "misspellings",
            title: "Misspelt keys",
            finding: &[
                "The commonest is \u{201c}{0:written}\u{201d}, written by {0:hosts} hosts: it is {0:fate}.",
            ],
            says: "tolerated: Google's parser takes the line for what was meant; lost: no parser does, and what the \
                   author wanted closed stays open.",
            columns: &[
                "written",
                "fate",
                "hosts",
                "pct_of_hosts_with_file",
                "lines",
            ],
            rows: 15,
            naming: &["example"],
            ..PLAIN
        },
    ],
};
