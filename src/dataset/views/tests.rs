use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |_, [parts, ..]| {
        let part = |part: &str| {
            let (path, rows) = part.split_once(':').expect("a path and rows");
            Part {
                path: path.to_owned(),
                rows: rows.parse().expect("a number"),
                ..Part::default()
            }
        };
        let parts: Vec<Part> = parts.split_whitespace().map(part).collect();
        let paths = in_view(parts.iter()).into_iter().map(|it| it.path.as_str());
        paths.collect::<Vec<_>>().join(" ")
    });
}
