use std::fs;
use std::io::Write as _;

use warc_recovery::input::Source;

use super::*;

fn fingerprint(bytes: &[u8]) -> Fingerprint {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("input");
    let mut file = fs::File::create(&path).expect("space");
    file.write_all(bytes).expect("space");
    let [mapped, read] = [true, false].map(|use_mmap| {
        let source = Source::Path(path.clone());
        let input = Input::open(&source, use_mmap, directory.path()).expect("a file");
        Fingerprint::of(&input).expect("its bytes")
    });
    assert_eq!(mapped, read);
    mapped
}

#[test]
fn every_byte_of_a_small_input_counts() {
    let bytes = vec![7; 3 * 1024 * 1024];
    let whole = fingerprint(&bytes);
    for at in [0, 1_234_567, bytes.len() - 1] {
        let mut other = bytes.clone();
        other[at] = 8;
        assert_ne!(fingerprint(&other), whole, "{at}");
    }
    assert_ne!(fingerprint(&bytes[1..]), whole);
    assert_ne!(fingerprint(b""), fingerprint(b"\0"));
}

#[test]
fn a_large_input_is_covered_at_both_ends_and_between() {
    for length in [WHOLE_BYTES + 1, 1 << 30, (1 << 40) + 12_345] {
        let covered = covered(length);
        assert_eq!(covered[0].0, 0);
        assert_eq!(covered[covered.len() - 1].1, length);
        assert!(
            covered.windows(2).all(|pair| pair[0].1 <= pair[1].0),
            "in order, and nothing twice"
        );
        let bytes: u64 = covered.iter().map(|(start, end)| end - start).sum();
        assert_eq!(bytes, WHOLE_BYTES);
    }
    assert_eq!(covered(WHOLE_BYTES), [(0, WHOLE_BYTES)]);
}

#[test]
fn fingerprints_and_locations_survive_the_manifest() {
    let input = CommittedInput {
        fingerprint: Fingerprint(1),
        name: "a.warc".to_owned(),
        bytes: 5,
        location: Some(Location::of(Path::new("/a.warc"))),
        crawl: "default".to_owned(),
        subset: "mixed".to_owned(),
        captures: 3,
        digest: Some(Digest(5)),
        is_damaged: true,
        ..CommittedInput::default()
    };
    let text = serde_json::to_string(&input).expect("JSON");
    assert!(
        text.contains("\"00000000000000000000000000000001\""),
        "{text}"
    );
    let read: CommittedInput = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read, input);
}

#[test]
fn a_draw_without_a_list_is_still_read() {
    let read: SampleDraw = serde_json::from_str(r#"{"of": 3, "seed": 1}"#).expect("JSON");
    assert_eq!((read.list, read.of, read.seed), (0, 3, 1));
}
