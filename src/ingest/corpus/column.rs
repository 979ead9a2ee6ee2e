//! What a column of a table of fetches holds, and the names that it is recognised by.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The URL that was fetched.
    Url,
    /// The host whose robots.txt was fetched: a host, with or without port, or any URL of it.
    Host,
    /// When.
    Time,
    /// HTTP status code.
    Status,
    /// The body, as text or bytes.
    Body,
    BodyBase64,
    /// Response headers.
    Headers,
    /// The Location header.
    Location,
    /// The Content-Type header.
    ContentType,
    /// IP address of the server.
    IpAddress,
}

/// The names that a column is recognised by, the surest first; letters compared without case, and
/// `-`, `.`, spaces and changes of case as `_`.
pub(super) const NAMES: [(Column, &[&str]); Column::COUNT] = [
    (
        Column::Url,
        &[
            "url",
            "robots_url",
            "robots_txt_url",
            "robotstxt_url",
            "request_url",
            "requested_url",
            "target_uri",
            "warc_target_uri",
            "uri",
            "original", // of the Wayback Machine's CDX server, as is statuscode
        ],
    ),
    (
        Column::Host,
        &[
            "host",
            "hostname",
            "host_name",
            "url_host_name",
            "domain",
            "domain_name",
            "fqdn",
            "authority",
            "origin",
            "site",
            "website",
        ],
    ),
    (
        Column::Time,
        &[
            "fetch_time",
            "fetched_at",
            "fetched",
            "crawled_at",
            "crawl_time",
            "crawl_date",
            "retrieved_at",
            "retrieved",
            "downloaded_at",
            "scraped_at",
            "captured_at",
            "timestamp",
            "time",
            "datetime",
            "date",
            "ts",
            "warc_date",
            "created_at",
        ],
    ),
    (
        Column::Status,
        &[
            "fetch_status",
            "status_code",
            "http_status",
            "http_status_code",
            "http_code",
            "response_code",
            "response_status",
            "status",
            "statuscode",
            "code",
        ],
    ),
    (
        Column::Body,
        &[
            "body",
            "robots_txt",
            "robotstxt",
            "robots",
            "robots_content",
            "robots_txt_content",
            "robots_body",
            "response_body",
            "response_text",
            "content",
            "text",
        ],
    ),
    (
        Column::BodyBase64,
        &[
            "body_base64",
            "content_base64",
            "robots_txt_base64",
            "body_b64",
            "content_b64",
        ],
    ),
    (
        Column::Headers,
        &["headers", "response_headers", "http_headers"],
    ),
    (
        Column::Location,
        &[
            "location",
            "fetch_redirect",
            "redirect_location",
            "redirect_url",
        ],
    ),
    (
        Column::ContentType,
        &[
            "content_type",
            "content_mime_type",
            "mime_type",
            "mimetype",
            "mime",
        ],
    ),
    (
        Column::IpAddress,
        &["ip_address", "ip", "server_ip", "remote_ip"],
    ),
];

impl Column {
    /// How many there are.
    pub const COUNT: usize = 10;

    /// The word that `--columns` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Host => "host",
            Self::Time => "time",
            Self::Status => "status",
            Self::Body => "body",
            Self::BodyBase64 => "body_base64",
            Self::Headers => "headers",
            Self::Location => "location",
            Self::ContentType => "content_type",
            Self::IpAddress => "ip_address",
        }
    }

    /// Every one, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(column, _)| *column)
    }

    /// The column with the same content in another form. If the user names one of the two, the
    /// other is not recognised.
    pub(super) fn other_way(self) -> Option<Self> {
        match self {
            Self::Url => Some(Self::Host),
            Self::Host => Some(Self::Url),
            Self::Body => Some(Self::BodyBase64),
            Self::BodyBase64 => Some(Self::Body),
            _ => None,
        }
    }
}
