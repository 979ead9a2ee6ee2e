//! Object stores that speak S3: credentials, URLs of objects, and messages of errors.
//!
//! Credentials, region and endpoint come from the same sources as in other programs: the
//! environment, and the profile in `~/.aws`. Without credentials nothing is signed. Common Crawl's
//! bucket requires signatures, its web server does not: without credentials its files are fetched
//! from there.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusty_s3::{Bucket, Credentials, S3Action as _, UrlStyle};
use url::Url;

use super::address::{Address, COMMON_CRAWL};

const COMMON_CRAWL_BUCKET: &str = "commoncrawl";
/// How long a signature is valid.
const VALID: Duration = Duration::from_secs(3600);
const REGION: &str = "us-east-1";
/// How much of an error's body is read, in bytes.
const SNIFF_BYTES: u64 = 16 << 10;
/// Length of the longest message, in characters.
pub(super) const MAX_MESSAGE: usize = 300;

pub(super) struct S3 {
    pub(super) credentials: Option<Credentials>,
    pub(super) region: String,
    /// Where the store is, if it is not Amazon's.
    endpoint: Option<Url>,
    /// Regions of buckets, as given in their responses.
    regions: Mutex<HashMap<String, String>>,
}

type Section = HashMap<String, String>;

impl S3 {
    pub(super) fn from_environment() -> Result<Self, String> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let file = |variable: &str, name: &str| {
            let usual = || Some(PathBuf::from(env::var_os("HOME")?).join(".aws").join(name));
            let path = env::var_os(variable).map(PathBuf::from).or_else(usual);
            let text = path.and_then(|path| fs::read_to_string(path).ok());
            text.unwrap_or_default()
        };
        Self::new(
            variable,
            &file("AWS_SHARED_CREDENTIALS_FILE", "credentials"),
            &file("AWS_CONFIG_FILE", "config"),
        )
    }

    pub(super) fn new(
        variable: impl Fn(&str) -> Option<String>,
        credentials: &str,
        config: &str,
    ) -> Result<Self, String> {
        let named = variable("AWS_PROFILE");
        let profile = named.as_deref().unwrap_or("default");
        let of_config = match profile {
            "default" => section(config, &["default", "profile default"]),
            profile => section(config, &[&*format!("profile {profile}")]),
        };
        let of_credentials = section(credentials, &[profile]);
        if named.is_some() && of_config.is_none() && of_credentials.is_none() {
            return Err(format!("~/.aws has no profile {profile} (AWS_PROFILE)"));
        }
        let profile: Section = of_config
            .into_iter()
            .chain(of_credentials)
            .flatten()
            .collect();
        let keys = |value: &dyn Fn(&str) -> Option<String>| {
            let (key, secret) = (value("aws_access_key_id")?, value("aws_secret_access_key")?);
            Some(match value("aws_session_token") {
                Some(token) => Credentials::new_with_token(key, secret, token),
                None => Credentials::new(key, secret),
            })
        };
        let of_variables = keys(&|name| variable(&name.to_ascii_uppercase()));
        let value = |variables: [&str; 2], name| {
            let typed = variables.into_iter().find_map(&variable);
            typed.or_else(|| profile.get(name).cloned())
        };
        let endpoint = value(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"], "endpoint_url");
        let endpoint = endpoint.map(|text| {
            Url::parse(&text).map_err(|error| format!("AWS_ENDPOINT_URL {text}: {error}"))
        });
        let region = value(["AWS_REGION", "AWS_DEFAULT_REGION"], "region");
        Ok(Self {
            credentials: of_variables.or_else(|| keys(&|name| profile.get(name).cloned())),
            region: region.unwrap_or_else(|| REGION.to_owned()),
            endpoint: endpoint.transpose()?,
            regions: Mutex::default(),
        })
    }

    pub(super) fn object(&self, name: &str, key: &str) -> Result<Url, String> {
        if self.is_on_the_web(name) {
            let address = Address::below(COMMON_CRAWL, key)?;
            return Url::parse(address.text()).map_err(|error| error.to_string());
        }
        let bucket = self.bucket(name)?;
        Ok(bucket
            .get_object(self.credentials.as_ref(), key)
            .sign(VALID))
    }

    pub(super) fn list(
        &self,
        name: &str,
        prefix: &str,
        token: Option<String>,
    ) -> Result<Url, String> {
        if self.is_on_the_web(name) {
            return Err(
                "Common Crawl's bucket is listed only with credentials; otherwise use --from, \
                 or a list of its files"
                    .to_owned(),
            );
        }
        let bucket = self.bucket(name)?;
        let mut list = bucket.list_objects_v2(self.credentials.as_ref());
        list.with_prefix(prefix);
        if let Some(token) = token {
            list.with_continuation_token(token);
        }
        Ok(list.sign(VALID))
    }

    /// The credentials in use, as text to follow a refusal's status.
    pub(super) fn identity(&self) -> &'static str {
        match self.credentials {
            Some(_) => "with the credentials of the environment or ~/.aws",
            None => "without credentials: neither the environment nor ~/.aws has any",
        }
    }

    /// Whether a bucket's objects are fetched from a web server instead.
    pub(super) fn is_on_the_web(&self, bucket: &str) -> bool {
        bucket == COMMON_CRAWL_BUCKET && self.credentials.is_none() && self.endpoint.is_none()
    }

    pub(super) fn region(&self, bucket: &str) -> String {
        let regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.get(bucket).unwrap_or(&self.region).clone()
    }

    pub(super) fn set_region(&self, bucket: &str, region: String) {
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.insert(bucket.to_owned(), region);
    }

    fn bucket(&self, name: &str) -> Result<Bucket, String> {
        let region = self.region(name);
        // The bucket is in the path if its name cannot be part of a host name, or the store may not
        // have such hosts.
        let is_label = name.bytes().all(is_of_label);
        let style = match self.endpoint {
            None if is_label => UrlStyle::VirtualHost,
            _ => UrlStyle::Path,
        };
        let amazon = || {
            let endpoint = format!("https://s3.{region}.amazonaws.com");
            Url::parse(&endpoint).map_err(|error| format!("{endpoint}: {error}"))
        };
        let endpoint = self.endpoint.clone().map_or_else(amazon, Ok)?;
        Bucket::new(endpoint, style, name.to_owned(), region).map_err(|error| error.to_string())
    }
}

/// Whether text from a store can be a region: it becomes part of a host name.
pub(super) fn is_region(text: &str) -> bool {
    (1..=63).contains(&text.len()) && text.bytes().all(is_of_label)
}

fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

fn section(text: &str, names: &[&str]) -> Option<Section> {
    let mut found: Option<Section> = None;
    let mut is_wanted = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            is_wanted = names.contains(&name.trim());
            if is_wanted {
                found.get_or_insert_default();
            }
        } else if is_wanted
            && !line.starts_with(['#', ';'])
            && let (Some((name, value)), Some(found)) = (line.split_once('='), &mut found)
        {
            found.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    found
}

/// The error of a store: an `Error` in XML (Amazon S3 API Reference, "REST error responses"); empty
/// if the body is something else.
#[derive(Default)]
pub(super) struct StoreError {
    /// Text to follow a status: a colon, the code, and the message in parentheses.
    pub(super) text: String,
    /// The region of the bucket, if the request was sent to another region.
    pub(super) region: Option<String>,
}

impl StoreError {
    /// Reads the start of an answer's body. A truncated body is read as far as it goes.
    pub(super) fn read(body: impl Read) -> Self {
        let mut bytes = Vec::new();
        let _ = body.take(SNIFF_BYTES).read_to_end(&mut bytes);
        let answer = String::from_utf8_lossy(&bytes);
        let Some((_, error)) = answer.split_once("<Error") else {
            return Self::default();
        };
        let text = match (element(error, "Code"), element(error, "Message")) {
            (Some(code), Some(message)) => format!(": {code} ({message})"),
            (Some(told), None) | (None, Some(told)) => format!(": {told}"),
            (None, None) => String::new(),
        };
        let region = element(error, "Region");
        Self { text, region }
    }
}

/// The text of the first element named `name`, on one line; `None` if the text is empty.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    // `&` last, so that its replacement is not decoded again.
    let text = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, character)| {
        text.replace(entity, character)
    });
    let is_end = |it: char| it.is_whitespace() || it.is_control();
    let words: Vec<&str> = text.split(is_end).filter(|it| !it.is_empty()).collect();
    let text: String = words.join(" ").chars().take(MAX_MESSAGE).collect();
    (!text.is_empty()).then_some(text)
}
