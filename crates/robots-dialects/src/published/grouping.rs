//! Who hears a group's rules, by the scripts of three studies.
//!
//! To RFC 9309, 2.2.1, user-agent lines stack until the first rule, and all of them get the rules
//! that follow. The scripts stack otherwise, and lose agents without a word:
//!
//! | script | when a user-agent line begins a new stack |
//! |---|---|
//! | Common Crawl, `commoncrawl/robotstxt-experiments` at `ce24dda`, `src/cc-pyspark/robotstxt_statistics.py`, lines 110 to 160 | once the file has had a rule: `inblock` is set by the first and never reset |
//! | Data Provenance Initiative, `Data-Provenance-Collection` at `ce6662d`, `src/web_analysis/parse_robots.py`, lines 10 to 55 | once the file has had a rule, a crawl-delay or a sitemap: `seen_agent_criteria` is set by the first and never reset |
//! | HTTP Archive, `HTTPArchive/custom-metrics` at `ce1f9ab`, `dist/robots_txt.js`, lines 115 to 150 | after any line that is neither a user-agent line nor a comment nor empty, a sitemap or nonsense included |
//!
//! Rules before the first user-agent line count as rules. In all three the rules of a group go to
//! the *last* user-agent lines of its stack, so that one number per group tells who hears them.
//! From the second group on Common Crawl and the Data Provenance Initiative thus hear the last
//! line alone. How the scripts read a line (none takes a misspelling) is left aside: what differs
//! here differs by grouping.

use crate::key::LineKind;
use crate::line::Line;

/// How many of the last user-agent lines of a group get its rules, by each script.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heard {
    /// Common Crawl's robots.txt experiments.
    pub common_crawl: u32,
    /// Data Provenance Initiative.
    pub data_provenance: u32,
    /// HTTP Archive.
    pub http_archive: u32,
}

impl Heard {
    /// The script that hears the fewest.
    #[must_use]
    pub fn fewest(self) -> u32 {
        self.common_crawl
            .min(self.data_provenance)
            .min(self.http_archive)
    }
}

/// Follows the lines of a file as the scripts do.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags of three scripts, which are independent"
)]
pub struct Grouping {
    /// The stacks after the last line.
    open: Heard,
    /// Common Crawl's `inblock`.
    had_rule: bool,
    /// The Data Provenance Initiative's `seen_agent_criteria`.
    had_criterion: bool,
    /// HTTP Archive's last record was none of a user agent.
    had_other: bool,
    /// A line of white space only was met. HTTP Archive takes it for a record, unless a comment
    /// follows, which is stripped together with all white space before it.
    had_white_line: bool,
}

impl Grouping {
    /// Takes the next line of the file, of whatever kind.
    pub fn line(&mut self, line: &Line<'_>) {
        match line.kind {
            LineKind::UserAgent => {
                let after = |begins_stack: bool, open: u32| if begins_stack { 1 } else { open + 1 };
                self.had_other |= self.had_white_line;
                self.open = Heard {
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

    /// Who hears a rule that comes next.
    #[must_use]
    pub fn heard(&self) -> Heard {
        self.open
    }
}

#[cfg(test)]
mod tests {
    use crate::document::Document;

    /// Of each group of `body` how many user-agent lines it has, and how many of them Common
    /// Crawl, the Data Provenance Initiative and HTTP Archive hear.
    fn heard(body: &str) -> Vec<[u32; 4]> {
        let document = Document::read(body.as_bytes(), 0, &mut Vec::new());
        let groups = document.groups.iter().map(|group| {
            let heard = group.heard.expect("a rule");
            [
                u32::try_from(group.user_agents.len()).expect("few"),
                heard.common_crawl,
                heard.data_provenance,
                heard.http_archive,
            ]
        });
        groups.collect()
    }

    const A: &str = "User-agent: a\n";
    const B: &str = "User-agent: b\n";
    const C: &str = "User-agent: c\n";
    const RULE: &str = "Disallow: /\n";

    #[test]
    fn a_first_stack_is_heard_by_all() {
        assert_eq!(heard(&[A, B, C, RULE].concat()), [[3, 3, 3, 3]]);
        assert_eq!(heard(&[A, "\n# b\n", B, RULE].concat()), [[2, 2, 2, 2]]);
    }

    #[test]
    fn after_a_rule_two_scripts_hear_the_last_agent_only() {
        assert_eq!(
            heard(&[A, RULE, A, B, C, RULE, RULE, B, C, RULE].concat()),
            [[1, 1, 1, 1], [3, 1, 1, 3], [2, 1, 1, 2]]
        );
        assert_eq!(
            heard(&[RULE, A, B, RULE].concat()),
            [[2, 1, 1, 2]],
            "a rule in no group is a rule"
        );
    }

    #[test]
    fn a_sitemap_in_a_stack_breaks_it_for_two_scripts() {
        let sitemap = "Sitemap: https://host/s.xml\n";
        assert_eq!(heard(&[A, sitemap, B, C, RULE].concat()), [[3, 3, 1, 2]]);
        assert_eq!(heard(&[sitemap, A, B, RULE].concat()), [[2, 2, 1, 2]]);
    }

    #[test]
    fn a_crawl_delay_in_a_stack_breaks_it_for_two_scripts() {
        let delay = "Crawl-delay: 5\n";
        assert_eq!(heard(&[A, B, delay, C, RULE].concat()), [[3, 3, 1, 1]]);
        assert_eq!(heard(&[A, B, delay, RULE].concat()), [[2, 2, 2, 2]]);
    }

    #[test]
    fn any_other_line_in_a_stack_breaks_it_for_http_archive() {
        for line in [
            "Host: h\n",
            "Noindex: /a\n",
            "nonsense\n",
            "no-key : \n",
            " \n",
        ] {
            assert_eq!(
                heard(&[A, line, B, RULE].concat()),
                [[2, 2, 2, 1]],
                "{line}"
            );
        }
        for line in ["\n", "# c\n", " # c\n", " \n# c\n"] {
            assert_eq!(
                heard(&[A, line, B, RULE].concat()),
                [[2, 2, 2, 2]],
                "{line}"
            );
        }
        let white_after = [A, "# c\n \n", B, RULE].concat();
        assert_eq!(heard(&white_after), [[2, 2, 2, 1]]);
    }
}
