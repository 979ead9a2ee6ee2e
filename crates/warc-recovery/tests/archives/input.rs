//! Files that change while they are read.

use std::fs::{self, File};

use warc_recovery::input::{Input, Source};

#[test]
fn a_file_cut_short_while_it_is_read_is_told_as_such() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("input");
    fs::write(&path, [b'x'; 100]).expect("space");
    let source = Source::Path(path.clone());
    let input = Input::open(&source, false, directory.path()).expect("a file");
    let file = File::options().write(true).open(&path);
    file.and_then(|file| file.set_len(40))
        .expect("a shorter file");
    assert_eq!(input.read(30, 10).expect("bytes").len(), 10);
    let error = input.read(30, 20).expect_err("an error").to_string();
    assert!(error.contains("cut short at offset 40"), "{error}");
    assert_eq!(input.read(100, 20).expect("the end").len(), 0);
}
