//! What somebody sees who queries a dataset while it is being written.

use std::fs;
use std::process::Stdio;

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::inputs::split_sample;
use crate::support::program::robostat;

/// Captures that lack what they refer to. The captures stand first: DuckDB lists the parts of a
/// query's tables in the order in which they are named, and a commit brings files before captures.
const ORPHANS: &str = "
    SELECT count(*) FROM captures AS c LEFT JOIN files AS f USING (file_id)
        LEFT JOIN policies AS p ON p.policy_id = c.policy_id
    WHERE c.file_id IS NOT NULL AND (f.file_id IS NULL OR p.policy_id IS NULL);";

#[test]
fn a_capture_is_never_seen_without_its_file_and_policy() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path(), 8);
    let out = directory.path().join("out");
    let views = out.join("views.sql");
    // Several whole ingests, so that there is something to be seen on any machine.
    let mut looks = 0;
    let mut counts = Vec::new();
    for _ in 0..10 {
        let mut ingest = robostat(["ingest", "--quiet", "--commit-every", "1"])
            .args([&inputs, &out])
            .stdin(Stdio::null())
            .spawn()
            .expect("a program");
        let mut has_ended = false;
        while !has_ended {
            has_ended = ingest.try_wait().expect("a process").is_some();
            if views.exists() {
                let script = ORPHANS.repeat(20) + "SELECT count(*) FROM captures;";
                let rows = duckdb::lines(&views, &script);
                let (last, orphans) = rows.split_last().expect("rows");
                assert!(orphans.iter().all(|count| count == "0"), "{rows:?}");
                counts.push(last.parse::<u32>().expect("a number"));
                looks += orphans.len();
            }
        }
        assert!(ingest.wait().expect("an end").success());
        if counts.windows(2).any(|two| two[0] != two[1]) && looks >= 100 {
            break;
        }
        fs::remove_dir_all(&out).expect("a dataset");
    }
    println!("{looks} looks, captures seen: {counts:?}");
    assert!(
        counts.windows(2).any(|two| two[0] != two[1]),
        "the dataset was seen while it grew: {counts:?}"
    );
}
