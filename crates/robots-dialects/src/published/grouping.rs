//! Grouping errors: which user-agent lines of a group keep its rules in the scripts of three
//! studies.
//!
//! By RFC 9309 §2.2.1, user-agent lines belong together until the first rule, and all of them get
//! the rules that follow. The scripts group differently, and lose agents silently:
//!
//! | script | when a user-agent line begins a new list of agents |
//! |---|---|
//! | Common Crawl, `commoncrawl/robotstxt-experiments` at `ce24dda`, `src/cc-pyspark/robotstxt_statistics.py`, lines 110 to 160 | once the file has had a rule: the first rule sets `inblock`, which is never reset |
//! | Data Provenance Initiative, `Data-Provenance-Collection` at `ce6662d`, `src/web_analysis/parse_robots.py`, lines 10 to 55 | once the file has had a rule, a crawl-delay or a sitemap: the first such line sets `seen_agent_criteria`, which is never reset |
//! | HTTP Archive, `HTTPArchive/custom-metrics` at `ce1f9ab`, `dist/robots_txt.js`, lines 115 to 150 | after any line other than a user-agent line, a comment or an empty line, even a sitemap or nonsense |
//!
//! Rules before the first user-agent line count as rules. In all three scripts, the rules of a
//! group go to the *last* of its user-agent lines, so one number per group shows which lines keep
//! the rules. From the second group on, Common Crawl and the Data Provenance Initiative thus keep
//! the last line alone. How the scripts read a line (none accepts a misspelling) is ignored: all
//! differences here come from grouping.

use crate::key::LineKind;
use crate::line::Line;

/// How many user-agent lines of a group, counted from the last, keep its rules, by script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeptAgents {
    /// Common Crawl's robots.txt experiments.
    pub common_crawl: u32,
    /// Data Provenance Initiative.
    pub data_provenance: u32,
    /// HTTP Archive.
    pub http_archive: u32,
}

impl KeptAgents {
    /// The number of the script that keeps the fewest lines.
    #[must_use]
    pub fn fewest(self) -> u32 {
        self.common_crawl
            .min(self.data_provenance)
            .min(self.http_archive)
    }
}

/// Groups the lines of a file as the scripts do.
#[derive(Debug, Default)]
pub struct ScriptGrouping {
    /// The length of each script's list of agents after the last line.
    open: KeptAgents,
    /// Common Crawl's `inblock`.
    had_rule: bool,
    /// The Data Provenance Initiative's `seen_agent_criteria`.
    had_criterion: bool,
    /// HTTP Archive's last record was not a user-agent line.
    had_other: bool,
    /// A line with only white space was seen. HTTP Archive takes it for a record, unless a comment
    /// follows: comments are stripped together with all white space before them.
    had_white_line: bool,
}

impl ScriptGrouping {
    /// Takes the next line of the file, of whatever kind.
    #[inline]
    pub fn line(&mut self, line: &Line<'_>) {
        match line.kind {
            LineKind::UserAgent => {
                let after = |begins_list: bool, open: u32| if begins_list { 1 } else { open + 1 };
                self.had_other |= self.had_white_line;
                self.open = KeptAgents {
                    common_crawl: after(self.had_rule, self.open.common_crawl),
                    data_provenance: after(self.had_criterion, self.open.data_provenance),
                    http_archive: after(self.had_other, self.open.http_archive),
                };
                self.had_other = false;
            }
            LineKind::Allow | LineKind::Disallow => {
                self.had_rule = true;
                self.had_criterion = true;
                self.had_other = true;
            }
            LineKind::Sitemap => {
                self.had_criterion = true;
                self.had_other = true;
            }
            LineKind::Other => {
                self.had_criterion |= line.key.eq_ignore_ascii_case(b"crawl-delay");
                self.had_other = true;
            }
            LineKind::Invalid => self.had_other = true,
            LineKind::Empty => {
                self.had_white_line |= !line.text.is_empty();
                return;
            }
            LineKind::Comment => {}
        }
        self.had_white_line = false;
    }

    /// How many user-agent lines would get a rule on the next line.
    #[must_use]
    pub fn kept(&self) -> KeptAgents {
        self.open
    }
}
