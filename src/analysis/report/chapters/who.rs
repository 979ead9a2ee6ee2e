//! Who may crawl.

use super::front::CRAWLERS;
use super::{AGENTS, BY_HOST, GIVEN_AGENTS, level_with, of_hosts};
use super::{rank, whom};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Ink, Plot};
use crate::analysis::report::format::{Share, count};
use crate::analysis::report::section::{
    Argument, Chapter, Claim, Context, Needs, PLAIN, Section, Told,
};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "who",
    title: "Who may crawl",
    about: "Which crawlers hosts write rules for, and how much these rules block.",
    is_appendix: false,
    sections: &[
        Section {
            id: "crawlers",
            title: "The crawlers named and blocked most, AI or not",
            query: "agents-at-a-glance",
            arguments: &[GIVEN_AGENTS],
            about: "Named: the host's file has a group for the crawler, whatever it says.",
            read: crawlers,
            ..PLAIN
        },
        Section {
            id: "effective",
            title: "Blocked by name, or by the rules for every crawler",
            query: "agent-restrictions-effective",
            arguments: &[GIVEN_AGENTS],
            also_by_domain: true,
            about: "A crawler that finds no group of its own takes that of its documented \
                    fallback, else the one for every crawler (*). Partly: some paths are blocked, \
                    which most hosts do to keep crawlers out of administration and search pages.",
            read: effective,
            ..PLAIN
        },
        Section {
            id: "by-whom",
            title: "Who blocks it",
            query: "blocked-by-whom",
            arguments: &[GIVEN_AGENTS],
            about: "Blocked by whatever group applies to the crawler, its own or the one for every \
                    crawler. The crawler is GPTBot, or of those that --agents names the one that \
                    most hosts block. Groups overlap: every host is under a top-level domain and \
                    in a domain of some size. Lines are the owner's where the host blocks the \
                    crawler without the platform's lines too.",
            read: whom::by_whom,
            ..PLAIN
        },
        Section {
            id: "by-tld",
            title: "Crawlers by top-level domain",
            query: "agent-restrictions-by-tld",
            arguments: &[
                AGENTS,
                ("top", Argument::Typed("8")),
                ("min_hosts", Argument::Typed("30")),
            ],
            about: "Top-level domains with at least 30 hosts that answered conclusively, those \
                    with most hosts.",
            read: whom::by_tld,
            ..PLAIN
        },
        Section {
            id: "by-rank",
            title: "Do prominent sites block more?",
            query: "agent-restrictions-by-rank",
            arguments: &[AGENTS],
            also_by_domain: true,
            needs: Needs::Ranks,
            about: "Ranks are those of the list that was given; the ranges have no host in common. \
                    A host has the rank of its name, else that of its registrable domain.",
            read: rank::by_rank,
            ..PLAIN
        },
        Section {
            id: "kinds",
            title: "Which kinds of crawlers are blocked",
            query: "agent-categories",
            also_by_domain: true,
            about: "Kinds are those of the catalogue that comes with robostat, by what operators \
                    say that they fetch pages for. By lists: only public lists and studies, and \
                    not the operator, call the crawler one for AI. A host counts where it blocks \
                    at least one crawler of the kind by name.",
            read: kinds,
            ..PLAIN
        },
        Section {
            id: "favoured",
            title: "Allowed everything by name",
            query: "explicit-allows",
            about: "A group that allows every path is needed only where the rules for everybody \
                    would block something.",
            read: favoured,
            ..PLAIN
        },
    ],
};

fn crawlers(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let by_name = |row: &Row<'_>| row.count("pct_named");
    let most = answer
        .rows()
        .max_by(|one, other| by_name(one).total_cmp(&by_name(other)))?;
    let name = |row: &Row<'_>| context.agent(&row.text("product_token"));
    let named = most.share(["pct_named", "pct_named_low", "pct_named_high"])?;
    let named = of_hosts(
        named,
        most.count("hosts_named"),
        most.count("n"),
        words::population("answered"),
    );
    let name_of_most = name(&most);
    let level = level_with(most, answer.rows(), "hosts_named", name);
    let mut claims = vec![Claim::aside(match (context.is_chosen, answer.rows.len()) {
        (false, _) => {
            format!("{name_of_most} is the crawler that most hosts name: {named}.{level}")
        }
        (true, 1) => format!("{name_of_most} is named by {named}."),
        (true, n) => {
            format!(
                "{name_of_most} is the crawler that most hosts name, of these {n}: {named}.{level}"
            )
        }
    })];
    let mut others: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.optional_text("is_ai").as_deref() != Some("true"))
        .collect();
    others.retain(|row| row.count("hosts_full_by_name") > 0.0);
    if let Some(other) = others.first().filter(|_| !context.is_chosen) {
        claims.push(Claim::aside(format!(
            "{} ({}) is the most blocked crawler by name that is not for AI: by {} and {}.",
            name(other),
            words::category(&other.text("category")),
            other
                .share(super::BY_DOMAIN)?
                .of_what("registrable domains", "95% interval "),
            other.share(BY_HOST)?.of_what("hosts", "")
        )));
    }
    let drawn = others.iter().take(10).map(|row| {
        (
            name(row),
            vec![row.share(BY_HOST), row.share(super::BY_DOMAIN)],
        )
    });
    let figure = Figure {
        measure: "Crawlers that are not for AI, fully blocked by name".to_owned(),
        plot: Plot::Dots {
            axis: "% of hosts, % of domains".to_owned(),
            series: vec!["by host".to_owned(), "by registrable domain".to_owned()],
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts that answered conclusively and their {} registrable domains, crawl {}. \
             Bars: 95% intervals.",
            count(most.count("n")),
            count(most.count("n_domains")),
            context.last()
        ),
        table: ReportTable::of(context, answer, &CRAWLERS, 200),
    })
}

fn effective(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // The crawler that the report opens with: of those that are asked about, the AI crawler that is
    // blocked most.
    let rows = || answer.rows().filter(|row| row.count("n") > 0.0);
    let full = |row: &Row<'_>| row.count("pct_own_full") + row.count("pct_other_full");
    let is_ai = |row: &Row<'_>| row.text("category").starts_with("ai ");
    let first = rows()
        .filter(is_ai)
        .max_by(|one, other| full(one).total_cmp(&full(other)))
        .or_else(|| rows().next())?;
    let name = |row: &Row<'_>| context.agent(&row.text("product_token"));
    let claim = format!(
        "{} is fully blocked by name by {}, and by the rules for every crawler by {} more; {} \
         block it in part.",
        name(&first),
        first.pct("pct_own_full").of_what("hosts", "95% interval "),
        first.pct("pct_other_full").in_brief(),
        partly(first).shown()
    );
    let domains = context.domain_row(first, &["product_token"]).map(|row| {
        Claim::aside(format!(
            "By registrable domain: {} by name, {} more by the rules for every crawler, {} in \
             part.",
            row.pct("pct_own_full").with_interval(),
            row.pct("pct_other_full").in_brief(),
            partly(row).shown()
        ))
    });
    let drawn = rows().take(12).map(|row| {
        let parts = vec![
            Share::of(row.count("pct_own_full")),
            Share::of(row.count("pct_other_full")),
            partly(row),
        ];
        (name(&row), parts, String::new())
    });
    let figure = Figure {
        measure: "What hosts block, by name and by the rules for every crawler".to_owned(),
        plot: Plot::Stack {
            axis: "% of hosts".to_owned(),
            parts: vec![
                ("fully, by name".to_owned(), Ink::Blocked),
                ("fully, by *".to_owned(), Ink::Everybody),
                ("partly".to_owned(), Ink::Partly),
            ],
            rows: drawn.collect(),
            rest: "nothing blocked".to_owned(),
        },
    };
    Some(Told {
        claims: std::iter::once(Claim::aside(claim))
            .chain(domains)
            .collect(),
        figure: Some(figure),
        note: format!(
            "Of {} hosts that answered conclusively, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::share("pct_own_full", "Fully, by name"),
                Col::share("pct_own_partial", "Partly, by name"),
                Col::share("pct_own_none", "Nothing, by name"),
                Col::share("pct_other_full", "Fully, by *"),
                Col::share("pct_other_partial", "Partly, by *"),
                Col::share("pct_other_none", "Nothing, by *"),
                Col::share("pct_unaddressed", "No group applies"),
                Col::share("pct_no_file", "No robots.txt"),
            ],
            40,
        ),
    })
}

/// The share of hosts that block a crawler in part, by name or not.
fn partly(row: Row<'_>) -> Share {
    Share::of(row.count("pct_own_partial") + row.count("pct_other_partial"))
}

/// The kinds of crawlers of which one is blocked, the most blocked kind first.
fn kinds_blocked(answer: &Answer) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.count("hosts_full") > 0.0)
        .collect();
    rows.sort_by(|one, other| other.count("pct_full").total_cmp(&one.count("pct_full")));
    rows
}

/// `11% of hosts with rules (95% interval 0–21%) block an SEO crawler by name, 9% (0–19%) a crawler
/// for AI training, and …`.
fn kinds_in_words(rows: &[Row<'_>], unit: &str) -> Option<String> {
    let (first, others) = rows.split_first()?;
    let others: Vec<String> = others
        .iter()
        .take(2)
        .map(|row| {
            let kind = words::crawlers_of_kind(&row.text("category"));
            format!("{} {kind}", row.pct("pct_full").in_brief())
        })
        .collect();
    let then = match others.as_slice() {
        [one, other] => format!(", {one}, and {other}"),
        [one, ..] => format!(", and {one}"),
        [] => String::new(),
    };
    Some(format!(
        "{} block {} by name{then}.",
        first.pct("pct_full").of_what(unit, "95% interval "),
        words::crawlers_of_kind(&first.text("category")),
    ))
}

fn kinds(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let by_host = kinds_blocked(answer);
    let by_domain = kinds_blocked(context.domains?);
    let first = by_host.first()?;
    let claims = vec![
        Claim::aside(kinds_in_words(
            &by_domain,
            "registrable domains with rules",
        )?),
        Claim::aside(kinds_in_words(&by_host, "hosts with rules")?),
    ];
    let rows = by_domain.iter().map(|domain| {
        let host = by_host
            .iter()
            .find(|row| row.text("category") == domain.text("category"));
        let shares = vec![
            host.map(|row| row.pct("pct_full")),
            Some(domain.pct("pct_full")),
        ];
        (words::category(&domain.text("category")), shares)
    });
    let figure = Figure {
        measure: "Kinds of crawlers of which one is fully blocked by name".to_owned(),
        plot: Plot::Dots {
            axis: "% of hosts, % of domains".to_owned(),
            series: vec!["by host".to_owned(), "by registrable domain".to_owned()],
            rows: rows.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts with rules and their registrable domains, crawl {}. Bars: 95% intervals.",
            count(first.count("n")),
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("category", "Kind", words::category),
                Col::count("hosts", "Hosts naming one"),
                Col::share("pct_of_hosts_with_rules", "Naming one"),
                Col::count("hosts_full", "Hosts blocking one"),
                Col::share("pct_full", "Blocking one"),
                Col::number("tokens_per_naming_host", "Crawlers named per naming host"),
            ],
            20,
        ),
    })
}

fn favoured(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("allowed_by_name")
            .total_cmp(&other.count("allowed_by_name"))
    })?;
    if most.count("allowed_by_name") == 0.0 {
        return None;
    }
    let claim = format!(
        "{} is the crawler that most hosts allow every path by name: {} of the {} that name it do, \
         and in {} of these files the rules for every crawler would otherwise block some path.{}",
        context.agent(&most.text("product_token")),
        count(most.count("allowed_by_name")),
        count(most.count("n")),
        count(most.count("needed_for_a_part") + most.count("needed_at_all")),
        level_with(most, answer.rows(), "allowed_by_name", |row| context
            .agent(&row.text("product_token")))
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts naming it"),
                Col::count("allowed_by_name", "Allowing every path"),
                Col::share("pct_of_hosts_naming", "Of those naming it"),
                Col::count("needed_for_a_part", "Else partly blocked"),
                Col::count("needed_at_all", "Else fully blocked"),
            ],
            15,
        ),
        ..Told::default()
    })
}
