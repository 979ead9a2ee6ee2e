//! What became of the requests.

use crate::analysis::report::section::{Chapter, Chart, Colour, Needs, PLAIN, Section};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Responses",
    about: "What servers answered when asked for robots.txt, and what that means to a crawler.",
    sections: &[
        Section {
            query: "status-classes",
            title: "What became of the requests",
            finding: &[
                "{content=rules:pct_of_hosts} of the hosts have a robots.txt with rules; {response_class=allow_all:pct_of_hosts} answer that there is none.",
            ],
            says: "success: a body came back; allow_all: there is no robots.txt, everything is allowed; forbidden: 401 or \
                   403, which the schools read differently; defer: an error, ask again later; redirect: led nowhere.",
            chart: Chart::Bars {
                label: &["response_class", "content"],
                value: "pct_of_hosts",
            },
            compare: Some((&["response_class", "content"], "pct_of_hosts")),
            ..PLAIN
        },
        Section {
            query: "status-classes-by-rank",
            title: "Responses by rank",
            finding: &[
                "{0:pct_with_rules} of the {0:stratum} domains have a robots.txt with rules, as far as they were captured.",
            ],
            columns: &[
                "stratum",
                "domains",
                "not_captured",
                "forbidden",
                "defer",
                "allow_all",
                "with_rules",
                "pct_with_rules",
            ],
            chart: Chart::Stack {
                label: &["stratum"],
                parts: &[
                    ("with_rules", "rules", Colour::None),
                    ("allow_all", "none", Colour::Other),
                    ("forbidden", "forbidden", Colour::Full),
                    ("defer", "defer", Colour::Partial),
                ],
            },
            needs: Needs::Ranks,
            ..PLAIN
        },
        Section {
            query: "status-codes",
            title: "Status codes",
            finding: &[
                "{0:pct_of_origins} of the origins answered {0:fetch_status}, {1:pct_of_origins} {1:fetch_status}.",
            ],
            says: "First answers, before redirects are followed.",
            chart: Chart::Bars {
                label: &["fetch_status"],
                value: "pct_of_origins",
            },
            ..PLAIN
        },
        Section {
            query: "content-classes",
            title: "What comes back as robots.txt",
            finding: &[
                "{content_class=rules:pct_of_hosts_with_file} of the files have rules; {content_class=html:pct_of_hosts_with_file} are web pages served in their place.",
            ],
            says: "Judged by content and not by the media type.",
            columns: &[
                "content_class",
                "hosts",
                "pct_of_hosts_with_file",
                "files",
                "not_utf8",
                "pct_comment_lines",
            ],
            chart: Chart::Bars {
                label: &["content_class"],
                value: "pct_of_hosts_with_file",
            },
            compare: Some((&["content_class"], "pct_of_hosts_with_file")),
            ..PLAIN
        },
        Section {
            query: "media-types",
            title: "Media types",
            finding: &["{0:pct_of_origins} of the files come as {0:media_type}."],
            columns: &[
                "media_type",
                "origins",
                "pct_of_origins",
                "robotstxt",
                "html",
                "usual_charset",
            ],
            rows: 8,
            ..PLAIN
        },
        Section {
            query: "redirect-depth",
            title: "How deep redirects go, and where they end",
            says: "A redirect is followed through the captures that the corpus has, five hops at most.",
            chart: Chart::Bars {
                label: &["hops_followed", "ended", "final_class"],
                value: "pct_of_redirects",
            },
            ..PLAIN
        },
        Section {
            query: "caching",
            title: "How long a file may be used",
            finding: &["{0:pct_of_origins} of the origins: {0:says}."],
            chart: Chart::Bars {
                label: &["says"],
                value: "pct_of_origins",
            },
            ..PLAIN
        },
    ],
};
