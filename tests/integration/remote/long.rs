//! Many files over a server that throttles, cuts, lies and dies, and runs that are killed on the
//! way.
//!
//! `ROBOSTAT_FILES=2000` takes this many files, and `ROBOSTAT_KILLS=20` kills that often; without
//! them a few hundred files, and a few kills.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{lines, numbers, paced, quick, run, tables, warc};
use crate::support::folder::Folder;
use crate::support::inputs::{self, kills};
use crate::support::program::{assert_consistent, assert_contains};
use crate::support::server::{Answer, Server};

/// The bodies of `number` files, by path.
fn files(number: u32) -> Arc<HashMap<String, Vec<u8>>> {
    let files = (0..number).map(|it| (format!("/f{it:03}.warc.gz"), warc(&format!("f{it:03}"), 3)));
    Arc::new(files.collect())
}

/// The list of files that a server has.
fn list(server: &Server, number: u32) -> String {
    (0..number)
        .map(|it| server.url(&format!("/f{it:03}.warc.gz")) + "\n")
        .collect()
}

/// A dataset of the same files on this machine.
fn local(folder: &Folder, files: &HashMap<String, Vec<u8>>) -> std::path::PathBuf {
    for (path, body) in files {
        folder.write(&format!("files{path}"), body);
    }
    let out = folder.path("local");
    run(quick().arg(folder.path("files")).arg(&out), 0);
    out
}

#[test]
fn many_files_from_a_server_that_throttles_cuts_and_lies() {
    const RATE: f64 = 100.0;
    let number = inputs::files(200);
    let (files, folder) = (files(number), Folder::new());
    let content = Arc::clone(&files);
    let server = Server::new(move |asked| {
        let body = &content[&asked.target];
        let answer = Answer::file(asked, body, &format!("\"{}\"", asked.target));
        let kind: usize = asked.target.bytes().map(usize::from).sum::<usize>() % 10;
        match (kind, asked.before) {
            (0, 0) => Answer::new(503, b"slow down"),
            (1, 0 | 1) => answer.cut(body.len() / 3),
            (2, 0) => answer.lie(body.len() + 7),
            (3, 0) => Answer::new(500, b""),
            (4, 0) => Answer::new(200, b"<html>busy</html>"),
            (5, 0) => answer.after(Duration::from_millis(30)),
            (6, 0) => Answer::new(429, b""),
            (7, 0) => Answer::none(),
            _ => answer,
        }
    });
    let list = folder.write("list", list(&server, number).as_bytes());
    let out = folder.path("out");
    let begun = Instant::now();
    let mut command = paced(RATE, 60.0);
    command.arg("--files-from");
    let (summary, _) = run(command.arg(list).arg(&out), 0);
    assert_eq!(
        numbers(&summary, ["inputs", "captures"]),
        [number, 3 * number].map(u64::from)
    );
    assert_eq!(tables(&out), tables(&local(&folder, &files)));
    assert_consistent(&out);

    // The rate: a request may come late, but none before its place in the schedule.
    let asked = server.asked();
    assert!(asked.len() > number as usize * 3 / 2, "{}", asked.len());
    for (number, one) in (0_u32..).zip(asked.iter()) {
        let earliest = begun + Duration::from_secs_f64(f64::from(number) / RATE);
        assert!(
            one.at >= earliest,
            "request {number}: {:?} early",
            earliest - one.at
        );
    }
    // Every file once: what was answered whole is not asked for again.
    let mut whole = HashSet::new();
    for one in asked.iter() {
        assert!(!whole.contains(&one.target), "{one:?}");
        let kind: usize = one.target.bytes().map(usize::from).sum::<usize>() % 10;
        let faults = match kind {
            0 | 2 | 3 | 4 | 6 | 7 => 1,
            1 => 2,
            _ => 0,
        };
        if one.before == faults {
            whole.insert(one.target.clone());
        }
    }
    assert_eq!(whole.len(), number as usize);
}

#[test]
fn a_server_that_dies_and_comes_back_is_asked_for_what_is_not_there() {
    // A third is more than the 64 files that wait for another try, of which some may have begun
    // before the last answer, those that are asked for, and the ten in a row that end a run.
    let number = inputs::files(300);
    let (files, folder) = (files(number), Folder::new());
    // Alive for a third of the files, then for another one.
    let (content, alive) = (Arc::clone(&files), Arc::new(AtomicUsize::new(0)));
    let lives = Arc::clone(&alive);
    let server = Server::new(move |asked| {
        let is_alive = |left: usize| left.checked_sub(1);
        match lives.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_alive) {
            Ok(_) => Answer::file(asked, &content[&asked.target], "\"a\""),
            Err(_) => Answer::none(),
        }
    });
    let list = folder.write("list", list(&server, number).as_bytes());
    let out = folder.path("out");
    let command = || {
        let mut command = quick();
        command.arg("--files-from").arg(&list).arg(&out);
        command
    };
    let third = number as usize / 3;
    for life in 1..=2 {
        alive.store(third, Ordering::Relaxed);
        let (_, said) = run(&mut command(), 1);
        assert_contains(&said, &["files in a row could not be fetched"]);
        assert_consistent(&out);
        let fetched = lines(&out, "SELECT count(*) FROM inputs WHERE bytes > 0");
        assert_eq!(fetched, [(life * third).to_string()]);
    }
    alive.store(usize::MAX, Ordering::Relaxed);
    let before = server.asked().len();
    run(&mut command(), 0);
    // What came before the server died is not asked for again.
    assert_eq!(server.asked().len() - before, number as usize - 2 * third);
    assert_eq!(tables(&out), tables(&local(&folder, &files)));
    assert_consistent(&out);
}

fn command(list: &Path, out: &Path) -> Command {
    let mut command = paced(150.0, 10.0);
    command.args(["--quiet", "--commit-every", "5000", "--files-from"]);
    command.arg(list).arg(out).stdout(Stdio::null());
    command
}

#[test]
fn a_run_that_is_killed_goes_on_and_asks_for_nothing_that_it_has() {
    let kills = kills(4);
    // Enough that every kill finds something to do.
    let number = inputs::files(60.max(kills * 20));
    let (files, folder) = (files(number), Folder::new());
    let content = Arc::clone(&files);
    let server = Server::new(move |asked| {
        let answer = Answer::file(asked, &content[&asked.target], "\"a\"");
        if asked.before == 0 && asked.target.contains('7') {
            answer.cut(100)
        } else {
            answer
        }
    });
    let list = folder.write("list", list(&server, number).as_bytes());
    let out = folder.path("out");
    let mut killed = 0;
    for kill in 0..kills {
        let before = server.asked().len();
        let mut child = command(&list, &out).spawn().expect("a program");
        // Not a moment of the clock: a number of requests later.
        let goal = before + 3 + (kill as usize * 5) % 11 + (number / kills / 3) as usize;
        while server.asked().len() < goal && child.try_wait().expect("a process").is_none() {
            sleep(Duration::from_millis(2));
        }
        child.kill().expect("a process");
        let end = child.wait().expect("an end");
        killed += u32::from(end.signal().is_some());
    }
    assert_eq!(killed, kills, "no run was at its end");
    assert!(command(&list, &out).status().expect("an end").success());
    assert_eq!(tables(&out), tables(&local(&folder, &files)));
    assert_consistent(&out);
    assert!(!out.join(".downloads").exists());

    // A request under way at a kill is lost, four of them at most; everything else is kept, whether
    // committed or not.
    let asked = server.asked().len();
    let sevens = (0..number)
        .filter(|it| format!("{it:03}").contains('7'))
        .count();
    let most = number as usize + sevens + 4 * kills as usize;
    assert!(asked <= most, "{asked} requests, {most} at most");
    run(quick().arg("--files-from").arg(&list).arg(&out), 0);
    assert_eq!(server.asked().len(), asked, "nothing more");
    assert!(fs::read_dir(&out).expect("a dataset").count() > 5);
}
