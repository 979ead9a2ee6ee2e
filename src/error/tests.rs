//! Chains of errors, and their remedies.

use super::*;

fn broken() -> io::Error {
    io::ErrorKind::BrokenPipe.into()
}

#[test]
fn a_broken_pipe_is_seen_however_deep_it_is_wrapped() {
    let json = serde_json::Error::io(broken());
    let parquet = ParquetError::External(Box::new(broken()));
    let wrapped: [Box<dyn StdError>; 6] = [
        Box::new(broken()),
        Box::new(Error::unwritten(broken())),
        Box::new(io::Error::other(Error::io("out")(broken()))),
        Box::new(io::Error::other(io::Error::other(Error::unwritten(
            broken(),
        )))),
        Box::new(io::Error::other(json)),
        Box::new(Error::Parquet {
            path: "a".into(),
            cause: parquet,
        }),
    ];
    for error in &wrapped {
        assert!(is_broken_pipe(error.as_ref()), "{error:?}");
    }
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    for error in [Error::Interrupted, Error::unwritten(full())] {
        assert!(!is_broken_pipe(&error), "{error:?}");
    }
}

#[test]
fn a_chain_printer_prints_nothing_twice() {
    let missing = || io::Error::from(io::ErrorKind::NotFound);
    for error in [
        Error::io("a.warc")(missing()),
        Error::parquet("a.parquet")(ParquetError::External(Box::new(missing()))),
        Error::parquet("a.parquet")(ParquetError::EOF("no footer".to_owned())),
        Error::unwritten(missing()),
    ] {
        assert!(error.source().is_none(), "{error:?}");
        let cause = error.cause().expect("an error underneath").to_string();
        assert_eq!(error.to_string().matches(&cause).count(), 1, "{error}");
    }
}

#[test]
fn a_full_disk_has_its_remedy_whoever_reports_it() {
    let full = io::Error::from(io::ErrorKind::StorageFull);
    let error = Error::parquet("a")(ParquetError::External(Box::new(full)));
    assert!(error.to_string().contains("free some space"), "{error}");
}
