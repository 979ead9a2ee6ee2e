//! Files and policies that the dataset already has, so that a body seen before is not parsed again.
//!
//! The workers of an ingest read; only its consumer writes, in input order. Two workers may parse
//! the same new body at the same time; the consumer drops the copy, so the rows written do not
//! depend on timing.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use robots_dialects::identity::Id;

use crate::error::Error;

/// Files and policies that have rows already: some 30 bytes of memory per file, 20 per policy.
#[derive(Default)]
pub struct KnownRows {
    /// Files, each with its `policy_id`.
    pub files: KnownIds<i64>,
    pub policies: KnownIds<()>,
    pub page_policies: KnownIds<()>,
}

/// Ids that have rows already, by their low halves, with their high halves and a value.
#[derive(Default)]
pub struct KnownIds<V>(RwLock<HashMap<i64, (i64, V)>>);

/// Two different contents with one 64-bit id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collision(pub i64);

impl Collision {
    /// The error for the input with the second content.
    pub fn of(self, input: impl AsRef<Path>) -> Error {
        let id = self.0;
        let message =
            format!("two different contents have the id {id}; the dataset cannot hold both");
        Error::unusable(input, message)
    }
}

impl<V: Copy> KnownIds<V> {
    /// The value of `id`; fails if another id with the same low half is known.
    pub fn get(&self, id: Id) -> Result<Option<V>, Collision> {
        let ids = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match ids.get(&id.low) {
            Some((high, value)) if *high == id.high => Ok(Some(*value)),
            Some(_) => Err(Collision(id.low)),
            None => Ok(None),
        }
    }

    pub fn get_low(&self, low: i64) -> Option<V> {
        let ids = self.0.read().unwrap_or_else(PoisonError::into_inner);
        ids.get(&low).map(|(_, value)| *value)
    }

    /// Adds an id; `false` if it is known. Fails if another id with the same low half is known.
    pub fn add(&self, id: Id, value: V) -> Result<bool, Collision> {
        let mut ids = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match ids.get(&id.low) {
            Some((high, _)) if *high == id.high => Ok(false),
            Some(_) => Err(Collision(id.low)),
            None => {
                ids.insert(id.low, (id.high, value));
                Ok(true)
            }
        }
    }

    /// Adds all of `new`, as [`add`](Self::add); returns the low halves of those known before.
    pub fn merge(&self, new: Self) -> Result<HashSet<i64>, Collision> {
        let new = new.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut old = HashSet::new();
        for (low, (high, value)) in new {
            if !self.add(Id { low, high }, value)? {
                old.insert(low);
            }
        }
        Ok(old)
    }

    pub fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[cfg(test)]
mod tests;
