//! What hosts say about AI beside their rules: signals, licences, reservations.

use super::{level_with, measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::format::{agree, count, counted};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::table::{Col, ReportTable};

/// References to licences below which there is nothing to say of them.
const FEWEST_REFERENCES: f64 = 3.0;

/// Preferences that hosts state.
pub(super) fn signals(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer
        .rows()
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    let mut claims = Vec::new();
    let stated = measure(context.by_host, context.last(), "signals");
    if let Some(row) = stated.filter(|row| row.count("hosts") > 0.0) {
        claims.push(Claim::main(
            format!(
                "{} state a preference about the use of their content in addition to the rules.",
                of_measure(row)?
            ),
            2.4,
        ));
    }
    let statement = |row: &Row<'_>| format!("{}: {}", row.text("preference"), row.text("answer"));
    claims.push(Claim::aside(format!(
        "The statement made most often is {}, by {}.{}",
        statement(&most),
        counted(most.count("hosts"), "host"),
        level_with(most, answer.rows(), "hosts", statement)
    )));
    Some(Told {
        claims,
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("vocabulary", "Vocabulary"),
                Col::text("preference", "Preference"),
                Col::text("answer", "Answer"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("hosts_by_template", "In a platform's block"),
                Col::count("policies", "Rule sets"),
            ],
            20,
        ),
        ..Told::default()
    })
}

/// Preferences that the rules contradict.
pub(super) fn signal_conflicts(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("denied_but_allowed")
            .total_cmp(&other.count("denied_but_allowed"))
    })?;
    if most.count("n") == 0.0 {
        return None;
    }
    let claim = format!(
        "Of the {} that state a preference about what {} does, {} {} it and {} the crawler every \
         path all the same.",
        counted(most.count("n"), "host"),
        context.agent(&most.text("product_token")),
        count(most.count("denied_but_allowed")),
        agree(most.count("denied_but_allowed"), "denies", "deny"),
        agree(most.count("denied_but_allowed"), "allows", "allow"),
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts stating a preference"),
                Col::count("denied_but_allowed", "Denied, but allowed"),
                Col::count("denied_but_partly_allowed", "Denied, but partly allowed"),
                Col::count("denied_and_blocked", "Denied and blocked"),
                Col::count("allowed_but_blocked", "Allowed, but blocked"),
                Col::share("pct_in_conflict", "In conflict"),
            ],
            20,
            |row| row.count("n") > 0.0,
        ),
        ..Told::default()
    })
}

/// What files and headers refer to.
pub(super) fn licences(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let hosts: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    // One or two hosts are not a finding.
    if hosts < FEWEST_REFERENCES {
        return None;
    }
    let most = answer
        .rows()
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} refer to a licence or policy, a host once for each place: most often by {} ({}).{}",
            counted(hosts, "host"),
            most.text("preference"),
            counted(most.count("hosts"), "host"),
            level_with(most, answer.rows(), "hosts", |row| row
                .text("preference")
                .into_owned())
        ))],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("preference", "Document referred to"),
                Col::text("terms_host", "Its host"),
                Col::count("hosts", "Hosts"),
                Col::count("hosts_of_their_own", "Of these, to themselves"),
                Col::count("documents", "Documents"),
                Col::count("hosts_in_headers", "In an HTTP header"),
            ],
            15,
        ),
        ..Told::default()
    })
}

/// Reservations of rights.
pub(super) fn tdm(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    const ANY: &str = "any of these";
    let most = answer
        .rows()
        .filter(|row| row.text("means") != ANY)
        .max_by(|one, other| {
            one.count("hosts_using")
                .total_cmp(&other.count("hosts_using"))
        })?;
    let any = answer.rows().find(|row| row.text("means") == ANY)?;
    if most.count("hosts_using") == 0.0 {
        return None;
    }
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} of hosts that answered conclusively ({} of {}) reserve rights by at least one of \
             these means, most often by this one: {} ({}).{}",
            any.pct("pct_of_hosts").with_interval(),
            count(any.count("hosts_using")),
            count(any.count("n")),
            most.text("means"),
            counted(most.count("hosts_using"), "host"),
            level_with(
                most,
                answer.rows().filter(|row| row.text("means") != ANY),
                "hosts_using",
                |row| row.text("means").into_owned()
            )
        ))],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("means", "Means"),
                Col::count("hosts_using", "Hosts"),
                Col::share("pct_of_hosts", "Of hosts that answered conclusively"),
            ],
            12,
        ),
        ..Told::default()
    })
}

/// Citations of the directive.
pub(super) fn eu(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let all = answer.rows().find(|row| row.text("tld") == "all")?;
    if all.count("hosts_citing") == 0.0 {
        return None;
    }
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} of hosts with a robots.txt ({} of {}) cite the directive; in {} of these files it \
             stands in a platform's block.",
            all.pct("pct_of_hosts_with_file").with_interval(),
            count(all.count("hosts_citing")),
            count(all.count("n")),
            count(all.count("by_template"))
        ))],
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::text("tld", "Top-level domain"),
                Col::count("n", "Hosts with a robots.txt"),
                Col::count("hosts_citing", "Citing"),
                Col::share("pct_of_hosts_with_file", "Share"),
                Col::count("by_template", "In a platform's block"),
            ],
            10,
            |row| row.count("hosts_citing") > 0.0,
        ),
        ..Told::default()
    })
}
