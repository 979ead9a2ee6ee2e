//! Addresses of files on the network.

use std::fmt;

use url::Url;

/// Where Common Crawl's files are; their paths begin with `crawl-data/`.
pub const COMMON_CRAWL: &str = "https://data.commoncrawl.org/";
const CRAWL_DATA: &str = "crawl-data/";
const STORE: &str = "s3://";
const SCHEMES: [&str; 3] = ["http://", "https://", STORE];

fn begins_with(text: &str, scheme: &str) -> bool {
    let start = text.as_bytes().get(..scheme.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
}

/// The address of a file: `http://`, `https://` or `s3://BUCKET/KEY`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(String);

impl Address {
    /// Whether `text` is meant as an address, right or wrong.
    pub fn is_meant(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| begins_with(text, scheme))
    }

    pub fn is_of_store(text: &str) -> bool {
        begins_with(text, STORE)
    }

    /// Reads an address. The fragment of a URL (after `#`) is left out, as it is never sent.
    ///
    /// Fails if the text is not an address, or has a user name or password: addresses are written
    /// to the tables.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if Self::is_of_store(text) {
            let place = &text[STORE.len()..];
            let (bucket, key) = place.split_once('/').unwrap_or((place, ""));
            if bucket.is_empty() {
                return Err("not an address: s3:// needs a bucket".to_owned());
            }
            if key.split('/').any(|part| matches!(part, "." | "..")) {
                return Err("keys with a component `.` or `..` cannot be requested".to_owned());
            }
            return Ok(Self(format!("s3://{bucket}/{key}")));
        }
        let mut url = Url::parse(text).map_err(|error| format!("not a URL: {error}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("not an address: must be http://, https:// or s3://".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            let message =
                "a user name or password in a URL would be written to the tables; leave them out";
            return Err(message.to_owned());
        }
        url.set_fragment(None);
        Ok(Self(url.into()))
    }

    /// The address of `path` below `base`. A path has neither a query nor a fragment.
    pub fn below(base: &str, path: &str) -> Result<Self, String> {
        let (base, path) = (base.trim_end_matches('/'), path.trim_start_matches('/'));
        if Self::is_of_store(base) {
            return Self::parse(&format!("{base}/{path}"));
        }
        let path = path.replace('?', "%3F").replace('#', "%23");
        Self::parse(&format!("{base}/{path}"))
    }

    /// The address that a line of a list means: an address, a path below `base` if that is given, a
    /// path of Common Crawl, or a path relative to `list`, the list's address (`None` on this
    /// machine). `None` if the line can only be a path on this machine.
    pub fn from_line(
        line: &str,
        base: Option<&str>,
        list: Option<&Self>,
    ) -> Result<Option<Self>, String> {
        if Self::is_meant(line) {
            return Self::parse(line).map(Some);
        }
        if let Some(base) = base {
            return Self::below(base, line).map(Some);
        }
        let is_common_crawls = line.starts_with(CRAWL_DATA);
        let base = match list.map(Self::without_query) {
            // A mirror has its lists at the same paths as Common Crawl.
            Some(list) if is_common_crawls => match list.find(&format!("/{CRAWL_DATA}")) {
                Some(end) => &list[..end],
                None => COMMON_CRAWL,
            },
            None if is_common_crawls => COMMON_CRAWL,
            Some(list) => list.rsplit_once('/').map_or(list, |(folder, _)| folder),
            None => return Ok(None),
        };
        Self::below(base, line).map(Some)
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Its path: without scheme, host and query, or the key in a bucket.
    pub fn path(&self) -> &str {
        let without_query = self.without_query();
        let behind = without_query.split_once("://").map_or("", |(_, it)| it);
        behind.split_once('/').map_or("", |(_, path)| path)
    }

    /// Keys in buckets do not have a query.
    fn without_query(&self) -> &str {
        match self.0.split_once('?') {
            Some((start, _)) if self.bucket_and_key().is_none() => start,
            _ => &self.0,
        }
    }

    pub fn file_name(&self) -> &str {
        self.path().rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn bucket_and_key(&self) -> Option<(&str, &str)> {
        self.0.strip_prefix("s3://")?.split_once('/')
    }

    /// Whether the address means all objects whose keys begin with its key.
    pub(super) fn is_prefix(&self) -> bool {
        (self.bucket_and_key()).is_some_and(|(_, key)| key.is_empty() || key.ends_with('/'))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
