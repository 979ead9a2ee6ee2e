//! Extracts that are cut: only the first 4 MiB of a record are held, and the extract of a page with
//! very many links is longer. Headers and meta tags come before the links.

/// What there is of a JSON text that is cut: up to the end of the last object or list in it that is
/// whole, with what is open there closed. None where nothing is whole.
pub(super) fn closed(json: &[u8]) -> Option<Vec<u8>> {
    let mut open = Vec::new();
    let mut last = None;
    let mut at = 0;
    while let Some(found) = json[at..].iter().position(|byte| b"\"{}[]".contains(byte)) {
        at += found + 1;
        match json[at - 1] {
            b'"' => match length_of_text(&json[at..]) {
                Some(length) => at += length,
                None => break,
            },
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            _ => {
                open.pop()?;
                last = Some((at, open.len()));
            }
        }
    }
    // Objects opened since then are above those that were open then.
    let (end, depth) = last?;
    let mut closed = json[..end].to_vec();
    closed.extend(open[..depth].iter().rev());
    Some(closed)
}

/// Bytes up to the quotation mark that ends a text, and with it.
fn length_of_text(json: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', &json[at..])?;
        if json[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
        if at > json.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beginning_of_an_object_is_closed_to_one() {
        let json = r#"{"a":{"b\"}":[{"c":1},{"d":"]\\"}]},"e":[[]],"f":{}}"#;
        for end in 0..=json.len() {
            let Some(closed) = closed(&json.as_bytes()[..end]) else {
                assert!(end <= json.find("1}").expect("an object") + 1, "{end}");
                continue;
            };
            let value: serde_json::Value = serde_json::from_slice(&closed).expect("JSON");
            assert_eq!(value["a"]["b\"}"][0]["c"], 1, "{end}");
        }
        assert_eq!(closed(json.as_bytes()), Some(json.as_bytes().to_vec()));
        for cut in ["", "{", "{\"", "{\"\\", "}", "]x", "{\"a\\"] {
            assert_eq!(closed(cut.as_bytes()), None, "{cut}");
        }
    }
}
