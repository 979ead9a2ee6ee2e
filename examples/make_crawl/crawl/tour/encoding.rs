//! How text becomes bytes: UTF-8 with and without a byte order mark, UTF-16, and what is neither.

use super::super::exchange::Exchange;
use super::super::robots::utf16;
use super::file;

const TEXT: &str =
    "# Ümläute, ελληνικά, 日本語, 🤖\nUser-agent: *\nDisallow: /größe/\nDisallow: /plain/\n";

/// A byte order mark, as editors leave it that mean well.
const BOM: &str = "\u{FEFF}";

pub(super) fn stops() -> Vec<Exchange> {
    let mut without_mark = utf16(TEXT, u16::to_le_bytes);
    without_mark.drain(..2);
    vec![
        file("utf8.encoding.example", TEXT),
        file("bom.encoding.example", format!("{BOM}{TEXT}")),
        file(
            "bom-before-agent.encoding.example",
            format!("{BOM}User-agent: *\nDisallow: /after-bom/\n"),
        ),
        file(
            "two-boms.encoding.example",
            format!("{BOM}{BOM}User-agent: *\nDisallow: /after-two-boms/\n"),
        ),
        file(
            "half-bom.encoding.example",
            b"\xEF\xBBUser-agent: *\nDisallow: /after-half-a-bom/\n",
        ),
        file(
            "bom-inside.encoding.example",
            format!("User-agent: One\nDisallow: /one/\n\n{BOM}User-agent: Two\nDisallow: /two/\n"),
        ),
        file("utf16-le.encoding.example", utf16(TEXT, u16::to_le_bytes)),
        file("utf16-be.encoding.example", utf16(TEXT, u16::to_be_bytes)),
        file("utf16-without-bom.encoding.example", without_mark),
        file(
            "latin-1.encoding.example",
            b"# Gr\xF6\xDFe\nUser-agent: *\nDisallow: /gr\xF6\xDFe/\nDisallow: /plain/\n",
        ),
        file(
            "shift-jis.encoding.example",
            b"# \x83\x8D\x83\x7B\x83\x62\x83\x67\nUser-agent: *\nDisallow: /\x8C\x9F\x8D\xF5/\n",
        ),
        file(
            "cut-utf8.encoding.example",
            b"User-agent: *\nDisallow: /caf\xC3\nDisallow: /na\xC3\xAFve/\nDisallow: /\xE6\xA4",
        ),
        file(
            "overlong-utf8.encoding.example",
            b"User-agent: *\nDisallow: \xC0\xAFsecret\xC0\xAF\nDisallow: /\xED\xA0\x80/\n",
        ),
        file(
            "nul.encoding.example",
            b"User-agent: *\nDisallow: /before\0after/\nDisallow: /next/\0\nAllow: /\0\0\0",
        ),
        file(
            "no-break-space.encoding.example",
            "User-agent:\u{A0}*\nDisallow:\u{A0}/nbsp/\nDisallow: /plain/\u{A0}\n",
        ),
        file(
            "typographic.encoding.example",
            "User\u{2013}agent: *\nDisallow\u{FF1A} /full-width/\nDisallow: /\u{2026}/\n",
        ),
    ]
}
