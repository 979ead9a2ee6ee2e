//! How the network is used.

use std::path::PathBuf;
use std::time::Duration;

/// Requests a second where the user does not say. Common Crawl blocks clients that ask more than
/// 1,500 times in five minutes; other servers are asked no more often.
pub const RATE: f64 = 4.9;
/// The same for object stores, which are made for programs.
pub const STORE_RATE: f64 = 50.0;

/// How the network is used.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// What a server's operator may write to, as part of the User-Agent.
    pub contact: Option<String>,
    /// Requests a second, of all files and servers together; none: as many as suits the server.
    pub max_rate: Option<f64>,
    /// How long a server may refuse requests before the run ends.
    pub max_wait: Duration,
    /// How long a connection may bring next to nothing before it is given up.
    pub timeout: Duration,
    /// Files under way at a time.
    pub connections: usize,
    /// Where fetched files are kept; none: they are deleted once their rows are committed.
    pub cache: Option<PathBuf>,
}

impl RemoteOptions {
    /// Time before another try of a file after `tries` in a row that brought nothing, for an error
    /// that only concerns the file: with the default of an hour for `max_wait`, a second if the
    /// last one brought something, doubled by each that did not.
    pub(super) fn delay(&self, tries: u32) -> Duration {
        self.max_wait / 3600 * (1 << tries)
    }

    /// What the program calls itself (RFC 9110 §10.1.5).
    pub(super) fn user_agent(&self) -> String {
        let url = option_env!("CARGO_PKG_REPOSITORY").filter(|url| !url.is_empty());
        let url = url.map(|url| format!("+{url}"));
        let details: Vec<&str> = url
            .as_deref()
            .into_iter()
            .chain(self.contact.as_deref())
            .collect();
        let name = concat!("robostat/", env!("CARGO_PKG_VERSION"));
        if details.is_empty() {
            name.to_owned()
        } else {
            format!("{name} ({})", details.join("; "))
        }
    }
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            contact: None,
            max_rate: None,
            max_wait: Duration::from_secs(3600),
            timeout: Duration::from_secs(60),
            connections: 4,
            cache: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_the_program_and_the_contact() {
        let agent = |contact: Option<&str>| {
            let contact = contact.map(str::to_owned);
            RemoteOptions {
                contact,
                ..RemoteOptions::default()
            }
            .user_agent()
        };
        let version = env!("CARGO_PKG_VERSION");
        assert!(agent(None).starts_with(&format!("robostat/{version}")));
        let named = agent(Some("me@example.org"));
        assert!(named.ends_with("me@example.org)"), "{named}");
    }
}
