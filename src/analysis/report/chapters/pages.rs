//! What pages say to robots, in headers and meta tags.

use super::level_with;
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{agree, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, Needs, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "pages",
    title: "Pages",
    about: "What pages say to robots, in X-Robots-Tag headers and meta tags. Shares are of HTML \
            pages that came with success; each host weighs the same, in equal parts of its pages.",
    is_appendix: false,
    sections: &[
        Section {
            id: "page-directives",
            title: "Rules in pages",
            query: "page-directives",
            needs: Needs::Pages,
            about: "A page counts once for each rule, wherever it stands and whichever crawler it \
                    speaks to. Misplaced are meta tags that are not in the head, by HTML's own \
                    rule; extracts (WAT) do not tell.",
            read: directives,
            ..PLAIN
        },
        Section {
            id: "page-training",
            title: "Pages that are not for AI training",
            query: "page-training",
            needs: Needs::Pages,
            about: "A page refuses AI training by noai, TDM-Reservation, Content-Usage or \
                    Content-Signal. noarchive and nocache limit the copies that search engines \
                    show, and only Bing reads them as limits on AI: they are listed and not \
                    counted as refusals. No vendor has said that it obeys noai.",
            read: training,
            ..PLAIN
        },
        Section {
            id: "page-links",
            title: "Links that are not endorsed, and text that is not for excerpts",
            query: "page-links",
            needs: Needs::Pages,
            about: "Pages with one such link or element at least. Google reads nofollow, ugc and \
                    sponsored as hints, and heeds data-nosnippet on div, section and span only, \
                    Bing on any element.",
            read: links,
            ..PLAIN
        },
        Section {
            id: "page-directives-http-archive",
            title: "What HTTP Archive's script loses",
            query: "page-directives-http-archive",
            needs: Needs::Pages,
            about: "The script on which the Web Almanac rests drops headers that name no bot, \
                    keeps the last of several tags, does not know noai, and takes noindex for \
                    nofollow. Here it is applied to the same pages; beside it is what the Web \
                    Almanac 2025 published, of other pages.",
            read: published,
            ..PLAIN
        },
        Section {
            id: "page-contradictions",
            title: "Contradictions between robots.txt, headers and pages",
            query: "page-contradictions",
            needs: Needs::Pages,
            about: "A noindex on a page that Disallow hides is never seen by the crawler that it is meant for. \
                    Such pages are here only as far as another crawler was allowed to fetch them.",
            read: contradictions,
            ..PLAIN
        },
    ],
};

/// How many pages, in words: `1,450 of 18,902 HTML pages; 7.7% by host (95% interval …)`.
fn of_pages(row: Row<'_>) -> String {
    format!(
        "{} of {} HTML pages ({})",
        count(row.count("pages")),
        count(row.count("n")),
        (row.share(["pct_of_pages", "pct_low", "pct_high"])).map_or(String::new(), |share| share
            .of_what("hosts' pages", "95% interval "))
    )
}

fn directives(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first = answer.rows().next()?;
    let mut claims = Vec::new();
    if let Some(row) = answer.rows().find(|row| row.text("rule") == "noindex") {
        let header = row.count("pages_header");
        claims.push(Claim::main(
            format!(
                "{} {} noindex to robots, {} of them in a header.",
                of_pages(row),
                agree(row.count("pages"), "says", "say"),
                count(header),
            ),
            2.2,
        ));
    }
    claims.push(Claim::aside(format!(
        "The most frequent rule is {}, on {}.{}",
        first.text("rule"),
        counted(first.count("pages"), "page"),
        level_with(first, answer.rows(), "pages", |row| row
            .text("rule")
            .into_owned())
    )));
    let drawn = answer.rows().take(12).map(|row| {
        let share = row.pct("pct_of_pages");
        (row.text("rule").into_owned(), share, share.shown())
    });
    Some(Told {
        claims,
        figure: Some(Figure {
            measure: "Pages with the rule".to_owned(),
            plot: Plot::Bars {
                axis: "% of HTML pages, hosts weighing the same".to_owned(),
                rows: drawn.collect(),
            },
        }),
        note: format!(
            "Of {} HTML pages, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("rule", "Rule"),
                Col::count("pages", "Pages"),
                Col::share("pct_of_pages", "Of HTML pages"),
                Col::count("pages_header", "In a header"),
                Col::count("pages_meta", "In a meta tag"),
                Col::count("pages_misplaced", "Misplaced"),
                Col::count("hosts", "Hosts"),
            ],
            25,
        ),
    })
}

fn training(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let any = answer.rows().find(|row| row.text("way") == "any")?;
    Some(Told {
        claims: vec![Claim::main(
            format!(
                "{} {} AI training.",
                of_pages(any),
                agree(any.count("pages"), "refuses", "refuse"),
            ),
            2.3,
        )],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("way", "Way", way),
                Col::count("pages", "Pages"),
                Col::share("pct_of_pages", "Of HTML pages"),
                Col::count("pages_header", "In a header"),
                Col::count("hosts", "Hosts"),
            ],
            10,
        ),
        ..Told::default()
    })
}

/// A way of saying something about training, in words.
fn way(name: &str) -> String {
    match name {
        "any" => "refuses AI training",
        "noarchive" => "noarchive (no refusal)",
        "nocache" => "nocache (no refusal)",
        other => other,
    }
    .to_owned()
}

fn links(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let any = answer.rows().find(|row| row.text("said") == "any")?;
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} {} a link with nofollow, ugc or sponsored.",
            of_pages(any),
            agree(any.count("pages"), "has", "have"),
        ))],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("said", "Said", said),
                Col::count("pages", "Pages"),
                Col::share("pct_of_pages", "Of HTML pages"),
                Col::count("elements", "Links or elements"),
                Col::share("pct_of_links", "Of links"),
                Col::count("hosts", "Hosts"),
            ],
            10,
        ),
        ..Told::default()
    })
}

/// What is said of links and passages, in words.
fn said(name: &str) -> String {
    match name {
        "any" => "nofollow, ugc or sponsored",
        "data-nosnippet" => "data-nosnippet on any element",
        "data-nosnippet-google" => "data-nosnippet on div, section, span",
        other => other,
    }
    .to_owned()
}

fn published(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let header = |row: &Row<'_>| row.text("found") == "header" && row.text("rule") == "noindex";
    answer.rows().next()?;
    let claims = answer.rows().find(header).map(|row| {
        Claim::aside(format!(
            "Of the {} with a noindex in a header, the script finds {}.",
            counted(row.count("pages"), "page"),
            count(row.count("pages_published"))
        ))
    });
    Some(Told {
        claims: claims.into_iter().collect(),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("found", "Where"),
                Col::text("rule", "Rule"),
                Col::count("pages", "Pages"),
                Col::count("pages_published", "By the script"),
                Col::count("pages_lost", "Lost"),
                Col::count("pages_too_many", "Too many"),
                Col::share("pct_of_pages", "Of HTML pages"),
                Col::share("pct_almanac_2025", "Web Almanac 2025"),
            ],
            30,
        ),
        ..Told::default()
    })
}

fn contradictions(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    answer.rows().next()?;
    let unseen = |row: &Row<'_>| row.text("contradiction") == "unseen_noindex";
    let claims = answer.rows().find(unseen).map(|row| {
        Claim::main(
            format!(
                "{} {} a noindex that Googlebot never sees: robots.txt keeps it from the page.",
                of_pages(row),
                agree(row.count("pages"), "has", "have"),
            ),
            2.5,
        )
    });
    Some(Told {
        claims: claims.into_iter().collect(),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("contradiction", "Contradiction", words),
                Col::text("product_token", "Crawler"),
                Col::count("pages", "Pages"),
                Col::share("pct_of_pages", "Of HTML pages"),
                Col::count("hosts", "Hosts"),
            ],
            20,
        ),
        ..Told::default()
    })
}

/// A contradiction in words.
fn words(name: &str) -> String {
    match name {
        "unseen_noindex" => "noindex on a page that Disallow hides",
        "allowed_not_to_train" => "robots.txt lets the crawler in, the page forbids training",
        "header_and_meta" => "header and meta tag say the opposite",
        "index_and_noindex" => "one place says the opposite of itself",
        "signals" => "robots.txt and page differ on training",
        other => other,
    }
    .to_owned()
}
