//! Pages of WAT as text, and every beginning of an extract.

use warc_recovery::warc::RecordHead;

use super::read_wat;
use super::wat::closed;
use crate::dataset::tables::pages::PageRow;
use crate::tests::{check, optional};

const HEAD: &[u8] = b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://a.example/x\r\n\
    Content-Type: application/json\r\nContent-Length: 0\r\n\r\n";

/// The page of the first `length` bytes of an extract.
fn page(block: &str, length: usize) -> String {
    let head = RecordHead::parse(HEAD).expect("a head");
    let start = &block.as_bytes()[..length];
    let mut found = None;
    let mut take = |page: PageRow<'_>, policy: Option<&[u8]>| {
        let text = |bytes: Option<&[u8]>| optional(bytes.map(String::from_utf8_lossy));
        let links = [page.n_links, page.n_links_nofollow, page.n_links_ugc].map(optional);
        let parts = [
            text(Some(page.url)),
            page.source.to_owned(),
            format!("status {}", optional(page.fetch_status)),
            format!("time {}", optional(page.fetch_time)),
            format!("id {}", text(page.warc_record_id)),
            format!("charset {}", text(page.content_charset)),
            format!(
                "languages {} {}",
                text(page.content_language),
                text(page.html_lang)
            ),
            format!("html {}", page.is_html),
            format!("links {}", links.join("/")),
            format!("cut {}", page.is_over_limit),
            format!("policy {}", text(policy)),
        ];
        found = Some(parts.join("; "));
    };
    match read_wat(&head, start, block.len() as u64, true, &mut take) {
        Ok(()) => optional(found),
        Err(problem) => problem,
    }
}

#[test]
fn extracts() {
    check(
        "src/ingest/page/wat.rs",
        |question, [block, end, _]| match question {
            "page" => page(block, block.len()),
            "cut" => {
                for length in 0..block.len() {
                    page(block, length);
                }
                page(block, block.find(end).expect("the text where it is cut"))
            }
            _ => panic!("{question}"),
        },
    );
}

#[test]
fn every_beginning_of_an_object_is_closed_to_one() {
    let json = r#"{"a":{"b\"}":[{"c":1},{"d":"]\\"}]},"e":[[]],"f":{}}"#;
    for end in 0..=json.len() {
        let Some(closed) = closed(&json.as_bytes()[..end]) else {
            assert!(end <= json.find("1}").expect("an object") + 1, "{end}");
            continue;
        };
        let value: serde_json::Value = serde_json::from_slice(&closed).expect("JSON");
        assert_eq!(value["a"]["b\"}"][0]["c"], 1, "{end}");
    }
    assert_eq!(closed(json.as_bytes()), Some(json.as_bytes().to_vec()));
    for cut in ["", "{", "{\"", "{\"\\", "}", "]x", "{\"a\\"] {
        assert_eq!(closed(cut.as_bytes()), None, "{cut}");
    }
}
