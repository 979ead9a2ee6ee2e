//! One content at several addresses: its rows come once, and no address is asked again.

use super::server::{Answer, Server};
use super::{lines, numbers, quick, run, verify, warc};
use crate::support::folder::Folder;

#[test]
fn addresses_with_the_same_content_are_asked_once_each() {
    let (body, other) = (warc("a", 3), warc("b", 2));
    let folder = Folder::new();
    let server = Server::new(move |asked| match (&*asked.target, asked.before) {
        ("/late.warc.gz", 0) => Answer::new(404, b""),
        ("/b.warc.gz", 1..) => Answer::file(asked, &other, "\"v2\""),
        _ => Answer::file(asked, &body, "\"v1\""),
    });
    let out = folder.path("out");
    let ingest = |options: &[&str], paths: &[&str], code: i32| {
        let urls = paths.iter().map(|path| server.url(path));
        run(quick().args(options).args(urls).arg(&out), code).0
    };
    let all = ["/a.warc.gz", "/b.warc.gz"];
    let summary = ingest(&[], &all, 0);
    assert_eq!(
        numbers(&summary, ["captures", "inputs_ingested_before"]),
        [3, 1]
    );
    let summary = ingest(&[], &all, 0);
    assert_eq!(summary["inputs_ingested_before"], 2);
    assert_eq!(server.asked().len(), 2);

    // An address without anything new, and an address that was missing before.
    let all = ["/a.warc.gz", "/b.warc.gz", "/c.warc.gz", "/late.warc.gz"];
    ingest(&[], &all, 3);
    assert_eq!(lines(&out, "SELECT count(*) FROM damage"), ["1"]);
    let summary = ingest(&[], &all, 0);
    assert_eq!(summary["inputs_ingested_before"], 4);
    assert!(lines(&out, "SELECT kind FROM damage").is_empty());
    assert_eq!(lines(&out, "SELECT path FROM inputs"), ["a.warc.gz"]);
    verify(&out);
    ingest(&[], &all, 0);
    let counts = all.map(|path| server.count(path));
    assert_eq!(counts, [1, 1, 1, 2]);

    // Other content at such an address is another input, and takes no rows away.
    let summary = ingest(&["--force"], &["/b.warc.gz"], 0);
    assert_eq!(numbers(&summary, ["captures", "captures_replaced"]), [2, 0]);
    let inputs = "SELECT path, captures FROM inputs ORDER BY path";
    assert_eq!(lines(&out, inputs), ["a.warc.gz|3", "b.warc.gz|2"]);
    let summary = ingest(&[], &all, 0);
    assert_eq!(summary["inputs_ingested_before"], 4);
    assert_eq!(server.count("/b.warc.gz"), 2);
    verify(&out);
}
