//! `robostat panel`, against a server with the layout of Common Crawl: lists, the columnar index in
//! Parquet, archives. `tests/cases/remote` has more.

mod columns;
mod recipe;

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use crate::support::folder::Folder;
use crate::support::program::{NETWORK, robostat};
use crate::support::server::{Answer, ServedRequest};

fn command(words: &[&str]) -> Command {
    let mut command = robostat(words);
    for variable in NETWORK {
        command.env_remove(variable);
    }
    command
}

/// Writes these files below a directory of this machine. Its path.
fn mirror(folder: &Folder, files: &HashMap<String, Vec<u8>>) -> String {
    for (path, body) in files {
        folder.write(&format!("mirror{path}"), body);
    }
    let path = folder.path("mirror").into_os_string();
    path.into_string().expect("UTF-8")
}

fn answer(files: &HashMap<String, Vec<u8>>, asked: &ServedRequest) -> Answer {
    match files.get(&asked.target) {
        Some(body) => Answer::file(asked, body, "\"v1\""),
        None => Answer::new(404, b"not here"),
    }
}

/// `panel STEP`, which asks quickly.
fn step(step: &str, base: &str, panel: &Path) -> Command {
    let mut command = command(&["panel", step, "--base", base]);
    command
        .args(["--max-rate", "1000", "--max-wait", "10"])
        .arg(panel);
    command
}
