//! Checks the pages in this folder.

use std::borrow::Cow;

use super::lines::{recognise, row};
use super::rows::Row;
use crate::tests::{bytes, check};

fn read(line: &str, header: &str) -> Result<String, String> {
    let mut fields = None;
    assert!(row(header.as_bytes(), &mut fields)?.is_none());
    let row = row(line.as_bytes(), &mut fields)?.ok_or("no row")?;
    Ok(format!("{} {:?}", row.file()?, row.range()?))
}

#[test]
fn lines() {
    let page = "src/ingest/input/index/lines.rs";
    check(page, |question, [line, header, _]| {
        let answer = match question {
            "start" => recognise(&bytes(line)).map(|()| "an index".to_owned()),
            _ => read(line, header),
        };
        answer.unwrap_or_else(|problem| problem)
    });
}

#[test]
fn ranges() {
    let page = "src/ingest/input/index/rows.rs";
    check(page, |_, [offset, length, _]| {
        let [offset, length] =
            [offset, length].map(|text| Some(text).filter(|it| *it != "missing"));
        let row = Row {
            offset: offset.map(Cow::Borrowed),
            length: length.map(Cow::Borrowed),
            ..Row::default()
        };
        row.range()
            .map_or_else(|problem| problem, |range| format!("{range:?}"))
    });
}
