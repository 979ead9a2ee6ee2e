//! What the dataset already has, so that a body seen before is not parsed again.
//!
//! The workers of an ingest read; only its consumer writes, in input order. Two workers may parse
//! the same new body at the same time; the consumer drops the copy, so the rows written do not
//! depend on timing.

use std::sync::{PoisonError, RwLock};

use std::collections::HashMap;

use robots_dialects::identity::Id;

/// A file's identity and the policy it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    /// High half of the file's identity.
    pub high: i64,
    /// `policies.policy_id`.
    pub policy_id: i64,
}

/// Files and policies that have rows already: some 30 bytes of memory per file, 20 per policy.
#[derive(Default)]
pub struct Known {
    files: RwLock<HashMap<i64, KnownFile>>,
    policies: KnownIds,
    page_policies: KnownIds,
}

/// Ids that have rows already, with their high halves.
#[derive(Default)]
struct KnownIds(RwLock<HashMap<i64, i64>>);

impl KnownIds {
    fn has(&self, id: Id) -> Result<bool, Collision> {
        let ids = self.0.read().unwrap_or_else(PoisonError::into_inner);
        match ids.get(&id.low) {
            Some(high) if *high == id.high => Ok(true),
            Some(_) => Err(Collision(id.low)),
            None => Ok(false),
        }
    }

    fn has_low(&self, low: i64) -> bool {
        let ids = self.0.read().unwrap_or_else(PoisonError::into_inner);
        ids.contains_key(&low)
    }

    fn add(&self, id: Id) -> Result<bool, Collision> {
        let mut ids = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match ids.get(&id.low) {
            Some(high) if *high == id.high => Ok(false),
            Some(_) => Err(Collision(id.low)),
            None => {
                ids.insert(id.low, id.high);
                Ok(true)
            }
        }
    }

    fn count(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Two different contents with one 64-bit id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collision(pub i64);

impl Known {
    /// The policy of the file with identity `id`, if the file is known.
    ///
    /// Fails if another file with the same low 64 bits is known.
    pub fn file(&self, id: Id) -> Result<Option<i64>, Collision> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        match files.get(&id.low) {
            Some(file) if file.high == id.high => Ok(Some(file.policy_id)),
            Some(_) => Err(Collision(id.low)),
            None => Ok(None),
        }
    }

    /// The policy of the file `file_id`.
    pub fn policy_of(&self, file_id: i64) -> Option<i64> {
        self.files
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&file_id)
            .map(|file| file.policy_id)
    }

    /// Whether the policy with identity `id` is known.
    ///
    /// Fails if another policy with the same low 64 bits is known.
    pub fn has_policy(&self, id: Id) -> Result<bool, Collision> {
        self.policies.has(id)
    }

    /// The same of a policy of pages.
    ///
    /// Fails if another policy of pages with the same low 64 bits is known.
    pub fn has_page_policy(&self, id: Id) -> Result<bool, Collision> {
        self.page_policies.has(id)
    }

    /// Whether the policy `policy_id` is known.
    pub fn has_policy_id(&self, policy_id: i64) -> bool {
        self.policies.has_low(policy_id)
    }

    /// The same of a policy of pages.
    pub fn has_page_policy_id(&self, policy_id: i64) -> bool {
        self.page_policies.has_low(policy_id)
    }

    /// Adds a file; false where it is known already.
    ///
    /// Fails if another file with the same low 64 bits is known; nothing is added.
    pub fn add_file(&self, id: Id, policy_id: i64) -> Result<bool, Collision> {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        match files.get(&id.low) {
            Some(file) if file.high == id.high => Ok(false),
            Some(_) => Err(Collision(id.low)),
            None => {
                files.insert(
                    id.low,
                    KnownFile {
                        high: id.high,
                        policy_id,
                    },
                );
                Ok(true)
            }
        }
    }

    /// Adds a policy; false where it is known already.
    ///
    /// Fails if another policy with the same low 64 bits is known; nothing is added.
    pub fn add_policy(&self, id: Id) -> Result<bool, Collision> {
        self.policies.add(id)
    }

    /// The same of a policy of pages.
    ///
    /// Fails if another policy of pages with the same low 64 bits is known; nothing is added.
    pub fn add_page_policy(&self, id: Id) -> Result<bool, Collision> {
        self.page_policies.add(id)
    }

    /// Distinct files and policies.
    pub fn counts(&self) -> (usize, usize) {
        let files = self
            .files
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len();
        let policies = self.policies.count();
        (files, policies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_halves_with_different_others_are_a_collision() {
        let known = Known::default();
        assert_eq!(known.add_file(Id { low: 1, high: 2 }, 9), Ok(true));
        assert_eq!(known.add_file(Id { low: 1, high: 2 }, 9), Ok(false));
        assert_eq!(known.add_file(Id { low: 1, high: 3 }, 9), Err(Collision(1)));
        assert_eq!(known.file(Id { low: 1, high: 2 }), Ok(Some(9)));
        assert_eq!(known.file(Id { low: 1, high: 3 }), Err(Collision(1)));
    }
}
