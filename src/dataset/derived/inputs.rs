//! The inputs of a dataset by number, in the order of their names.

use std::collections::HashMap;

use crate::dataset::input::CommittedInput;

/// Inputs, numbered so that numbers sort as names do, then as ids do.
pub(in crate::dataset) struct Inputs {
    /// Id and name, by number.
    named: Vec<(i64, String)>,
    numbers: HashMap<i64, u32>,
}

impl Inputs {
    /// Numbers inputs. An input that comes twice was read again, and has its last name.
    pub(in crate::dataset) fn new<'i>(inputs: impl Iterator<Item = &'i CommittedInput>) -> Self {
        let by_id: HashMap<i64, &String> = inputs
            .map(|input| (input.fingerprint.input_id(), &input.name))
            .collect();
        let mut named: Vec<(i64, String)> = by_id
            .into_iter()
            .map(|(id, name)| (id, name.clone()))
            .collect();
        named.sort_unstable_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
        let ids = named.iter().map(|(id, _)| *id);
        let numbers = ids.zip(0..).collect();
        Self { named, numbers }
    }

    /// The number of the input with an id.
    pub(super) fn number(&self, id: i64) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// The id and name of the input with a number.
    pub(super) fn of(&self, number: u32) -> (i64, &str) {
        let (id, name) = &self.named[number as usize];
        (*id, name)
    }
}
