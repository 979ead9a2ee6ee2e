//! What a response means to a crawler, in the classes of Common Crawl's robots.txt experiments.

use super::capture::StoredAnswer;
use crate::dataset::tables::word_enum;

word_enum! {
    /// The classes, in the order in which `origins` prefers them: `response_class`.
    pub(in crate::dataset) ResponseClass {
        /// 2xx, and whatever brought a file: a 304 that repeats a known one, a resource record.
        Success = "success",
        /// 4xx except the codes below: the site does not have a robots.txt.
        AllowAll = "allow_all",
        /// 401, 403: some crawlers take it for "no robots.txt", others for "keep out".
        Forbidden = "forbidden",
        /// 408, 425, 429, 5xx, no status or an impossible one: ask again later.
        Defer = "defer",
        /// 3xx.
        Redirect = "redirect",
        /// 304 to a file that the dataset does not have: says nothing.
        NotModified = "not_modified",
    }
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
