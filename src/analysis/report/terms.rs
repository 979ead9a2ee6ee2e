//! Terms, each explained where a reader first meets it: `texts/terms.txt` has them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::words;

#[derive(Debug)]
pub(super) struct Term {
    /// Its name and other forms of it, in lower case unless they are names.
    pub(super) forms: Vec<&'static str>,
    pub(super) explanation: &'static str,
}

pub(super) static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let term = |(forms, explanation): &(&'static str, &'static str)| Term {
        forms: forms.split(';').map(str::trim).collect(),
        explanation,
    };
    words::texts("terms").iter().map(term).collect()
});

impl Term {
    /// Its name, as a sentence begins with it.
    pub(super) fn name(&self) -> String {
        let (first, rest) = self.forms[0].split_at(1);
        first.to_uppercase() + rest
    }

    /// Where a text first uses the term, as whole words.
    fn place_in(&self, text: &str) -> Option<usize> {
        let text = text.to_ascii_lowercase();
        let is_of_word = |character: char| character.is_alphanumeric() || character == '-';
        let is_whole = |at: usize, form: &str| {
            let is_alone = |character: Option<char>| !character.is_some_and(is_of_word);
            is_alone(text[..at].chars().next_back())
                && is_alone(text[at + form.len()..].chars().next())
        };
        let forms = self.forms.iter().map(|form| form.to_ascii_lowercase());
        let places = forms.filter_map(|form| {
            let mut places = text.match_indices(&form).map(|(at, _)| at);
            places.find(|at| is_whole(*at, &form))
        });
        places.min()
    }
}

#[derive(Debug, Default, Clone)]
pub(super) struct TermSet(RefCell<BTreeSet<usize>>);

impl TermSet {
    /// The terms that a text is the first to use, in the order of their use, and the terms that
    /// their explanations use.
    pub(super) fn meet(&self, text: &str) -> Vec<&'static Term> {
        let mut known = self.0.borrow_mut();
        let mut met: Vec<&'static Term> = Vec::new();
        let mut texts = vec![text];
        while let Some(text) = texts.pop() {
            let unknown = TERMS.iter().enumerate();
            let unknown = unknown.filter(|(number, _)| !known.contains(number));
            let mut found: Vec<_> = unknown
                .filter_map(|(number, term)| Some((term.place_in(text)?, number, term)))
                .collect();
            found.sort_by_key(|(place, ..)| *place);
            known.extend(found.iter().map(|(_, number, _)| *number));
            met.extend(found.iter().map(|(.., term)| *term));
            texts.extend(found.iter().rev().map(|(.., term)| term.explanation));
        }
        met
    }
}
