//! Preferences about use: signals, licences, reservations.

use crate::analysis::report::section::{Chapter, Chart, Colour, Needs, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Signals",
    about: "Beyond who may fetch what: what may be done with content, as content signals, AIPREF's Content-Usage, \
            licences and reservations of text and data mining state it. No rule enforces them.",
    sections: &[
        Section {
            query: "content-signals",
            title: "What hosts signal about use",
            finding: &[
                "The commonest statement is {0:preference} {0:answer} ({0:vocabulary}), by {0:hosts} hosts, {0:pct_of_hosts_with_file} of those with a file; {0:hosts_by_template} of them in a platform's block.",
            ],
            rows: 15,
            chart: Chart::Bars {
                label: &["preference", "answer"],
                value: "hosts",
            },
            columns: &[
                "vocabulary",
                "preference",
                "answer",
                "hosts",
                "pct_of_hosts_with_file",
                "hosts_by_template",
            ],
            compare: Some((
                &["vocabulary", "preference", "answer"],
                "pct_of_hosts_with_file",
            )),
            ..PLAIN
        },
        Section {
            query: "signal-combinations",
            title: "Stated together",
            finding: &["The commonest combination is {0:combination}, by {0:hosts} hosts."],
            columns: &["vocabulary", "combination", "hosts", "pct_of_hosts_stating"],
            rows: 10,
            ..PLAIN
        },
        Section {
            query: "signal-conflicts",
            title: "Signals that the rules contradict",
            finding: &[
                "{0:pct_in_conflict} of the hosts that state a preference about AI training have rules for {0:product_token} that contradict it.",
            ],
            says: "A host that denies training and leaves the training crawler every path, or allows training and shuts \
                   the crawler out.",
            columns: &[
                "product_token",
                "hosts_stating",
                "denied_but_allowed",
                "denied_but_partly_allowed",
                "denied_and_blocked",
                "allowed_but_blocked",
                "pct_in_conflict",
            ],
            chart: Chart::Stack {
                label: &["product_token"],
                parts: &[
                    ("denied_but_allowed", "denied, open", Colour::Full),
                    (
                        "denied_but_partly_allowed",
                        "denied, partly",
                        Colour::Partial,
                    ),
                    ("denied_and_blocked", "denied, closed", Colour::None),
                ],
            },
            ..PLAIN
        },
        Section {
            query: "licences",
            title: "Licences and policies",
            finding: &[
                "{0:hosts} hosts refer to a {0:preference} of one and the same place, in {0:documents} documents.",
            ],
            says: "References to terms, by the host on which these lie, which is named only where hosts are.",
            columns: &[
                "preference",
                "terms_host",
                "hosts",
                "hosts_of_their_own",
                "documents",
                "hosts_in_headers",
            ],
            naming: &["terms_host", "a_document"],
            ..PLAIN
        },
        Section {
            query: "tdm-reservations",
            title: "Rights reserved to text and data mining",
            finding: &[
                "{means=any of these:pct_of_hosts} of the hosts reserve rights to text and data mining by some means.",
            ],
            chart: Chart::Bars {
                label: &["means"],
                value: "hosts_using",
            },
            ..PLAIN
        },
        Section {
            query: "preferences-over-time",
            title: "Signals, crawl after crawl",
            finding: &[
                "Content signals are stated by {vocabulary=content-signal,-1:pct_of_hosts} of the hosts in {vocabulary=content-signal,-1:crawl}.",
            ],
            columns: &[
                "vocabulary",
                "crawl",
                "hosts",
                "pct_of_hosts",
                "hosts_denying",
            ],
            rows: 30,
            chart: Chart::Lines {
                x: "crawl",
                y: &["pct_of_hosts"],
                series: Some("vocabulary"),
            },
            needs: Needs::SeveralCrawls,
            ..PLAIN
        },
    ],
};
