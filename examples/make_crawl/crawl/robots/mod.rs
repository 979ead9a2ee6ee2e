//! The content of `/robots.txt`: rules from a platform or by hand, or something else entirely.

mod agent;
mod composed;
mod directive;
mod draft;
mod path;
mod template;
mod trouble;

use std::rc::Rc;

use self::draft::Draft;
use super::page;
use super::random::{MILLION, Random, interpolate};
use super::time::Time;

pub(crate) use self::trouble::{gzip_stored, utf16};

/// What a file is made of.
#[derive(Clone, Copy)]
enum Making {
    Composed,
    Template,
    Tiny,
    Html,
    Empty,
    NoRules,
    Other,
    Binary,
}

/// What files are made of, and how large they get.
#[derive(Clone, Copy)]
pub(crate) struct Habits {
    /// Out of a thousand new files.
    makings: &'static [(u32, Making)],
    composed: &'static composed::Habits,
    /// A page that comes in place of a file.
    html: fn(&mut Random, &str) -> Vec<u8>,
}

/// Everything there is often enough to be met in a few hundred captures.
pub(crate) const SAMPLE: Habits = Habits {
    makings: &[
        (612, Making::Composed),
        (248, Making::Template),
        (55, Making::Tiny),
        (50, Making::Html),
        (17, Making::Empty),
        (12, Making::NoRules),
        (5, Making::Other),
        (1, Making::Binary),
    ],
    composed: &composed::SAMPLE,
    html: page::home,
};

/// Files as often and as large as real crawls have them.
pub(crate) const WEB: Habits = Habits {
    makings: &[
        (400, Making::Composed),
        (265, Making::Template),
        (190, Making::Tiny),
        (95, Making::Html),
        (20, Making::Empty),
        (25, Making::NoRules),
        (4, Making::Other),
        (1, Making::Binary),
    ],
    composed: &composed::WEB,
    html: page::large,
};

/// Files that say next to nothing, as a site's owner or its software leaves them.
const TINY: [(u32, &str); 8] = [
    (40, "User-agent: *\nDisallow:\n"),
    (20, "User-agent: *\nAllow: /\n"),
    (18, "User-agent: *\nDisallow: /\n"),
    (6, "User-agent: *\nAllow: /\nDisallow:\n"),
    (5, "User-Agent: *\nDisallow: /cgi-bin/\n"),
    (3, "User-agent: *\nCrawl-delay: 10\n"),
    (1, "User-agent: *\n"),
    (1, "Disallow: /\n"),
];

/// Share of new or changed files that name AI crawlers, in parts of a million, by days since 1970:
/// next to none before the first of them told its name in August 2023, then ever more.
const NAMES_AI: [(u32, u32); 6] = [
    (0, 4_000),
    (19_570, 8_000),
    (19_600, 46_000),
    (19_900, 84_000),
    (20_250, 122_000),
    (20_700, 220_000),
];

/// What a new file depends on besides chance.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    /// The host that serves it.
    pub(crate) host: &'a str,
    /// When it is fetched.
    pub(crate) time: Time,
    /// What files are like here.
    pub(crate) habits: &'a Habits,
}

impl Setting<'_> {
    /// Does a file written now name AI crawlers?
    fn names_ai(&self, random: &mut Random) -> bool {
        let days = u32::try_from(self.time.0 / super::time::DAY).unwrap_or(u32::MAX);
        random.chance(interpolate(&NAMES_AI, days))
    }
}

/// A file, new at this time.
pub(crate) fn file(random: &mut Random, setting: Setting) -> Rc<[u8]> {
    let text = match random.weighted(setting.habits.makings) {
        Making::Composed => composed::text(random, setting),
        Making::Template => template::text(random, setting),
        Making::Tiny => (random.weighted(&TINY)).to_owned(),
        Making::Html => return (setting.habits.html)(random, setting.host).into(),
        Making::Empty => {
            return Rc::from(random.pick(&[&b""[..], b"", b"", b"\n", b"\r\n\r\n", b"   \n"]));
        }
        Making::NoRules => no_rules(random, setting),
        Making::Other => other(random, setting),
        Making::Binary => return trouble::picture(random).into(),
    };
    trouble::bytes(random, &text).into()
}

/// The file after its owner changed something.
pub(crate) fn revised(random: &mut Random, old: &[u8], setting: Setting) -> Rc<[u8]> {
    // Whoever changes a file that is not text replaces it.
    let Some(text) = std::str::from_utf8(old)
        .ok()
        .filter(|text| text.contains("ser-agent"))
    else {
        return file(random, setting);
    };
    if random.chance(MILLION / 8) {
        return file(random, setting);
    }
    let mut draft = Draft::after(random, text);
    if setting.names_ai(random) || random.percent(25) {
        composed::ai_groups(random, &mut draft);
    } else if random.percent(40) {
        draft.sitemap(setting.host, random);
    } else {
        composed::named_group(random, &mut draft);
    }
    draft.into_text().into_bytes().into()
}

/// The file that a platform serves for one of its sites. The output of `platform` is the same for
/// all of them.
pub(crate) fn of_platform(platform: &mut Random, setting: Setting) -> Rc<[u8]> {
    template::text(platform, setting).into_bytes().into()
}

fn no_rules(random: &mut Random, setting: Setting) -> String {
    let mut draft = Draft::new(random);
    for _ in 0..random.between(1, 4) {
        if random.percent(50) {
            draft.sitemap(setting.host, random);
        } else {
            draft.comment(random);
        }
    }
    draft.into_text()
}

fn other(random: &mut Random, setting: Setting) -> String {
    let host = setting.host;
    match random.below(5) {
        0 => format!(
            "{{\"status\":\"error\",\"code\":{},\"message\":\"no such resource\"}}\n",
            random.between(400, 599)
        ),
        1 => format!(
            "<?xml version=\"1.0\"?>\n<error host=\"{host}\"><code>NoSuchKey</code></error>\n"
        ),
        2 => format!("Welcome to {host}. This service answers on port 443 only.\n"),
        3 => "OK".to_owned(),
        _ => "error: template 'robots' not found\n".repeat(random.between(1, 30) as usize),
    }
}
