//! Checks the pages in this folder.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::name::{name, name_of_address};
use super::no_warc::{describe, what, without_captures};
use super::subset::Subset;
use crate::remote::Address;
use crate::tests::{bytes, check, optional};

#[test]
fn names() {
    let page = "src/ingest/input/name.rs";
    check(page, |question, [path, below, resolved]| {
        let resolved = Some(resolved).filter(|it| !it.is_empty()).map(Path::new);
        match question {
            "name" => name(Path::new(path), resolved, Path::new(below)),
            "name-of-bytes" => {
                let path = bytes(path);
                name(Path::new("x"), None, Path::new(OsStr::from_bytes(&path)))
            }
            "name-of-address" => name_of_address(&Address::parse(path).expect("an address")),
            _ => panic!("{question}"),
        }
    });
}

#[test]
fn files_that_are_no_inputs() {
    let page = "src/ingest/input/no_warc.rs";
    check(page, |question, [text, ..]| match question {
        "description" => {
            let start = bytes(text);
            optional(what(&start).map(|_| describe(&start)))
        }
        "without-captures" => optional(without_captures(text)),
        _ => panic!("{question}"),
    });
}

#[test]
fn subsets() {
    check("src/ingest/input/subset.rs", |_, [path, ..]| {
        Subset::from_path(path).name().to_owned()
    });
}
