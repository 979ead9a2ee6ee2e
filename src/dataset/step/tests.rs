use std::fs;

use super::*;
use crate::dataset::PartWriter;
use crate::dataset::tables::groups::{GroupRow, GroupsBuilder};
use crate::dataset::tables::remarks::{RemarkRow, RemarksBuilder};
use crate::dataset::tables::{Table, groups, remarks};
use crate::threads;

/// The bytes of a part with the rows of `batch`, given `rows` at a time.
fn part(table: &'static Table, batch: &RecordBatch, rows: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("part");
    let pool = threads::pool(2).expect("threads");
    let mut writer = PartWriter::create(&path, "", table, pool).expect("space");
    let mut start = 0;
    while start < batch.num_rows() {
        let rows = rows.min(batch.num_rows() - start);
        writer.push(batch.slice(start, rows)).expect("space");
        start += rows;
    }
    let written = writer.close().expect("space");
    assert_eq!(written.rows, batch.num_rows() as u64);
    fs::read(path).expect("a part")
}

#[test]
fn a_part_depends_on_its_rows_and_not_on_the_batches() {
    let mut rows = GroupsBuilder::default();
    for number in 0..130_000_i32 {
        let name = format!("crawler-{}", number % 7000);
        let names = [name.as_bytes(), b"*"];
        let names = &names[..usize::try_from(number % 3).expect("small")];
        rows.push(GroupRow {
            policy_id: i64::from(number).pow(3),
            group_index: number % 5,
            user_agents: names,
            product_tokens: names,
            n_allow: number % 11,
            n_disallow: 0,
            crawl_delay: (number % 13 == 0).then(|| f64::from(number) / 8.0),
            line_start: number,
            line_end: number + 3,
        });
    }
    let batch = rows.finish();
    let whole = part(groups::table(), &batch, batch.num_rows());
    for rows in [1000, 8192, 100_001] {
        assert!(whole == part(groups::table(), &batch, rows), "{rows}");
    }
}

#[test]
fn long_texts_end_a_step_at_the_row_that_fills_it() {
    let mut rows = RemarksBuilder::default();
    for number in 0..300_u16 {
        let value =
            vec![b'a' + u8::try_from(number % 26).expect("small"); usize::from(number) * 50];
        rows.push(RemarkRow {
            file_id: i64::from(number),
            line_number: i32::from(number),
            kind: "contact",
            text: &value,
        });
    }
    let batch = rows.finish();
    let mut complete = VecDeque::new();
    Steps::default().push(&batch, &mut complete);
    let ends = complete.iter().map(|step| {
        let rows = step.slices.iter().map(RecordBatch::num_rows);
        rows.sum::<usize>()
    });
    let mut start = 0;
    for rows in ends {
        assert!(text_bytes(batch.columns(), start, start + rows - 1) < STEP_BYTES);
        assert!(text_bytes(batch.columns(), start, start + rows) >= STEP_BYTES);
        start += rows;
    }
    assert!(start > 200, "{start}");
    let whole = part(remarks::table(), &batch, batch.num_rows());
    for rows in [1, 7, 299] {
        assert!(whole == part(remarks::table(), &batch, rows), "{rows}");
    }
    assert_eq!(
        complete[0].column(0).expect("a column").len(),
        complete[0].slices[0].num_rows()
    );
}
