//! A crawl before a crawler was known. tests/cases/crawls.md has more of crawls in time.

use std::fmt::Write as _;

use robostat::internals::shipped;
use serde_json::Value;

use crate::support::mini_warc::MiniWarc;

/// A query of one crawl has the note too, whatever it counts. A day on which a list first named a
/// crawler is no day of an announcement.
#[test]
fn a_crawl_before_a_crawler_was_known_carries_a_note_in_every_query() {
    let no_gptbot = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /\n";
    let no_bot = "\n\nUser-agent: FacebookBot\nDisallow: /\nCrawl-delay: 2\n";
    let hosts = (0..6).fold(MiniWarc::new().on("2021-03-01"), |warc, number| {
        let other = format!("{no_gptbot}{no_bot}");
        let warc = warc.file(&format!("site{number}.example"), no_gptbot);
        warc.file(&format!("other{number}.example"), &other)
    });
    let dataset = MiniWarc::ingest_crawls([("2021", hosts)]);
    let mut script = String::new();
    for query in shipped::all() {
        let takes = |parameter: &str| query.parameter(parameter).is_some();
        // agent-panel has the notes of the crawl before; probes of hosts have none.
        if takes("agents") && takes("crawl") && !takes("ranks") && !takes("before") {
            let name = query.macro_name();
            let _ = writeln!(
                script,
                "SELECT '{name}', to_json(answer)::VARCHAR \
                 FROM {name}(agents := ['gptbot', 'facebookbot']) AS answer;"
            );
        }
    }
    let mut told = std::collections::BTreeSet::new();
    for line in dataset.lines(&script) {
        let (name, row) = line.split_once('|').expect("a name and a row");
        let row: Value = serde_json::from_str(row).expect("JSON");
        let note = row["note"].as_str().unwrap_or_default();
        let expected = match row["product_token"].as_str() {
            Some("gptbot") => "before the crawler was announced in 2023-08",
            Some("facebookbot") => {
                "before 2024-03, when a public list first named the crawler; it may be older"
            }
            _ => continue,
        };
        assert!(note.contains(expected), "{name}: {row}");
        told.insert(name.to_owned());
    }
    assert!(told.len() >= 12, "{told:?}");
}
