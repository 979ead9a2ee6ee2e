//! The sites that a dataset was made for, and how they were chosen.
//!
//! `robostat panel choose` writes this next to its list, and every commit of `robostat panel fetch`
//! has it, so that cards and reports can name the sites that their numbers describe.

use std::path::Path;

use indicatif::HumanCount;
use serde::{Deserialize, Serialize};

use super::checksum;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panel {
    pub sites: u64,
    pub sha256: String,
    /// How the sites were drawn; `None` for a list that robostat did not write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<SiteDraw>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteDraw {
    pub ranks: String,
    pub ranks_sha256: String,
    pub seed: u64,
    /// Maximum per stratum.
    pub per_stratum: u64,
    /// The strata that have sites, in order.
    pub strata: Vec<Stratum>,
    pub robostat: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_field_names,
    reason = "as the column of the list is called"
)]
pub struct Stratum {
    /// Its first and last rank, as `1001-10000`.
    pub stratum: String,
    pub sites: u64,
    pub listed: u64,
}

impl Panel {
    pub fn sha256(path: &Path) -> Result<String, Error> {
        let (sha256, _) = checksum::digests(path)?;
        Ok(sha256)
    }

    #[must_use]
    pub fn description(&self) -> String {
        let (sites, sha256) = (HumanCount(self.sites), &self.sha256);
        let Some(draw) = &self.draw else {
            return format!("a panel of {sites} chosen sites (SHA-256 of their list: {sha256})");
        };
        let strata = draw.strata.iter().map(|it| {
            let (drawn, listed) = (HumanCount(it.sites), HumanCount(it.listed));
            format!("{drawn} of the {listed} with rank {}", it.stratum)
        });
        let strata: Vec<String> = strata.collect();
        format!(
            "a panel of {sites} sites (SHA-256 of their list: {sha256}), drawn by robostat {} with \
             seed {} from {} (SHA-256 {}): {}",
            draw.robostat,
            draw.seed,
            draw.ranks,
            draw.ranks_sha256,
            strata.join(", ")
        )
    }
}
