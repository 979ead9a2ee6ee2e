//! Who may crawl.

use super::front::CRAWLERS;
use super::{AGENTS, BY_HOST, FULL, GIVEN_AGENTS, of_hosts};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Ink, Plot};
use crate::analysis::report::format::{Share, count, list};
use crate::analysis::report::section::{
    Argument, Chapter, Claim, Context, Needs, PLAIN, Section, Told,
};
use crate::analysis::report::summary::beyond;
use crate::analysis::report::table::{Col, Table};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "who",
    title: "Who may crawl",
    about: "Which crawlers hosts write rules for, and how much these rules block.",
    is_appendix: false,
    sections: &[
        Section {
            id: "crawlers",
            title: "Crawlers of every kind",
            query: "agents-at-a-glance",
            arguments: &[GIVEN_AGENTS],
            about: "Named: the host's file has a group for the crawler, whatever it says.",
            read: crawlers,
            ..PLAIN
        },
        Section {
            id: "effective",
            title: "What hosts allow a crawler, whether they name it or not",
            query: "agent-restrictions-effective",
            arguments: &[GIVEN_AGENTS],
            about: "A crawler that finds no group of its own takes that of its documented fallback, else the one for \
                    every crawler (*). Partly: some paths are blocked, which most hosts do to keep crawlers out of \
                    administration and search pages.",
            read: effective,
            ..PLAIN
        },
        Section {
            id: "by-whom",
            title: "Who blocks it",
            query: "blocked-by-whom",
            arguments: &[GIVEN_AGENTS],
            about: "Blocked by whatever group holds for the crawler, its own or the one for everybody.",
            read: by_whom,
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
            about: "Top-level domains with at least 30 hosts that answered conclusively, those with most hosts.",
            read: by_tld,
            ..PLAIN
        },
        Section {
            id: "by-rank",
            title: "Prominent sites and others",
            query: "agent-restrictions-by-rank",
            arguments: &[AGENTS],
            needs: Needs::Ranks,
            about: "Ranks are those of the list that was given; the ranges have no host in common.",
            read: by_rank,
            ..PLAIN
        },
        Section {
            id: "kinds",
            title: "Kinds of crawlers",
            query: "agent-categories",
            about: "Kinds are those of the catalogue that comes with robostat. A host counts where it blocks at least \
                    one crawler of the kind by name.",
            read: kinds,
            ..PLAIN
        },
        Section {
            id: "favoured",
            title: "Allowed everything by name",
            query: "explicit-allows",
            about: "A group that allows every path is needed only where the rules for everybody would block something.",
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
    let mut claims = vec![Claim::aside(format!(
        "The crawler named most is {}: by {}.",
        name(&most),
        of_hosts(
            named,
            most.count("hosts_named"),
            most.count("n"),
            words::population("answered")
        )
    ))];
    let mut others: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.text("is_ai") != "true")
        .collect();
    others.retain(|row| row.count("hosts_full_by_name") > 0.0);
    if let Some(other) = others.first() {
        claims.push(Claim::aside(format!(
            "Of crawlers that are not for AI, {} ({}) is blocked most, with {}.",
            name(other),
            words::category(&other.text("category")),
            other.share(BY_HOST)?.with_interval()
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
            "Of {} hosts that answered conclusively. Bars: 95% intervals.",
            count(most.count("n"))
        ),
        table: Table::of(context, answer, &CRAWLERS, 200),
    })
}

fn effective(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first = answer.rows().next()?;
    let name = |row: &Row<'_>| context.agent(&row.text("product_token"));
    let share = |row: &Row<'_>, column: &str| Share::of(row.count(column)).shown();
    let claim = format!(
        "{} of hosts fully block {} by name, and {} more by rules for every crawler; {} block it in part.",
        share(&first, "pct_own_full"),
        name(&first),
        share(&first, "pct_other_full"),
        Share::of(first.count("pct_own_partial") + first.count("pct_other_partial")).shown()
    );
    let parts = [
        ("pct_own_full", "fully, by name", Ink::Blocked),
        ("pct_other_full", "fully, by *", Ink::Everybody),
        ("pct_own_partial", "partly, by name", Ink::Partly),
        ("pct_other_partial", "partly, by *", Ink::Allowed),
    ];
    let rows = answer.rows().take(12).map(|row| {
        let shares = parts.iter().map(|(column, ..)| row.count(column));
        (name(&row), shares.collect())
    });
    let figure = Figure {
        measure: "What hosts block, by name and by the rules for everybody".to_owned(),
        plot: Plot::Stack {
            axis: "% of hosts".to_owned(),
            parts: parts
                .iter()
                .map(|(_, name, ink)| ((*name).to_owned(), *ink))
                .collect(),
            rows: rows.collect(),
            rest: "nothing blocked".to_owned(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Of {} hosts that answered conclusively, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::share("pct_own_full", "Fully, by name"),
                Col::share("pct_own_partial", "Partly, by name"),
                Col::share("pct_own_none", "Nothing, by name"),
                Col::share("pct_other_full", "Fully, otherwise"),
                Col::share("pct_other_partial", "Partly, otherwise"),
                Col::share("pct_other_none", "Nothing, otherwise"),
                Col::share("pct_unaddressed", "No group holds"),
                Col::share("pct_no_file", "No robots.txt"),
            ],
            40,
        ),
    })
}

fn hosts_in_words(part: &str) -> String {
    format!("{part} host{}", if part == "1" { "" } else { "s" })
}

fn part_in_words(part: &str) -> String {
    match part {
        "platform" => "platform's block".to_owned(),
        "own" => "no platform's mark".to_owned(),
        "none" => "no robots.txt".to_owned(),
        "1" => "domain of 1 host".to_owned(),
        "2 to 9" | "10 or more" => format!("domain of {part}"),
        "all" => "all hosts".to_owned(),
        tld => format!(".{tld}"),
    }
}

fn by_whom(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let token = answer.rows().next()?.text("product_token").into_owned();
    let agent = context.agent(&token);
    let rows: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.text("product_token") == token)
        .collect();
    let all = *rows.iter().find(|row| row.text("kind") == "all")?;
    if all.count("hosts_full") == 0.0 {
        return None;
    }
    let of = |kind: &'static str| rows.iter().filter(move |row| row.text("kind") == kind);
    let mut claims = Vec::new();
    let most = of("tld").max_by(|one, other| {
        one.count("hosts_full")
            .total_cmp(&other.count("hosts_full"))
    });
    if let Some(most) = most {
        let large = rows.iter().find(|row| row.text("part") == "10 or more");
        let large = large.map_or(String::new(), |row| {
            format!(
                " and {} belong to {} registrable domains with ten or more hosts each",
                Share::of(row.count("pct_of_blocking")).shown(),
                count(row.count("n_domains"))
            )
        });
        claims.push(Claim::main(
            format!(
                "{agent} is blocked, by whatever rule, by {}; of these hosts {} are under .{}{large}.",
                of_hosts(all.share(FULL)?, all.count("hosts_full"), all.count("n"), words::population("answered")),
                Share::of(most.count("pct_of_blocking")).shown(),
                most.text("part"),
            ),
            3.4,
        ));
    }
    // The group whose share is farthest from that of everybody else, beyond both intervals.
    let sizes: Vec<&Row<'_>> = of("size").collect();
    if let (Some(small), Some(large)) = (sizes.first(), sizes.last())
        && let (Some(one), Some(other)) = (small.share(FULL), large.share(FULL))
        && one.is_apart_from(other)
    {
        claims.push(Claim::aside(format!(
            "Of hosts whose domain has {} in the crawl, {} block it; of those whose domain has {}, {}.",
            hosts_in_words(&small.text("part")),
            one.with_interval(),
            hosts_in_words(&large.text("part")),
            other.with_interval()
        )));
    }
    let drawn = rows
        .iter()
        .filter(|row| row.text("part") != "none")
        .map(|row| (part_in_words(&row.text("part")), vec![row.share(FULL)]));
    let figure = Figure {
        measure: format!("Hosts that block {agent}, of each group"),
        plot: Plot::Dots {
            axis: "% of the group's hosts".to_owned(),
            series: vec![agent.clone()],
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of hosts that answered conclusively, crawl {}. Bars: 95% intervals.",
            context.last()
        ),
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::words("part", "Group", part_in_words),
                Col::count("n", "Hosts"),
                Col::count("n_domains", "Domains"),
                Col::count("hosts_full", "Blocking"),
                Col::interval(FULL, "Blocking (95% interval)"),
                Col::share("pct_of_blocking", "Of all that block"),
            ],
            60,
        ),
    })
}

fn by_tld(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut tlds: Vec<String> = Vec::new();
    let mut tokens: Vec<(f64, String)> = Vec::new();
    for row in answer.rows() {
        let (tld, token) = (
            row.text("tld").into_owned(),
            row.text("product_token").into_owned(),
        );
        if !tlds.contains(&tld) {
            tlds.push(tld);
        }
        match tokens.iter_mut().find(|it| it.1 == token) {
            Some(it) => it.0 += row.count("pct_full") * row.count("n"),
            None => tokens.push((row.count("pct_full") * row.count("n"), token)),
        }
    }
    tokens.sort_by(|one, other| other.0.total_cmp(&one.0));
    let cell = |tld: &str, token: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("tld") == tld && row.text("product_token") == token)
    };
    let (_, token) = tokens.first()?;
    let mut shares: Vec<(&String, Share)> = tlds
        .iter()
        .filter_map(|tld| Some((tld, cell(tld, token)?.share(FULL)?)))
        .filter(|(_, share)| share.interval.is_some())
        .collect();
    shares.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    let mut claims = Vec::new();
    // The pair that is farthest apart of those whose intervals have nothing in common.
    let apart = shares
        .iter()
        .enumerate()
        .flat_map(|(place, high)| shares[place + 1..].iter().rev().map(move |low| (high, low)));
    let widest = apart
        .filter(|(high, low)| high.1.is_apart_from(low.1))
        .max_by(|one, other| {
            (one.0.1.value - one.1.1.value).total_cmp(&(other.0.1.value - other.1.1.value))
        });
    match widest {
        Some((high, low)) => {
            let difference = high.1.value - low.1.value;
            let half = |share: Share| share.interval.map_or(0.0, |(low, high)| (high - low) / 2.0);
            let margin = half(high.1).hypot(half(low.1));
            if let Some(interest) = beyond(2.6, difference, (difference - margin, difference + margin)) {
                claims.push(Claim::main(
                    format!(
                        "Top-level domains differ: of hosts that answered conclusively under .{}, {} block {} by any rule; under \
                         .{}, {}.",
                        high.0,
                        high.1.with_interval(),
                        context.agent(token),
                        low.0,
                        low.1.with_interval()
                    ),
                    interest,
                ));
            }
        }
        None => claims.push(Claim::aside(format!(
            "No two of these top-level domains differ beyond their intervals in how many hosts block {}.",
            context.agent(token)
        ))),
    }
    let rows = tokens.iter().take(10).map(|(_, token)| {
        let values = tlds.iter().map(|tld| cell(tld, token)?.number("pct_full"));
        (context.agent(token), values.collect())
    });
    let figure = Figure {
        measure: "Hosts that block a crawler, by top-level domain".to_owned(),
        plot: Plot::Heat {
            axes: (
                "% of the top-level domain's hosts that block".to_owned(),
                "rows: crawler; columns: domain".to_owned(),
            ),
            columns: tlds.iter().map(|tld| format!(".{tld}")).collect(),
            rows: rows.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: "Of hosts that answered conclusively. Intervals are in the table.".to_owned(),
        table: Table::of(
            context,
            answer,
            &[
                Col::text("tld", "Top-level domain"),
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts"),
                Col::interval(FULL, "Blocked (95% interval)"),
                Col::share("pct_full_by_name", "By name"),
                Col::share("pct_partial", "Partly"),
            ],
            80,
        ),
    })
}

fn by_rank(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // Ranges that have no host in common: the first "top", then "A to B", then those without a rank.
    let is_range = |stratum: &str| stratum.contains(" to ") || stratum == "unranked";
    let mut strata: Vec<String> = Vec::new();
    for row in answer.rows() {
        let stratum = row.text("stratum").into_owned();
        let is_first = stratum.starts_with("top ") && strata.is_empty();
        if (is_first || is_range(&stratum)) && !strata.contains(&stratum) && row.count("n") > 0.0 {
            strata.push(stratum);
        }
    }
    let cell = |stratum: &str, token: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("stratum") == stratum && row.text("product_token") == token)
    };
    let last = strata.last()?;
    let token = answer
        .rows()
        .filter(|row| row.text("stratum") == "all")
        .max_by(|one, other| one.count("pct_full").total_cmp(&other.count("pct_full")))?
        .text("product_token")
        .into_owned();
    let agent = context.agent(&token);
    let mut claims = Vec::new();
    let shares: Vec<(&String, Share)> = strata
        .iter()
        .filter_map(|stratum| Some((stratum, cell(stratum, &token)?.share(FULL)?)))
        .collect();
    let apart = shares.iter().rev().skip(1).find(|(_, share)| {
        shares
            .last()
            .is_some_and(|(_, rest)| share.is_apart_from(*rest))
    });
    let first = shares.first()?;
    let rest = shares.last()?;
    match apart {
        Some((stratum, share)) => claims.push(Claim::main(
            format!(
                "Prominent sites differ: of hosts ranked {stratum}, {} block {agent}; of those {}, {}.",
                share.with_interval(),
                if last == "unranked" { "without a rank" } else { last },
                rest.1.with_interval()
            ),
            4.5,
        )),
        None => claims.push(Claim::aside(format!(
            "Prominent sites do not differ beyond the intervals: of hosts ranked {}, {} block {agent}; of those {last}, {}.",
            first.0,
            first.1.with_interval(),
            rest.1.with_interval()
        ))),
    }
    let rows = strata.iter().filter_map(|stratum| {
        let row = cell(stratum, &token)?;
        let name = format!("{stratum} (n = {})", count(row.count("n")));
        Some((name, vec![row.count("pct_full"), row.count("pct_partial")]))
    });
    let figure = Figure {
        measure: format!("What hosts block {agent} from, by rank"),
        plot: Plot::Stack {
            axis: "% of the range's hosts".to_owned(),
            parts: vec![
                ("fully blocked".to_owned(), Ink::Blocked),
                ("partly".to_owned(), Ink::Partly),
            ],
            rows: rows.collect(),
            rest: "not blocked".to_owned(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: "Of hosts that answered conclusively. Intervals are in the table.".to_owned(),
        table: Table::of_those(
            context,
            answer,
            &[
                Col::text("stratum", "Rank"),
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts"),
                Col::count("n_domains", "Domains"),
                Col::interval(FULL, "Blocked (95% interval)"),
                Col::share("pct_full_by_name", "By name"),
                Col::share("pct_partial", "Partly"),
            ],
            120,
            |row| strata.iter().any(|stratum| *stratum == row.text("stratum")),
        ),
    })
}

fn kinds(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut rows: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.count("hosts_full") > 0.0)
        .collect();
    rows.sort_by(|one, other| other.count("pct_full").total_cmp(&one.count("pct_full")));
    let first = rows.first()?;
    let told: Vec<String> = rows
        .iter()
        .take(3)
        .map(|row| {
            format!(
                "{} ({})",
                words::category(&row.text("category")),
                Share::of(row.count("pct_full")).shown()
            )
        })
        .collect();
    let claim = format!(
        "The kinds of which most hosts with rules block a crawler by name are {}.",
        list(&told)
    );
    let drawn = rows.iter().map(|row| {
        let share = Share::of(row.count("pct_full")).shown();
        (
            words::category(&row.text("category")),
            row.count("pct_full"),
            share,
        )
    });
    let figure = Figure {
        measure: "Hosts that fully block a crawler of the kind by name".to_owned(),
        plot: Plot::Bars {
            axis: "% of hosts with rules".to_owned(),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Of {} hosts with rules, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: Table::of(
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
    let claim = format!(
        "{} is allowed everything by name most often: by {} of the {} hosts that name it, of which {} need the group to \
         allow a part that they block for everybody.",
        context.agent(&most.text("product_token")),
        count(most.count("allowed_by_name")),
        count(most.count("n")),
        count(most.count("needed_for_a_part"))
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts naming it"),
                Col::count("allowed_by_name", "Allowing everything"),
                Col::share("pct_of_hosts_naming", "Of those naming it"),
                Col::count("needed_for_a_part", "Needed for a part"),
                Col::count("needed_at_all", "Else fully blocked"),
            ],
            15,
        ),
        ..Told::default()
    })
}
