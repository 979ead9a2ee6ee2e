//! Shared by the tests of all modules: cases of private functions in pages of text, such as
//! `names.md` for `names.rs`.
//!
//! The word after a fence names what is tested. Each line of its block is a case: up to three
//! arguments with ` | ` between them, `->`, and the answer. `\n`, `\r`, `\t`, `\0`, `\\` and
//! `\u{20}` are escapes. Lines without an arrow are comments. `ROBOSTAT_UPDATE=1` in the
//! environment writes the answers into the page.

use std::fs;
use std::path::Path;

use crate::escape;

/// Compares the expected answers in the page of `module` (its `file!()`) with what `answer`
/// returns.
pub(crate) fn check(module: &str, answer: impl Fn(&str, [&str; 3]) -> String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = root.join(module).with_extension("md");
    let text = fs::read_to_string(&page).expect("a page");
    let (mut found, mut wrong) = (String::new(), Vec::new());
    let mut question = "";
    for (number, line) in (1..).zip(text.lines()) {
        let mut answered = line.to_owned();
        if let Some(asked) = line.strip_prefix("```") {
            question = asked;
        } else if let Some((case, expected)) = line.rsplit_once("->")
            && !question.is_empty()
        {
            let mut arguments = case.split(" | ").map(|it| unescaped(it.trim()));
            let arguments = [(); 3].map(|()| arguments.next().unwrap_or_default());
            let answer = answer(question, arguments.each_ref().map(String::as_str));
            let answer = escape::line(&answer.replace('\\', "\\\\"));
            if answer != expected.trim() {
                answered = format!("{case}-> {answer}");
                wrong.push(format!("line {number}:\n- {line}\n+ {answered}\n"));
            }
        }
        found += answered.trim_end();
        found.push('\n');
    }
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&page, found).expect("written");
    } else {
        assert!(wrong.is_empty(), "{}\n{}", page.display(), wrong.concat());
    }
}

pub(crate) fn optional(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// Characters up to U+00FF as bytes.
pub(crate) fn bytes(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(u8::try_from);
    bytes.map(|byte| byte.expect("a byte")).collect()
}

fn unescaped(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        found += before;
        let (sign, after) = escape.split_at(1);
        rest = after;
        found.push(match sign {
            "n" => '\n',
            "r" => '\r',
            "t" => '\t',
            "0" => '\0',
            "u" => {
                let (code, after) = after[1..].split_once('}').expect("a closing brace");
                rest = after;
                let code = u32::from_str_radix(code, 16).expect("hexadecimal digits");
                char::from_u32(code).expect("a character")
            }
            "\\" => '\\',
            _ => panic!("an escape: {text}"),
        });
    }
    found + rest
}
