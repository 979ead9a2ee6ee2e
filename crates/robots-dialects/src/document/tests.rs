//! Lines of markup, whether they are taken apart or not.

use proptest::prelude::*;

use super::*;
use crate::line::{Line, LineHandler};

/// Takes markup apart too, which the reader does without.
struct Thorough<'a, 'c>(DocumentReader<'a, 'c>);

impl<'a> LineHandler<'a> for Thorough<'a, '_> {
    fn line(&mut self, line: &Line<'a>) {
        self.0.line(line);
    }
}

proptest! {
    #[test]
    fn markup_says_the_same_whether_it_is_taken_apart_or_not(
        lines in proptest::collection::vec("[ \t]{0,9}[<.@é0A-Za-z\"#:]?(User-agent|Disallow|color|p)? ?:?[ /*<>a]{0,6}", 0..12),
    ) {
        let body = lines.join("\n");
        let mut canonical = Vec::new();
        let document = Document::read(body.as_bytes(), 10, &mut canonical);
        let mut expected = Vec::new();
        let mut thorough = Thorough(DocumentReader::new(10, MAX_REMARKS, &mut expected));
        read_lines(body.as_bytes(), &mut thorough);
        prop_assert_eq!(format!("{document:?}"), format!("{:?}", thorough.0.into_document()));
        prop_assert_eq!(canonical, expected);
    }
}
