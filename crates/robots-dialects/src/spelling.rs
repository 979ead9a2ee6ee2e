//! Directive names: known names and their evident misspellings.

/// Directives beyond RFC 9309 that a crawler, a proposal or a parser documents, in alphabetical
/// order: most are unsupported but known to Google's parser (its list of February 2026); the rest
/// are from the 1996 extended standard (comment, robot-version, request-rate, visit-time), RSL
/// (license), LLM-Policy, TDMRep and VIPnytt's RobotsTxtParser (cache-delay). unavailable_after is
/// a rule for pages (see Google's robots meta tags) that some files contain, too.
const KNOWN: [&str; 20] = [
    "cache-delay",
    "clean-param",
    "comment",
    "content-signal",
    "content-usage",
    "crawl-delay",
    "domain",
    "host",
    "license",
    "llm-policy",
    "noarchive",
    "nofollow",
    "noindex",
    "request-rate",
    "revisit-after",
    "robot-version",
    "tdm-policy",
    "tdm-reservation",
    "unavailable_after",
    "visit-time",
];

/// Names that misspellings are measured against, separators left out.
const TARGETS: [&str; 11] = [
    "useragent",
    "disallow",
    "allow",
    "sitemap",
    "crawldelay",
    "noindex",
    "cleanparam",
    "requestrate",
    "visittime",
    "contentsignal",
    "contentusage",
];

/// The shortest possible misspelling: shorter words are one edit away from too many others.
const SHORTEST: usize = 4;

/// Letters that a name needs for two edits to be an evident misspelling.
const LONG: usize = 8;

/// The longest name that is considered as a possible misspelling.
const LONGEST: usize = 16;

/// Whether `key` names a documented directive, letters compared without case.
#[must_use]
pub fn is_known(key: &[u8]) -> bool {
    KNOWN
        .iter()
        .any(|name| name.as_bytes().eq_ignore_ascii_case(key))
}

/// Whether the directive concerns the whole site, as Yandex documents for both keys.
#[must_use]
pub fn is_site_wide(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"host") || key.eq_ignore_ascii_case(b"clean-param")
}

/// The longest key that can be a directive's name; the longest known name has 17 bytes.
const LONGEST_PLAUSIBLE: usize = 40;

/// Whether `key` can be a directive's name at all: a letter, then letters, digits, spaces, `-` and
/// `_`, 40 bytes at most. Markup or prose that happens to contain a colon cannot.
#[must_use]
pub fn is_plausible(key: &[u8]) -> bool {
    key.len() <= LONGEST_PLAUSIBLE
        && key.first().is_some_and(u8::is_ascii_alphabetic)
        && key
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_'))
}

/// Whether `key`, which no parser accepts, is an evident misspelling: with separators left out,
/// equal to a known name or one edit away from it (two for names of eight letters and more).
#[must_use]
pub fn is_misspelling(key: &[u8]) -> bool {
    if is_known(key) || key.len() > LONGEST + 2 {
        return false;
    }
    let is_letter = |byte: &u8| !matches!(byte, b' ' | b'-' | b'_');
    let letters = key.iter().filter(|byte| is_letter(byte));
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    let own = letter_set(&letters);
    letters.len() >= SHORTEST
        && TARGETS.iter().map(|name| name.as_bytes()).any(|target| {
            let most = if target.len() >= LONG { 2 } else { 1 };
            // One edit changes at most two of the letters that occur at all.
            letters.len().abs_diff(target.len()) <= most
                && (own ^ letter_set(target)).count_ones() as usize <= 2 * most
                && distance(&letters, target) <= most
        })
}

/// The letters that occur, as bits.
fn letter_set(letters: &[u8]) -> u32 {
    (letters.iter()).fold(0, |set, letter| set | 1 << (letter % 32))
}

/// Edits (insert, delete, replace, swap of neighbours) that lead from `a` to `b`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = [[0; LONGEST + 3]; 3];
    for (column, cell) in rows[0].iter_mut().enumerate() {
        *cell = column;
    }
    for i in 1..=a.len() {
        let (now, before, earlier) = (i % 3, (i - 1) % 3, (i + 1) % 3);
        rows[now][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[before][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[before][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[earlier][j - 2] + 1);
            }
            rows[now][j] = least;
        }
    }
    rows[a.len() % 3][b.len()]
}
