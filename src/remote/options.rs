//! Options of the network.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// Default number of requests a second. Common Crawl blocks clients that send more than 1,500
/// requests in five minutes; other servers get no more.
pub const RATE: f64 = 4.9;
/// The default rate for object stores, which are made for programs.
pub const STORE_RATE: f64 = 50.0;

/// Files fetched at a time.
pub(super) const CONNECTIONS: usize = 4;

/// How the network is used: arguments of the commands that use it.
#[derive(Debug, Clone, Args)]
pub struct RemoteOptions {
    /// Most requests per second, to all servers together [default: 4.9; 50 for s3://].
    #[arg(long, value_name = "NUMBER", value_parser = rate, allow_negative_numbers = true)]
    pub max_rate: Option<f64>,
    /// How long to wait for a server that refuses requests before the run ends.
    #[arg(long, value_name = "SECONDS", default_value = "3600", value_parser = seconds)]
    #[arg(allow_negative_numbers = true)]
    pub max_wait: Duration,
    /// The pause after a first 429 or 503, and before a second try of a file. Tests shorten it.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, hide = true)]
    pub first_pause: Duration,
    /// How long to wait for an answer, or for more of a file, before the next try.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    #[arg(allow_negative_numbers = true)]
    pub timeout: Duration,
    /// How to reach you: a mail or web address that is sent with every request.
    #[arg(long, value_name = "TEXT", value_parser = contact)]
    pub contact: Option<String>,
    /// Where fetched files are kept; `None`: files are deleted once their rows are committed.
    #[arg(skip)]
    pub cache: Option<PathBuf>,
    /// Prints why a list or an index (a URL) is requested again; `None`: nothing is printed.
    #[arg(skip)]
    pub note: Option<fn(&str, &str)>,
}

impl RemoteOptions {
    /// Time before a retry of a file, for an error that concerns only this file; doubled by
    /// each of the `tries` in a row without new bytes.
    pub(super) fn delay(&self, tries: u32) -> Duration {
        self.first_pause * (1 << tries)
    }

    pub(super) fn note(&self, url: &str, note: &str) {
        if let Some(print) = self.note {
            print(url, note);
        }
    }

    /// The User-Agent header (RFC 9110 §10.1.5).
    pub(super) fn user_agent(&self) -> String {
        let url = option_env!("CARGO_PKG_REPOSITORY").filter(|url| !url.is_empty());
        let url = url.map(|url| format!("+{url}"));
        let details: Vec<String> = url.into_iter().chain(self.contact.clone()).collect();
        let name = concat!("robostat/", env!("CARGO_PKG_VERSION"));
        match details.join("; ").as_str() {
            "" => name.to_owned(),
            details => format!("{name} ({details})"),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "a number of seconds above 0 is needed".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|rate: &f64| rate.is_finite() && *rate >= 1e-6);
    rate.ok_or_else(|| "a number of requests above 0 is needed".to_owned())
}

/// Text allowed in a comment of User-Agent (RFC 9110 §5.6.5).
fn contact(text: &str) -> Result<String, String> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'(' | b')' | b'\\');
    if !text.is_empty() && text.bytes().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("printable ASCII without brackets and backslashes is needed".to_owned())
    }
}
