//! Servers that cannot be used now, or at all: a run does not wait in vain.

use std::time::{Duration, Instant};

use super::server::{Answer, Server};
use super::{paced, run, verify, warc};
use crate::support::folder::Folder;
use crate::support::program::assert_contains;

/// Long enough for a busy machine, and shorter than the first pauses of a run that tries again.
const AT_ONCE: Duration = Duration::from_secs(20);

#[test]
fn a_retry_after_beyond_all_waiting_ends_the_run_at_once() {
    for retry_after in [
        "18446744073709551615",
        "99999999999999999999",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ] {
        let folder = Folder::new();
        let server = Server::new(move |asked| match &*asked.target {
            "/a.warc.gz" => Answer::file(asked, &warc("a", 1), "\"a\""),
            _ => Answer::new(503, b"")
                .with("Retry-After", retry_after)
                .after(Duration::from_millis(300)),
        });
        let out = folder.path("out");
        let urls = ["/a.warc.gz", "/b.warc.gz"].map(|path| server.url(path));
        let begun = Instant::now();
        let (_, said) = run(paced(1000.0, 3600.0).args(urls).arg(&out), 1);
        assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
        let words = ["of the 3600.0 s", "remain, and the server wants a pause of"];
        assert_contains(&said, &words);
        assert_eq!(server.count("/b.warc.gz"), 1);
        verify(&out);
    }
}

#[test]
fn a_certificate_that_is_not_trusted_is_not_tried_again() {
    let folder = Folder::new();
    let untrusted = Server::with_tls(|asked| Answer::file(asked, b"", "\"a\""));
    let trusted = Server::new(|asked| Answer::file(asked, &warc("a", 2), "\"a\""));
    let urls = [untrusted.url("/x.warc.gz"), trusted.url("/a.warc.gz")];
    let begun = Instant::now();
    let (summary, said) = run(paced(1000.0, 3600.0).args(&urls).arg(folder.path("out")), 3);
    assert!(begun.elapsed() < AT_ONCE, "{:?}", begun.elapsed());
    assert_eq!(summary["captures"], 2);
    assert_contains(&said, &["certificate", "SSL_CERT_FILE"]);
    assert!(!said.contains("another try"), "{said}");
    // A list of such files does not take as long as its requests would.
    let urls = (0..100).map(|number| untrusted.url(&format!("/{number}.warc.gz")));
    let (_, said) = run(paced(20.0, 3600.0).args(urls).arg(folder.path("other")), 1);
    assert_contains(&said, &["10 files in a row could not be fetched"]);
    let list = untrusted.url("/x.paths");
    let (_, said) = run(paced(1000.0, 3600.0).arg(list).arg(folder.path("list")), 1);
    assert!(said.contains("certificate"), "{said}");
    assert!(begun.elapsed() < 2 * AT_ONCE, "{:?}", begun.elapsed());
}
