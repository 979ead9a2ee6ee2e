//! Finds shipped queries by words.

use super::{ShippedQuery, all};

/// Words that do not distinguish queries: grammar, and the subject of every query.
const COMMON: &str = "a about all an and any are as at be by can do does for from had has have how \
    i in is it its many me much my of on one or our robots site sites that the their them there \
    they this to txt use used uses was we website websites what when where which who with you";

/// The shipped queries that match the words of `text`, the best first.
///
/// A keyword with the same words counts most, then a word in a query's name, then in its question
/// or keywords, then in the rest of its head and its parameters. Queries with all words come before
/// queries with some of them, which are listed only if no query has all.
pub fn search(text: &str) -> Vec<&'static ShippedQuery> {
    let asked = uncommon(stems(text));
    let found = all().iter().map(|query| (fit(query, &asked), query));
    let mut found: Vec<_> = found.filter(|((_, score), _)| *score > 0).collect();
    // Sorting is stable: queries with equal scores stay in the order of their names.
    found.sort_by_key(|((missing, score), _)| (*missing, u32::MAX - score));
    let fewest = found.first().map_or(0, |((missing, _), _)| *missing);
    found.retain(|((missing, _), _)| *missing == fewest);
    found.into_iter().map(|(_, query)| query).collect()
}

/// How many of the stems a query lacks, and how well it matches the other stems.
fn fit(query: &ShippedQuery, asked: &[String]) -> (usize, u32) {
    let keywords: Vec<Vec<String>> = query.part("Keywords").split(',').map(stems).collect();
    let head = query.sql.split(" AS TABLE").next().unwrap_or_default();
    let fields = [
        (stems(query.name), 8),
        (stems(&query.summary()), 4),
        (keywords.concat(), 4),
        (stems(head), 1),
    ];
    let score = |stem: &String| -> u32 {
        let having = fields.iter().filter(|(stems, _)| stems.contains(stem));
        having.map(|(_, score)| score).sum()
    };
    let scores: Vec<u32> = asked.iter().map(score).collect();
    let missing = scores.iter().filter(|score| **score == 0).count();
    let is_keyword = keywords.into_iter().any(|stems| uncommon(stems) == asked);
    let more = if is_keyword { 16 } else { 0 };
    (missing, scores.iter().sum::<u32>() + more)
}

fn uncommon(mut stems: Vec<String>) -> Vec<String> {
    let common = self::stems(COMMON);
    if stems.iter().any(|stem| !common.contains(stem)) {
        stems.retain(|stem| !common.contains(stem));
    }
    stems
}

/// The stems of the words of a text, in lower case.
pub(super) fn stems(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(stem).collect()
}

/// A word without its ending, so that `blocks`, `blocked` and `blocking` become one: the endings of
/// step 1 of Porter (1980), *An algorithm for suffix stripping*, and a final e.
fn stem(word: &str) -> String {
    let is_word = |stem: &str| stem.len() > 2 && stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    for ending in ["ies", "ied"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) {
            return format!("{stem}y");
        }
    }
    let word = match word.strip_suffix('s') {
        Some(stem) if is_word(stem) && !stem.ends_with(['s', 'u']) => stem,
        _ => word,
    };
    let endings = ["ing", "ed"];
    let stem = endings.iter().find_map(|ending| word.strip_suffix(ending));
    let Some(stem) = stem.filter(|stem| is_word(stem)) else {
        let stem = word.strip_suffix('e').filter(|stem| is_word(stem));
        return stem.unwrap_or(word).to_owned();
    };
    // stopped, stopping: stop.
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !"lsz".contains(last) => {
            stem[..stem.len() - last.len_utf8()].to_owned()
        }
        _ => stem.strip_suffix('e').unwrap_or(stem).to_owned(),
    }
}
