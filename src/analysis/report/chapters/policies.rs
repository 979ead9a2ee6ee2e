//! Policies that many sites share.

use crate::analysis::report::section::{Chapter, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Shared policies",
    about: "Much of what robots.txt files say is said by software and platforms and not by the sites' owners.",
    sections: &[
        Section {
            query: "common-policies",
            title: "Rule sets that most hosts share",
            finding: &[
                "The commonest rule set is that of {0:pct_of_hosts_with_rules} of the hosts with rules ({0:hosts} hosts).",
            ],
            columns: &[
                "first_rules",
                "hosts",
                "pct_of_hosts_with_rules",
                "files",
                "n_agents",
                "n_rules",
                "wildcard",
            ],
            rows: 15,
            naming: &["a_host"],
            ..PLAIN
        },
        Section {
            query: "common-files",
            title: "Files that most hosts serve",
            finding: &[
                "The commonest file, of {0:bytes} bytes, is served by {0:pct_of_hosts_with_file} of the hosts that have one.",
            ],
            columns: &[
                "file_id",
                "hosts",
                "pct_of_hosts_with_file",
                "domains",
                "content_class",
                "bytes",
                "agents",
                "rules",
            ],
            rows: 10,
            ..PLAIN
        },
        Section {
            query: "size-peaks",
            title: "Sizes that must be templates",
            finding: &[
                "{0:hosts} hosts have a file of {0:bytes} bytes; {0:pct_of_them_alike} of these are the very same file.",
            ],
            columns: &[
                "bytes",
                "hosts",
                "files",
                "pct_of_them_alike",
                "lines",
                "agents",
                "rules",
            ],
            rows: 10,
            ..PLAIN
        },
        Section {
            query: "sitemap-hosts",
            title: "Where sitemaps lie",
            finding: &[],
            says: "Hosts on which the sitemaps of many other hosts lie: platforms, or spam.",
            naming: &["sitemap_host"],
            columns: &[
                "sitemap_host",
                "announcing_hosts",
                "announcing_domains",
                "pct_of_announcing_hosts",
                "sitemaps",
            ],
            rows: 10,
            ..PLAIN
        },
    ],
};
