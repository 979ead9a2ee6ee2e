//! The plan of a step, which is printed before it starts.

use std::fmt::Write as _;

use indicatif::{HumanBytes, HumanCount};

use crate::cli::outcome::{self, Result, tell};
use crate::cli::progress::shown_seconds;
use crate::cli::remote::NetworkArguments;
use crate::remote::{RATE, STORE_RATE};

/// The bytes per second that a plan assumes; more for object stores, in proportion to their rate of
/// requests.
const BYTES_PER_SECOND: f64 = 5e6;
/// Seconds from which a plan suggests quicker ways.
const LONG: f64 = 3600.0;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    /// Files of an index, or records.
    pub(super) items: u64,
    pub(super) requests: u64,
    pub(super) bytes: u64,
    /// In whole seconds or minutes, so that the times that are shown add up.
    pub(super) seconds: f64,
    pub(super) is_unknown: bool,
}

impl Cost {
    /// The cost of a crawl. Its time is the longer of the times for the requests and for the bytes.
    #[expect(clippy::cast_precision_loss, reason = "a duration for people")]
    pub(super) fn new(items: u64, requests: u64, bytes: u64, network: &NetworkArguments) -> Self {
        let usual = if network.is_store() { STORE_RATE } else { RATE };
        let speed = BYTES_PER_SECOND * usual / RATE;
        let seconds = requests as f64 / network.options.max_rate.unwrap_or(usual);
        let seconds = seconds.max(bytes as f64 / speed);
        let step = if seconds > 120.0 { 60.0 } else { 1.0 };
        Self {
            items,
            requests,
            bytes,
            seconds: (seconds / step).ceil() * step,
            is_unknown: false,
        }
    }
}

/// Prints what is left of each crawl and in total, and quicker ways if that takes long. The first
/// column counts `items`; `fewer` suggests how to need fewer requests.
pub(super) fn print<'c>(
    items: &str,
    fewer: &str,
    costs: impl IntoIterator<Item = (&'c str, &'c NetworkArguments, Cost)>,
) -> Result<()> {
    let (mut rows, mut all, mut is_store) = (Vec::new(), Cost::default(), true);
    for (crawl, network, cost) in costs {
        rows.push((crawl, cost));
        all.items += cost.items;
        all.requests += cost.requests;
        all.bytes += cost.bytes;
        all.seconds += cost.seconds;
        all.is_unknown |= cost.is_unknown;
        is_store &= network.is_store();
    }
    rows.push(("all", all));
    let width = rows.iter().map(|it| it.0.len()).max();
    let width = width.unwrap_or(0).max(5);
    let mut table = String::new();
    let mut row = |name: &str, [items, requests, bytes, time]: [&str; 4]| {
        let figures = format!("{items:>10} {requests:>10} {bytes:>12} {time:>11}");
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{name:<width$} {figures}");
    };
    row("left", [items, "requests", "bytes", "time"]);
    for (name, cost) in rows {
        let items = HumanCount(cost.items).to_string();
        if cost.is_unknown {
            row(name, [&items, "?", "?", "?"]);
            continue;
        }
        let (requests, bytes) = (HumanCount(cost.requests), HumanBytes(cost.bytes));
        let (requests, bytes) = (requests.to_string(), bytes.to_string());
        row(
            name,
            [&items, &requests, &bytes, &shown_seconds(cost.seconds)],
        );
    }
    outcome::print(&table)?;
    if all.seconds >= LONG {
        tell!("Fewer requests: {fewer}.");
        if !is_store {
            tell!(
                "Faster: --base s3://commoncrawl/, on a machine in the bucket's region, \
                 us-east-1."
            );
        }
    }
    Ok(())
}
