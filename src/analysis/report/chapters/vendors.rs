//! Vendors' defaults and owners' choices.

use super::{AGENTS, level_with, measure, owners};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "vendors",
    title: "Vendors' defaults and owners' choices",
    about: "Much of what robots.txt files say was written by a platform (a content management \
            system, a shop system or a network like Cloudflare) for its customers, or copied.",
    is_appendix: false,
    sections: &[
        Section {
            id: "owner-choices",
            title: "What owners block, and what platforms block for them",
            query: "owner-choices",
            arguments: &[AGENTS],
            also_by_domain: true,
            about: "Fully blocked by name. Every file is read twice: whole, and without the lines \
                    that a platform writes. A crawler that only the whole file blocks is blocked \
                    by the platform's default; the others are the owner's choice. A platform that \
                    leaves no mark is not recognised, and its lines count as the owner's.",
            read: owners::owner_choices,
            ..PLAIN
        },
        Section {
            id: "platforms",
            title: "Platforms that write robots.txt files",
            query: "platform-shares",
            about: "A host counts once for each platform that wrote a part of its file. Unchanged: \
                    the owner added no rule. Some platforms, such as WordPress, are known by their \
                    whole default alone, so that none of their files is changed.",
            read: platforms,
            ..PLAIN
        },
        Section {
            id: "templates",
            title: "AI crawlers named and blocked in addition to a platform's block",
            query: "platform-templates",
            about: "Hosts whose file has the mark of a platform's block, and the others.",
            read: templates,
            ..PLAIN
        },
        Section {
            id: "shared",
            title: "Rule sets that many hosts share",
            query: "common-policies",
            about: "Hosts share a rule set where their files differ at most in comments, blank \
                    lines and sitemaps.",
            read: shared,
            naming: &["a_host"],
            ..PLAIN
        },
        Section {
            id: "concentration",
            title: "How much depends on a few domains and a few rule sets",
            query: "concentration",
            arguments: &[AGENTS],
            about: "Effective number: how many domains, or rule sets, of equal size would be as \
                    concentrated. Where one domain has most of the hosts, a share by host says \
                    what that domain does.",
            read: concentration,
            naming: &["top_1"],
            ..PLAIN
        },
    ],
};

fn platforms(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // Rows without a version are of all versions together.
    let is_whole = |row: &Row<'_>| row.optional_text("version").is_none();
    let mut rows: Vec<Row<'_>> = answer.rows().filter(is_whole).collect();
    rows.sort_by(|one, other| other.count("hosts").total_cmp(&one.count("hosts")));
    let first = *rows.first()?;
    let claim = format!(
        "The platform that wrote most files, or parts of them, is {}: in {} of hosts with a \
         robots.txt ({} of {}){}.{}",
        words::platform(&first.text("platform")),
        first.pct("pct_of_hosts_with_file").with_interval(),
        count(first.count("hosts")),
        count(first.count("n")),
        match first.pct("pct_untouched") {
            // Such a platform is known by its default as a whole: that it is unchanged is no
            // finding.
            share if share.value >= 99.95 => String::new(),
            share => format!("; {} of these hosts have added no rule", share.shown()),
        },
        level_with(first, rows.iter().copied(), "hosts", |row| words::platform(
            &row.text("platform")
        ))
    );
    let drawn = rows.iter().take(12).map(|row| {
        let share = row.pct("pct_of_hosts_with_file");
        (words::platform(&row.text("platform")), share, share.shown())
    });
    let figure = Figure {
        measure: "Hosts whose robots.txt a platform wrote, or a part of it".to_owned(),
        plot: Plot::Bars {
            axis: "% of hosts with a robots.txt".to_owned(),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Of {} hosts with a robots.txt, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::words("platform", "Platform", words::platform),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("domains", "Domains"),
                Col::share("pct_untouched", "Unchanged by the owner"),
                Col::share("pct_changed", "Changed"),
                Col::share("pct_blocking_ai_agents", "Blocking an AI crawler"),
            ],
            20,
            |row| is_whole(&row),
        ),
    })
}

/// Files with and without a platform's block, in words.
fn made_by(name: &str) -> String {
    match name {
        "template" => "with a platform's block",
        _ => "without",
    }
    .to_owned()
}

/// Columns of a share of `platform-templates`.
const BLOCKING: [&str; 3] = [
    "pct_blocking_ai_agents",
    "pct_blocking_low",
    "pct_blocking_high",
];

fn templates(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let template = answer
        .rows()
        .find(|row| row.text("made_by") == "template")?;
    let own = answer.rows().find(|row| row.text("made_by") == "own")?;
    let mut claims = vec![Claim::aside(format!(
        "{} of hosts with rules ({} of {}) have a platform's block. Of these, {} block an AI \
         crawler by name; of the others, {}.",
        template.pct("pct_of_hosts_with_rules").with_interval(),
        count(template.count("hosts_with_rules")),
        count(template.count("n")),
        template.share(BLOCKING)?.with_interval(),
        own.share(BLOCKING)?.in_brief(),
    ))];
    if let Some(row) = measure(context.by_host, context.last(), "template_of_blocking") {
        claims.push(Claim::aside(format!(
            "{} of the hosts that block an AI crawler by name have such a block.",
            row.share(super::KEY)?.with_interval()
        )));
    }
    Some(Told {
        claims,
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("made_by", "File", made_by),
                Col::count("hosts_with_rules", "Hosts with rules"),
                Col::share("pct_of_hosts_with_rules", "Share"),
                Col::share("pct_naming_ai_agents", "Naming an AI crawler"),
                Col::interval(BLOCKING, "Blocking one by name (95% interval)"),
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
        "The {} that most hosts share make up {} of hosts with rules ({} of {}). The first of them \
         ({}) makes up {}.",
        counted(
            f64::from(u32::try_from(answer.rows.len().min(10)).unwrap_or(10)),
            "rule set"
        ),
        Share::of(100.0 * ten / n).shown(),
        count(ten),
        count(n),
        rules_in_words(&first.text("first_rules")),
        first.pct("pct_of_hosts_with_rules").shown()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("first_rules", "First rules", rules_in_words),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_rules", "Of hosts with rules"),
                Col::count("files", "Files"),
                Col::count("n_agents", "Crawlers named"),
                Col::count("n_rules", "Rules"),
                Col::words("wildcard", "Blocks every crawler (*)", |restriction| {
                    match restriction {
                        "full" => "fully",
                        "partial" => "partly",
                        _ => "no",
                    }
                    .to_owned()
                }),
            ],
            12,
        ),
        ..Told::default()
    })
}

/// The first rules of a rule set: a list that the query cuts at 70 characters.
fn rules_in_words(rules: &str) -> String {
    let end = if rules.chars().count() >= 70 {
        "…"
    } else {
        ""
    };
    let rules: Vec<&str> = rules.split(", ").collect();
    let rules = rules.iter().map(|rule| match rule.trim_end() {
        "disallow:" => "disallow: (nothing)",
        rule => rule,
    });
    rules.collect::<Vec<_>>().join(", ") + end
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
        "Most concentrated are the {} {}: one registrable domain has {} of them{}.",
        count(largest.count("n")),
        counted_in_words(&largest.text("counted"), context),
        Share::of(largest.count("pct_of_top_1")).shown(),
        if largest.count("parts") > 10.0 {
            let ten = Share::of(largest.count("pct_of_top_10"));
            format!(", and ten have {}", ten.shown())
        } else {
            String::new()
        }
    );
    let mut table = ReportTable::of(
        context,
        answer,
        &[
            Col::text("counted", "Counted"),
            Col::words("of", "Divided by", |of| match of {
                "policy" => "rule set".to_owned(),
                of => of.to_owned(),
            }),
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
