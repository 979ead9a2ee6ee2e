//! Ends of lines.

use super::super::exchange::Exchange;
use super::file;

pub(super) fn stops() -> Vec<Exchange> {
    let lines = [
        "# Lines end in one way",
        "User-agent: *",
        "",
        "Disallow: /one/",
        "Disallow: /two/ # and a comment",
        "",
    ];
    vec![
        file("lf.ending.example", lines.join("\n")),
        file("crlf.ending.example", lines.join("\r\n")),
        file("cr.ending.example", lines.join("\r")),
        file("lfcr.ending.example", lines.join("\n\r")),
        file("crcrlf.ending.example", lines.join("\r\r\n")),
        file(
            "mixed.ending.example",
            "User-agent: *\r\nDisallow: /crlf/\n\
             Disallow: /lf/\rDisallow: /cr/\n\rDisallow: /lfcr/\r\n",
        ),
        file("none.ending.example", "User-agent: *"),
        file(
            "no-final.ending.example",
            "User-agent: *\nDisallow: /last-line-without-end/",
        ),
        file(
            "final-cr.ending.example",
            "User-agent: *\nDisallow: /last-line-ends-in-cr/\r",
        ),
        file(
            "other-breaks.ending.example",
            "User-agent: *\nDisallow: /vt/\u{B}Disallow: /ff/\u{C}\nDisallow: /\u{85}/\u{2028}/\n",
        ),
    ]
}
