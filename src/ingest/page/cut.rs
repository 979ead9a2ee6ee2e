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
