//! Domains that nobody owns, under the suffixes that real ones have.
//!
//! Their labels have `--` in the third and fourth place. RFC 5890 §2.3.1 reserves such labels, and
//! no registry gives them out (but those that begin with `xn--`). The Public Suffix List does not
//! mind: `ma--plenews.co.uk` is a registrable domain.

use super::super::host::{FIRST, SECOND};
use super::super::random::Random;

/// Public suffixes, and how many of some thousand domains are under each.
const SUFFIXES: [(u32, &str); 64] = [
    (450, "com"),
    (60, "de"),
    (50, "org"),
    (42, "net"),
    (38, "co.uk"),
    (35, "ru"),
    (28, "nl"),
    (28, "fr"),
    (24, "it"),
    (22, "com.br"),
    (20, "pl"),
    (16, "com.au"),
    (16, "es"),
    (14, "jp"),
    (14, "ca"),
    (14, "ch"),
    (14, "eu"),
    (14, "info"),
    (12, "cz"),
    (12, "se"),
    (10, "co.jp"),
    (10, "at"),
    (10, "be"),
    (10, "dk"),
    (10, "io"),
    (10, "cn"),
    (10, "ir"),
    (8, "com.cn"),
    (8, "co"),
    (8, "us"),
    (8, "in"),
    (8, "com.tr"),
    (8, "hu"),
    (8, "ro"),
    (8, "gr"),
    (7, "no"),
    (7, "fi"),
    (7, "co.za"),
    (6, "pt"),
    (6, "com.ar"),
    (6, "shop"),
    (6, "online"),
    (6, "xyz"),
    (5, "co.in"),
    (5, "com.mx"),
    (5, "co.nz"),
    (5, "ua"),
    (5, "com.ua"),
    (5, "me"),
    (4, "org.uk"),
    (4, "com.tw"),
    (4, "co.kr"),
    (4, "vn"),
    (4, "store"),
    (4, "biz"),
    (4, "tv"),
    (3, "com.vn"),
    (3, "co.id"),
    (3, "edu"),
    (3, "dev"),
    (3, "app"),
    (2, "ac.uk"),
    (1, "gov.uk"),
    (1, "gov"),
];

/// What a domain is called that hosts other people's sites.
const PLATFORM_KINDS: [&str; 4] = ["pages", "shops", "blogs", "sites"];

/// How many of those there are, as a power of two.
const PLATFORM_OCTAVES: u32 = 8;

/// The registrable domain of this number: no two numbers have the same.
pub(super) fn registered(random: &mut Random, number: u64) -> String {
    let pairs = FIRST.len() * SECOND.len();
    let forms = 2 * pairs as u64;
    // Neighbours get other words: 7,919 is a prime that the number of names has not.
    let name = usize::try_from(number % forms * 7_919 % forms).expect("below the number of forms");
    let (first, second) = (FIRST[name % FIRST.len()], name % pairs / FIRST.len());
    let dash = if name < pairs { "" } else { "-" };
    let round = match number / forms {
        0 => String::new(),
        round => round.to_string(),
    };
    let suffix = random.weighted(&SUFFIXES);
    let (head, tail) = first.split_at(2);
    format!("{head}--{tail}{dash}{}{round}.{suffix}", SECOND[second])
}

/// The number of some platform: the first has as many sites as the next two together, those as the
/// next four, and so on.
pub(super) fn some_platform(random: &mut Random) -> u64 {
    let octave = random.below(PLATFORM_OCTAVES);
    u64::from((1 << octave) - 1 + random.below(1 << octave))
}

/// The domain of a platform.
pub(super) fn platform(number: u64) -> String {
    let number = usize::try_from(number).expect("there are few");
    let (head, tail) = FIRST[number * 7 % FIRST.len()].split_at(2);
    let kind = PLATFORM_KINDS[number / FIRST.len() % PLATFORM_KINDS.len()];
    let suffix = ["com", "net", "io", "com", "site"][number % 5];
    format!("{head}--{tail}{kind}.{suffix}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_domains_are_the_same_or_could_be_registered() {
        let mut random = Random::new(1);
        let mut seen: HashSet<String> = (0..256).map(platform).collect();
        for number in 0..30_000 {
            seen.insert(registered(&mut random, number));
        }
        assert_eq!(seen.len(), 30_256);
        for domain in seen {
            assert_eq!(domain.find("--"), Some(2), "{domain}");
            assert!(!domain.starts_with("xn"), "{domain}");
        }
    }
}
