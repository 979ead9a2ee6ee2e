//! Many patterns asked at once whether one of them matches a witness.
//!
//! The patterns are kept sorted, so that those that share their first bytes are neighbours: the
//! sorted list is a trie whose nodes are ranges, and no trie is built. A witness is walked byte by
//! byte with the set of nodes reached. A node whose next byte is a `*` stays reached for the rest
//! of the walk, since its star may take any number of bytes. Each node is entered from its one
//! parent, so no node is in the set twice, and a walk costs at most the length of the witness times
//! the number of nodes reached at once; for patterns that were not written to prevent it that
//! number is small.

/// Patterns of one type, ready to be asked about witnesses. Reused by `build`.
#[derive(Debug, Default)]
pub(super) struct CoverIndex {
    /// Literals and stars of all patterns, redundant stars and the final `$` left out.
    bytes: Vec<u8>,
    /// Sorted by their bytes, an open pattern before its anchored twin.
    entries: Vec<Entry>,
    /// Per byte of `bytes`: the walk in which the star node that ends there was last reached.
    reached_in: Vec<usize>,
    walk: usize,
    /// Nodes whose next byte is a literal.
    active: Vec<Node>,
    next: Vec<Node>,
    /// Nodes whose last byte is a star.
    stars: Vec<Node>,
}

/// One pattern.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    is_anchored: bool,
    /// Length of the pattern as it counts in precedence.
    length: usize,
}

impl Entry {
    fn bytes<'o>(&self, bytes: &'o [u8]) -> &'o [u8] {
        &bytes[self.start..self.end]
    }
}

/// The entries `low..high`, which share their first `depth` bytes.
#[derive(Debug, Clone, Copy)]
struct Node {
    low: usize,
    high: usize,
    depth: usize,
}

impl CoverIndex {
    /// Replaces what the index holds by `patterns`, each of which begins with `/` or `*`.
    pub(super) fn build<'a>(&mut self, patterns: impl Iterator<Item = &'a [u8]>) {
        self.bytes.clear();
        self.entries.clear();
        for pattern in patterns {
            self.add(pattern);
        }
        let bytes = &self.bytes;
        // Of two equal patterns only the longer as written, the first, can matter.
        self.entries.sort_unstable_by(|a, b| {
            let a_key = (a.bytes(bytes), a.is_anchored);
            let b_key = (b.bytes(bytes), b.is_anchored);
            a_key.cmp(&b_key).then(b.length.cmp(&a.length))
        });
        self.entries
            .dedup_by(|a, b| a.is_anchored == b.is_anchored && a.bytes(bytes) == b.bytes(bytes));
        self.reached_in.clear();
        self.reached_in.resize(bytes.len(), 0);
        self.walk = 0;
    }

    fn add(&mut self, pattern: &[u8]) {
        let (body, mut is_anchored) = match pattern {
            [start @ .., b'$'] => (start, true),
            _ => (pattern, false),
        };
        let start = self.bytes.len();
        for &byte in body {
            // A run of stars does what one star does.
            if byte != b'*' || self.bytes.len() == start || self.bytes.last() != Some(&b'*') {
                self.bytes.push(byte);
            }
        }
        // A star at the end is what an open end is, with or without the anchor.
        if self.bytes.len() > start && self.bytes.last() == Some(&b'*') {
            self.bytes.pop();
            is_anchored = false;
        }
        self.entries.push(Entry {
            start,
            end: self.bytes.len(),
            is_anchored,
            length: pattern.len(),
        });
    }

    /// Whether a pattern of at least `length` matches `witness`, in which `*` is a byte that only a
    /// pattern's star or open end takes. None if `steps` are used up before that is known.
    pub(super) fn covers(
        &mut self,
        witness: &[u8],
        length: usize,
        steps: &mut usize,
    ) -> Option<bool> {
        self.walk += 1;
        self.active.clear();
        self.stars.clear();
        let root = Node {
            low: 0,
            high: self.entries.len(),
            depth: 0,
        };
        if self.enter(root, witness.is_empty(), length) {
            return Some(true);
        }
        for (position, &byte) in witness.iter().enumerate() {
            *steps = steps.checked_sub(1 + self.active.len() + self.stars.len())?;
            let is_end = position + 1 == witness.len();
            std::mem::swap(&mut self.active, &mut self.next);
            self.active.clear();
            if byte == b'*' {
                // Only stars take it, and they stay where they are.
                continue;
            }
            // Stars entered on the way take part from the next byte on.
            let (reached, stars) = (self.next.len(), self.stars.len());
            for index in 0..reached + stars {
                let node = match index.checked_sub(reached) {
                    None => self.next[index],
                    Some(star) => self.stars[star],
                };
                if let Some(child) = self.child(node, byte)
                    && self.enter(child, is_end, length)
                {
                    return Some(true);
                }
            }
            if self.active.is_empty() && self.stars.is_empty() {
                break;
            }
        }
        Some(false)
    }

    /// Reaches `node`, with its star if one follows. True if a pattern that ends here matches.
    fn enter(&mut self, mut node: Node, is_end: bool, length: usize) -> bool {
        // Sorted, so those that end here come first: at most two.
        while node.low < node.high {
            let entry = &self.entries[node.low];
            if entry.end - entry.start > node.depth {
                break;
            }
            if entry.length >= length && (is_end || !entry.is_anchored) {
                return true;
            }
            node.low += 1;
        }
        if node.low == node.high {
            return false;
        }
        if let Some(star) = self.child(node, b'*') {
            // The node is marked at one byte of the first entry in its range.
            let mark = self.entries[star.low].start + node.depth;
            if self.reached_in[mark] != self.walk {
                self.reached_in[mark] = self.walk;
                self.stars.push(star);
            }
            if star.low == node.low && star.high == node.high {
                return false;
            }
        }
        self.active.push(node);
        false
    }

    /// The entries of `node` whose next byte is `byte`.
    fn child(&self, node: Node, byte: u8) -> Option<Node> {
        let range = &self.entries[node.low..node.high];
        let at = |entry: &Entry| entry.bytes(&self.bytes).get(node.depth).copied();
        // Most nodes deep in the trie are one entry, or all go the same way.
        let (first, last) = (range.first()?, range.last()?);
        if at(last) < Some(byte) || at(first) > Some(byte) {
            return None;
        }
        let low = node.low + range.partition_point(|entry| at(entry) < Some(byte));
        let high = node.low + range.partition_point(|entry| at(entry) <= Some(byte));
        (low < high).then_some(Node {
            low,
            high,
            depth: node.depth + 1,
        })
    }
}
