//! The name of an input in the dataset: never its absolute path on this machine.
//!
//! A path with a component `crawl-data` is named as in Common Crawl's index, from that component on
//! (`crawl-data/CC-MAIN-2026-33/…/x.warc.gz`). Any other input is named by its path below the
//! argument under which it was found, or by its file name if it was the argument. Names need not be
//! unique; inputs are distinguished by `input_id`.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use crate::remote::Address;

const CRAWL_DATA: &str = "crawl-data";

/// The name of the file at `path`, whose path without links is `resolved`; `below` is its path
/// below the argument.
pub(crate) fn name(path: &Path, resolved: Option<&Path>, below: &Path) -> String {
    let indexed = indexed(path).or_else(|| indexed(resolved?));
    indexed.unwrap_or_else(|| join(below.components()))
}

/// The name of a file on the network: as if it had been downloaded and its path or file name given
/// as the argument.
pub(crate) fn name_of_address(address: &Address) -> String {
    let below = Some(address.file_name()).filter(|it| !it.is_empty());
    let path = address.path();
    let name = name(Path::new(path), None, Path::new(below.unwrap_or(path)));
    if name.is_empty() {
        address.text().to_owned() // the root of a host
    } else {
        name
    }
}

/// The part of a path that Common Crawl's index has.
fn indexed(path: &Path) -> Option<String> {
    let first = path
        .components()
        .position(|it| it.as_os_str() == CRAWL_DATA)?;
    let components = path.components().skip(first);
    let is_index_path =
        components.clone().count() > 1 && components.clone().all(|it| it != Component::ParentDir);
    is_index_path.then(|| join(components))
}

fn join<'p>(components: impl Iterator<Item = Component<'p>>) -> String {
    let names = components.filter_map(|component| match component {
        Component::Normal(component) => Some(text(component)),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    });
    names.collect::<Vec<_>>().join("/")
}

/// A component as text. A byte that is not UTF-8 becomes `\xHH`, and so does a backslash, so that
/// different paths have different names.
fn text(component: &OsStr) -> String {
    let mut text = String::new();
    for chunk in component.as_bytes().utf8_chunks() {
        text += &chunk.valid().replace('\\', "\\x5C");
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}
