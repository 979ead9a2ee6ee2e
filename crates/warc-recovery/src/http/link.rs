//! `Link` header fields (RFC 8288): the target that a relation leads to.

/// The target of the first link with the relation type `relation` (lower case) in the value of a
/// `Link` field, as written between its angle brackets.
///
/// Links may have several types (RFC 8288 §3.3). A link that is not well formed is skipped.
#[must_use]
pub fn link_target<'a>(value: &'a [u8], relation: &[u8]) -> Option<&'a [u8]> {
    let mut rest = value;
    while let Some(start) = memchr::memchr(b'<', rest) {
        let after = &rest[start + 1..];
        let end = memchr::memchr(b'>', after)?;
        let (target, parameters) = (&after[..end], &after[end + 1..]);
        let (parameters, next) = until(parameters, b',');
        if has_relation(parameters, relation) {
            return Some(target.trim_ascii());
        }
        rest = next;
    }
    None
}

/// Whether the first `rel` of a link's parameters names the relation (RFC 8288 §3.3: later ones
/// are ignored).
fn has_relation(parameters: &[u8], relation: &[u8]) -> bool {
    let mut rest = parameters;
    while !rest.is_empty() {
        let (parameter, next) = until(rest, b';');
        rest = next;
        let mut parts = parameter.splitn(2, |byte| *byte == b'=');
        let name = parts.next().unwrap_or_default().trim_ascii();
        if let Some(types) = parts.next().filter(|_| name.eq_ignore_ascii_case(b"rel")) {
            let types = types.trim_ascii();
            let types = types.strip_prefix(b"\"").unwrap_or(types);
            let types = types.strip_suffix(b"\"").unwrap_or(types);
            return types
                .split(u8::is_ascii_whitespace)
                .any(|one| one.eq_ignore_ascii_case(relation));
        }
    }
    false
}

/// The text before the first `separator` outside quotes, and the text after it.
fn until(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (position, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            byte if *byte == separator && !is_quoted => {
                return (&text[..position], &text[position + 1..]);
            }
            _ => {}
        }
    }
    (text, &[])
}
