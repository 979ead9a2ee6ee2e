//! The sites of a panel, drawn at random from each stratum of a list of ranks.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128;

use super::{sites, text};
use crate::analysis::duckdb::Session;
use crate::analysis::query::parsed;
use crate::dataset::{LISTED, Panel, SiteDraw, Stratum};
use crate::error::Error;

const CHOOSE: &str = include_str!("choose.sql");

/// How the sites of a panel are chosen.
#[derive(Debug)]
pub struct Choice<'c> {
    /// A list of ranks and domains.
    pub ranks: &'c Path,
    /// The last rank of each stratum; a last stratum has the ranks after them.
    pub borders: &'c [u64],
    /// Sites of each stratum, at most.
    pub per_stratum: u64,
    /// Decides which sites are drawn.
    pub seed: u64,
}

/// Sites that were chosen.
#[derive(Debug)]
pub struct Selection {
    /// CSV: domain, rank, stratum, and weight: the sites of the stratum, divided by those that were
    /// drawn.
    pub list: String,
    /// How they were drawn.
    pub draw: SiteDraw,
    /// Names of the list that are not names of sites.
    pub refused: u64,
    /// The first of them, with its line.
    pub first_refused: Option<(u64, String)>,
}

/// A name of the list.
#[derive(Deserialize)]
struct ListedSite {
    line: u64,
    name: String,
    rank: i64,
    draw: Option<String>,
}

/// The sites of a stratum.
#[derive(Default)]
struct StratumDraw {
    /// Sites of the list.
    listed: u64,
    /// The ranks of those that are drawn, by what decides that, and their names.
    sites: BTreeMap<(String, String), i64>,
}

/// Chooses the sites of a panel.
///
/// Fails if DuckDB is missing or cannot read the list, or the list has no sites.
pub fn choose(choice: &Choice<'_>) -> Result<Selection, Error> {
    let script = format!(
        "{LISTED}SET VARIABLE ranks = {};\nSET VARIABLE seed = {};\n{CHOOSE}",
        text(choice.ranks),
        choice.seed
    );
    let (mut seen, mut strata) = (HashSet::new(), BTreeMap::<usize, StratumDraw>::new());
    let (mut refused, mut first_refused) = (0, None::<(u64, String)>);
    Session::run_through(&script, |line| {
        let ListedSite {
            line,
            name,
            rank,
            draw,
        } = parsed(line)?;
        let Some(site) = sites::site(&name) else {
            refused += 1;
            if first_refused.as_ref().is_none_or(|it| line < it.0) {
                first_refused = Some((line, name));
            }
            return Ok(());
        };
        if seen.insert(xxh3_128(site.as_bytes())) {
            let is_before = |border: &u64| i64::try_from(*border).is_ok_and(|it| it < rank);
            let place = choice.borders.partition_point(is_before);
            let stratum = strata.entry(place).or_default();
            stratum.listed += 1;
            stratum.sites.insert((draw.unwrap_or_default(), site), rank);
            if stratum.sites.len() as u64 > choice.per_stratum {
                stratum.sites.pop_last();
            }
        }
        Ok(())
    })?;
    if strata.is_empty() {
        let empty = io::Error::other("there are no sites in the list");
        return Err(Error::io(choice.ranks)(empty));
    }
    let mut list = "domain,rank,stratum,weight\n".to_owned();
    let strata = strata.into_iter().map(|(place, drawn)| {
        let first = place.checked_sub(1).map_or(0, |it| choice.borders[it]) + 1;
        let stratum = match choice.borders.get(place) {
            Some(end) => format!("{first}-{end}"),
            None => format!("{first}+"),
        };
        let (listed, sites) = (drawn.listed, drawn.sites.len() as u64);
        #[expect(clippy::cast_precision_loss, reason = "numbers of sites")]
        let weight = (listed as f64 / sites as f64 * 1e6).round() / 1e6;
        let mut drawn: Vec<(i64, String)> =
            drawn.sites.into_iter().map(|it| (it.1, it.0.1)).collect();
        drawn.sort_unstable();
        for (rank, site) in drawn {
            // Writing to a string does not fail.
            let _ = writeln!(list, "{site},{rank},{stratum},{weight:?}");
        }
        Stratum {
            stratum,
            sites,
            listed,
        }
    });
    let strata = strata.collect();
    let name = choice.ranks.file_name().unwrap_or_default();
    let draw = SiteDraw {
        ranks: name.to_string_lossy().into_owned(),
        ranks_sha256: Panel::sha256(choice.ranks)?,
        seed: choice.seed,
        per_stratum: choice.per_stratum,
        strata,
        robostat: env!("CARGO_PKG_VERSION").to_owned(),
    };
    Ok(Selection {
        list,
        draw,
        refused,
        first_refused,
    })
}
