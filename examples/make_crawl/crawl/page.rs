//! HTML: pages of a mixed crawl, home pages in place of a robots.txt, error pages.

use std::fmt::Write as _;

use std::sync::LazyLock;

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
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{} - {host}</title>\n\
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
        "{opening}\n<head><title>Welcome to {host}</title>\n\
         <script>var page = {{user: null}};</script>\n</head>\n<body>\n"
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

/// Sizes in bytes of home pages at quantiles in parts of a million.
const SIZES: [(u32, u32); 9] = [
    (0, 120),
    (50_000, 210),
    (120_000, 400),
    (250_000, 2_300),
    (500_000, 20_000),
    (750_000, 63_000),
    (900_000, 125_000),
    (950_000, 200_000),
    (1_000_000, 600_000),
];

const STYLES: [&str; 12] = [
    "  width: 100%;\n",
    "  display: block;\n",
    "  color: #336699;\n",
    "  font-size: 14px;\n",
    "  height: auto;\n",
    "  padding: 0 12px;\n",
    "  position: relative;\n",
    "  background: #fff;\n",
    "  margin: 0 auto;\n",
    "  text-align: center;\n",
    "}\n.card a:hover {\n",
    "  font-weight: bold;\n",
];

/// Pieces that large pages consist of: making every word would take longer than all the rest.
static PIECES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut random = Random::new(5_741);
    (0..256).map(|_| piece(&mut random)).collect()
});

fn piece(random: &mut Random) -> String {
    let (a, b) = (random.pick(&WORDS), random.pick(&WORDS));
    let mut piece = format!(
        "<section id=\"s{:x}\"><h2>The {a} and the {b}</h2>\n<p>",
        random.bits() >> 40
    );
    for _ in 0..random.between(40, 160) {
        piece.push_str(random.pick(&WORDS));
        piece.push(' ');
    }
    let _ = writeln!(
        piece,
        "</p>\n<img src=\"/img/{:016x}.webp\" alt=\"\"><a href=\"/{a}/{b}-{}\">more</a></section>",
        random.bits(),
        random.below(100_000)
    );
    piece
}

/// A home page as large as real ones, of whose text much is found on other pages too.
pub(crate) fn large(random: &mut Random, host: &str) -> Vec<u8> {
    let size = random.quantile(&SIZES) as usize;
    let mut page = home(random, host);
    // What readers of robots.txt take for directives: most of the unknown ones there are.
    if size > 2_000 {
        for _ in 0..random.between(4, 60) {
            let line = random.pick(&STYLES);
            page.extend_from_slice(line.as_bytes());
        }
    }
    page.reserve(size.saturating_sub(page.len()) + 1_200);
    while page.len() < size {
        page.extend_from_slice(PIECES[random.index(PIECES.len())].as_bytes());
    }
    page
}

/// The body of an answer that is an error.
pub(crate) fn error(random: &mut Random, status: u16, reason: &str) -> Vec<u8> {
    let server = random.pick(&SERVERS);
    let mut page = match random.below(12) {
        0 => return Vec::new(),
        1 => return format!("{reason}\n").into_bytes(),
        2 => return format!("{{\"status\":{status},\"error\":\"{reason}\"}}").into_bytes(),
        _ => format!(
            "<html>\r\n<head><title>{status} {reason}</title></head>\r\n<body>\r\n\
             <center><h1>{status} {reason}</h1></center>\r\n\
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
