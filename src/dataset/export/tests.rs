use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |question, [text, base, _]| match question {
        "day" => day(text.parse().expect("a number")),
        "licence" => Details {
            license: Some(text.to_owned()),
            ..Details::default()
        }
        .license_url(),
        _ => Details {
            base_url: Some(base.to_owned()).filter(|base| !base.is_empty()),
            ..Details::default()
        }
        .place(text),
    });
}
