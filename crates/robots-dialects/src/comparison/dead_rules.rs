//! Rules that decide no path.

use std::collections::HashSet;

use super::decision_list::DecisionList;
use super::merge::covers;
use super::symbol::{Symbol, beginning, is_starred};
use super::{WORK, automaton, spend};

impl DecisionList<'_> {
    /// The lines of rules that decide no path, in order; none if the work limit was reached.
    ///
    /// ```
    /// use robots_dialects::comparison::DecisionList;
    /// use robots_dialects::dialect::{Crawler, Dialect};
    ///
    /// let body = b"User-agent: *\nDisallow: /a*\nDisallow: /a\nDisallow: b\nDisallow: /a/b\n";
    /// let ruleset = Dialect::Rfc9309.compile(body);
    /// let list = DecisionList::new(&ruleset, Crawler::Other);
    /// assert_eq!(list.dead_rules(), Some(vec![3, 4])); // line 5 is longer: it decides /a/b
    /// ```
    #[must_use]
    pub fn dead_rules(&self) -> Option<Vec<u32>> {
        let mut work = WORK;
        if !self.is_whole() {
            return None;
        }
        let decides = if self.has_normal_form() {
            self.deciding(&mut work)?
        } else {
            let mut decides = vec![false; self.len()];
            automaton::explore(self, self, &mut work, |index, _, _, _| {
                decides[index] = true;
                Some(())
            })?;
            decides
        };
        let live: HashSet<u32> = self.live_lines(&decides).collect();
        let lines = self.lines.iter().copied();
        Some(lines.filter(|line| !live.contains(line)).collect())
    }

    pub(super) fn live_lines(&self, decides: &[bool]) -> impl Iterator<Item = u32> {
        let deciding = (0..self.len()).filter(|index| decides[*index]);
        deciding.filter_map(|index| Some(self.entries[index].rule?.line))
    }

    /// Whether each entry decides a path: no earlier one matches all that it matches. The list has
    /// no sets.
    pub(super) fn deciding(&self, work: &mut usize) -> Option<Vec<bool>> {
        let starred = (0..self.len()).filter(|index| is_starred(self.pattern(*index)));
        let starred: Vec<usize> = starred.collect();
        let mut decides = vec![true; self.len()];
        for &index in &starred {
            decides[index] = !self.decides_before(index, self.pattern(index), work)?;
        }
        // The others from the last to the first pattern. A prefix comes before what begins with it,
        // because a star comes after every literal; so its beginnings are a stack. Each has
        // the first entry among itself and the ones below it.
        let mut beginnings: Vec<(&[Symbol], usize)> = Vec::new();
        for &index in self.by_pattern.iter().rev() {
            let pattern = self.pattern(index);
            let literals = beginning(pattern);
            if is_starred(pattern) {
                continue;
            }
            spend(work, 1)?;
            while (beginnings.last()).is_some_and(|(shorter, _)| !literals.starts_with(shorter)) {
                beginnings.pop();
            }
            let first = beginnings.last().map_or(usize::MAX, |(_, first)| *first);
            decides[index] = first > index;
            for &starred in starred.iter().take_while(|starred| **starred < index) {
                if !decides[index] {
                    break;
                }
                decides[index] = !covers(self.pattern(starred), pattern, work)?;
            }
            if literals.len() < pattern.len() {
                beginnings.push((literals, first.min(index)));
            }
        }
        Some(decides)
    }
}
