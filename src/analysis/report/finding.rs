//! Sentences that an answer fills.
//!
//! A place in a sentence is `{column}` (of the first row), `{2:column}` (of the third),
//! `{-1:column}` (of the last), `{agent=gptbot:column}` (of the first row where `agent` is
//! `gptbot`), `{agent=gptbot,-1:column}` (of the last such row) or `{sum:column}` (of all rows).

use super::answer::{Answer, Cell};

/// The sentence with its places filled; none where one cannot be.
#[must_use]
pub(super) fn fill(sentence: &str, answer: &Answer) -> Option<String> {
    let mut filled = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}')?;
        filled.push_str(before);
        filled.push_str(&value(place, answer)?);
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

fn value(place: &str, answer: &Answer) -> Option<String> {
    let (selector, name) = match place.rsplit_once(':') {
        Some((selector, name)) => (selector, name),
        None => ("0", place),
    };
    let column = answer.column(name)?;
    if selector == "sum" {
        let sum: f64 = answer
            .rows
            .iter()
            .filter_map(|row| row[column].number())
            .sum();
        return Some(Cell::of_number(sum).shown(name));
    }
    let (condition, index) = match selector.split_once(',') {
        Some((condition, index)) => (Some(condition), index),
        None if selector.contains('=') => (Some(selector), "0"),
        None => (None, selector),
    };
    let condition = match condition {
        Some(condition) => {
            let (key, wanted) = condition.split_once('=')?;
            Some((answer.column(key)?, wanted))
        }
        None => None,
    };
    let mut rows = answer
        .rows
        .iter()
        .filter(|row| condition.is_none_or(|(key, wanted)| row[key].text() == wanted));
    let index: isize = index.parse().ok()?;
    let row = match usize::try_from(index) {
        Ok(index) => rows.nth(index),
        Err(_) => rows.rev().nth(index.unsigned_abs() - 1),
    }?;
    (!row[column].is_null()).then(|| row[column].shown(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_or_the_sentence_is_none() {
        let answer = Answer::of(
            &["agent", "crawl", "hosts", "pct_full"],
            &[
                r#"{"agent":"a","crawl":"1","hosts":1200,"pct_full":1.5}"#,
                r#"{"agent":"b","crawl":"1","hosts":3,"pct_full":null}"#,
                r#"{"agent":"a","crawl":"2","hosts":4,"pct_full":2.0}"#,
            ],
        );
        let filled = |sentence| fill(sentence, &answer);
        assert_eq!(filled("{agent}: {hosts}").as_deref(), Some("a: 1,200"));
        assert_eq!(filled("{pct_full}").as_deref(), Some("1.50\u{a0}%"));
        assert_eq!(filled("{2:hosts} {-1:crawl}").as_deref(), Some("4 2"));
        assert_eq!(
            filled("{agent=a,-1:pct_full}").as_deref(),
            Some("2.00\u{a0}%")
        );
        assert_eq!(filled("{agent=b:hosts}").as_deref(), Some("3"));
        assert_eq!(filled("{sum:hosts}").as_deref(), Some("1,207"));
        for no in [
            "{agent=b:pct_full}",
            "{agent=c:hosts}",
            "{9:hosts}",
            "{no}",
            "{hosts",
        ] {
            assert_eq!(filled(no), None, "{no}");
        }
    }
}
