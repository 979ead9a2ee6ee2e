//! What owners block, and what platforms block for them.

use super::{BY_HOST, in_both_units};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{count, counted};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

/// Hosts below which a sentence about platforms does not open a report.
const FEWEST: f64 = 10.0;

/// Crawlers in the order of their shares among `all`, in an answer with made_by.
fn by_share(answer: &Answer) -> Vec<String> {
    let all = answer.rows().filter(|row| row.text("made_by") == "all");
    let mut all: Vec<Row<'_>> = all.collect();
    all.sort_by(|one, other| {
        let share = |row: &Row<'_>| row.count("pct_full_by_name");
        share(other).total_cmp(&share(one))
    });
    let tokens = all.iter().map(|row| row.text("product_token").into_owned());
    tokens.collect()
}

/// The row of a crawler and of a part of files.
fn part<'a>(answer: &'a Answer, token: &str, made_by: &str) -> Option<Row<'a>> {
    let mut rows = answer.rows();
    rows.find(|row| row.text("product_token") == token && row.text("made_by") == made_by)
}

/// What is blocked in whole files, and without what platforms wrote in them.
pub(super) fn owner_choices(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let tokens = by_share(answer);
    let first = tokens.first()?;
    let (all, own) = (part(answer, first, "all")?, part(answer, first, "own")?);
    if all.count("hosts_full_by_name") == 0.0 {
        return None;
    }
    let domains = context.domains;
    let by_domain = |token: &str, made_by: &str| part(domains?, token, made_by)?.share(BY_HOST);
    let claim = format!(
        "{} is blocked by name by {}; by what owners wrote themselves, it is {}.",
        context.agent(first),
        in_both_units(
            by_domain(first, "all"),
            all.share(BY_HOST)?,
            all.count("hosts_full_by_name"),
            all.count("n"),
            words::population("with_rules")
        ),
        match by_domain(first, "own") {
            Some(share) => format!(
                "{} and {}",
                share.of_what("domains", ""),
                own.share(BY_HOST)?.of_what("hosts", "")
            ),
            None => own.share(BY_HOST)?.of_what("hosts", ""),
        }
    );
    let default = by_platforms(context, answer, &tokens)?;
    let drawn = tokens.iter().map(|token| {
        let share = |made_by: &str| match domains {
            Some(_) => by_domain(token, made_by),
            None => part(answer, token, made_by)?.share(BY_HOST),
        };
        (context.agent(token), vec![share("all"), share("own")])
    });
    let unit = if domains.is_some() {
        "registrable domains"
    } else {
        "hosts"
    };
    let figure = Figure {
        measure: "AI crawlers blocked by name, with and without platforms' lines".to_owned(),
        plot: Plot::Dots {
            axis: format!("% of {unit} with rules"),
            series: vec![
                "the whole file".to_owned(),
                "without platforms' lines".to_owned(),
            ],
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim), default],
        figure: Some(figure),
        note: format!(
            "Of the {unit} of {} hosts with rules, crawl {}. Bars: 95% intervals.",
            count(all.count("n")),
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::words("made_by", "Blocked by", |name| {
                    match name {
                        "all" => "the whole file",
                        "own" => "the owner's lines",
                        _ => "the platform's lines alone",
                    }
                    .to_owned()
                }),
                Col::count("hosts_full_by_name", "Hosts"),
                Col::count("n", "Of hosts with rules"),
                Col::interval(BY_HOST, "Share (95% interval)"),
            ],
            60,
        ),
    })
}

/// The crawler that platforms block for most hosts.
fn by_platforms(context: &Context<'_>, answer: &Answer, tokens: &[String]) -> Option<Claim> {
    let of_platforms = tokens
        .iter()
        .filter_map(|token| {
            let default = part(answer, token, "default")?;
            let all = part(answer, token, "all")?;
            Some((token, default.count("hosts_full_by_name"), all))
        })
        .filter(|(_, hosts, _)| *hosts > 0.0)
        .max_by(|one, other| one.1.total_cmp(&other.1));
    Some(match of_platforms {
        Some((token, hosts, all)) => {
            let text = format!(
                "Platforms block {} for {} of the {} that block it by name; these make up {}. \
                 Without the platform's lines, {} would not.",
                context.agent(token),
                count(hosts),
                counted(all.count("hosts_full_by_name"), "host"),
                all.share(BY_HOST)?
                    .of_what("hosts with rules", "95% interval "),
                count(hosts),
            );
            if hosts < FEWEST {
                Claim::aside(text)
            } else {
                Claim::main(text, 4.0)
            }
        }
        None => Claim::aside(
            "No host blocks one of these crawlers by a platform's lines alone: as far as platforms \
             leave a mark, these blocks are the owners' choices.",
        ),
    })
}
