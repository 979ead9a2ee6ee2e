//! The sites of a panel, drawn at random from each stratum of a list of ranks.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128;

use super::{sites, text};
use crate::analysis::duckdb::Session;
use crate::analysis::query::parsed;
use crate::dataset::{LISTED, Panel, SiteDraw, Stratum};
use crate::error::Error;

const CHOOSE: &str = include_str!("choose.sql");

/// How the sites of a panel are chosen: arguments of `robostat panel choose`.
#[derive(Debug, Args)]
pub struct Choice {
    /// Ranks of domains: a CSV or Parquet file as Tranco, Umbrella, Majestic and CrUX publish them.
    #[arg(long, value_name = "FILE")]
    pub ranks: PathBuf,
    /// Sites to draw from each stratum; a stratum with fewer is taken whole.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    per_stratum: u64,
    /// The last rank of each stratum, in order, separated by commas. Ranks after the last one are a
    /// stratum too.
    #[arg(long, value_name = "RANKS", default_value = "1000,10000,100000,1000000", allow_negative_numbers = true, value_parser = borders)]
    strata: Borders,
    /// Seed of the random numbers that choose the sites.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_negative_numbers = true, value_parser = seed)]
    seed: u64,
}

#[derive(Debug, Clone)]
struct Borders(Vec<u64>);

fn borders(typed: &str) -> Result<Borders, String> {
    let ranks = typed.split(',').map(positive);
    let ranks: Vec<u64> = ranks.collect::<Result<_, _>>()?;
    if ranks.is_sorted_by(|one, next| one < next) {
        Ok(Borders(ranks))
    } else {
        Err("each rank must be larger than the rank before it, as in 1000,10000,100000".to_owned())
    }
}

fn positive(typed: &str) -> Result<u64, String> {
    let number = seed(typed).ok().filter(|it| *it > 0);
    number.ok_or_else(|| "a whole number of 1 or more is needed".to_owned())
}

fn seed(typed: &str) -> Result<u64, String> {
    // SQL reads the number as signed.
    let number = typed.trim().parse::<i64>().ok();
    let number = number.and_then(|it| it.try_into().ok());
    number.ok_or_else(|| "a whole number of 0 or more is needed".to_owned())
}

#[derive(Debug)]
pub struct Selection {
    /// CSV with domain, rank, stratum and weight. The weight is the number of sites in the stratum
    /// divided by the number drawn.
    pub list: String,
    pub draw: SiteDraw,
    pub refused: u64,
    pub first_refused: Option<(u64, String)>,
}

#[derive(Deserialize)]
struct ListedSite {
    line: u64,
    name: String,
    rank: i64,
    draw: Option<String>,
}

#[derive(Default)]
struct StratumDraw {
    listed: u64,
    /// The ranks of the drawn sites, by random key and name.
    sites: BTreeMap<(String, String), i64>,
}

pub fn choose(choice: &Choice) -> Result<Selection, Error> {
    let (ranks, Borders(borders)) = (&choice.ranks, &choice.strata);
    let script = format!(
        "{LISTED}SET VARIABLE ranks = {};\nSET VARIABLE seed = {};\n{CHOOSE}",
        text(ranks),
        choice.seed
    );
    let (mut seen, mut strata) = (HashSet::new(), BTreeMap::<usize, StratumDraw>::new());
    let (mut refused, mut first_refused) = (0, None::<(u64, String)>);
    Session::run_through(&script, |line| {
        let listed: ListedSite = parsed(line)?;
        let Some(site) = sites::site(&listed.name) else {
            refused += 1;
            if first_refused.as_ref().is_none_or(|it| listed.line < it.0) {
                first_refused = Some((listed.line, listed.name));
            }
            return Ok(());
        };
        if seen.insert(xxh3_128(site.as_bytes())) {
            let is_before = |border: &u64| i64::try_from(*border).is_ok_and(|it| it < listed.rank);
            let place = borders.partition_point(is_before);
            let stratum = strata.entry(place).or_default();
            stratum.listed += 1;
            let drawn_by = (listed.draw.unwrap_or_default(), site);
            stratum.sites.insert(drawn_by, listed.rank);
            if stratum.sites.len() as u64 > choice.per_stratum {
                stratum.sites.pop_last();
            }
        }
        Ok(())
    })?;
    if strata.is_empty() {
        let empty = io::Error::other("there are no sites in the list");
        return Err(Error::io(ranks)(empty));
    }
    let mut list = "domain,rank,stratum,weight\n".to_owned();
    let strata = strata.into_iter().map(|(place, of_stratum)| {
        let first = place.checked_sub(1).map_or(0, |it| borders[it]) + 1;
        let stratum = match borders.get(place) {
            Some(end) => format!("{first}-{end}"),
            None => format!("{first}+"),
        };
        let (listed, sites) = (of_stratum.listed, of_stratum.sites.len() as u64);
        #[expect(clippy::cast_precision_loss, reason = "numbers of sites")]
        let weight = (listed as f64 / sites as f64 * 1e6).round() / 1e6;
        let drawn = of_stratum.sites.into_iter();
        let mut drawn: Vec<_> = drawn.map(|((_, site), rank)| (rank, site)).collect();
        drawn.sort_unstable();
        let line = |(rank, site)| format!("{site},{rank},{stratum},{weight:?}\n");
        list.extend(drawn.into_iter().map(line));
        Stratum {
            stratum,
            sites,
            listed,
        }
    });
    let strata = strata.collect();
    let name = ranks.file_name().unwrap_or_default();
    let draw = SiteDraw {
        ranks: name.to_string_lossy().into_owned(),
        ranks_sha256: Panel::sha256(ranks)?,
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
