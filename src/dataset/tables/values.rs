//! The words of each column with a fixed set: the names of the enum that is written into it.

use page_directives::dialect::{AiUse, Dialect as PageDialect};
use page_directives::html::Place;
use page_directives::policy::Source;
use page_directives::rule::ImagePreview;
use robots_dialects::access::Access;
use robots_dialects::comparison::Class;
use robots_dialects::content::{ContentClass, Encoding};
use robots_dialects::dialect::{Choice, Dialect, Reason};
use robots_dialects::platform;
use robots_dialects::preferences::{Level, Vocabulary};
use robots_dialects::published::{CommonCrawlClass, DataProvenanceClass};
use robots_dialects::remark::RemarkKind;
use robots_dialects::restriction::Restriction;
use robots_dialects::rule::RuleType;
use warc_recovery::damage::DamageKind;
use warc_recovery::http::BodyIssue;
use warc_recovery::warc::RecordType;

use super::inputs::NoCaptures;
use super::table::tidy;
use super::word_enum;
use crate::dataset::catalog::{AI_BASES, CATEGORIES, OBEDIENCE, STATUSES};
use crate::dataset::derived::{Ended, ResponseClass};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub name: &'static str,
    /// What it means, in plain text; none if the column's comment explains it.
    pub meaning: Option<String>,
}

/// The names of all variants of an enum, which the compiler checks; or of `some`.
macro_rules! names {
    (some $type:ident: $($variant:ident)+) => {
        vec![ $( $type::$variant.name() ),+ ]
    };
    ($type:ident: $($variant:ident)+) => {{
        const _: fn($type) = |it| match it {
            $( $type::$variant )|+ => (),
        };
        names!(some $type: $($variant)+)
    }};
}

word_enum! {
    /// The kind of an input, as `inputs.container` has it.
    pub InputKind {
        Plain = "plain",
        Gzip = "gzip",
        Zstd = "zstd",
        Arc = "arc",
        ArcGzip = "arc.gz",
        ArcZstd = "arc.zst",
        Wacz = "wacz",
        Zip = "zip",
        JsonLines = "jsonl",
        JsonLinesGzip = "jsonl.gz",
        JsonLinesZstd = "jsonl.zst",
        Csv = "csv",
        CsvGzip = "csv.gz",
        CsvZstd = "csv.zst",
        Tsv = "tsv",
        TsvGzip = "tsv.gz",
        TsvZstd = "tsv.zst",
        Parquet = "parquet",
        Folder = "folder",
        Tar = "tar",
        TarGzip = "tar.gz",
        TarZstd = "tar.zst",
        Index = "index",
        None = "none",
    }
}

/// The words that `column` of the table named `table` may hold besides null; `None` if it holds
/// other values. `captures.content_issues` holds several, with commas between them.
pub fn words(table: &str, column: &str) -> Option<Vec<Word>> {
    let remarks = RemarkKind::ALL.iter().map(|it| (it.name(), it.meaning()));
    let damage = DamageKind::ALL
        .iter()
        .map(|it| (it.name(), it.description()));
    match (table, column) {
        ("remarks", "kind") => return Some(remarks.map(explained).collect()),
        ("damage", "kind") => return Some(damage.map(explained).collect()),
        _ => {}
    }
    let names: Vec<&'static str> = match (table, column) {
        ("captures", "content_issues") => BodyIssue::ALL.iter().map(|issue| issue.name()).collect(),
        // No other records are captures.
        ("captures" | "pages", "warc_type") => names!(some RecordType: Response Revisit Resource),
        ("captures", "access_koster1996" | "access_rfc9309" | "access_google") => {
            names!(Access: Parse AllowAll DisallowAll Defer FollowRedirect UseCached)
        }
        ("files", "content_class") => {
            names!(ContentClass: Rules NoRules Empty Html Binary Compressed Other)
        }
        ("files", "encoding") => names!(Encoding: Utf8 Utf8Bom Utf16 Other),
        ("files", "line_ending") => vec!["lf", "crlf", "cr", "mixed", "none"],
        ("rules", "rule_type") => names!(RuleType: Allow Disallow),
        ("agents", "versus_wildcard") => {
            names!(some Class: Equal Stricter Looser Mixed)
        }
        ("agents", "restriction" | "restriction_imc") => names!(Restriction: None Partial Full),
        ("agents", "restriction_cc") => names!(CommonCrawlClass: DisallowAll AllowAll AllowPart),
        ("agents", "restriction_dpi") => names!(DataProvenanceClass: None Some All),
        ("files" | "platforms", "platform") => platform::names(),
        ("agent_catalog", "status") => STATUSES.into(),
        ("agent_catalog", "obeys_robots") => OBEDIENCE.into(),
        ("preferences" | "page_preferences", "level") => names!(Level: Immediate Reference Full),
        ("preferences", "vocabulary") => {
            let mut names = names!(
                Vocabulary: ContentSignal ContentUsage License LlmPolicy TdmReservation TdmPolicy
            );
            names.dedup();
            names
        }
        ("pages", "source") => vec!["warc", "wat"],
        ("page_rules" | "page_preferences", "source") => Source::ALL.map(Source::name).into(),
        ("page_rules" | "page_preferences", "place") => Place::ALL.map(Place::name).into(),
        ("page_agents", "dialect") => PageDialect::ALL.map(PageDialect::name).into(),
        ("page_agents", "ai_use") => AiUse::ALL.map(AiUse::name).into(),
        ("page_agents", "max_image_preview") => ImagePreview::ALL.map(ImagePreview::name).into(),
        ("effective_preferences", "vocabulary") => {
            names!(some Vocabulary: ContentSignal ContentUsage)
        }
        // Pages have no directive for the others.
        ("page_preferences", "vocabulary") => {
            names!(some Vocabulary: ContentSignal ContentUsage TdmReservation)
        }
        ("resolved" | "origins" | "hosts", "ended") => Ended::ALL.map(Ended::name).into(),
        ("resolved" | "origins" | "hosts", "response_class") => {
            ResponseClass::ALL.map(ResponseClass::name).into()
        }
        ("inputs", "container") => InputKind::ALL.map(InputKind::name).into(),
        ("inputs", "no_captures_reason") => NoCaptures::ALL.map(NoCaptures::name).into(),
        ("policy_diffs", "class") => {
            names!(Class: Equal Stricter Looser Mixed Undecided)
        }
        ("policy_diffs", "access_before" | "access_after") => {
            names!(some Access: Parse AllowAll DisallowAll)
        }
        ("policy_diffs" | "probes", "dialect") => Dialect::ALL.map(Dialect::name).into(),
        // Probes test the rules of a file, not responses.
        ("probes", "reason") => {
            let mut names = names!(Reason: RobotsTxt NoGroup NoMatch FirstMatch LongestMatch
                AllowWinsTie EmptyRule Response);
            names.retain(|name| *name != Reason::Response.name());
            names
        }
        ("probes", "choice") => names!(Choice: Named Wildcard NoGroup),
        ("agent_catalog", "category") => CATEGORIES.into(),
        ("agent_catalog", "is_ai_basis") => AI_BASES.into(),
        _ => return None,
    };
    let word = |name| Word {
        name,
        meaning: None,
    };
    Some(names.into_iter().map(word).collect())
}

/// A word with the sentence that its documentation has, as plain text.
fn explained((name, doc): (&'static str, &str)) -> Word {
    let meaning = Some(tidy(&doc.replace('`', "")));
    Word { name, meaning }
}
