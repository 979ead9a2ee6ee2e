//! Names as substrings, all at once: an automaton after Aho and Corasick (1975).

use std::collections::VecDeque;

use super::records::Records;

/// An automaton over the names of all groups: which is the first group with a name that is a
/// substring of a text?
#[derive(Debug)]
pub(super) struct Names {
    prefixes: Vec<Prefix>,
    /// Prefixes of one byte. Most bytes of a text begin no name, and are looked up here alone.
    beginnings: [usize; 256],
}

/// A prefix of names. Those that are longer by a byte are a list.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    /// The last byte.
    byte: u8,
    first_longer: usize,
    /// Another that differs in the last byte.
    sibling: usize,
    /// The longest proper suffix that is a prefix of names too.
    suffix: usize,
    /// First group with a name that is a suffix of this prefix.
    first_group: usize,
}

const NONE: usize = usize::MAX;
const EMPTY: usize = 0;

impl Names {
    /// The automaton of the names in the groups of `records`.
    pub(super) fn new(records: &Records) -> Self {
        let mut names = Self {
            prefixes: Vec::new(),
            beginnings: [NONE; 256],
        };
        names.push(0, NONE);
        for (index, group) in records.groups().iter().enumerate() {
            // An empty name is not looked for: it would be in every text.
            for name in records.agents(group).filter(|name| !name.is_empty()) {
                let mut at = EMPTY;
                for byte in name.iter().map(u8::to_ascii_lowercase) {
                    at = names.longer(at, byte).unwrap_or_else(|| {
                        let longer = names.push(byte, names.prefixes[at].first_longer);
                        names.prefixes[at].first_longer = longer;
                        if at == EMPTY {
                            names.beginnings[usize::from(byte)] = longer;
                        }
                        longer
                    });
                }
                let first_group = &mut names.prefixes[at].first_group;
                *first_group = index.min(*first_group);
            }
        }
        names.link();
        names
    }

    fn push(&mut self, byte: u8, sibling: usize) -> usize {
        self.prefixes.push(Prefix {
            byte,
            first_longer: NONE,
            sibling,
            suffix: EMPTY,
            first_group: NONE,
        });
        self.prefixes.len() - 1
    }

    /// Sets the suffixes, shorter prefixes before longer ones.
    fn link(&mut self) {
        let mut queue = VecDeque::from([EMPTY]);
        while let Some(shorter) = queue.pop_front() {
            let Prefix {
                suffix: from,
                first_longer: mut at,
                ..
            } = self.prefixes[shorter];
            while at != NONE {
                queue.push_back(at);
                let prefix = self.prefixes[at];
                if shorter != EMPTY {
                    let suffix = self.step(from, prefix.byte);
                    let first_group = self.prefixes[suffix].first_group.min(prefix.first_group);
                    self.prefixes[at].suffix = suffix;
                    self.prefixes[at].first_group = first_group;
                }
                at = prefix.sibling;
            }
        }
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
        let mut at = match shorter {
            EMPTY => self.beginnings[usize::from(byte)],
            _ => self.prefixes[shorter].first_longer,
        };
        while at != NONE && self.prefixes[at].byte != byte {
            at = self.prefixes[at].sibling;
        }
        (at != NONE).then_some(at)
    }
}
