//! Where the readings of the protocol part.

use crate::analysis::report::section::{Chapter, Chart, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Where dialects disagree",
    about: "The protocol has been written down six times since 1994, and the same file means different things to \
            crawlers of different schools.",
    sections: &[
        Section {
            query: "dialects-disagree-on-root",
            title: "May the root be fetched?",
            finding: &[
                "By the text of 1994 and by RFC 9309, {other=rfc9309:pct_of_files} of the files answer differently for some crawler.",
            ],
            says: "For each two readings, the files that open the root to some crawler by one and not by the other.",
            columns: &["dialect", "other", "files", "pct_of_files", "hosts"],
            rows: 15,
            chart: Chart::Bars {
                label: &["dialect", "other"],
                value: "pct_of_files",
            },
            ..PLAIN
        },
        Section {
            query: "rules-read-otherwise",
            title: "Rules that a crawler of 1996 reads otherwise",
            finding: &[
                "{0:pct_of_rules} of all rules are read otherwise for their {0:difference}.",
            ],
            says: "wildcard: `*` or a final `$`, which 1996 takes literally; order: a rule that 1996 never reaches.",
            ..PLAIN
        },
        Section {
            query: "hosts-forbidden",
            title: "Open or closed: 401 and 403",
            finding: &[
                "{fetch_status=all:pct_of_hosts} of the hosts are open by RFC 9309 and closed by the draft of 1996, for they answer 401 or 403.",
            ],
            ..PLAIN
        },
    ],
};
