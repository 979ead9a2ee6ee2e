//! One request: its place in the schedule, its redirects, and the meaning of the answer.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use rusty_s3::actions::{ListObjectsV2, ListObjectsV2Response};
use ureq::Agent;
use ureq::http::header::HeaderName;
use ureq::http::{HeaderMap, Response, header};
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::Url;

use super::address::Address;
use super::cache::Validators;
use super::failure::{Failure, pause_note, retry_note, status_text};
use super::options::{CONNECTIONS, RATE, RemoteOptions, STORE_RATE};
use super::pace::{Pace, jitter};
use super::reply::{self, ContentRange, Reply};
use super::s3::{S3, StoreError, is_region};
use crate::error::Error;

/// The header with a bucket's region, if that is not the requested one.
const BUCKET_REGION: HeaderName = HeaderName::from_static("x-amz-bucket-region");
/// How often a page of a list of objects is tried.
const MAX_TRIES: u32 = 6;
/// The most bytes of such a page: 1,000 keys of at most 1,024 bytes, with their attributes.
const MAX_PAGE: u64 = 32 << 20;
const MAX_REDIRECTS: usize = 10;

pub(super) struct Client {
    agent: Agent,
    pub(super) pace: Pace,
    pub(super) options: RemoteOptions,
    /// The settings of the object store, read when the first object is requested.
    s3: OnceLock<Result<S3, String>>,
}

impl Client {
    pub(super) fn new(options: &RemoteOptions) -> Result<Self, Error> {
        let timeout = Some(options.timeout);
        let mut tls = TlsConfig::builder();
        if let Some(roots) = roots()? {
            tls = tls.root_certs(roots);
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // Redirects are followed here, because each hop takes a place in the schedule.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(options.user_agent())
            .accept_encoding("identity")
            .timeout_resolve(timeout)
            .timeout_connect(timeout)
            .timeout_recv_response(timeout)
            .timeout_per_read(timeout)
            .timeout_per_write(timeout)
            .max_idle_connections_per_host(CONNECTIONS)
            .tls_config(tls.build())
            .build();
        Ok(Self {
            agent: config.into(),
            pace: Pace::new(options.max_wait, options.first_pause),
            options: options.clone(),
            s3: OnceLock::new(),
        })
    }

    /// Requests a file, or a `range` of it (RFC 9110 §14.2). `validator` is the value of If-Range,
    /// an ETag or a time: if the file has changed since, the server sends the whole file.
    pub(super) fn get(
        &self,
        address: &Address,
        range: Option<&str>,
        validator: Option<&str>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Failure> {
        let range = range.map(|range| (header::RANGE, range));
        let validator = validator.map(|validator| (header::IF_RANGE, validator));
        let headers: Vec<_> = range.into_iter().chain(validator).collect();
        let Some((bucket, key)) = address.bucket_and_key() else {
            let url = || Url::parse(address.text()).map_err(|error| error.to_string());
            return self.ask(None, &url, &headers, stop);
        };
        let s3 = self.s3()?;
        let url = || s3.object(bucket, key);
        self.ask(Some((s3, bucket)), &url, &headers, stop)
    }

    /// Requests an address. Its URL is made again for each request that does not follow a redirect.
    fn ask(
        &self,
        store: Option<(&S3, &str)>,
        make: &dyn Fn() -> Result<Url, String>,
        headers: &[(HeaderName, &str)],
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Failure> {
        let store = store.filter(|(s3, bucket)| !s3.is_on_the_web(bucket));
        let mut asked_in = store.map(|(s3, bucket)| s3.region(bucket));
        let mut redirect = None;
        let usual = if store.is_some() { STORE_RATE } else { RATE };
        let rate = self.options.max_rate.unwrap_or(usual);
        let interval = Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX);
        for _ in 0..=MAX_REDIRECTS {
            self.pace.wait(interval, stop)?;
            // A signature could expire during the wait.
            let url = redirect.take().map_or_else(make, Ok);
            let url = url.map_err(Failure::Final)?;
            let mut request = self.agent.get(url.as_str());
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            let response = request.call().map_err(|error| transport_failure(&error))?;
            let status = response.status().as_u16();
            // An object store throttles with 503; its 403 means that the credentials are wrong.
            let is_refused = matches!(status, 429 | 503) || status == 403 && store.is_none();
            if !is_refused && !matches!(status, 408 | 500..=599) {
                self.pace.schedule().succeed();
            }
            if let 200 | 206 | 416 = status {
                return Ok(reply(response));
            }
            let (head, body) = response.into_parts();
            let headers = &head.headers;
            let said = store.map(|_| StoreError::read(body.into_reader()));
            let said = said.unwrap_or_default();
            let bucket_region = text(headers, &BUCKET_REGION).or(said.region);
            let bucket_region = bucket_region.filter(|it| is_region(it));
            if let (Some((s3, bucket)), Some(bucket_region)) = (store, bucket_region)
                && matches!(status, 301 | 307 | 400)
                && asked_in.as_ref() != Some(&bucket_region)
            {
                s3.set_region(bucket, bucket_region.clone());
                asked_in = Some(bucket_region);
                continue;
            }
            if matches!(status, 301 | 302 | 303 | 307 | 308)
                && (store.is_none() || headers.contains_key(header::LOCATION))
            {
                redirect = Some(redirected(&url, headers)?);
                continue;
            }
            let answer = status_text(status) + &said.text;
            return Err(match (status, store) {
                _ if is_refused => Failure::Throttled {
                    status,
                    retry_after: text(headers, &header::RETRY_AFTER)
                        .and_then(|value| reply::retry_after(&value)),
                },
                (403, Some((s3, _))) => Failure::Final(format!("{answer}, {}", s3.identity())),
                (408 | 500..=599, _) => Failure::Transient(answer),
                _ => Failure::Final(answer),
            });
        }
        Err(Failure::Final(format!(
            "more than {MAX_REDIRECTS} redirects"
        )))
    }

    /// The addresses of a bucket whose keys begin with `prefix`, in the order of their keys.
    pub(super) fn list(&self, bucket: &str, prefix: &str) -> Result<Vec<Address>, Failure> {
        let (mut addresses, mut token) = (Vec::new(), None);
        let mut tokens = HashSet::new();
        loop {
            let page = self.page(bucket, prefix, token.as_ref())?;
            for object in page.contents {
                // An object that represents a folder is not a file.
                if !object.key.ends_with('/') {
                    let text = format!("s3://{bucket}/{}", object.key);
                    let unusable = |why| Failure::Final(format!("{text}: {why}"));
                    addresses.push(Address::parse(&text).map_err(unusable)?);
                }
            }
            token = page.next_continuation_token;
            let Some(next) = &token else {
                break;
            };
            if !tokens.insert(next.clone()) {
                let message = "the store repeats a page of the list of objects";
                return Err(Failure::Final(message.to_owned()));
            }
        }
        addresses.sort();
        Ok(addresses)
    }

    fn page(
        &self,
        bucket: &str,
        prefix: &str,
        token: Option<&String>,
    ) -> Result<ListObjectsV2Response, Failure> {
        let s3 = self.s3()?;
        let url = || s3.list(bucket, prefix, token.cloned());
        let mut tries = 1;
        loop {
            let answer = self.ask(Some((s3, bucket)), &url, &[], &|| false);
            let delay = self.options.delay(tries);
            let note = match answer.and_then(page) {
                Err(Failure::Transient(message)) if tries < MAX_TRIES => {
                    retry_note(&message, delay)
                }
                Err(Failure::Throttled {
                    status,
                    retry_after,
                }) if tries < MAX_TRIES => {
                    let now = Instant::now();
                    let pause =
                        (self.pace.schedule()).refuse(now, status, retry_after, jitter())?;
                    pause_note(&status_text(status), pause.unwrap_or_default().max(delay))
                }
                answer => return answer,
            };
            self.options.note(&format!("s3://{bucket}/{prefix}"), &note);
            thread::sleep(delay);
            tries += 1;
        }
    }

    fn s3(&self) -> Result<&S3, Failure> {
        let s3 = self.s3.get_or_init(S3::from_environment);
        s3.as_ref().map_err(|why| Failure::Final(why.clone()))
    }
}

fn page(reply: Reply) -> Result<ListObjectsV2Response, Failure> {
    let mut text = String::new();
    (reply.body.take(MAX_PAGE).read_to_string(&mut text))
        .map_err(|error| Failure::Transient(format!("the connection broke: {error}")))?;
    ListObjectsV2::parse_response(&text)
        .map_err(|error| Failure::Final(format!("not a list of objects: {error}")))
}

/// The certificates in the file that `SSL_CERT_FILE` names; they replace the built-in ones.
fn roots() -> Result<Option<RootCerts>, Error> {
    let Some(path) = env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty()) else {
        return Ok(None);
    };
    let path = Path::new(&path);
    let unusable = |why: String| Error::io(path)(io::Error::other(why));
    let pem = fs::read(path).map_err(Error::io(path))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(it) = item.map_err(|error| unusable(error.to_string()))? {
            certificates.push(it);
        }
    }
    if certificates.is_empty() {
        let message = "no certificate in the file that SSL_CERT_FILE names".to_owned();
        return Err(unusable(message));
    }
    Ok(Some(RootCerts::new_with_certs(&certificates)))
}

fn transport_failure(error: &ureq::Error) -> Failure {
    match error {
        ureq::Error::BadUri(_)
        | ureq::Error::Http(_)
        | ureq::Error::LargeResponseHeader(..)
        | ureq::Error::Pem(_)
        | ureq::Error::InvalidProxyUrl => Failure::Final(error.to_string()),
        ureq::Error::Io(cause) => match cause.get_ref().and_then(|it| it.downcast_ref()) {
            Some(tls @ rustls::Error::InvalidCertificate(_)) => Failure::Untrusted(format!(
                "{tls}; check the clock and the address, or name the certificates to trust in \
                 SSL_CERT_FILE"
            )),
            _ => Failure::Transient(cause.to_string()),
        },
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
    match (url.scheme(), target.scheme()) {
        ("http", "http") | (_, "https") => Ok(target),
        (from, to) => Err(Failure::Final(format!("a redirect from {from} to {to}"))),
    }
}

fn reply(response: Response<ureq::Body>) -> Reply {
    let headers = response.headers();
    let length = text(headers, &header::CONTENT_LENGTH).and_then(|it| it.trim().parse().ok());
    Reply {
        status: response.status().as_u16(),
        validators: Validators {
            etag: text(headers, &header::ETAG),
            last_modified: text(headers, &header::LAST_MODIFIED),
            coding: text(headers, &header::CONTENT_ENCODING),
            ..Validators::default()
        },
        length,
        is_delimited: length.is_some() || headers.contains_key(header::TRANSFER_ENCODING),
        range: text(headers, &header::CONTENT_RANGE).and_then(|value| ContentRange::parse(&value)),
        body: Box::new(response.into_body().into_reader()),
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
