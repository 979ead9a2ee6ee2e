//! Files and lines of unusual size.

use std::fmt::Write as _;

use super::super::exchange::Exchange;
use super::file;

/// What every crawler reads at least, in bytes (RFC 9309 §2.5).
const LIMIT: usize = 500 * 1024;

pub(super) fn stops() -> Vec<Exchange> {
    vec![
        file("over-limit.size.example", over_limit()),
        file(
            "long-line.size.example",
            format!(
                "User-agent: *\nDisallow: /long/{}end\nDisallow: /after/\n",
                "line/".repeat(3_300)
            ),
        ),
        file(
            "long-comment.size.example",
            format!(
                "User-agent: *\n#{}\nDisallow: /after/\n",
                " word".repeat(800)
            ),
        ),
        file(
            "long-agent.size.example",
            format!("User-agent: {}\nDisallow: /\n", "ExampleBot-".repeat(200)),
        ),
        file(
            "many-stars.size.example",
            format!(
                "User-agent: *\nDisallow: /{}b$\nAllow: /{}\n",
                "*a".repeat(200),
                "*".repeat(500)
            ),
        ),
        file(
            "many-agents.size.example",
            numbered(150, |text, n| {
                writeln!(text, "User-agent: Crawler{}", letters(n))
            }) + "Disallow: /\n",
        ),
        file(
            "many-groups.size.example",
            numbered(90, |text, n| {
                writeln!(text, "User-agent: Crawler{}\nDisallow: /{n}/\n", letters(n))
            }),
        ),
        file(
            "many-rules.size.example",
            "User-agent: *\n".to_owned()
                + &numbered(250, |text, n| writeln!(text, "Disallow: /rule/{n}/")),
        ),
        file(
            "many-sitemaps.size.example",
            numbered(1_010, |text, n| {
                writeln!(text, "Sitemap: https://many.example/{n}.xml")
            }),
        ),
        file(
            "many-remarks.size.example",
            numbered(120, |text, n| writeln!(text, "Disalow /orphan/{n}/")),
        ),
        file(
            "blank-lines.size.example",
            format!("User-agent: *\n{}Disallow: /far/\n", "\n".repeat(2_000)),
        ),
    ]
}

/// A file whose last rule within the limit is cut there after its first slash: read to the last
/// byte, it would block everybody; read to the last whole line, it does not.
fn over_limit() -> String {
    const CUT: &str = "Disallow: /";
    let mut text = String::with_capacity(LIMIT + 8_192);
    text.push_str("# Longer than 500 KiB. What stands after them is not read.\nUser-agent: *\n");
    let mut number = 0;
    while text.len() + 200 < LIMIT {
        let _ = writeln!(text, "Disallow: /archive/of/very/many/pages/{number:06}/");
        number += 1;
    }
    let padding = LIMIT - CUT.len() - text.len() - 2;
    let _ = writeln!(text, "#{}", "=".repeat(padding));
    let _ = writeln!(text, "{CUT}temporary/");
    text.push_str("Sitemap: https://over-limit.size.example/not-read.xml\n");
    while text.len() < LIMIT + 8_000 {
        text.push_str("Disallow: /beyond/the/limit/\n");
    }
    text
}

fn numbered(count: u32, line: impl Fn(&mut String, u32) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = line(&mut text, number);
    }
    text
}

/// The number in letters: a product token has no digits.
fn letters(number: u32) -> String {
    let letter = |n: u32| char::from_digit(n % 26 + 10, 36).unwrap_or('x');
    [letter(number / 26), letter(number)].iter().collect()
}
