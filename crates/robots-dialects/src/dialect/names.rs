//! Names as substrings, all at once: an automaton after Aho and Corasick (1975).

use std::collections::VecDeque;

use super::records::Records;

/// An automaton over the names of all groups: which is the first group with a name that is a
/// substring of a text?
#[derive(Debug)]
pub(super) struct Names {
    nodes: Vec<Node>,
    /// Children of the root by their byte. Most bytes of a text begin no name, and are looked up
    /// here alone.
    beginnings: [u32; 256],
}

/// A prefix of names. Children are a list, so that a node takes 20 bytes whatever the alphabet.
#[derive(Clone, Copy, Debug)]
struct Node {
    byte: u8,
    first_child: u32,
    next_sibling: u32,
    /// The longest proper suffix that is a prefix of names too.
    suffix: u32,
    /// First group with a name that is a suffix of this prefix.
    first_group: u32,
}

const NONE: u32 = u32::MAX;
const ROOT: u32 = 0;

impl Names {
    /// The automaton of the names in the groups of `records`.
    pub(super) fn new(records: &Records) -> Self {
        let mut names = Self {
            nodes: vec![Node::new(0)],
            beginnings: [NONE; 256],
        };
        for (index, group) in (0u32..).zip(records.groups()) {
            // An empty name is not looked for: it would be in every text.
            for name in records.agents(group).filter(|name| !name.is_empty()) {
                let mut at = ROOT;
                for byte in name.iter().map(u8::to_ascii_lowercase) {
                    at = names.child(at, byte).unwrap_or_else(|| names.add(at, byte));
                }
                let node = names.at_mut(at);
                node.first_group = node.first_group.min(index);
            }
        }
        names.link();
        names
    }

    /// Sets the suffixes, shorter prefixes before longer ones.
    fn link(&mut self) {
        let mut queue = VecDeque::from([ROOT]);
        while let Some(parent) = queue.pop_front() {
            let mut child = self.at(parent).first_child;
            while child != NONE {
                queue.push_back(child);
                let byte = self.at(child).byte;
                let suffix = if parent == ROOT {
                    ROOT
                } else {
                    self.step(self.at(parent).suffix, byte)
                };
                let first_group = self.at(suffix).first_group;
                let node = self.at_mut(child);
                node.suffix = suffix;
                node.first_group = node.first_group.min(first_group);
                child = node.next_sibling;
            }
        }
    }

    /// The first group with a name, in lower case, that is a substring of `text`.
    pub(super) fn first_within(&self, text: &[u8]) -> Option<usize> {
        let mut at = ROOT;
        let mut first = NONE;
        for byte in text {
            at = self.step(at, *byte);
            first = first.min(self.at(at).first_group);
        }
        (first != NONE).then_some(first as usize)
    }

    fn step(&self, mut at: u32, byte: u8) -> u32 {
        loop {
            match self.child(at, byte) {
                Some(child) => return child,
                None if at == ROOT => return ROOT,
                None => at = self.at(at).suffix,
            }
        }
    }

    fn child(&self, parent: u32, byte: u8) -> Option<u32> {
        let mut child = if parent == ROOT {
            self.beginnings[usize::from(byte)]
        } else {
            self.at(parent).first_child
        };
        while child != NONE && self.at(child).byte != byte {
            child = self.at(child).next_sibling;
        }
        (child != NONE).then_some(child)
    }

    fn add(&mut self, parent: u32, byte: u8) -> u32 {
        // A body has far fewer bytes than there are indices.
        let child = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let next_sibling = std::mem::replace(&mut self.at_mut(parent).first_child, child);
        self.nodes.push(Node {
            next_sibling,
            ..Node::new(byte)
        });
        if parent == ROOT {
            self.beginnings[usize::from(byte)] = child;
        }
        child
    }

    fn at(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn at_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }
}

impl Node {
    const fn new(byte: u8) -> Self {
        Self {
            byte,
            first_child: NONE,
            next_sibling: NONE,
            suffix: ROOT,
            first_group: NONE,
        }
    }
}
