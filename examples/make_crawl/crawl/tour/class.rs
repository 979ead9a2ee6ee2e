//! What a body can be: rules, no rules, nothing, HTML, binary, compressed, or something else.

use super::super::exchange::Exchange;
use super::super::robots::gzip_stored;
use super::{answer, file};

const HTML: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Not here</title></head>\n\
    <body>\n\
    <p>There is no such page. <a href=\"/\">Home</a></p>\n</body>\n</html>\n";

const PICTURE: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1F\x15\xC4\x89\0\0\0\0IEND\xAE\x42\x60\x82";

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

pub(super) fn stops() -> Vec<Exchange> {
    let html = &["Content-Type: text/html; charset=utf-8"];
    let ok = "HTTP/1.1 200 OK";
    vec![
        file("rules.class.example", RULES),
        file(
            "comments.class.example",
            "# There is nothing to forbid here.\n# And nothing to allow.\n",
        ),
        file(
            "sitemap-only.class.example",
            "Sitemap: https://sitemap-only.class.example/sitemap.xml\n",
        ),
        file(
            "agents-only.class.example",
            "User-agent: *\nUser-agent: ExampleBot\n",
        ),
        file("unknown-only.class.example", "Name: value\nTheme: dark\n"),
        file("empty.class.example", ""),
        file("white-space.class.example", " \t\r\n\n   \n"),
        file("bom-only.class.example", "\u{FEFF}"),
        answer("html.class.example", ok, html, HTML),
        file("html-as-text.class.example", HTML),
        file(
            "html-with-rules.class.example",
            HTML.replace(
                "<p>",
                "<pre>\nUser-agent: *\nDisallow: /from-html/\n</pre>\n<p>",
            ),
        ),
        file(
            "html-fragment.class.example",
            "<h1>Too many requests</h1><br>Please slow down.\n",
        ),
        answer("rules-as-html.class.example", ok, html, RULES),
        file(
            "xml.class.example",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<error><code>NoSuchKey</code></error>\n",
        ),
        file(
            "json.class.example",
            "{\"error\": {\"code\": 404, \"message\": \"no route for /robots.txt\"}}\n",
        ),
        file(
            "prose.class.example",
            "It works! This server answers with the same words everywhere.\n",
        ),
        Exchange {
            identified: "image/png",
            ..answer(
                "picture.class.example",
                ok,
                &["Content-Type: image/png"],
                PICTURE,
            )
        },
        Exchange {
            identified: "application/gzip",
            ..file("gzip.class.example", gzip_stored(RULES.as_bytes()))
        },
        Exchange {
            identified: "application/zstd",
            ..file(
                "zstd.class.example",
                &include_bytes!("coded/robots.txt.zst")[..],
            )
        },
        Exchange {
            identified: "application/zip",
            ..file(
                "zip.class.example",
                b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            )
        },
    ]
}
