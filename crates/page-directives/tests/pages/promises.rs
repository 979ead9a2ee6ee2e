//! The promise of the fuzz target, over its seeds and over every beginning of each seed.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/src/statements.rs"]
mod statements;

#[test]
fn seeds_break_no_promise() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/page_statements");
    let mut n_seeds = 0;
    for seed in fs::read_dir(seeds).expect("seeds") {
        let bytes = fs::read(seed.expect("a seed").path()).expect("a seed");
        (0..=bytes.len()).for_each(|end| statements::run(&bytes[..end]));
        n_seeds += 1;
    }
    assert!(n_seeds >= 3);
}
