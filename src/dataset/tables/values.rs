//! The words that columns hold: for each column of a fixed set, the names of the enum that is
//! written into it.

use page_directives::dialect::{AiUse, Dialect as PageDialect};
use page_directives::html::Place;
use page_directives::policy::Source;
use page_directives::rule::ImagePreview;
use robots_dialects::access::Access;
use robots_dialects::content::{ContentClass, Encoding};
use robots_dialects::dialect::{Choice, Dialect, Reason};
use robots_dialects::platform;
use robots_dialects::preferences::{Level, Vocabulary};
use robots_dialects::published::{CommonCrawlClass, DataProvenanceClass};
use robots_dialects::remark::RemarkKind;
use robots_dialects::restriction::Restriction;
use robots_dialects::rule::RuleType;
use warc_recovery::container::Format;
use warc_recovery::damage::DamageKind;
use warc_recovery::http::BodyIssue;
use warc_recovery::warc::RecordType;

use crate::dataset::catalog::{CATEGORIES, OBEDIENCE, PURPOSES, STATUSES};

/// A word that a column may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it means, in plain text; none where the column's comment says it.
    pub meaning: Option<String>,
}

/// The words of `inputs.container` for corpora without WARC.
pub const CORPORA: [&str; 14] = [
    "jsonl",
    "jsonl.gz",
    "jsonl.zst",
    "csv",
    "csv.gz",
    "csv.zst",
    "tsv",
    "tsv.gz",
    "tsv.zst",
    "parquet",
    "folder",
    "tar",
    "tar.gz",
    "tar.zst",
];

/// The words that `column` of the table named `table` may hold beside null; none where it holds
/// other values. `captures.content_issues` holds several, with commas between them.
#[must_use]
#[expect(clippy::too_many_lines, reason = "an arm per column")]
pub fn words(table: &str, column: &str) -> Option<Vec<Word>> {
    match (table, column) {
        ("remarks", "kind") => {
            let kinds = RemarkKind::ALL.iter();
            let word = |kind: &RemarkKind| explained(kind.name(), kind.meaning());
            return Some(kinds.map(word).collect());
        }
        ("damage", "kind") => {
            let kinds = DamageKind::ALL.iter();
            let word = |kind: &DamageKind| explained(kind.name(), kind.description());
            return Some(kinds.map(word).collect());
        }
        _ => {}
    }
    let names: Vec<&'static str> = match (table, column) {
        ("captures", "content_issues") => BodyIssue::ALL.map(BodyIssue::name).into(),
        ("captures" | "pages", "warc_type") => [
            RecordType::Response,
            RecordType::Revisit,
            RecordType::Resource,
        ]
        .map(RecordType::name)
        .into(),
        ("captures", "access_koster1996" | "access_rfc9309" | "access_google") => [
            Access::Parse,
            Access::AllowAll,
            Access::DisallowAll,
            Access::Defer,
            Access::FollowRedirect,
            Access::UseCached,
        ]
        .map(Access::name)
        .into(),
        ("files", "content_class") => [
            ContentClass::Rules,
            ContentClass::NoRules,
            ContentClass::Empty,
            ContentClass::Html,
            ContentClass::Binary,
            ContentClass::Compressed,
            ContentClass::Other,
        ]
        .map(ContentClass::name)
        .into(),
        ("files", "encoding") => [
            Encoding::Utf8,
            Encoding::Utf8Bom,
            Encoding::Utf16,
            Encoding::Other,
        ]
        .map(Encoding::name)
        .into(),
        ("files", "line_ending") => vec!["lf", "crlf", "cr", "mixed", "none"],
        ("rules", "rule_type") => [RuleType::Allow, RuleType::Disallow]
            .map(RuleType::name)
            .into(),
        ("agents", "restriction" | "restriction_imc") => {
            [Restriction::None, Restriction::Partial, Restriction::Full]
                .map(Restriction::name)
                .into()
        }
        ("agents", "restriction_cc") => [
            CommonCrawlClass::DisallowAll,
            CommonCrawlClass::AllowAll,
            CommonCrawlClass::AllowPart,
        ]
        .map(CommonCrawlClass::name)
        .into(),
        ("agents", "restriction_dpi") => [
            DataProvenanceClass::None,
            DataProvenanceClass::Some,
            DataProvenanceClass::All,
        ]
        .map(DataProvenanceClass::name)
        .into(),
        ("files" | "platforms", "platform") => platform::names(),
        ("agent_catalog", "status") => STATUSES.into(),
        ("agent_catalog", "obeys_robots") => OBEDIENCE.into(),
        ("preferences" | "page_preferences", "level") => {
            [Level::Immediate, Level::Reference, Level::Full]
                .map(Level::name)
                .into()
        }
        ("preferences", "vocabulary") => {
            let mut names = [
                Vocabulary::ContentSignal,
                Vocabulary::ContentUsage,
                Vocabulary::License,
                Vocabulary::LlmPolicy,
                Vocabulary::TdmReservation,
                Vocabulary::TdmPolicy,
            ]
            .map(Vocabulary::name)
            .to_vec();
            names.dedup();
            names
        }
        ("pages", "source") => vec!["warc", "wat"],
        ("page_rules" | "page_preferences", "source") => Source::ALL.map(Source::name).into(),
        ("page_rules" | "page_preferences", "place") => Place::ALL.map(Place::name).into(),
        ("page_agents", "dialect") => PageDialect::ALL.map(PageDialect::name).into(),
        ("page_agents", "ai_use") => AiUse::ALL.map(AiUse::name).into(),
        ("page_agents", "max_image_preview") => ImagePreview::ALL.map(ImagePreview::name).into(),
        ("page_preferences", "vocabulary") => [
            Vocabulary::ContentSignal,
            Vocabulary::ContentUsage,
            Vocabulary::TdmReservation,
        ]
        .map(Vocabulary::name)
        .into(),
        ("inputs", "container") => {
            let mut names = [Format::Plain, Format::Gzip, Format::Zstd]
                .map(Format::name)
                .to_vec();
            names.extend(CORPORA);
            names.push("none");
            names
        }
        ("probes", "dialect") => Dialect::ALL.map(Dialect::name).into(),
        ("probes", "reason") => [
            Reason::RobotsTxt,
            Reason::NoGroup,
            Reason::NoMatch,
            Reason::FirstMatch,
            Reason::LongestMatch,
            Reason::AllowWinsTie,
            Reason::EmptyRule,
        ]
        .map(Reason::name)
        .into(),
        ("probes", "choice") => [Choice::Named, Choice::Wildcard, Choice::NoGroup]
            .map(Choice::name)
            .into(),
        ("agent_catalog", "category") => CATEGORIES.into(),
        ("agent_catalog", "purpose") => PURPOSES.into(),
        _ => return None,
    };
    let word = |name| Word {
        name,
        meaning: None,
    };
    Some(names.into_iter().map(word).collect())
}

/// A word with the sentence that its documentation has, as plain text.
fn explained(name: &'static str, doc: &str) -> Word {
    let meaning = doc.replace('`', "");
    Word {
        name,
        meaning: Some(meaning.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tables;

    #[test]
    fn words_are_those_of_text_columns() {
        let mut columns = 0;
        for table in tables::documented() {
            for field in table.schema.fields() {
                if let Some(words) = words(table.name, field.name()) {
                    columns += 1;
                    assert_eq!(*field.data_type(), arrow_schema::DataType::Utf8);
                    assert!(words.len() > 1, "{}.{}", table.name, field.name());
                }
            }
        }
        assert_eq!(columns, 38, "no column was renamed or left out");
    }
}
