use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |question, [text, ..]| match question {
        "version" => format!("{:?}", version(text)),
        "is-about-file" => is_about_file(text).to_string(),
        _ => panic!("{question}"),
    });
}

#[test]
fn a_program_other_than_duckdb_is_refused() {
    for program in ["/nowhere/duckdb", "true", "false"] {
        let started = Session::start_program(program.into(), "a test", "");
        let is_told = matches!(started, Err(Error::DuckDbNotFound { .. }));
        assert!(is_told, "{program}");
    }
}

#[test]
fn the_package_comes_before_the_script_and_a_link_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("a folder");
    let package = folder.join("env/lib/python3.11/site-packages/duckdb_cli");
    for directory in [&package, &folder.join("env/bin"), &folder.join("links")] {
        fs::create_dir_all(directory).expect("a folder");
    }
    let link = folder.join("links/robostat");
    let program = folder.join("env/bin/robostat");
    fs::write(&program, "").expect("a file");
    assert!(next_to(&program).is_empty());
    let script = folder.join("env/bin").join(NAME);
    fs::write(&script, "").expect("a file");
    assert_eq!(next_to(&program), std::slice::from_ref(&script));
    fs::write(package.join(NAME), "").expect("a file");
    let found = next_to(&program);
    let canonical: Vec<_> = found
        .iter()
        .filter_map(|it| it.canonicalize().ok())
        .collect();
    assert_eq!(canonical, [package.join(NAME), script]);
    std::os::unix::fs::symlink(&program, &link).expect("a link");
    assert_eq!(next_to(&link), found);
}
