//! The cases of `tests.md`, text on a terminal, and the width of help.

use std::ffi::OsString;
use std::io::{BufReader, Write as _};
use std::path::Path;

use super::outcome::TerminalWriter;
use super::{check, command, ingest, layout, man, target, values};
use crate::tests::{check as check_page, optional};

#[test]
fn cases() {
    let number = |text: &str| text.parse().expect("a number");
    let checked = |value: Result<String, String>| match value {
        Ok(_) => "ok".to_owned(),
        Err(message) => message,
    };
    check_page(file!(), |question, [text, one, other]| match question {
        "wrap" => layout::wrap(text, number(one), number(other)),
        "fold" => {
            let (lines, left_out) = layout::fold(text, number(one), number(other));
            let lines: Vec<String> = lines.iter().map(|it| format!("[{it}]")).collect();
            format!("{}, {left_out}", lines.join(" "))
        }
        "shorten" => layout::shorten(text, number(one)),
        "verbatim" => man::verbatim(text),
        "exit-status" => man::exit_status(text),
        "record" => optional(target::record(Path::new(text)).map(|(path, place)| {
            let (offset, inner_offset) = (place.offset, place.inner_offset);
            format!("{}, {offset}, {inner_offset}", path.display())
        })),
        "dataset-name" => checked(values::dataset_name(text)),
        "license" => checked(values::license(text)),
        "day" => checked(values::day(text)),
        "crawl" => checked(values::crawl(text)),
        "pages" => {
            let words = text.split(' ').map(OsString::from);
            let joined = ingest::with_pages_joined(words).join(" ".as_ref());
            joined.into_string().expect("UTF-8")
        }
        "lines" => lines_of_batch(text),
        _ => panic!("{question}"),
    });
}

/// The lines of a text, at most seven bytes each, read three bytes at a time.
fn lines_of_batch(text: &str) -> String {
    let mut input = BufReader::with_capacity(3, text.as_bytes());
    let (mut line, mut found) = (Vec::new(), Vec::new());
    while let Some(next) = check::next_line(&mut input, 7, &mut line).expect("no error") {
        let next = next.map(|line| String::from_utf8_lossy(line).into_owned());
        found.push(next.unwrap_or_else(|error| error));
    }
    format!("{found:?}")
}

#[test]
fn a_terminal_gets_no_escape_code_however_text_is_cut() {
    let text = "a\u{1b}]0;x\u{7}\nü\u{9b}31m";
    for cut in 0..text.len() {
        let mut out = Vec::new();
        let mut writer = TerminalWriter::new(&mut out);
        let (first, rest) = text.as_bytes().split_at(cut);
        writer.write_all(first).expect("written");
        writer.write_all(rest).expect("written");
        writer.finish().expect("written");
        let shown = String::from_utf8(out).expect("UTF-8");
        assert_eq!(shown, "a\\u{1b}]0;x\\u{7}\nü\\u{9b}31m");
    }
}

/// clap wraps its own text; examples and lists are wrapped by hand, and a line that clap has to
/// break would look like two.
#[test]
fn help_fits_into_80_columns() {
    let mut program = command();
    program.build();
    for command in program.get_subcommands_mut() {
        let name = command.get_name().to_owned();
        let about = command.get_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        assert!(about.len() <= 65, "{name}: {about}");
        let prose = command.get_after_long_help().map(ToString::to_string);
        let prose = prose.unwrap_or_default();
        let usage = command.render_usage().to_string();
        for line in prose.lines().chain(usage.lines()) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}
