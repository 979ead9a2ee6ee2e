use super::*;
use crate::dataset::tables;
use crate::tests::{check, optional};

#[test]
fn cases() {
    check(file!(), |question, [first, second, number]| {
        if question == "path" {
            let table = tables::named(first).expect("a table");
            return part_path(table, second, number.parse().expect("a number"));
        }
        let commits = commits_of(first);
        if let Some((begin, end)) = commits {
            assert!(first.ends_with(&part_name(begin, end)), "{first}");
        }
        optional(commits.map(|(begin, end)| {
            let end = commits_of(second).map_or(end, |(_, end)| end);
            part_name(begin, end)
        }))
    });
}
