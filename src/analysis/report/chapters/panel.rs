//! The same hosts at two times: is a crawler blocked more than before?

use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted, fixed};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::summary::beyond;
use crate::analysis::report::table::{Col, ReportTable};

/// Columns of a change of `agent-panel`.
const CHANGE: [&str; 3] = ["change", "change_low", "change_high"];

/// Panel results for the most blocked crawler, for the crawler with the largest change, and for the
/// others.
pub(in crate::analysis::report) fn panel(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut rows: Vec<Row<'_>> = answer.rows().collect();
    rows.retain(|row| row.count("hosts_full_before") + row.count("hosts_full") > 0.0);
    rows.sort_by(|one, other| other.count("pct_full").total_cmp(&one.count("pct_full")));
    let first = *rows.first()?;
    let (before, now) = (first.text("crawl_before"), first.text("crawl"));
    let n = first.count("n");
    let change = |row: &Row<'_>| row.share(CHANGE);
    // By registrable domain if known, so that one large domain does not decide the interval.
    let by_domain = |row: &Row<'_>| context.domain_row(*row, &["product_token"]);
    let is_change =
        |row: &Row<'_>| change(&judged(context, *row)).is_some_and(Share::is_apart_from_zero);
    let mut claims = vec![headline(context, first, by_domain(&first))?];
    let size = |row: &Row<'_>| judged(context, *row).count("change").abs();
    let others: Vec<&Row<'_>> = rows[1..].iter().collect();
    let most = others
        .iter()
        .filter(|row| is_change(row))
        .max_by(|one, other| size(one).total_cmp(&size(other)));
    if let Some(row) = most {
        let claim = headline(context, **row, by_domain(row))?;
        // The summary names the most blocked crawler, and a crawler with a larger change.
        let interest = if size(row) > size(&first) {
            claim.interest
        } else {
            Some(2.5)
        };
        claims.push(Claim { interest, ..claim });
    }
    if !others.is_empty() {
        let changed = others.iter().filter(|row| is_change(row)).count();
        claims.push(Claim::aside(format!(
            "Of the other {} here, {changed} changed beyond the interval{} and {} did not.",
            counted(
                f64::from(u32::try_from(others.len()).unwrap_or(0)),
                "crawler"
            ),
            if context.domains.is_some() {
                " by registrable domain"
            } else {
                ""
            },
            others.len() - changed
        )));
    }
    let lines = rows.iter().map(|row| {
        let name = context.agent(&row.text("product_token"));
        let is_change = is_change(row);
        let row = judged(context, *row);
        (
            name,
            row.count("pct_full_before"),
            row.count("pct_full"),
            is_change,
        )
    });
    let unit = if context.domains.is_some() {
        "registrable domains"
    } else {
        "hosts"
    };
    let figure = Figure {
        measure: format!("Share of {unit} that block a crawler, {before} and {now}"),
        plot: Plot::Slope {
            axis: format!("% of the panel's {unit}"),
            ends: (before.clone().into_owned(), now.clone().into_owned()),
            lines: lines.collect(),
        },
    };
    let mut columns = vec![
        Col::agent("product_token", "Crawler"),
        Col::count("hosts_full_before", "Hosts blocking before"),
        Col::count("hosts_full", "Now"),
        Col::share("pct_full_before", "Before"),
        Col::share("pct_full", "Now"),
        Col::difference(CHANGE, "Change in points (95% interval)"),
        Col::count("hosts_added", "Began"),
        Col::count("hosts_rule_gone", "Stopped"),
        Col::count("hosts_file_gone", "File gone"),
    ];
    // By domain, counts are of hosts all the same: the shares have a table of their own columns.
    let table = match context.domains {
        Some(domains) => {
            columns[3] = Col::share("pct_full_before", "Before, of domains");
            columns[4] = Col::share("pct_full", "Now");
            ReportTable::of(context, domains, &columns, 40)
        }
        None => ReportTable::of(context, answer, &columns, 40),
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} that answered conclusively in both{}. Orange: blocked more; blue: blocked less; \
             grey: no change beyond the 95% interval.",
            counted(n, "host"),
            if context.domains.is_some() {
                ", by their registrable domains"
            } else {
                ""
            }
        ),
        table,
    })
}

/// The row by registrable domain where that is known, else the row itself.
fn judged<'r>(context: &Context<'r>, row: Row<'r>) -> Row<'r> {
    let domains = context.domain_row(row, &["product_token"]);
    domains.unwrap_or(row)
}

/// Whether a crawler is blocked more than before: of hosts, and of registrable domains where that
/// is known.
fn headline(context: &Context<'_>, row: Row<'_>, domains: Option<Row<'_>>) -> Option<Claim> {
    let change = row.share(CHANGE)?;
    let of_domains = domains.and_then(|row| row.share(CHANGE));
    let judged = of_domains.unwrap_or(change);
    let verdict = match judged {
        share if !share.is_apart_from_zero() => "not clearly blocked more or less",
        share if share.value > 0.0 => "blocked more",
        _ => "blocked less",
    };
    let from_to = |row: Row<'_>, change: Share, words: &str| {
        format!(
            "from {}% to {}% ({})",
            fixed(row.count("pct_full_before"), 1),
            fixed(row.count("pct_full"), 1),
            change.as_change(words)
        )
    };
    let hosts = format!("{} hosts in both", count(row.count("n")));
    let told = match domains.zip(of_domains) {
        Some((domain_row, of_domains)) => {
            let beyond = match change.interval {
                Some(_) if !change.is_apart_from_zero() => ", an interval that holds 0",
                _ => "",
            };
            format!(
                "of the {} registrable domains of {hosts}, the share that block it by any rule \
                 went {}; of the hosts themselves, {}{beyond}",
                count(domain_row.count("n_domains")),
                from_to(domain_row, of_domains, " percentage points"),
                from_to(row, change, "")
            )
        }
        None => format!(
            "of {hosts}, the share that block it by any rule went {}",
            from_to(row, change, " percentage points")
        ),
    };
    let text = format!(
        "{} is {verdict} in {} than in {}: {told}.{}",
        context.agent(&row.text("product_token")),
        row.text("crawl"),
        row.text("crawl_before"),
        context.order
    );
    let interest = judged
        .interval
        .and_then(|ends| beyond(8.0, judged.value, ends));
    Some(Claim::main(text, interest.unwrap_or(6.0)))
}
