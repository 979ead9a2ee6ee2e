//! Records that come damaged: they are requested once more, in case that the server has them whole.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::super::server::{Answer, Server};
use super::super::{lines, verify};
use super::{CRAWLS, answer, choose, files, left, step};
use crate::support::folder::Folder;
use crate::support::program::Run as _;

#[test]
fn damaged_records_are_requested_once_more() {
    for repaired in [true, false] {
        let folder = Folder::new();
        let panel = folder.path("panel");
        let number = choose(&folder, &panel);
        let files = files(&folder);
        let is_bad = Arc::new(AtomicBool::new(true));
        let bad = Arc::clone(&is_bad);
        let server = Server::new(move |asked| match files.get(&asked.target) {
            Some(body) if asked.target.ends_with("/1.warc.gz") && bad.load(Relaxed) => {
                let damaged = body.iter().enumerate();
                let damaged = damaged.map(|(place, byte)| byte ^ u8::from(place % 97 == 0));
                Answer::file(asked, &damaged.collect::<Vec<u8>>(), "\"v1\"")
            }
            _ => answer(&files, asked),
        });
        let base = server.url("");
        step("find", &base, &panel)
            .args(["--crawl", CRAWLS[0]])
            .succeed();
        let requests = || {
            let asked = server.asked();
            asked
                .iter()
                .filter(|it| it.target.contains("/robotstxt/"))
                .count()
        };
        let said = step("fetch", &base, &panel).fail(3);
        let out = panel.join(CRAWLS[0]);
        let captures = || lines(&out, "SELECT count(*) FROM captures")[0].clone();
        assert_ne!(captures(), number.to_string(), "{said}");
        is_bad.store(!repaired, Relaxed);
        assert_eq!(left(&base, &panel).1, 1);
        let before = requests();
        let again = step("fetch", &base, &panel).output().expect("a run");
        assert_eq!(again.status.code(), Some(0));
        step("fetch", &base, &panel).succeed();
        assert_eq!(requests() - before, 1, "once more, and no more");
        assert_eq!(left(&base, &panel), (0, 0));
        assert_eq!(captures() == number.to_string(), repaired);
        verify(&out);
    }
}
