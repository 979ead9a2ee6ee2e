//! One request: its place in the schedule, redirects, and what the answer means.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use ureq::Agent;
use ureq::http::{HeaderMap, Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::Url;

use super::address::Address;
use super::failure::{Failure, status_text};
use super::options::Options;
use super::pace::Pace;
use super::reply::{self, ContentRange, Reply};
use crate::error::Error;

/// Requests a second where the user does not say. Common Crawl shuts out who asks more than 1,500
/// times in five minutes, and nobody else is asked for more.
const RATE: f64 = 4.9;
/// Redirects that are followed.
const MAX_REDIRECTS: usize = 10;

/// Sends requests, one at a time each.
pub(super) struct Client {
    agent: Agent,
    pace: Pace,
    options: Options,
}

impl Client {
    pub(super) fn new(options: &Options) -> Result<Self, Error> {
        let timeout = Some(options.timeout);
        let mut tls = TlsConfig::builder();
        if let Some(roots) = roots()? {
            tls = tls.root_certs(roots);
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Each hop takes a place in the schedule: redirects are followed here.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(options.user_agent())
            .accept_encoding("identity")
            .timeout_resolve(timeout)
            .timeout_connect(timeout)
            .timeout_recv_response(timeout)
            .timeout_per_read(timeout)
            .timeout_per_write(timeout)
            .max_idle_connections_per_host(options.connections)
            .tls_config(tls.build())
            .build();
        Ok(Self {
            agent: config.into(),
            pace: Pace::new(options.max_wait),
            options: options.clone(),
        })
    }

    pub(super) fn pace(&self) -> &Pace {
        &self.pace
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// Asks for a file, or for what follows its first bytes if it is still the one that `from`
    /// says: their number, and an ETag or a time.
    pub(super) fn get(
        &self,
        address: &Address,
        from: Option<(u64, &str)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Failure> {
        let mut url = Url::parse(address.text())
            .map_err(|error| Failure::Final(format!("not a URL: {error}")))?;
        if address.bucket_and_key().is_some() {
            return Err(Failure::Final("s3:// is not read yet".to_owned()));
        }
        for _ in 0..=MAX_REDIRECTS {
            self.pace.wait(self.interval(), stop)?;
            let mut request = self.agent.get(url.as_str());
            if let Some((bytes, validator)) = from {
                request = request
                    .header(header::RANGE, format!("bytes={bytes}-"))
                    .header(header::IF_RANGE, validator);
            }
            let response = request.call().map_err(|error| of_transport(&error))?;
            match response.status().as_u16() {
                200 | 206 | 416 => {
                    self.pace.succeed();
                    return Ok(reply(response));
                }
                301 | 302 | 303 | 307 | 308 => {
                    self.pace.succeed();
                    url = redirected(&url, response.headers())?;
                }
                status @ (403 | 429 | 503) => {
                    return Err(Failure::Throttled {
                        status,
                        retry_after: text(response.headers(), &header::RETRY_AFTER)
                            .and_then(|value| reply::retry_after(&value)),
                    });
                }
                status @ (408 | 500..=599) => return Err(Failure::Transient(status_text(status))),
                status => {
                    self.pace.succeed();
                    return Err(Failure::Final(status_text(status)));
                }
            }
        }
        Err(Failure::Final(format!(
            "more than {MAX_REDIRECTS} redirects"
        )))
    }

    /// Lists the addresses below a prefix.
    pub(super) fn list(&self, address: &Address) -> Result<Vec<Address>, Error> {
        let _ = &self.agent;
        Err(Error::Remote {
            url: address.to_string(),
            message: "s3:// is not read yet".to_owned(),
        })
    }

    /// Time between two requests.
    fn interval(&self) -> Duration {
        let rate = self.options.max_rate.unwrap_or(RATE);
        Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX)
    }
}

/// The certificates in the file that `SSL_CERT_FILE` names, which take the place of those that are
/// built in.
fn roots() -> Result<Option<RootCerts>, Error> {
    let Some(path) = env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let path = Path::new(&path);
    let pem = fs::read(path).map_err(Error::io(path))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|error| Error::io(path)(io::Error::other(error.to_string())))?
        {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        let message = "no certificate in the file that SSL_CERT_FILE names";
        return Err(Error::io(path)(io::Error::other(message)));
    }
    Ok(Some(RootCerts::new_with_certs(&certificates)))
}

/// What an error before an answer means.
fn of_transport(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::BadUri(_)
        | ureq::Error::Http(_)
        | ureq::Error::LargeResponseHeader(..)
        | ureq::Error::Pem(_)
        | ureq::Error::InvalidProxyUrl => Failure::Final(error.to_string()),
        ureq::Error::Io(cause) => Failure::Transient(cause.to_string()),
        ureq::Error::Timeout(_) => Failure::Transient("the server does not answer".to_owned()),
        error => Failure::Transient(error.to_string()),
    }
}

/// Where a redirect leads (RFC 9110 §10.2.2).
fn redirected(url: &Url, headers: &HeaderMap) -> Result<Url, Failure> {
    let location = text(headers, &header::LOCATION)
        .ok_or_else(|| Failure::Final("a redirect without Location".to_owned()))?;
    let target = url
        .join(&location)
        .map_err(|error| Failure::Final(format!("a redirect to {location}: {error}")))?;
    let is_safe = matches!(target.scheme(), "http" | "https")
        && (url.scheme() == "http" || target.scheme() == "https");
    if is_safe {
        Ok(target)
    } else {
        Err(Failure::Final(format!(
            "a redirect from {} to {}",
            url.scheme(),
            target.scheme()
        )))
    }
}

fn reply(response: Response<ureq::Body>) -> Reply {
    let headers = response.headers();
    Reply {
        status: response.status().as_u16(),
        etag: text(headers, &header::ETAG),
        last_modified: text(headers, &header::LAST_MODIFIED),
        length: text(headers, &header::CONTENT_LENGTH).and_then(|value| value.trim().parse().ok()),
        range: text(headers, &header::CONTENT_RANGE).and_then(|value| ContentRange::parse(&value)),
        body: Box::new(response.into_body().into_reader()),
    }
}

fn text(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
