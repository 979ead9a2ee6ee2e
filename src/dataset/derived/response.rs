//! What a response means to a crawler, in the classes of Common Crawl's robots.txt experiments.

use super::capture::StoredAnswer;

/// The classes, in the order in which `origins` prefers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResponseClass {
    /// 2xx, and whatever brought a file: a 304 that repeats a known one, a resource record.
    Success,
    /// 4xx except the codes below: the site does not have a robots.txt.
    AllowAll,
    /// 401, 403: some crawlers take it for "no robots.txt", others for "keep out".
    Forbidden,
    /// 408, 425, 429, 5xx, no status or an impossible one: ask again later.
    Defer,
    /// 3xx.
    Redirect,
    /// 304 to a file that the dataset does not have: says nothing.
    NotModified,
}

impl ResponseClass {
    /// The class of an answer.
    pub(super) fn of(answer: StoredAnswer) -> Self {
        match answer.status {
            Some(200..=299) => Self::Success,
            _ if answer.file_id.is_some() => Self::Success,
            Some(304) => Self::NotModified,
            Some(300..=399) => Self::Redirect,
            Some(401 | 403) => Self::Forbidden,
            Some(408 | 425 | 429) => Self::Defer,
            Some(400..=499) => Self::AllowAll,
            _ => Self::Defer,
        }
    }

    /// The word in `response_class`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::AllowAll => "allow_all",
            Self::Forbidden => "forbidden",
            Self::Defer => "defer",
            Self::Redirect => "redirect",
            Self::NotModified => "not_modified",
        }
    }
}

/// A lower rank counts first: by class, then answers with a file.
pub(super) fn rank(answer: StoredAnswer) -> (ResponseClass, bool) {
    (ResponseClass::of(answer), answer.file_id.is_none())
}

/// Whether it is known what crawlers may do: there is a file, or none (404 and the like, 204).
pub(super) fn is_settled(answer: StoredAnswer) -> bool {
    answer.policy_id.is_some()
        || answer.status == Some(204)
        || ResponseClass::of(answer) == ResponseClass::AllowAll
}
