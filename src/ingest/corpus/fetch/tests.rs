//! Rows and the records that they become.

use super::*;
use crate::cases::{check, optional};

/// The row of cells written `column=value; column=value`.
fn cells(text: &str) -> Cells<'_> {
    let mut cells = Cells::default();
    for cell in text.split("; ") {
        let (name, value) = cell.split_once('=').expect("a column and a value");
        let mut columns = Column::ALL.into_iter();
        let column = columns.find(|it| it.name() == name).expect("a column");
        cells[column as usize] = Cell::Text(Cow::Borrowed(value.as_bytes()));
    }
    cells
}

/// Head and block.
fn written(fetch: &Fetch) -> (String, String) {
    let (mut head, mut block) = (Vec::new(), Vec::new());
    fetch.write(&mut head, &mut block);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(head), text(block))
}

#[test]
fn cases() {
    check(file!(), |question, [row, ..]| {
        let of_fetch = |answer: fn(&Fetch) -> String| match Fetch::from_cells(cells(row)) {
            Ok(fetch) => answer(&fetch),
            Err(Problem { kind, message }) => format!("{kind:?}: {message}"),
        };
        match question {
            "url" => of_fetch(|fetch| String::from_utf8_lossy(&fetch.url).into_owned()),
            "block" => of_fetch(|fetch| {
                let (head, block) = written(fetch);
                let mut types = ["response", "resource"].into_iter();
                let named = types.find(|it| head.contains(&format!("WARC-Type: {it}\r\n")));
                format!("{} {block}", named.expect("a type"))
                    .trim_end_matches(' ')
                    .to_owned()
            }),
            "record" => of_fetch(|fetch| {
                let (head, block) = written(fetch);
                head + &block
            }),
            "status" => {
                let status = optional(status_of(Cell::Text(Cow::Borrowed(row.as_bytes()))));
                let row = format!("host=a.example; status={row}; body=x");
                let fetch = Fetch::from_cells(cells(&row)).expect("a fetch");
                let odd = if fetch.has_odd_status { ", odd" } else { "" };
                status + odd
            }
            "integer-status" => optional(status_of(Cell::Integer(row.parse().expect("a number")))),
            "real-status" => optional(status_of(Cell::Real(row.parse().expect("a number")))),
            _ => panic!("{question}"),
        }
    });
}
