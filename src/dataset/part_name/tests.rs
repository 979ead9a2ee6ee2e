use super::*;
use crate::cases::{check, optional};
use crate::dataset::tables;

#[test]
fn cases() {
    check(file!(), |question, [first, second, number]| {
        if question == "path" {
            let table = tables::named(first).expect("a table");
            return part_path(table, second, number.parse().expect("a number"));
        }
        let name = PartName::of(first);
        if let Some(name) = name {
            assert!(first.ends_with(&name.to_string()), "{first} is {name}");
        }
        optional(name.map(|name| PartName {
            last: PartName::of(second).map_or(name.last, |it| it.last),
            ..name
        }))
    });
}
