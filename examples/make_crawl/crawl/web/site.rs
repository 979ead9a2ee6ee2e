//! A site: what follows from its number and stays the same from crawl to crawl.

use super::super::host::{FIRST, PUNYCODE, SECOND};
use super::super::random::Random;
use super::domain;

/// All sites there could be.
pub(super) struct Sites {
    hosts: Random,
    of_domains: Random,
    pub(super) files: Random,
    pub(super) platforms: Random,
}

/// A host with a robots.txt, or with an answer in its place.
pub(super) struct Site {
    pub(super) number: u64,
    /// The host that answers.
    pub(super) host: String,
    pub(super) is_https: bool,
    pub(super) way_in: WayIn,
    /// The site that it has moved to, if that is its way in.
    pub(super) moved_to: u64,
    /// The usual status of its robots.txt, with the reason phrase.
    pub(super) answer: (u16, &'static str),
    /// The platform that it is a customer of.
    pub(super) platform: Option<u64>,
    /// Days after which its file changes; 0 for never.
    pub(super) changes_every: u32,
}

/// How a crawler comes to the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WayIn {
    Direct,
    /// From `http` to `https`.
    Https,
    /// From the name with `www.` to the one without, or back.
    Www,
    /// First the one, then the other.
    HttpsAndWww,
    /// It has moved to another site.
    Moved,
    /// To its home page or another that is not a robots.txt.
    Page,
    /// In a loop, or nowhere.
    Nowhere,
}

/// Out of a thousand sites.
const WAYS_IN: [(u32, WayIn); 7] = [
    (815, WayIn::Direct),
    (55, WayIn::Https),
    (55, WayIn::Www),
    (20, WayIn::HttpsAndWww),
    (28, WayIn::Moved),
    (18, WayIn::Page),
    (9, WayIn::Nowhere),
];

/// Out of a thousand sites.
const ANSWERS: [(u32, (u16, &str)); 14] = [
    (760, (200, "OK")),
    (166, (404, "Not Found")),
    (40, (403, "Forbidden")),
    (4, (401, "Unauthorized")),
    (6, (410, "Gone")),
    (5, (429, "Too Many Requests")),
    (3, (400, "Bad Request")),
    (2, (405, "Method Not Allowed")),
    (2, (406, "Not Acceptable")),
    (1, (451, "Unavailable For Legal Reasons")),
    (4, (500, "Internal Server Error")),
    (5, (503, "Service Unavailable")),
    (1, (522, "Origin Timed Out")),
    (1, (204, "No Content")),
];

/// Days between changes of a file, out of a thousand sites.
const CHANGES: [(u32, u32); 5] = [(550, 0), (200, 1_100), (150, 365), (80, 120), (20, 30)];

/// What hosts below a domain are called besides `www`.
const SUBDOMAINS: [&str; 16] = [
    "blog", "shop", "m", "news", "en", "de", "docs", "static", "forum", "support", "mail", "dev",
    "app", "api", "help", "old",
];

impl Sites {
    /// The sites of this web.
    pub(super) fn new(random: &Random) -> Self {
        Self {
            hosts: random.stream("sites"),
            of_domains: random.stream("domains"),
            files: random.stream("files"),
            platforms: random.stream("platforms"),
        }
    }

    /// The site of this number.
    pub(super) fn site(&self, number: u64) -> Site {
        let mut random = self.hosts.fork(number);
        let platform = random
            .percent(15)
            .then(|| domain::some_platform(&mut random));
        let host = match platform {
            Some(platform) => customer(&mut random, platform, number),
            None => self.host(&mut random, number),
        };
        Site {
            number,
            host,
            platform,
            is_https: !random.percent(7),
            way_in: match platform {
                Some(_) => WayIn::Direct,
                None => random.weighted(&WAYS_IN),
            },
            moved_to: random.below_wide(number + 1),
            answer: random.weighted(&ANSWERS),
            changes_every: random.weighted(&CHANGES),
        }
    }

    /// The host of a site with a domain of its own, or below the domain of an earlier site: domains
    /// with many hosts get more (Simon, 1955).
    fn host(&self, random: &mut Random, number: u64) -> String {
        if random.chance(4_000) {
            let (label, zone) = (random.pick(&PUNYCODE), random.pick(&["example", "test"]));
            return format!("n{number}.{label}.{zone}");
        }
        let mut owner = number;
        let mut domain = self.of_domains.fork(owner);
        while owner > 0 && domain.percent(30) {
            owner = domain.below_wide(owner);
            domain = self.of_domains.fork(owner);
        }
        // The owner's throw that it is one, made above, has moved its stream on.
        let domain = domain::registered(&mut domain, owner);
        match random.below(100) {
            0..45 if owner == number => format!("www.{domain}"),
            _ if owner == number => domain,
            0..80 => format!("{}-{number:x}.{domain}", random.pick(&SUBDOMAINS)),
            _ => format!("{}{number:x}.{domain}", random.pick(&SECOND)),
        }
    }
}

/// The host of a site on a platform.
fn customer(random: &mut Random, platform: u64, number: u64) -> String {
    let (first, second) = (random.pick(&FIRST), random.pick(&SECOND));
    format!("{first}{second}-{number:x}.{}", domain::platform(platform))
}

impl Site {
    /// Where its robots.txt is.
    pub(super) fn url(&self) -> String {
        format!("{}://{}/robots.txt", self.scheme(), self.host)
    }

    /// `https` or `http`.
    pub(super) const fn scheme(&self) -> &'static str {
        if self.is_https { "https" } else { "http" }
    }

    /// Its name with `www.`, or without where it has that.
    pub(super) fn other_host(&self) -> String {
        match self.host.strip_prefix("www.") {
            Some(bare) => bare.to_owned(),
            None => format!("www.{}", self.host),
        }
    }
}
