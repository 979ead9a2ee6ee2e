//! Decisions on inputs, without a dataset.

use std::path::Path;
use std::time::{Duration, Instant};

use super::*;

/// Inputs of one name, as from a list of files in different directories.
fn inputs(number: u32) -> Vec<CommittedInput> {
    let input = |number: u32| {
        let digits = format!("\"{:032x}\"", u128::from(number) << 64 | u128::from(number));
        CommittedInput {
            fingerprint: serde_json::from_str(&digits).expect("a fingerprint"),
            name: "x.warc.gz".to_owned(),
            bytes: u64::from(number),
            modified: i64::from(number),
            location: Some(Location::of(Path::new(&format!("/{number}/x.warc.gz")))),
            crawl: "default".to_owned(),
            subset: "mixed".to_owned(),
            captures: 1,
            ..CommittedInput::default()
        }
    };
    (0..number).map(input).collect()
}

/// A dataset with these inputs.
fn known(inputs: &[CommittedInput]) -> KnownInputs<'static> {
    let mut known = KnownInputs::default();
    for input in inputs {
        known.add(input.clone(), None);
    }
    known
}

/// Decides on an input whose fingerprint covers every byte.
fn decide(
    known: &mut KnownInputs<'_>,
    input: &CommittedInput,
) -> Result<NewInput, (Fingerprint, SkipReason)> {
    let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
    let decided = known.decide(&nothing, &mut input.clone(), false);
    decided.expect("nothing is read")
}

/// The time to skip `number` known inputs: the shortest of three, as other processes may be
/// using the machine.
fn time_to_skip(number: u32) -> Duration {
    let inputs = inputs(number);
    let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
    let times = (0..3).map(|_| {
        let begun = Instant::now();
        let mut known = known(&inputs);
        for input in &inputs {
            let location = input.location.expect("a place");
            let planned = PlannedInput::new(Path::new("x"), InputPlace::File).with_file(
                input.name.clone(),
                location,
                input.bytes,
                input.modified,
            );
            assert!(known.unopened(&planned).is_some());
            let skip = known.decide(&nothing, &mut input.clone(), false);
            assert!(matches!(skip, Ok(Err(_))));
            known.note_place(&planned, input.fingerprint);
        }
        begun.elapsed()
    });
    times.min().expect("three")
}

#[test]
fn skipping_ninety_thousand_known_inputs_is_linear() {
    let (some, all) = (time_to_skip(3_000), time_to_skip(90_000));
    // 30 times as many; quadratic would be 900 times as long.
    assert!(all < some * 150, "{some:?} for 3,000, {all:?} for 90,000");
}

#[test]
fn inputs_of_this_run_are_never_replaced() {
    let [first, second] = inputs(2).try_into().expect("two");
    let mut known = KnownInputs::default();
    known.options.force = true;
    let nothing = Input::empty("x", &std::env::temp_dir()).expect("space");
    known.add(first.clone(), Some(Arc::new(nothing)));
    assert!(decide(&mut known, &first).is_err(), "the same content");
    let other = decide(&mut known, &second).expect("other content under its name");
    assert_eq!(other.replaces, []);
}

#[test]
fn inputs_whose_ids_are_equal_are_told_apart() {
    let [mut one, other] = inputs(2).try_into().expect("two");
    let collides =
        |one: &CommittedInput| known(std::slice::from_ref(one)).collides(other.fingerprint);
    assert!(!collides(&one) && !collides(&other));
    one.fingerprint = serde_json::from_str("\"ff0000000000000001\"").expect("a fingerprint");
    assert_eq!(one.fingerprint.input_id(), other.fingerprint.input_id());
    assert!(collides(&one));
}
