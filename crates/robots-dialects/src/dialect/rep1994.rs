//! `rep1994`: "A Standard for Robot Exclusion", M. Koster, 30 June 1994.
//!
//! - Records are separated by blank lines; a line with nothing but a comment is not a blank line. A
//!   user-agent line after rules begins a record too, since files without blank lines have existed
//!   from the start.
//! - Fields are `User-agent` and `Disallow`; all others, `Allow` among them, are ignored. The text
//!   does not provide for misspellings or missing colons.
//! - The record that applies is the first whose name is a case-insensitive substring of the robot's
//!   name without version, else the first `*` record. The text leaves open which is part of which;
//!   Perl's WWW::RobotRules and Python's robotparser search the robot's name, too.
//! - A path is disallowed if it starts with a value, byte by byte; `*`, `$` and `%` mean
//!   themselves. An empty value allows all.
//! - `/robots.txt`, in exactly these bytes, is exempt: a robot has to fetch it to know the rules.

use super::decision::Decision;
use super::rules::{DialectRules, PathForm};
use crate::agent::name_without_version;
use crate::path::ROBOTS_TXT;

pub(super) const RULES: DialectRules = DialectRules {
    source: "A Standard for Robot Exclusion (M. Koster, 30 June 1994)",
    tolerates_misspelt_keys: false,
    knows_allow: false,
    blank_line_ends_group: true,
    has_visit_terms: false,
    name_in_line: |value| Some(name_without_version(value)),
    name_of_crawler: name_without_version,
    paths: PathForm::Bytes,
    pattern: |value, _| (value, value.len()),
    second_pattern: |_, _| None,
    path_form: |path| path.bytes(),
    is_exempt: |path| path.bytes() == ROBOTS_TXT,
    decision: Decision::FirstMatch {
        matches: |_, _, value, path| path.starts_with(value),
    },
    is_interpretation: |_, _| false,
    may_unescape: false,
};
