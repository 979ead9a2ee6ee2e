//! HTML: pages of a mixed crawl, home pages in place of a robots.txt, error pages.

use std::fmt::Write as _;

use super::random::Random;

const WORDS: [&str; 48] = [
    "water", "morning", "letter", "village", "bridge", "kitchen", "summer", "paper", "window",
    "music", "river", "market", "story", "island", "engine", "garden", "teacher", "winter",
    "harbour", "number", "picture", "journey", "silver", "weather", "table", "forest", "station",
    "friend", "evening", "mountain", "answer", "library", "painter", "bread", "question", "doctor",
    "season", "valley", "thunder", "candle", "pocket", "sailor", "history", "orange", "machine",
    "corner", "pencil", "light",
];

/// What error pages call themselves.
const SERVERS: [&str; 5] = ["nginx", "Apache", "openresty", "LiteSpeed", "Caddy"];

/// A page of running text.
pub(crate) fn article(random: &mut Random, host: &str) -> Vec<u8> {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{} - {host}</title>\n\
         <meta name=\"robots\" content=\"index,nofollow\">\n</head>\n<body>\n<p>",
        random.pick(&WORDS)
    );
    for n in 1..random.between(500, 6_000) {
        page.push_str(random.pick(&WORDS));
        page.push_str(if n % 90 == 0 { ".</p>\n<p>" } else { " " });
    }
    page.push_str("</p>\n</body>\n</html>\n");
    page.into_bytes()
}

/// A home page, as sites send it that know no missing pages.
pub(crate) fn home(random: &mut Random, host: &str) -> Vec<u8> {
    let opening = random.pick(&[
        "<!DOCTYPE html>\n<html>",
        "<!doctype html><html lang=\"de\">",
        "<html>",
        "\n\n<!DOCTYPE html>\n<html>",
    ]);
    let mut page = format!(
        "{opening}\n<head><title>Welcome to {host}</title>\n<script>var page = {{user: null}};</script>\n</head>\n<body>\n"
    );
    for _ in 0..random.between(2, 40) {
        let (a, b) = (random.pick(&WORDS), random.pick(&WORDS));
        let _ = writeln!(
            page,
            "<div class=\"card\"><a href=\"/{a}/{b}\">The {a} and the {b}</a></div>"
        );
    }
    page.push_str("</body>\n</html>\n");
    page.into_bytes()
}

/// The body of an answer that is an error.
pub(crate) fn error(random: &mut Random, status: u16, reason: &str) -> Vec<u8> {
    let server = random.pick(&SERVERS);
    let mut page = match random.below(12) {
        0 => return Vec::new(),
        1 => return format!("{reason}\n").into_bytes(),
        2 => return format!("{{\"status\":{status},\"error\":\"{reason}\"}}").into_bytes(),
        _ => format!(
            "<html>\r\n<head><title>{status} {reason}</title></head>\r\n<body>\r\n<center><h1>{status} {reason}</h1></center>\r\n\
             <hr><center>{server}</center>\r\n"
        ),
    };
    for _ in 0..random.quantile(&[(0, 0), (600_000, 1), (800_000, 20), (1_000_000, 150)]) {
        let (a, b) = (random.pick(&WORDS), random.pick(&WORDS));
        let _ = write!(page, "<li><a href=\"/{a}\">{a} and {b}</a></li>\r\n");
    }
    page.push_str("</body>\r\n</html>\r\n");
    page.into_bytes()
}
