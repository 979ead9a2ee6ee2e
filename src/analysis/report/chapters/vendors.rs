//! Vendors' defaults and owners' choices.

use super::{AGENTS, BY_HOST, measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, Table};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "vendors",
    title: "Vendors' defaults and owners' choices",
    about: "Much of what robots.txt files say was written by a platform for its customers, or copied. A file with the \
            mark of a platform's managed block may have rules of its owner too, and platforms that leave no mark are \
            not recognised.",
    is_appendix: false,
    sections: &[
        Section {
            id: "vendor-default",
            title: "Blocked in files with and without a platform's block",
            query: "vendor-default",
            arguments: &[AGENTS],
            about: "Fully blocked by name.",
            read: vendor_default,
            ..PLAIN
        },
        Section {
            id: "templates",
            title: "Platforms' managed blocks",
            query: "platform-templates",
            about: "Hosts whose file has the mark of a platform's managed block, and the others.",
            read: templates,
            ..PLAIN
        },
        Section {
            id: "shared",
            title: "Rule sets that many hosts share",
            query: "common-policies",
            about: "Hosts share a rule set where their files differ at most in comments, blank lines and sitemaps.",
            read: shared,
            naming: &["a_host"],
            ..PLAIN
        },
        Section {
            id: "concentration",
            title: "How much rests on a few domains and a few rule sets",
            query: "concentration",
            arguments: &[AGENTS],
            about: "Effective: how many of equal size would be as concentrated. Where one domain has most of the \
                    hosts, a share by host says what that domain does.",
            read: concentration,
            naming: &["top_1"],
            ..PLAIN
        },
    ],
};

fn vendor_default(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut tokens: Vec<String> = Vec::new();
    for row in answer.rows() {
        let token = row.text("product_token").into_owned();
        if !tokens.contains(&token) {
            tokens.push(token);
        }
    }
    let row = |token: &str, made_by: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("product_token") == token && row.text("made_by") == made_by)
    };
    let share = |token: &str, made_by: &str| row(token, made_by)?.share(BY_HOST);
    let defaults = row(tokens.first()?, "default")?.count("n");
    if defaults == 0.0 {
        return None;
    }
    tokens.sort_by(|one, other| {
        let all = |token: &str| share(token, "all").map_or(0.0, |share| share.value);
        all(other).total_cmp(&all(one))
    });
    let difference = |token: &String| {
        let (default, own) = (share(token, "default")?, share(token, "own")?);
        default.is_apart_from(own).then_some((default, own))
    };
    let widest = tokens
        .iter()
        .filter_map(|token| Some((token, difference(token)?)))
        .max_by(|one, other| {
            let width = |(default, own): (Share, Share)| (default.value - own.value).abs();
            width(one.1).total_cmp(&width(other.1))
        });
    let claim = match widest {
        Some((token, (default, own))) => Claim::main(
            format!(
                "Platforms' defaults and owners' choices differ: {} is blocked by name on {} of the {} hosts with a \
                 platform's managed block, and on {} of the other {} with rules.",
                context.agent(token),
                default.with_interval(),
                count(defaults),
                own.with_interval(),
                count(row(token, "own")?.count("n")),
            ),
            4.0,
        ),
        None => Claim::aside(format!(
            "Of none of these crawlers do the intervals of the two kinds of files differ ({} hosts have a platform's \
             block).",
            count(defaults)
        )),
    };
    let rows = tokens.iter().map(|token| {
        (
            context.agent(token),
            vec![share(token, "default"), share(token, "own")],
        )
    });
    let figure = Figure {
        measure: "AI crawlers blocked by name, by who wrote the file".to_owned(),
        plot: Plot::Dots {
            axis: "% of the hosts with such a file".to_owned(),
            series: vec!["with a platform's block".to_owned(), "without".to_owned()],
            rows: rows.collect(),
        },
    };
    Some(Told {
        claims: vec![claim],
        figure: Some(figure),
        note: format!(
            "Of hosts with rules, crawl {}. Bars: 95% intervals.",
            context.last()
        ),
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::words("made_by", "File", made_by),
                Col::count("n", "Hosts with rules"),
                Col::count("hosts_named", "Naming it"),
                Col::count("hosts_full_by_name", "Blocking it by name"),
                Col::interval(BY_HOST, "Blocking it by name (95% interval)"),
            ],
            60,
        ),
    })
}

fn made_by(name: &str) -> String {
    match name {
        "default" | "template" => "with a platform's block",
        "own" => "without",
        _ => "all",
    }
    .to_owned()
}

fn templates(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let template = answer
        .rows()
        .find(|row| row.text("made_by") == "template")?;
    let own = answer.rows().find(|row| row.text("made_by") == "own")?;
    let mut claims = vec![Claim::aside(format!(
        "{} of hosts with rules ({} of {}) have a platform's managed block; {} of these block an AI crawler by name, of \
         the others {}.",
        Share::of(template.count("pct_of_hosts_with_rules")).shown(),
        count(template.count("hosts_with_rules")),
        count(template.count("n")),
        Share::of(template.count("pct_blocking_ai_agents")).shown(),
        Share::of(own.count("pct_blocking_ai_agents")).shown(),
    ))];
    if let Some(row) = measure(context.by_host, context.last(), "template_of_blocking") {
        claims.push(Claim::aside(format!(
            "{} have such a block.",
            of_measure(row)?
        )));
    }
    Some(Told {
        claims,
        table: Table::of(
            context,
            answer,
            &[
                Col::words("made_by", "File", made_by),
                Col::count("hosts_with_rules", "Hosts with rules"),
                Col::share("pct_of_hosts_with_rules", "Share"),
                Col::share("pct_naming_ai_agents", "Naming an AI crawler"),
                Col::share("pct_blocking_ai_agents", "Blocking one by name"),
                Col::number("mean_ai_agents_blocked", "Blocked by those, on average"),
                Col::count("policies", "Rule sets"),
            ],
            4,
        ),
        ..Told::default()
    })
}

fn shared(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let ten: f64 = answer.rows().take(10).map(|row| row.count("hosts")).sum();
    let first = answer.rows().next()?;
    let n = first.count("n");
    if first.count("hosts") < 2.0 {
        return None;
    }
    let claim = format!(
        "The {} that most hosts share hold for {} of hosts with rules ({} of {}); the first of them, {}, for {}.",
        counted(
            f64::from(u32::try_from(answer.rows.len().min(10)).unwrap_or(10)),
            "rule set"
        ),
        Share::of(100.0 * ten / n).shown(),
        count(ten),
        count(n),
        first.text("first_rules"),
        Share::of(first.count("pct_of_hosts_with_rules")).shown()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of(
            context,
            answer,
            &[
                Col::text("first_rules", "First rules"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_rules", "Of hosts with rules"),
                Col::count("files", "Files"),
                Col::count("n_agents", "Crawlers named"),
                Col::count("n_rules", "Rules"),
                Col::text("wildcard", "Blocks everybody"),
            ],
            12,
        ),
        ..Told::default()
    })
}

fn counted_in_words(name: &str, context: &Context<'_>) -> String {
    match name {
        "captured" => "hosts captured".to_owned(),
        "with_rules" => "hosts with rules".to_owned(),
        other => match other
            .strip_prefix("blocking ")
            .and_then(|it| it.strip_suffix(" by name"))
        {
            Some(token) => format!("hosts that block {} by name", context.agent(token)),
            None => other.to_owned(),
        },
    }
}

fn concentration(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let of_domains = || answer.rows().filter(|row| row.text("of") == "domain");
    let largest: Row<'_> =
        of_domains()
            .filter(|row| row.count("n") >= 20.0)
            .max_by(|one, other| {
                one.count("pct_of_top_1")
                    .total_cmp(&other.count("pct_of_top_1"))
            })?;
    let claim = format!(
        "Most concentrated are the {} {}: one registrable domain has {} of them, ten have {}.",
        count(largest.count("n")),
        counted_in_words(&largest.text("counted"), context),
        Share::of(largest.count("pct_of_top_1")).shown(),
        Share::of(largest.count("pct_of_top_10")).shown()
    );
    let mut table = Table::of(
        context,
        answer,
        &[
            Col::text("counted", "What is counted"),
            Col::text("of", "By"),
            Col::count("n", "Hosts"),
            Col::count("parts", "Domains or rule sets"),
            Col::share("pct_of_top_1", "The largest"),
            Col::share("pct_of_top_10", "The ten largest"),
            Col::number("effective", "Effective number"),
        ],
        40,
    );
    for line in &mut table.rows {
        line.cells[0].text = counted_in_words(&line.cells[0].text, context);
    }
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table,
        ..Told::default()
    })
}
