//! NUL bytes between and after records are padding: they are skipped, and no record is lost.

use crate::packing;
use crate::read;

fn records() -> Vec<Vec<u8>> {
    (0..4)
        .map(|number| {
            let url = format!("http://h{number}.example/");
            packing::response(number, &url, b"a body")
        })
        .collect()
}

fn without_line_ends(record: &[u8]) -> Vec<u8> {
    record.trim_ascii_end().to_vec()
}

#[test]
fn a_plain_record_followed_by_padding_is_kept() {
    for padding in [1, 511, 70_000, 600_000, 5_000_000] {
        for change in [<[u8]>::to_vec, without_line_ends] {
            for (behind_all, after) in [(false, &b""[..]), (true, b""), (true, b"\r\n")] {
                let mut file = Vec::new();
                let mut padded = 0;
                for (number, record) in records().iter().enumerate() {
                    file.extend(change(record));
                    if behind_all || number == 3 {
                        file.resize(file.len() + padding, 0);
                        file.extend(after);
                        padded += padding + after.len();
                    } else {
                        file.extend(b"\r\n\r\n");
                    }
                }
                let found = read::bytes(&file);
                assert_eq!(found.records.len(), 4, "{padding}: {found:?}");
                assert_eq!(found.damage, [], "{padding}");
                let skipped = found.accounting.skipped_bytes;
                assert!(
                    ((padded as u64).saturating_sub(8)..=padded as u64).contains(&skipped),
                    "{padding}: {skipped} of {padded}"
                );
                for record in &found.records {
                    assert!(record.block.ends_with(b"a body"));
                }
            }
        }
    }
}
