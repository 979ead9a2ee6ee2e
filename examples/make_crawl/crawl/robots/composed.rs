//! Files that somebody wrote: groups, rules and directives up to a size drawn from what such files
//! have.

use super::super::random::Random;
use super::Setting;
use super::agent::{self, AGENTS, AI_AGENTS};
use super::directive;
use super::draft::Draft;

/// How large files are, and of what.
pub(super) struct Habits {
    /// Sizes in bytes at quantiles in parts of a million.
    sizes: &'static [(u32, u32)],
    bulks: &'static [(u32, Bulk)],
    /// Share of the paths, in percent, that go on below what a sample's are.
    deep_paths: u32,
}

/// Close to log-normal up to the 98th percentile, then a long tail: about one file in two hundred
/// is above the 500 KiB that every crawler reads.
pub(super) const SAMPLE: Habits = Habits {
    sizes: &[
        (0, 26),
        (50_000, 80),
        (120_000, 190),
        (250_000, 520),
        (500_000, 1_500),
        (750_000, 2_700),
        (900_000, 6_000),
        (950_000, 9_500),
        (980_000, 18_000),
        (990_000, 34_000),
        (993_000, 100_000),
        (995_200, 512_000),
        (999_000, 700_000),
        (1_000_000, 1_500_000),
    ],
    bulks: &[
        (620, Bulk::Rules),
        (230, Bulk::Agents),
        (70, Bulk::Sitemaps),
        (75, Bulk::Comments),
        (5, Bulk::OneLine),
    ],
    deep_paths: 0,
};

/// As measured on files of 40,000 real hosts: one in two thousand is above 500 KiB, and policies
/// have 37 rules in the mean, 8 in the median.
pub(super) const WEB: Habits = Habits {
    sizes: &[
        (0, 26),
        (50_000, 50),
        (120_000, 90),
        (250_000, 160),
        (500_000, 420),
        (750_000, 1_250),
        (900_000, 3_100),
        (950_000, 5_500),
        (980_000, 11_000),
        (990_000, 20_000),
        (995_000, 36_000),
        (998_000, 75_000),
        (999_200, 110_000),
        (999_500, 512_000),
        (1_000_000, 1_100_000),
    ],
    bulks: &[
        (880, Bulk::Rules),
        (40, Bulk::Agents),
        (35, Bulk::Sitemaps),
        (44, Bulk::Comments),
        (1, Bulk::OneLine),
    ],
    deep_paths: 55,
};

/// Bytes of rules for everybody in files that are large for another reason.
const RULES_SIZES: [(u32, u32); 4] = [
    (0, 20),
    (500_000, 300),
    (900_000, 1_500),
    (1_000_000, 6_000),
];

/// What makes a large file large.
#[derive(Clone, Copy)]
enum Bulk {
    Rules,
    Agents,
    Sitemaps,
    Comments,
    OneLine,
}

/// A file of rules.
pub(super) fn text(random: &mut Random, setting: Setting) -> String {
    let size = random.quantile(setting.habits.composed.sizes) as usize;
    let mut draft = Draft::new(random).with_deep_paths(setting.habits.composed.deep_paths);
    let bulk = random.weighted(setting.habits.composed.bulks);
    opening(random, &mut draft, setting, size);
    let everybody_last = random.percent(20);
    if !everybody_last {
        everybody(random, &mut draft, setting, (size, bulk));
    }
    // The share with groups for named crawlers is of all files; small files have no room for them.
    if random.percent(27) {
        for _ in 0..random.quantile(&[
            (0, 1),
            (400_000, 2),
            (800_000, 6),
            (950_000, 14),
            (1_000_000, 40),
        ]) {
            if draft.len() + 40 > size.max(120) {
                break;
            }
            named_group(random, &mut draft);
        }
    }
    if setting.names_ai(random) {
        ai_groups(random, &mut draft);
    }
    if everybody_last {
        everybody(random, &mut draft, setting, (size, bulk));
    }
    fill(random, &mut draft, setting, (size, bulk));
    directive::push_global(random, &mut draft, setting.host, setting.time);
    if random.percent(42) {
        draft.blank();
        for _ in 0..random.quantile(&[
            (0, 1),
            (750_000, 2),
            (950_000, 4),
            (990_000, 15),
            (1_000_000, 60),
        ]) {
            draft.sitemap(setting.host, random);
        }
    }
    draft.into_text()
}

/// One or more groups that name AI crawlers.
pub(super) fn ai_groups(random: &mut Random, draft: &mut Draft) {
    let count = random.quantile(&[
        (0, 1),
        (300_000, 2),
        (600_000, 6),
        (900_000, 14),
        (1_000_000, 22),
    ]);
    let stacked = random.percent(35);
    draft.blank();
    let mut named: Vec<&str> = Vec::new();
    for _ in 0..count {
        let token = random.weighted(&AI_AGENTS);
        if named.contains(&token) {
            continue;
        }
        named.push(token);
        draft.agent(random, token);
        if !stacked {
            ai_rules(random, draft);
            draft.blank();
        }
    }
    if stacked {
        ai_rules(random, draft);
        draft.blank();
    }
}

fn ai_rules(random: &mut Random, draft: &mut Draft) {
    match random.below(100) {
        0..86 => draft.rule(random, false, "/"),
        86..93 => draft.rule(random, true, "/"),
        93..95 => draft.rule(random, false, ""),
        _ => {
            draft.rule(random, false, "/articles/");
            draft.rule(random, true, "/articles/free/");
        }
    }
}

/// A group for one crawler by name, or for several.
pub(super) fn named_group(random: &mut Random, draft: &mut Draft) {
    draft.blank();
    for _ in 0..random.quantile(&[(0, 1), (850_000, 2), (970_000, 4), (1_000_000, 12)]) {
        let token = random.weighted(&AGENTS);
        draft.agent(random, token);
    }
    match random.below(100) {
        0..52 => draft.rule(random, false, "/"),
        52..64 => draft.rule(random, false, ""),
        64..72 => draft.rule(random, true, "/"),
        72..84 => draft.line(random, "Crawl-delay", "10"),
        _ => {
            for _ in 0..random.between(1, 8) {
                draft.some_rule(random, "www.example.com");
            }
        }
    }
}

fn opening(random: &mut Random, draft: &mut Draft, setting: Setting, size: usize) {
    if size > 100 && random.percent(38) {
        draft.raw(&format!("# robots.txt of {}\n", setting.host));
        for _ in 0..random.quantile(&[(0, 0), (500_000, 1), (900_000, 5), (1_000_000, 20)]) {
            if draft.len() < size / 3 {
                draft.comment(random);
            }
        }
        if random.percent(40) {
            draft.blank();
        }
    }
    if random.percent(8) {
        draft.sitemap(setting.host, random);
    }
    // Rules that belong to no group.
    if random.below(1_000) < 12 {
        draft.some_rule(random, setting.host);
        draft.blank();
    }
}

/// The group for everybody, which 96 in 100 files have.
fn everybody(
    random: &mut Random,
    draft: &mut Draft,
    setting: Setting,
    (size, bulk): (usize, Bulk),
) {
    if random.percent(4) {
        return;
    }
    draft.everybody(random);
    // Some leave a line empty after it, which ended the record by the rules of 1994.
    if random.percent(3) {
        draft.blank();
    }
    if size < 60 {
        draft.rule(random, false, if size.is_multiple_of(3) { "/" } else { "" });
        return;
    }
    directive::push_in_group(random, draft, setting.time);
    let room = match bulk {
        Bulk::Rules => size * 9 / 10,
        _ => draft.len() + random.quantile(&RULES_SIZES) as usize,
    };
    while draft.len() < room.min(size) {
        if size > 20_000 {
            draft.listed_rule(random);
        } else {
            draft.some_rule(random, setting.host);
        }
        if random.percent(2) {
            draft.comment(random);
        }
    }
}

/// Fills the file up to its size.
fn fill(random: &mut Random, draft: &mut Draft, setting: Setting, (size, bulk): (usize, Bulk)) {
    if draft.len() + 100 > size {
        return;
    }
    draft.blank();
    match bulk {
        // A second group for everybody, which some parsers skip.
        Bulk::Rules if random.percent(12) => draft.everybody(random),
        Bulk::Rules => return,
        Bulk::OneLine => {
            draft.raw("Disallow: /list?");
            draft.raw(&"item=0123456789&".repeat((size - draft.len()) / 16 + 1));
            draft.blank();
        }
        Bulk::Agents | Bulk::Sitemaps | Bulk::Comments => {}
    }
    while draft.len() < size {
        match bulk {
            Bulk::Rules => draft.some_rule(random, setting.host),
            Bulk::Agents => {
                let token = agent::invented(random);
                draft.agent(random, &token);
                draft.rule(random, false, "/");
            }
            Bulk::Sitemaps => draft.raw(&format!(
                "Sitemap: https://{}/sitemap-{}.xml\n",
                setting.host,
                draft.len()
            )),
            Bulk::Comments => draft.comment(random),
            Bulk::OneLine => break,
        }
    }
}
