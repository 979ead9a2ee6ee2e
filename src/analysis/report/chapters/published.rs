//! What published methods would have counted, and where dialects of the protocol disagree.

use super::appendix::{most, told};
use crate::analysis::report::answer::{Answer, Cell, Row};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Context, Told};
use crate::analysis::report::table::{Col, ReportTable};

/// A study, as `of` takes it.
fn script(name: &str) -> String {
    match name {
        "Data Provenance Initiative" | "HTTP Archive" => format!("the {name}"),
        name => name.to_owned(),
    }
}

/// Published definitions of a full block.
pub(super) fn definitions(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    const OTHERS: [(&str, &str); 3] = [
        ("pct_cc_disallow_all", "Common Crawl"),
        ("pct_dpi_all", "Data Provenance"),
        ("pct_imc_full", "Liu et al."),
    ];
    let difference =
        |row: &Row<'_>, column: &str| (row.count(column) - row.count("pct_full")).abs();
    let widest = answer
        .rows()
        .flat_map(|row| OTHERS.map(|(column, name)| (row, column, name)))
        .max_by(|one, other| difference(&one.0, one.1).total_cmp(&difference(&other.0, other.1)))?;
    let (row, column, name) = widest;
    let claim = if difference(&row, column) > 0.0 {
        format!(
            "The definitions differ most for {}: {} of hosts that answered conclusively block it, \
             but by the definition of {name} it is {}.",
            context.agent(&row.text("product_token")),
            row.pct("pct_full").with_interval(),
            row.pct(column).in_brief()
        )
    } else {
        "All four definitions give the same share for each of these crawlers.".to_owned()
    };
    told(
        claim,
        ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::share("pct_full", "Blocked, exactly"),
                Col::share("pct_cc_disallow_all", "Common Crawl"),
                Col::share("pct_dpi_all", "Data Provenance"),
                Col::share("pct_imc_full", "Liu et al."),
            ],
            15,
        ),
    )
}

/// Rules that published scripts lose.
pub(super) fn grouping(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "pct_pairs_lost").filter(|row| row.count("pairs_lost") > 0.0)?;
    let exact = answer
        .rows()
        .find(|row| row.text("grouping_of") == "RFC 9309")?;
    let text = format!(
        "There are {} pairs of a crawler and a file that has rules for it. The script of {} finds \
         no rules in {} of them ({}), the most of these scripts.",
        count(exact.count("file_agent_pairs")),
        script(&row.text("grouping_of")),
        count(row.count("pairs_lost")),
        row.pct("pct_pairs_lost").shown()
    );
    told(
        text,
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("grouping_of", "Groups formed as by"),
                Col::count("file_agent_pairs", "Pairs with rules"),
                Col::count("pairs_lost", "Pairs lost"),
                Col::share("pct_pairs_lost", "Lost, of all pairs"),
                Col::count("pairs_partly_lost", "Lost in part"),
                Col::count("pairs_of_other_class", "Judged otherwise"),
                Col::share("pct_pairs_of_other_class", "Judged otherwise, of all"),
                Col::count("files", "Files concerned"),
                Col::share("pct_host_pairs_lost", "Lost, of pairs of crawler and host"),
            ],
            6,
        ),
    )
}

/// The same by crawler.
pub(super) fn grouping_by_crawler(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let lost = |row: &Row<'_>| {
        ["pct_lost_cc", "pct_lost_ha", "pct_lost_dpi"]
            .map(|column| row.count(column))
            .into_iter()
            .fold(0.0, f64::max)
    };
    // Few hosts make large shares: twenty at least.
    let row = answer
        .rows()
        .filter(|row| row.count("hosts") >= 20.0 && lost(row) > 0.0)
        .max_by(|one, other| lost(one).total_cmp(&lost(other)))?;
    let mut by_loss = answer.clone();
    by_loss.rows.sort_by(|one, other| {
        let share = |cells: &[Cell]| {
            ["pct_lost_cc", "pct_lost_ha", "pct_lost_dpi"]
                .iter()
                .filter_map(|name| cells.get(answer.column(name)?)?.number())
                .fold(0.0, f64::max)
        };
        share(other).total_cmp(&share(one))
    });
    told(
        format!(
            "{} loses most: a published script sees no rules for it on {} of the {} that have \
             some.",
            context.agent(&row.text("product_token")),
            Share::of(lost(&row)).shown(),
            counted(row.count("hosts"), "host")
        ),
        ReportTable::of_rows(
            context,
            &by_loss,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("hosts", "Hosts with rules for it"),
                Col::share("pct_lost_cc", "Lost by Common Crawl's"),
                Col::share("pct_lost_ha", "By HTTP Archive's"),
                Col::share("pct_lost_dpi", "By Data Provenance's"),
            ],
            15,
            |row| row.count("hosts") >= 20.0,
        ),
    )
}

/// Dialects that disagree.
pub(super) fn dialects(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "files").filter(|row| row.count("files") > 0.0)?;
    told(
        format!(
            "{} and {} disagree most often: on {} of the files that name a crawler ({}).",
            row.text("dialect"),
            row.text("other"),
            row.pct("pct_of_files").shown(),
            count(row.count("files"))
        ),
        ReportTable::of_rows(
            context,
            answer,
            &[
                Col::text("dialect", "Dialect"),
                Col::text("other", "Other dialect"),
                Col::count("files", "Files"),
                Col::share("pct_of_files", "Of files"),
                Col::count("allowed_by_first_only", "Allowed by the first only"),
                Col::count("allowed_by_other_only", "Allowed by the other only"),
                Col::count("hosts", "Hosts"),
            ],
            20,
            |row| row.count("files") > 0.0,
        ),
    )
}

/// What 401 and 403 mean.
pub(super) fn forbidden(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = answer
        .rows()
        .find(|row| row.text("fetch_status") == "all")
        .filter(|row| row.count("hosts") > 0.0)?;
    // Where there is one status, it is all there is.
    let n_statuses = answer.rows().count() - 1;
    told(
        format!(
            "On {} ({} of hosts captured), RFC 9309 allows every path where the draft of 1996 \
             allowed none.",
            counted(row.count("hosts"), "host"),
            row.pct("pct_of_hosts").shown()
        ),
        ReportTable::of_rows(
            context,
            answer,
            &[
                Col::text("fetch_status", "Status"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts", "Of hosts captured"),
                Col::count("blocked_by_google_too", "Google blocks these too"),
            ],
            8,
            |row| n_statuses > 1 || row.text("fetch_status") != "all",
        ),
    )
}
