//! A file in the making: lines in one owner's spelling.

use std::fmt::Write as _;

use super::super::random::{MILLION, Random};
use super::path;

/// Text so far, and how its owner writes.
pub(super) struct Draft {
    text: String,
    agent: &'static str,
    allow: &'static str,
    disallow: &'static str,
    separator: &'static str,
    slip: Slip,
    /// Share of the paths, in percent, that have more segments.
    deep_paths: u32,
}

/// The mistake that this owner makes now and then.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slip {
    None,
    Spelling,
    MissingColon,
    OddPath,
    TrailingSpace,
    OddAgent,
}

const SLIPS: [(u32, Slip); 6] = [
    (925, Slip::None),
    (18, Slip::Spelling),
    (9, Slip::MissingColon),
    (20, Slip::OddPath),
    (20, Slip::TrailingSpace),
    (8, Slip::OddAgent),
];

const AGENT_KEYS: [(u32, &str); 5] = [
    (720, "User-agent"),
    (240, "User-Agent"),
    (25, "user-agent"),
    (10, "USER-AGENT"),
    (5, "User agent"),
];

const SEPARATORS: [(u32, &str); 5] = [(900, ": "), (70, ":"), (15, ":  "), (10, ":\t"), (5, " : ")];

/// Google's parser takes the first six of these for the real ones, and not the others.
const MISSPELT_RULES: [&str; 10] = [
    "Dissallow",
    "Dissalow",
    "Disalow",
    "Diasllow",
    "Disallaw",
    "Disallowed",
    "Desallow",
    "Disalllow",
    "Alow",
    "Dis-allow",
];
const MISSPELT_AGENTS: [&str; 4] = ["Useragent", "User agent", "User_agent", "User-agents"];

const PROSE: [&str; 36] = [
    "please", "crawlers", "may", "not", "read", "these", "pages", "because", "they", "change",
    "every", "day", "search", "results", "are", "made", "for", "people", "old", "paths", "kept",
    "until", "the", "move", "is", "done", "ask", "us", "before", "copying", "slow", "server",
    "section", "of", "this", "site",
];

impl Draft {
    /// Nothing yet, by some owner.
    pub(super) fn new(random: &mut Random) -> Self {
        let agent = random.weighted(&AGENT_KEYS);
        let (allow, disallow) = match agent {
            "user-agent" => ("allow", "disallow"),
            "USER-AGENT" => ("ALLOW", "DISALLOW"),
            _ => ("Allow", "Disallow"),
        };
        let (separator, slip) = (random.weighted(&SEPARATORS), random.weighted(&SLIPS));
        Self {
            text: String::new(),
            agent,
            allow,
            disallow,
            separator,
            slip,
            deep_paths: 0,
        }
    }

    /// The same with this share of long paths, in percent.
    pub(super) fn with_deep_paths(self, deep_paths: u32) -> Self {
        Self { deep_paths, ..self }
    }

    /// An existing text that is to be continued.
    pub(super) fn after(random: &mut Random, text: &str) -> Self {
        let mut draft = Self::new(random);
        draft.text.push_str(text);
        if !text.ends_with('\n') {
            draft.blank();
        }
        draft.blank();
        draft
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The finished text.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Lines as they are.
    pub(super) fn raw(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// A user-agent line.
    pub(super) fn agent(&mut self, random: &mut Random, token: &str) {
        let key = if self.slips(random, Slip::Spelling) {
            random.pick(&MISSPELT_AGENTS)
        } else {
            self.agent
        };
        self.line(random, key, token);
    }

    /// The user-agent line for everybody.
    pub(super) fn everybody(&mut self, random: &mut Random) {
        let token = if self.slips(random, Slip::OddAgent) {
            random.pick(&super::agent::ODD_AGENTS)
        } else {
            "*"
        };
        self.agent(random, token);
    }

    /// An allow or disallow line with a path as given.
    pub(super) fn rule(&mut self, random: &mut Random, allow: bool, path: &str) {
        self.key(random, allow);
        self.text.push_str(path);
        self.end(random);
    }

    /// A disallow line, at times an allow line, with some path.
    pub(super) fn some_rule(&mut self, random: &mut Random, host: &str) {
        let allow = random.percent(13);
        self.key(random, allow);
        if self.slips(random, Slip::OddPath) {
            path::push_careless(random, host, &mut self.text);
        } else {
            self.deepen(random);
            path::push(random, &mut self.text);
        }
        self.end(random);
    }

    /// A disallow line with one of many paths.
    pub(super) fn listed_rule(&mut self, random: &mut Random) {
        self.key(random, false);
        self.deepen(random);
        path::push_listed(random, &mut self.text);
        self.end(random);
    }

    /// A line with any key.
    pub(super) fn line(&mut self, random: &mut Random, key: &str, value: &str) {
        self.text.push_str(key);
        self.separate(random);
        self.text.push_str(value);
        self.end(random);
    }

    /// A sitemap line.
    pub(super) fn sitemap(&mut self, host: &str, random: &mut Random) {
        let number = random.below(1_000_000);
        // Writing to a string cannot fail.
        let _ = match random.below(20) {
            0..12 => writeln!(self.text, "Sitemap: https://{host}/sitemap.xml"),
            12..15 => writeln!(self.text, "Sitemap: https://{host}/sitemap_index.xml"),
            15 => writeln!(self.text, "Sitemap: /sitemap.xml"),
            16 => writeln!(
                self.text,
                "Sitemap: https://cdn.example.net/{host}/sitemap.xml.gz"
            ),
            17 => writeln!(
                self.text,
                "sitemap: http://{host}/sitemap.php?part={number}"
            ),
            18 => writeln!(self.text, "Sitemap: https://{host}/news-sitemap.xml"),
            _ => writeln!(self.text, "Sitemap: https://{host}/sitemaps/{number}.xml"),
        };
    }

    /// A comment line.
    pub(super) fn comment(&mut self, random: &mut Random) {
        self.text.push('#');
        for _ in 0..random.between(2, 12) {
            self.text.push(' ');
            self.text.push_str(random.pick(&PROSE));
        }
        self.text.push('\n');
    }

    fn key(&mut self, random: &mut Random, allow: bool) {
        let right = if allow { self.allow } else { self.disallow };
        let key = if self.slips(random, Slip::Spelling) {
            random.pick(&MISSPELT_RULES)
        } else {
            right
        };
        self.text.push_str(key);
        self.separate(random);
    }

    fn separate(&mut self, random: &mut Random) {
        let separator = if self.slips(random, Slip::MissingColon) {
            " "
        } else {
            self.separator
        };
        self.text.push_str(separator);
    }

    /// Begins a path with folders, now and then.
    fn deepen(&mut self, random: &mut Random) {
        // No throw where nothing is deep: a sample's stream must not move.
        if self.deep_paths > 0 && random.percent(self.deep_paths) {
            path::push_folders(random, &mut self.text);
        }
    }

    fn end(&mut self, random: &mut Random) {
        if self.slips(random, Slip::TrailingSpace) {
            self.text
                .push_str(random.pick(&[" ", "  ", "\t", " # see above"]));
        }
        self.text.push('\n');
    }

    /// Whether this owner slips here in this way.
    fn slips(&self, random: &mut Random, slip: Slip) -> bool {
        self.slip == slip && random.chance(MILLION / 3)
    }
}
