//! A file that is named after a host, and hosts in names.

/// Reserved top-level domains that the Public Suffix List does not have: RFC 2606, RFC 6761,
/// RFC 6762 (local), ICANN 2024 (internal).
const RESERVED: [&str; 6] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "internal",
];

/// A file that is named after a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HostFile {
    /// The URL of the robots.txt that it holds.
    pub(super) url: String,
    /// The same where the number in front of the host is a rank and not part of it.
    pub(super) url_without_rank: Option<String>,
    /// Whether its name is the host and nothing else: `setup.py` may be one too.
    pub(super) is_bare: bool,
    /// The time that its name has, in microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
}

/// A host that can be, with or without a port: its last labels are listed or reserved, or it is an
/// address.
pub(super) fn known_authority(text: &str) -> Option<String> {
    let found = authority(text)?;
    is_known(found.split(':').next()?).then_some(found)
}

fn is_known(host: &str) -> bool {
    let tld = host.rsplit('.').next().unwrap_or_default();
    registrable_domain::is_under_listed_suffix(host)
        || RESERVED.contains(&tld)
        || host.parse::<std::net::Ipv4Addr>().is_ok()
}

/// A host with a dot, or `localhost`, with or without a port.
pub(super) fn authority(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let with_underscore = text.rsplit_once('_').filter(|(host, _)| is_known(host));
    let (host, port) = match text.split_once([':', '+']).or(with_underscore) {
        Some((host, port)) => (host, Some(port)),
        None => (&*text, None),
    };
    let is_letter = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
    let is_label = |label: &str| !label.is_empty() && label.chars().all(is_letter);
    let has_dot = host.contains('.') || host == "localhost";
    if !has_dot || !host.split('.').all(is_label) {
        return None;
    }
    match port {
        None => Some(host.to_owned()),
        Some(port) => {
            let is_port = port.parse::<u16>().is_ok() && !port.starts_with('+');
            is_port.then(|| format!("{host}:{port}"))
        }
    }
}
