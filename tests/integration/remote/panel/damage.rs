//! Records that come damaged: they are requested once more, in case that the server has them whole.
//! An index that was damaged on this machine is looked up again.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::super::{lines, verify};
use super::{CRAWLS, answer, choose, files, left, mirror, step};
use crate::support::folder::Folder;
use crate::support::program::{Run as _, assert_contains, text};
use crate::support::server::{Answer, Server};

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
            let of_archives = asked.iter().filter(|it| it.target.contains("/robotstxt/"));
            of_archives.count()
        };
        let said = step("fetch", &base, &panel).fail(3);
        let out = panel.join(CRAWLS[0]);
        let captures = || lines(&out, "SELECT count(*) FROM captures")[0].clone();
        assert_ne!(captures(), number.to_string(), "{said}");
        is_bad.store(!repaired, Relaxed);
        assert_eq!(left(&base, &panel).1, 1);
        let before = requests();
        let code = if repaired { 0 } else { 3 };
        step("fetch", &base, &panel).fail(code);
        let last = step("fetch", &base, &panel).fail(code);
        assert_eq!(last.contains("damaged or missing: "), !repaired, "{last}");
        assert_eq!(requests() - before, 1, "once more, and no more");
        assert_eq!(left(&base, &panel), (0, 0));
        assert_eq!(captures() == number.to_string(), repaired);
        verify(&out);
    }
}

#[test]
fn an_index_that_cannot_be_read_is_looked_up_again() {
    let folder = Folder::new();
    let panel = folder.path("panel");
    let number = choose(&folder, &panel);
    let mirror = &*mirror(&folder, &files(&folder));
    let find = || {
        let mut find = step("find", mirror, &panel);
        find.args(["--crawl", &CRAWLS.join(",")]);
        text(&find.output().expect("a run"))
    };
    find();
    let index = panel.join(format!("index/{}.parquet", CRAWLS[0]));
    let whole = fs::read(&index).expect("an index");
    let [first, second] = CRAWLS.map(|it| panel.join(it));
    let mut pages = whole.clone();
    pages[4..400].fill(0xff);
    for damaged in [&pages[..], &whole[..100], b""] {
        folder.write(&format!("panel/index/{}.parquet", CRAWLS[0]), damaged);
        let said = step("fetch", mirror, &panel).fail(3);
        let words = [
            index.to_str().expect("a path"),
            "; run `robostat panel find --crawl CC-MAIN-2025-33` again",
        ];
        assert_contains(&said, &words);
        assert!(!first.exists() && second.exists(), "{said}");
    }
    let again = "CC-MAIN-2025-33: sites: ";
    assert_contains(&find(), &["; looking it up again", again]);
    assert_contains(&find(), &["CC-MAIN-2025-33: found before", again]);
    step("fetch", mirror, &panel).succeed();
    let captures = "SELECT count(*) FROM captures";
    assert_eq!(lines(&first, captures), [number.to_string()]);
}
