use robots_dialects::content::{ContentClass, Encoding};
use robots_dialects::platform;

use super::values::names;
use super::{Bytes, Str};

table! {
    /// One row per distinct robots.txt body, as parsed: at most the limit of 512,000 bytes (or
    /// `--limit`), cut after the last complete line.
    "files", FileRow, FilesBuilder, key: File(file_id) {
        /// Low 64 bits of the XXH3-128 hash of the parsed bytes.
        file_id: i64 [Unique, LookedUp],
        /// High 64 bits of that hash.
        file_id_high: i64 [Unique],
        /// The file's rule set.
        policy_id: i64,
        /// Bytes of the whole body of the file's first capture, in the order in which inputs were
        /// ingested, without a line that the transfer cut off. Bodies over the limit may differ in
        /// the part that was cut off.
        content_length: i64,
        /// Bytes parsed.
        parsed_length: i32,
        /// Whether that whole body was longer than the limit.
        is_over_limit: bool,
        /// rules: some rule in a group; no_rules: robots.txt lines but no such rule; empty:
        /// nothing but white space; html: an HTML or XML page, whatever it quotes; binary: an image
        /// or the like, or control bytes abound; compressed: still compressed data; other: any
        /// other text.
        content_class: Str = names!(ContentClass: Rules NoRules Empty Html Binary Compressed Other),
        /// utf-8, utf-8-bom, utf-16 (by byte order mark), or other (not valid UTF-8).
        encoding: Str = names!(Encoding: Utf8 Utf8Bom Utf16 Other),
        /// Whether the parsed bytes are valid UTF-8.
        is_valid_utf8: bool,
        /// Whether a NUL byte occurs.
        has_nul: bool,
        /// lf, crlf, cr, mixed, or none.
        line_ending: Str = ["lf", "crlf", "cr", "mixed", "none"],
        /// Bytes of the longest line.
        max_line_length: i32,
        /// Lines; a line end at the end of the file does not begin another line.
        n_lines: i32,
        /// Lines of white space only.
        n_blank_lines: i32,
        /// Lines that consist of a comment.
        n_comment_lines: i32,
        /// user-agent lines.
        n_user_agent_lines: i32,
        /// Groups as RFC 9309 forms them.
        n_groups: i32,
        /// Distinct product tokens, `*` included.
        n_agents: i32,
        /// allow lines.
        n_allow: i32,
        /// disallow lines.
        n_disallow: i32,
        /// crawl-delay lines.
        n_crawl_delay: i32,
        /// sitemap lines.
        n_sitemaps: i32,
        /// Other lines with a directive that is known (crawl-delay not counted).
        n_other_directives: i32,
        /// Lines with a directive that is not known.
        n_unknown_directives: i32,
        /// Misspelt directives: tolerated misspellings, and evident ones that are not tolerated.
        n_typos: i32,
        /// Lines accepted though they have no colon.
        n_missing_colons: i32,
        /// allow and disallow lines before any user-agent line.
        n_orphan_rules: i32,
        /// Lines that are neither blank, comment nor directive.
        n_invalid_lines: i32,
        /// Whether a group is for `*`.
        has_wildcard_group: bool,
        /// The platform that wrote the file or the first part of it that a platform wrote
        /// (`platforms` has all parts): cloudflare, wordpress, yoast, wix, shopify, squarespace,
        /// drupal, joomla, blogger and others, by comments that only it writes, or because the file
        /// is exactly its default. Null if no known platform wrote any of it.
        platform: Option<Str> = platform::names(),
        /// Version of the platform's text, if versions can be distinguished.
        platform_version: Option<Str>,
        /// Groups that platforms wrote and that are unchanged.
        n_platform_groups: i32,
        /// The rule set of what the owner wrote: the file without the lines of platforms. It is
        /// `policy_id` if no line is a platform's, and an empty rule set if all are.
        owner_policy_id: i64,
        /// Whether the file cites the text and data mining opt-out of Directive (EU) 2019/790.
        mentions_eu_2019_790: bool,
        /// The parsed bytes, with `--keep-bodies`, else null.
        body: Option<Bytes>,
    }
}
