//! Host names that nobody owns.
//!
//! Registrable domains under the zones that RFC 2606 and RFC 6761 reserve (`.example`, `.test`),
//! and hosts below `example.com`, `example.net` and `example.org`, which the same documents set
//! aside.

use super::random::Random;

pub(crate) const FIRST: [&str; 72] = [
    "alder", "amber", "anchor", "apple", "arrow", "autumn", "basil", "beacon", "birch", "blue",
    "bramble", "bright", "canal", "cedar", "chalk", "cherry", "city", "clear", "clover", "copper",
    "coral", "corner", "cotton", "daily", "delta", "early", "east", "elder", "ember", "fern",
    "field", "first", "flint", "forest", "garden", "ginger", "golden", "granite", "green",
    "harbor", "hazel", "heron", "hill", "iron", "ivory", "juniper", "kettle", "lake", "lantern",
    "linen", "little", "maple", "meadow", "mill", "north", "olive", "open", "orchard", "paper",
    "pepper", "pine", "quiet", "red", "river", "saffron", "silver", "stone", "sunny", "thyme",
    "velvet", "willow", "winter",
];

pub(crate) const SECOND: [&str; 80] = [
    "academy",
    "agency",
    "archive",
    "art",
    "auto",
    "bakery",
    "bank",
    "bikes",
    "books",
    "brewing",
    "cafe",
    "camera",
    "care",
    "church",
    "clinic",
    "club",
    "college",
    "cooking",
    "council",
    "crafts",
    "dance",
    "data",
    "dental",
    "design",
    "digital",
    "energy",
    "events",
    "fabrics",
    "farm",
    "film",
    "finance",
    "fitness",
    "flowers",
    "forum",
    "foto",
    "furniture",
    "gallery",
    "games",
    "gazette",
    "guide",
    "health",
    "herald",
    "history",
    "homes",
    "hosting",
    "hotel",
    "institute",
    "jobs",
    "journal",
    "kids",
    "lab",
    "law",
    "library",
    "logistics",
    "market",
    "media",
    "motors",
    "museum",
    "music",
    "news",
    "outdoor",
    "parts",
    "pets",
    "pharmacy",
    "photo",
    "post",
    "press",
    "radio",
    "recipes",
    "research",
    "school",
    "shop",
    "software",
    "sports",
    "studio",
    "theatre",
    "tools",
    "travel",
    "weather",
    "wiki",
];

/// Labels with letters beyond ASCII, as the domain name system carries them (RFC 3492).
pub(crate) const PUNYCODE: [&str; 12] = [
    "xn--bcher-kva",
    "xn--mller-kva",
    "xn--caf-dma",
    "xn--fahrrder-4za",
    "xn--strae-oqa",
    "xn--nio-8ma",
    "xn--d1acufc",
    "xn--e1afmkfd",
    "xn--fsqu00a",
    "xn--r8jz45g",
    "xn--9n2bp8q",
    "xn--mgbh0fb",
];

/// A zone, and its number of registrable domains or hosts in a thousand.
const ZONES: [(u32, &str); 6] = [
    (760, "example"),
    (80, "example.org"),
    (70, "example.net"),
    (50, "example.com"),
    (30, "test"),
    (10, "blog.example"),
];

const SUBDOMAINS: [(u32, &str); 10] = [
    (520, ""),
    (380, "www."),
    (20, "shop."),
    (20, "blog."),
    (10, "m."),
    (10, "news."),
    (10, "en."),
    (10, "docs."),
    (10, "static."),
    (10, "forum."),
];

/// Ports in the rare URLs that name one.
const PORTS: [&str; 4] = [":8080", ":8443", ":8000", ":444"];

/// Some host, and in one of two hundred cases a port: what stands between `://` and the path.
pub(crate) fn authority(random: &mut Random) -> String {
    let subdomain = random.weighted(&SUBDOMAINS);
    let port = if random.chance(5_000) {
        random.pick(&PORTS)
    } else {
        ""
    };
    format!("{subdomain}{}{port}", domain(random))
}

/// Some registrable domain, or a name below one of the shared zones.
pub(crate) fn domain(random: &mut Random) -> String {
    let zone = random.weighted(&ZONES);
    if random.chance(8_000) {
        let (label, number) = (random.pick(&PUNYCODE), random.below(400));
        // Punycode of a name with a number after it is another word altogether, so the number
        // stands a label further down.
        return if number < 40 {
            format!("{label}.{zone}")
        } else {
            format!("n{number}.{label}.{zone}")
        };
    }
    let (first, second) = (random.pick(&FIRST), random.pick(&SECOND));
    match random.below(10) {
        0..4 => format!("{first}{second}.{zone}"),
        4..6 => format!("{first}-{second}.{zone}"),
        6..9 => format!("{first}{second}{}.{zone}", random.below(1_000)),
        _ => format!("{first}-{second}-{}.{zone}", random.below(100)),
    }
}

/// An address from the blocks that RFC 5737 and RFC 3849 set aside for documentation.
pub(crate) fn address(random: &mut Random) -> String {
    let last = random.between(1, 254);
    match random.below(20) {
        0..6 => format!("192.0.2.{last}"),
        6..12 => format!("198.51.100.{last}"),
        12..18 => format!("203.0.113.{last}"),
        _ => format!("2001:db8:{:x}::{last:x}", random.below(4_096)),
    }
}
