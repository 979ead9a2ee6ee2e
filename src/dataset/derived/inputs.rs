//! The inputs of a dataset by number, in the order of their names.

use std::collections::HashMap;

use crate::dataset::input::CommittedInput;

/// The number and the name of every input, by id. Numbers sort as names do, then as ids do.
pub(super) struct Inputs(HashMap<i64, (u32, String)>);

impl Inputs {
    /// Numbers inputs. An input that comes twice was read again, and has its last name.
    pub(super) fn new<'i>(inputs: impl Iterator<Item = &'i CommittedInput>) -> Self {
        let names: HashMap<i64, &String> = inputs
            .map(|input| (input.fingerprint.input_id(), &input.name))
            .collect();
        let mut names: Vec<(&String, i64)> = names.into_iter().map(|(id, it)| (it, id)).collect();
        names.sort_unstable();
        let numbered = names.into_iter().zip(0..);
        Self(
            numbered
                .map(|((name, id), number)| (id, (number, name.clone())))
                .collect(),
        )
    }

    /// The number and the name of the input with an id.
    pub(super) fn get(&self, id: i64) -> Option<(u32, &str)> {
        self.0
            .get(&id)
            .map(|(number, name)| (*number, name.as_str()))
    }
}
