//! Files that are named after the host whose robots.txt they hold, and hosts in names.

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
/// How scripts write `://` in a file name.
const SCHEME_ENDS: [&str; 4] = ["___", ":__", "__", "_"];
/// The longest number in front of a host that may be a rank, in digits.
const MAX_RANK_DIGITS: usize = 9;

/// A file that is named after a host.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostFile {
    pub(super) url: String,
    /// The URL if the number in front of the host is a rank and not part of the host.
    pub(super) url_without_rank: Option<String>,
    /// Whether its name is a host and nothing else: `setup.py` may be a host too.
    pub(super) is_bare: bool,
    /// The time in its name, in microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
}

impl HostFile {
    /// The file at this path, if it is named after a host in a usual way.
    ///
    /// `HOST/robots.txt`, `HOST.txt`, `HOST-robots.txt` and `HOST` are usual, with or without a
    /// port: `HOST:8080`, `HOST+8080` (wget on Windows) or `HOST_8080`. A directory `http` or
    /// `https` around it gives the scheme (`wget --protocol-directories`), and so does `https_`
    /// before it; otherwise the scheme is https.
    pub(super) fn of_usual_name(path: &str) -> Option<Self> {
        let mut components = path.rsplit('/').filter(|it| !matches!(*it, "" | "."));
        let file = components.next()?;
        let is_robotstxt = file.eq_ignore_ascii_case("robots.txt");
        let name = if is_robotstxt {
            components.next().filter(|it| *it != "..")?
        } else {
            let stem = without_end(file, ".txt").unwrap_or(file);
            let mut ends = [".robots", "_robots", "-robots"].into_iter();
            ends.find_map(|end| without_end(stem, end)).unwrap_or(stem)
        };
        let directory = components.next();
        let scheme = directory.filter(|it| matches!(*it, "http" | "https"));
        let scheme = scheme.unwrap_or("https");
        let url = |scheme: &str, authority: &str| format!("{scheme}://{authority}/robots.txt");
        if is_robotstxt {
            return Some(Self {
                url: url(scheme, &authority(name)?),
                ..Self::default()
            });
        }
        let without = |scheme| {
            let rest = name.strip_prefix(scheme)?;
            let rest = SCHEME_ENDS.iter().find_map(|end| rest.strip_prefix(end))?;
            Some((scheme, rest))
        };
        let of_name = without("https").or_else(|| without("http"));
        let (scheme, name) = of_name.unwrap_or((scheme, name));
        // A host has no `_` in front of a listed domain, but it may have a `-`.
        let (host, without_rank) = match rank_and_rest(name) {
            Some(('_', rest)) if known_authority(rest).is_some() => (rest, None),
            Some(('-', rest)) => (name, known_authority(rest)),
            _ => (name, None),
        };
        Some(Self {
            url: url(scheme, &known_authority(host)?),
            url_without_rank: without_rank.map(|it| url(scheme, &it)),
            is_bare: name.len() == file.len(),
            time: None,
        })
    }
}

/// The sign after the number at the start of a name, and the rest of the name.
fn rank_and_rest(name: &str) -> Option<(char, &str)> {
    let rest = name.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = name.len() - rest.len();
    let mut rest = rest.chars();
    let sign = rest.next()?;
    (1..=MAX_RANK_DIGITS)
        .contains(&digits)
        .then_some((sign, rest.as_str()))
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (start, found) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    found.eq_ignore_ascii_case(end).then_some(start)
}

/// A host that can exist, with or without a port: its last labels are listed or reserved, or it is
/// an IP address.
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
