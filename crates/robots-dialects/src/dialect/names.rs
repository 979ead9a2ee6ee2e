//! Names as substrings, all at once: an automaton after Aho and Corasick (1975).

use super::records::Records;

/// An automaton over the names of all groups: which is the first group with a name that is a
/// substring of a text?
#[derive(Debug)]
pub(super) struct Names {
    prefixes: Vec<Prefix>,
}

/// A prefix of names. The prefixes that extend it by one byte form a list.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    byte: u8,
    first_longer: usize,
    /// Another prefix that differs only in the last byte.
    sibling: usize,
    /// The longest proper suffix that is a prefix of names too.
    suffix: usize,
    /// First group with a name that is a suffix of this prefix.
    first_group: usize,
}

const NONE: usize = usize::MAX;
const EMPTY: usize = 0;

impl Names {
    pub(super) fn new(records: &Records) -> Self {
        let mut automaton = Self {
            prefixes: Vec::new(),
        };
        automaton.push(0, NONE, EMPTY, NONE);
        // Each name with its group, and the prefix of it that has been added. An empty name is left
        // out: it would be in every text.
        let groups = records.groups.iter().enumerate();
        let mut names: Vec<(&[u8], usize, usize)> = groups
            .flat_map(|(index, group)| records.agents(group).map(move |name| (name, index, EMPTY)))
            .collect();
        let mut length = 0;
        // Shorter prefixes of all names come first, because the suffixes of longer prefixes are
        // among them.
        while !names.is_empty() {
            names.retain(|(name, ..)| name.len() > length);
            for (name, group, prefix) in &mut names {
                *prefix = automaton.lengthen(*prefix, name[length].to_ascii_lowercase());
                if name.len() == length + 1 {
                    let first_group = &mut automaton.prefixes[*prefix].first_group;
                    *first_group = (*first_group).min(*group);
                }
            }
            length += 1;
        }
        automaton
    }

    fn push(&mut self, byte: u8, sibling: usize, suffix: usize, first_group: usize) -> usize {
        self.prefixes.push(Prefix {
            byte,
            first_longer: NONE,
            sibling,
            suffix,
            first_group,
        });
        self.prefixes.len() - 1
    }

    fn lengthen(&mut self, shorter: usize, byte: u8) -> usize {
        if let Some(longer) = self.longer(shorter, byte) {
            return longer;
        }
        let Prefix {
            first_longer,
            suffix,
            ..
        } = self.prefixes[shorter];
        let suffix = match shorter {
            EMPTY => EMPTY,
            _ => self.step(suffix, byte),
        };
        let first_group = self.prefixes[suffix].first_group;
        let longer = self.push(byte, first_longer, suffix, first_group);
        self.prefixes[shorter].first_longer = longer;
        longer
    }

    /// The first group with a name, in lower case, that is a substring of `text`.
    pub(super) fn first_within(&self, text: &[u8]) -> Option<usize> {
        let mut at = EMPTY;
        let groups = text.iter().map(|byte| {
            at = self.step(at, *byte);
            self.prefixes[at].first_group
        });
        groups.min().filter(|group| *group != NONE)
    }

    /// The longest suffix of a prefix and a byte that is a prefix of names.
    fn step(&self, mut at: usize, byte: u8) -> usize {
        loop {
            match self.longer(at, byte) {
                Some(longer) => return longer,
                None if at == EMPTY => return EMPTY,
                None => at = self.prefixes[at].suffix,
            }
        }
    }

    fn longer(&self, shorter: usize, byte: u8) -> Option<usize> {
        let mut at = self.prefixes[shorter].first_longer;
        while at != NONE && self.prefixes[at].byte != byte {
            at = self.prefixes[at].sibling;
        }
        (at != NONE).then_some(at)
    }
}
