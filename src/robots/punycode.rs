//! Punycode (RFC 3492): the ASCII form of a host label.
//!
//! Used by the scope of a robots.txt, where an internationalised host equals its
//! encoded form. Labels are lower-cased before encoding; the other mappings of
//! UTS #46 (full-width letters, normalisation) are left to a URL parser.

/// RFC 3492 §5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// The host in lower case with every label outside US-ASCII encoded
/// (`xn--…`). A label too long to be one stays as it is.
#[must_use]
pub fn host_to_ascii(host: &str) -> String {
    let lower = host.to_lowercase();
    if lower.is_ascii() {
        return lower;
    }
    // The ideographic full stop and its variants part labels too (RFC 3490 §3.1).
    let labels = lower.split(['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']);
    let to_ascii = |label: &str| {
        let code = if label.is_ascii() {
            None
        } else {
            encode(label)
        };
        code.map_or_else(|| label.to_owned(), |code| format!("xn--{code}"))
    };
    let encoded: Vec<String> = labels.map(to_ascii).collect();
    encoded.join(".")
}

/// Octets of a label (RFC 1035 §2.3.4), and so a bound on its characters. It
/// keeps the encoding, quadratic in the label, cheap for any input.
const MAX_LABEL: u32 = 63;

/// Encodes a label (RFC 3492 §6.3). `None` where it is too long or overflows.
fn encode(label: &str) -> Option<String> {
    let mut output: String = label.chars().filter(char::is_ascii).collect();
    let n_basic = u32::try_from(output.len()).ok()?;
    let mut handled = n_basic;
    let total = u32::try_from(label.chars().count()).ok()?;
    if total > MAX_LABEL {
        return None;
    }
    if n_basic > 0 {
        output.push('-');
    }
    let (mut n, mut delta, mut bias) = (INITIAL_N, 0u32, INITIAL_BIAS);
    while handled < total {
        let next = label
            .chars()
            .map(u32::from)
            .filter(|code| *code >= n)
            .min()?;
        delta = delta.checked_add((next - n).checked_mul(handled + 1)?)?;
        n = next;
        for code in label.chars().map(u32::from) {
            if code < n {
                delta = delta.checked_add(1)?;
            } else if code == n {
                push_integer(delta, bias, &mut output);
                bias = adapt(delta, handled + 1, handled == n_basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1)?;
        n += 1;
    }
    Some(output)
}

/// Writes a variable-length integer (RFC 3492 §3.3).
fn push_integer(mut value: u32, bias: u32, output: &mut String) {
    let mut position = BASE;
    loop {
        let threshold = position.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if value < threshold {
            output.push(digit(value));
            return;
        }
        let span = BASE - threshold;
        output.push(digit(threshold + (value - threshold) % span));
        value = (value - threshold) / span;
        position += BASE;
    }
}

/// RFC 3492 §6.1.
fn adapt(delta: u32, points: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut steps = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        steps += BASE;
    }
    steps + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// 0 to 25 are letters, 26 to 35 digits.
fn digit(value: u32) -> char {
    char::from_digit((value + 10) % BASE, BASE).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::host_to_ascii;

    #[test]
    fn what_is_too_long_for_a_label_stays() {
        let host = "\u{e4}".repeat(100_000);
        assert_eq!(host_to_ascii(&host), host);
    }

    #[test]
    fn labels_are_lower_cased_and_encoded() {
        for (host, ascii) in [
            ("Example.COM", "example.com"),
            ("m\u{fc}ller.example", "xn--mller-kva.example"),
            ("M\u{dc}LLER.example", "xn--mller-kva.example"),
            ("b\u{fc}cher.ch", "xn--bcher-kva.ch"),
            ("\u{4f60}\u{597d}.cn", "xn--6qq79v.cn"),
            (
                "\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.\u{440}\u{444}",
                "xn--e1afmkfd.xn--p1ai",
            ),
            (
                "\u{4f8b}\u{3048}\u{3002}\u{30c6}\u{30b9}\u{30c8}",
                "xn--r8jz45g.xn--zckzah",
            ),
        ] {
            assert_eq!(host_to_ascii(host), ascii, "{host}");
        }
    }
}
