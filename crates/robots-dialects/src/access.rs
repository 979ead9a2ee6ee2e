//! What the response to a robots.txt request means, and how long it may be kept.
//!
//! Three dialects define it: the 1996 draft (§3.1, §3.4), RFC 9309 (§2.3.1, §2.4), and Google's
//! specification ("Handling of errors and HTTP status codes", "Caching"). For the other dialects,
//! RFC 9309 counts.

use super::dialect::Dialect;
use super::http_date::parse_http_date;
use super::line::trim;
use crate::named::named;

named! {
    /// What a crawler does after it requested a robots.txt.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Access {
        /// The rules of the body apply.
        Parse = "parse",
        /// Everything may be fetched, as if the file had no rules.
        AllowAll = "allow_all",
        /// Nothing may be fetched, for the time being.
        DisallowAll = "disallow_all",
        /// Come back later; nothing is known yet.
        Defer = "defer",
        /// Request the URL that the redirect points to.
        FollowRedirect = "follow_redirect",
        /// The response has no rules; the rules of the crawler's cached copy still apply.
        UseCached = "use_cached",
    }
}

/// How a request for a robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// A response with this status.
    Status(u16),
    /// No response: name not resolved, connection refused or lost, timeout.
    NoResponse,
    /// More than five redirects in a row, or a redirect that leads nowhere.
    TooManyRedirects,
}

impl Dialect {
    /// What `response` means. 304 confirms that a cached copy is current (RFC 9110 §15.4.5; RFC
    /// 9309 §2.4 permits caching). Codes outside 200 to 599 are not final and count as no response.
    ///
    /// ```
    /// use robots_dialects::access::{Access, Response};
    /// use robots_dialects::dialect::Dialect;
    ///
    /// let unavailable = Response::Status(503);
    /// assert_eq!(Dialect::Koster1996.access(unavailable), Access::Defer);
    /// assert_eq!(Dialect::Rfc9309.access(unavailable), Access::DisallowAll);
    /// ```
    #[must_use]
    pub const fn access(self, response: Response) -> Access {
        match (response, self) {
            (Response::Status(200..=299), _) => Access::Parse,
            (Response::Status(304), _) => Access::UseCached,
            (Response::Status(300..=399), _) => Access::FollowRedirect,
            // "Access restricted": the 1996 draft treats the whole site as disallowed.
            (Response::Status(401 | 403), Self::Koster1996)
            | (Response::Status(429), Self::Google) => Access::DisallowAll,
            // Among the other codes, the draft mentions only 404. It defers on temporary failures,
            // which these three codes report.
            (Response::Status(408 | 425 | 429), Self::Koster1996) => Access::Defer,
            (Response::Status(400..=499), _) => Access::AllowAll,
            // The draft does not limit redirects: an endless chain is a temporary failure.
            (_, Self::Koster1996) => Access::Defer,
            (Response::TooManyRedirects, _) => Access::AllowAll,
            (Response::Status(_) | Response::NoResponse, _) => Access::DisallowAll,
        }
    }

    /// Seconds a robots.txt without caching headers may be kept: 7 days (1996 draft) or 24 hours.
    #[must_use]
    pub const fn default_freshness_seconds(self) -> u64 {
        match self {
            Self::Koster1996 => 7 * 24 * 60 * 60,
            Self::Rep1994 | Self::Conner1996 | Self::Rep2019 | Self::Rfc9309 | Self::Google => {
                24 * 60 * 60
            }
        }
    }

    /// Seconds for which a fetched robots.txt may be used, counted from its generation: the `Age`
    /// of a cache is not subtracted. Google's specification does not mention `Expires`. The limit
    /// of 24 hours (RFC 9309 §2.4) is left to the caller, because it would hide what the site asked
    /// for.
    #[must_use]
    pub fn freshness_seconds(self, headers: &CacheHeaders<'_>) -> u64 {
        let own = match self {
            Self::Google => headers.max_age_seconds(),
            Self::Rep1994 | Self::Koster1996 | Self::Conner1996 | Self::Rep2019 | Self::Rfc9309 => {
                headers.lifetime_seconds()
            }
        };
        own.unwrap_or(self.default_freshness_seconds())
    }
}

/// The headers that say how long a response may be kept (RFC 9111 §4.2.1).
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheHeaders<'h> {
    /// `Cache-Control`.
    pub cache_control: Option<&'h [u8]>,
    /// `Expires`.
    pub expires: Option<&'h [u8]>,
    /// `Date`.
    pub date: Option<&'h [u8]>,
    /// When the response was fetched, in seconds since 1970; used if `Date` is missing or invalid.
    pub fetched: Option<i64>,
}

impl CacheHeaders<'_> {
    /// Seconds by the response's own headers: `max-age`, else `Expires` minus `Date`.
    #[must_use]
    pub fn lifetime_seconds(&self) -> Option<u64> {
        if let Some(seconds) = self.max_age_seconds() {
            return Some(seconds);
        }
        // A value that is not a date, `0` above all, means already expired (RFC 9111 §5.3).
        let Some(expires) = parse_http_date(trim(self.expires?)) else {
            return Some(0);
        };
        let date = self.date.and_then(|date| parse_http_date(trim(date)));
        let lifetime = expires.saturating_sub(date.or(self.fetched)?);
        Some(u64::try_from(lifetime).unwrap_or(0))
    }

    /// Seconds by `Cache-Control`: 0 for `no-store` and `no-cache`, else the first `max-age`.
    /// `no-cache="field"` concerns that field alone (RFC 9111 §5.2.2.4). A number too large for 31
    /// bits counts as 2³¹ (RFC 9111 §1.2.2); a value that is not a number counts as 0.
    #[must_use]
    pub fn max_age_seconds(&self) -> Option<u64> {
        let mut max_age = None;
        for directive in self.cache_control?.split(|byte| *byte == b',') {
            let directive = trim(directive);
            let name_end = directive.iter().position(|byte| *byte == b'=');
            let name = trim(&directive[..name_end.unwrap_or(directive.len())]);
            let is_name = |other: &[u8]| name.eq_ignore_ascii_case(other);
            if is_name(b"no-store") || (is_name(b"no-cache") && name_end.is_none()) {
                return Some(0);
            }
            if is_name(b"max-age") && max_age.is_none() {
                let value = name_end.map_or(&b""[..], |end| trim(&directive[end + 1..]));
                max_age = Some(delta_seconds(value));
            }
        }
        max_age
    }
}

fn delta_seconds(value: &[u8]) -> u64 {
    const LIMIT: u64 = 1 << 31;
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    if !value.iter().all(u8::is_ascii_digit) {
        return 0;
    }
    value.iter().fold(0, |seconds: u64, byte| {
        (seconds * 10 + u64::from(byte - b'0')).min(LIMIT)
    })
}
