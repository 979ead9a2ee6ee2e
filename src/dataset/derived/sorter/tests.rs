use super::*;

fn sorted(budget: usize, keys: &[String]) -> SortedRecords {
    let pool = crate::threads::pool(2).expect("threads");
    let directory = tempfile::tempdir().expect("a directory");
    let mut space = SortSpace::new(directory.path(), &pool);
    space.budget = budget;
    let mut sorter = space.sorter();
    for key in keys {
        let value = "v".repeat(key.len() * 300);
        sorter
            .push(key.as_bytes(), value.as_bytes())
            .expect("space");
    }
    sorter.finish().expect("space")
}

fn read(sorted: &mut SortedRecords) -> Vec<String> {
    let mut keys = Vec::new();
    while let Some((key, value)) = sorted.advance().expect("a readable run") {
        assert_eq!(value.len(), key.len() * 300);
        keys.push(String::from_utf8(key.to_vec()).expect("text"));
    }
    let end = sorted.advance().expect("the end stays the end");
    assert_eq!(end, None);
    keys
}

#[test]
fn records_come_in_order_whether_they_fit_into_memory_or_not() {
    let keys: Vec<String> = (0..5000_u64)
        .map(|number| {
            let scattered = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            format!("a common beginning {scattered} {number}")
        })
        .collect();
    let mut wanted = keys.clone();
    wanted.sort();
    // All in memory; in few runs; in more runs than are merged at once.
    for (budget, has_runs) in [(usize::MAX, false), (4 << 20, true), (1, true)] {
        let mut sorted = sorted(budget, &keys);
        assert_eq!(sorted.runs.len() > 1, has_runs);
        assert_eq!(read(&mut sorted), wanted);
        sorted.rewind().expect("a readable run");
        assert_eq!(read(&mut sorted), wanted);
    }
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(read(&mut sorted(usize::MAX, &[])), Vec::<String>::new());
}
