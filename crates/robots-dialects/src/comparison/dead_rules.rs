//! Rules that decide no path.

use super::decision_list::DecisionList;
use super::merge::covers;
use super::step_budget::{Exhausted, StepBudget};
use super::symbol::{Symbol, beginning, is_starred, prefix};

impl DecisionList<'_> {
    /// The positions among the lines of rules that decide nothing, by whether each entry does.
    pub(super) fn dead_of(&self, decides: &[bool]) -> impl Iterator<Item = usize> {
        let mut is_dead = vec![true; self.lines.len()];
        for rule in (0..self.len()).filter_map(|index| self.rule(index).filter(|_| decides[index]))
        {
            if let Ok(position) = self.lines.binary_search(&rule.line) {
                is_dead[position] = false;
            }
        }
        (0..is_dead.len()).filter(move |position| is_dead[*position])
    }

    /// Whether each entry decides a path: no earlier one matches all that it matches. The list has
    /// no sets.
    pub(super) fn deciding(&self, work: &mut StepBudget) -> Result<Vec<bool>, Exhausted> {
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
            work.spend(1)?;
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
            if prefix(pattern).is_some() {
                beginnings.push((literals, first.min(index)));
            }
        }
        Ok(decides)
    }
}
