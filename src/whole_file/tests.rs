//! A file appears when it is complete.

use super::*;

#[test]
fn a_file_is_there_when_it_is_whole() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.csv");
    let file = WholeFile::required_at(&path).expect("no device");
    fs::write(file.aside(), "crawl,hosts\n").expect("space");
    assert!(!path.exists());
    file.put_in_place().expect("a place");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "crawl,hosts\n");
}
