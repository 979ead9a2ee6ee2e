//! The promises of the fuzz targets, kept on every seed: whatever fuzzing found once is among them.

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "a library of its own in fuzz/")]
mod promises;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use proptest::prelude::*;

#[test]
fn every_promise_is_kept_on_its_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for (name, _) in promises::ALL {
        let directory = seeds.join(name);
        let mut n_seeds = 0;
        for entry in fs::read_dir(&directory).expect("a directory of seeds") {
            let path = entry.expect("an entry").path();
            let seed = fs::read(&path).expect("a seed");
            // Every beginning of a short seed too: cut-off input is what parsers get wrong.
            let cuts = if seed.len() <= 300 { seed.len() } else { 1 };
            for cut in 0..cuts {
                let bytes = &seed[..seed.len() - cut];
                assert!(
                    catch_unwind(|| promises::run(name, bytes)).is_ok(),
                    "{} without its last {cut} bytes breaks the promise {name}",
                    path.display()
                );
            }
            n_seeds += 1;
        }
        assert!(n_seeds > 0, "no seeds in {}", directory.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8_000))]

    /// Seeds are few, and patterns have many corners.
    #[test]
    fn patterns_match_what_their_definition_matches(
        pattern in prop_oneof!["[/ab*$]{0,9}", r"[ab*?\[\]!^\\-]{0,9}"],
        path in r"/?[/ab*$\[\]]{0,12}",
    ) {
        promises::run("patterns", format!("{pattern}\n{path}").as_bytes());
    }
}
