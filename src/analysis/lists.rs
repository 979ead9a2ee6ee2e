//! Lists of names and what belongs to each, as files of text: a line `[list]`, then `name = text`
//! on each line. Other lines are comments.

use std::collections::BTreeMap;

pub(super) type Entry = (&'static str, &'static str);
/// Lists by name, each in the order of its file.
pub(super) type Lists = BTreeMap<&'static str, Vec<Entry>>;

pub(super) fn read(files: &[&'static str]) -> Lists {
    let mut lists = Lists::new();
    let mut list = "";
    for line in files.iter().flat_map(|file| file.lines()) {
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            list = name;
        } else if let Some((name, text)) = line.split_once('=') {
            let entry = (name.trim(), text.trim());
            lists.entry(list).or_default().push(entry);
        }
    }
    lists
}

pub(super) fn find(list: &[Entry], name: &str) -> Option<&'static str> {
    let entry = list.iter().find(|(known, _)| *known == name);
    entry.map(|(_, text)| *text)
}
