//! The promises of the fuzz targets, tested on every seed and on changed seeds. The seeds include
//! everything that fuzzing has found.

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "a separate library in fuzz/")]
mod promises;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The seeds of a promise.
fn seeds(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let entries = fs::read_dir(directory.join(name)).expect("a directory of seeds");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .map(|path| (path.clone(), fs::read(path).expect("a seed")))
        .collect()
}

#[test]
fn every_promise_is_kept_on_its_seeds() {
    for (name, _) in promises::ALL {
        let seeds = seeds(name);
        assert!(!seeds.is_empty(), "no seeds of {name}");
        for (path, seed) in seeds {
            // Every prefix of a short seed too: parsers often mishandle truncated input.
            let cuts = if seed.len() <= 300 { seed.len() } else { 1 };
            for cut in 0..cuts {
                let bytes = &seed[..seed.len() - cut];
                assert!(
                    catch_unwind(|| promises::run(name, bytes)).is_ok(),
                    "{} without its last {cut} bytes breaks the promise {name}",
                    path.display()
                );
            }
        }
    }
}

/// A promise and one of its seeds.
fn seed() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let names = promises::ALL.map(|(name, _)| name).to_vec();
    let of = |name| select(seeds(name)).prop_map(move |(_, seed)| (name, seed));
    select(names).prop_flat_map(of)
}

/// Bytes that change where a line, head or unit begins or ends, and others.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "\r\n|\n|\r|: |:| |\t|/|WARC/1.0\r\n|WARC/|HTTP/1.1 200 OK\r\n|HTTP/2 |\
                  HTTP/1.1 100\n\n|Content-Length: |0|200|\x1f|;|f\r\n|0\r\n\r\n";
    let pieces: Vec<&[u8]> = pieces.split('|').map(str::as_bytes).collect();
    prop_oneof![
        select(pieces).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 0..4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_promise_is_kept_on_changed_seeds(
        (name, mut bytes) in seed(),
        changes in prop::collection::vec((any::<Index>(), 0..4_usize, piece()), 0..8),
    ) {
        for (at, length, piece) in changes {
            let at = at.index(bytes.len() + 1);
            let end = bytes.len().min(at + length);
            bytes.splice(at..end, piece);
        }
        promises::run(name, &bytes);
    }
}
