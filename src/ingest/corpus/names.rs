//! Files that are called after the host whose robots.txt they hold.

/// Top-level domains that are reserved (RFC 2606, RFC 6761, RFC 7686), of which the Public Suffix
/// List knows none.
const RESERVED: [&str; 7] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "internal",
    "onion",
];

/// The URL of the robots.txt in a file at this path, whose directories are separated by `/`; none
/// where the path names no host.
///
/// `HOST/robots.txt` and `HOST.txt` do, with or without a port, as `HOST:8080` or `HOST+8080` (wget
/// on Windows); a directory `http` or `https` around it gives the scheme (`wget
/// --protocol-directories`), which else is https.
pub(super) fn url_of_path(path: &str) -> Option<String> {
    let mut components = path.rsplit('/').filter(|it| !matches!(*it, "" | "."));
    let file = components.next()?;
    let authority = if file.eq_ignore_ascii_case("robots.txt") {
        let directory = components.next()?;
        authority(directory).filter(|_| directory != "..")?
    } else {
        let stem = without_end(file, ".txt")?;
        let stem = [".robots", "_robots", "-robots"]
            .iter()
            .find_map(|end| without_end(stem, end))
            .unwrap_or(stem);
        let host = authority(stem)?;
        let name = host.split(':').next()?;
        let tld = name.rsplit('.').next()?;
        let is_known = registrable_domain::is_under_listed_suffix(name)
            || RESERVED.contains(&tld)
            || name.parse::<std::net::Ipv4Addr>().is_ok();
        Some(host).filter(|_| is_known)?
    };
    let scheme = components
        .next()
        .filter(|it| matches!(*it, "http" | "https"));
    Some(format!(
        "{}://{authority}/robots.txt",
        scheme.unwrap_or("https")
    ))
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (start, found) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(start)
}

/// A host with a dot, or `localhost`, with or without a port.
fn authority(text: &str) -> Option<String> {
    let text = text.to_lowercase().replacen('+', ":", 1);
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (&*text, None),
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok() && !port.starts_with('+'));
    let is_letter = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
    let is_label = |label: &str| !label.is_empty() && label.chars().all(is_letter);
    let has_dot = host.contains('.') || host == "localhost";
    (is_port && has_dot && host.split('.').all(is_label)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::url_of_path;

    #[test]
    fn hosts_are_found_in_paths() {
        for (path, expected) in [
            ("example.com.txt", "https://example.com/robots.txt"),
            ("a/Example.COM.TXT", "https://example.com/robots.txt"),
            ("example.com/robots.txt", "https://example.com/robots.txt"),
            (
                "./x/www.example.com:8080/robots.txt",
                "https://www.example.com:8080/robots.txt",
            ),
            (
                "www.example.com+8080/Robots.txt",
                "https://www.example.com:8080/robots.txt",
            ),
            ("http/a.test/robots.txt", "http://a.test/robots.txt"),
            ("../../a.test/robots.txt", "https://a.test/robots.txt"),
            ("/etc/a.unknown/robots.txt", "https://a.unknown/robots.txt"),
            ("192.0.2.1.txt", "https://192.0.2.1/robots.txt"),
            (
                "example.co.uk_robots.txt",
                "https://example.co.uk/robots.txt",
            ),
            ("example.com.robots.txt", "https://example.com/robots.txt"),
            ("bücher.example.txt", "https://bücher.example/robots.txt"),
            ("localhost:81/robots.txt", "https://localhost:81/robots.txt"),
        ] {
            assert_eq!(url_of_path(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "robots.txt",
            "",
            "/",
            "readme.txt",
            "notes.v2.txt",
            "example.com/a/robots.txt",
            "example.com/index.html",
            "example.com:99999/robots.txt",
            "example..com.txt",
            "a b.example.txt",
            "../robots.txt",
            "../robots.txt/robots.txt/..",
        ] {
            assert_eq!(url_of_path(path), None, "{path}");
        }
    }
}
