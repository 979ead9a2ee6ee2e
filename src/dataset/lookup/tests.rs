use super::*;
use crate::tests::check;

#[test]
fn cases() {
    let range = TextRange {
        text: "com.example.".to_owned(),
        is_beginning: true,
    };
    check(file!(), |_, [least, greatest, _]| {
        let may_be = range.may_be_between(least.as_bytes(), greatest.as_bytes());
        may_be.to_string()
    });
}
