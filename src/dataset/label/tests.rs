use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |question, [text, times, end]| {
        if question == "escape" {
            let escaped = escape(text);
            assert_eq!(unescape(&escaped), text);
            return escaped;
        }
        let label = text.repeat(times.parse().expect("a number")) + end;
        let fitting = fitting(&label);
        let letters: Vec<char> = fitting.chars().collect();
        let end = String::from_iter(&letters[letters.len().saturating_sub(20)..]);
        format!("{}, …{end}", escape(&fitting).len())
    });
}
