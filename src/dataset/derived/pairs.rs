//! Pairs of consecutive answers of an origin, each distinct pair once.
//!
//! Captures of all crawls are sorted by origin and time. A dialect reads each answer as a policy
//! or, without a policy, as a permission or a ban ([`Dialect::access`]). Answers without a meaning
//! in the dialect (a redirect that the crawl did not follow, a 304 or 200 without a known file, a
//! failure in `koster1996`) are skipped. So are answers without a status: each is a failed fetch,
//! or a revisit record without a head. The view `policy_edits` does the same in SQL.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use arrow_array::{Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};
use robots_dialects::access::{Access, Response};
use robots_dialects::dialect::Dialect;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::sorter::SortSpace;
use crate::dataset::Dataset;
use crate::dataset::stored::{self, columns, value};
use crate::error::{Error, check_stop};

/// An answer as a dialect reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Answer {
    /// The rules of the policy with this id apply.
    Policy(i64),
    /// Without a file: every path may be fetched.
    AllowAll,
    /// Without a file: no path may be fetched.
    DisallowAll,
}

impl Answer {
    /// The meaning of an answer for `dialect`, given its policy, if any, and the status and
    /// `resolved.ended` of the last response; `None` if it is not known.
    pub fn of(
        dialect: Dialect,
        policy: Option<i64>,
        status: Option<i32>,
        ended: &str,
    ) -> Option<Self> {
        if let Some(id) = policy {
            return Some(Self::Policy(id));
        }
        let response = match ended {
            "final" => Response::Status(u16::try_from(status?).unwrap_or(0)),
            "not_captured" => return None,
            _ => Response::TooManyRedirects,
        };
        match dialect.access(response) {
            Access::AllowAll => Some(Self::AllowAll),
            Access::DisallowAll => Some(Self::DisallowAll),
            // A file without rules.
            Access::Parse if status == Some(204) => Some(Self::AllowAll),
            Access::Parse | Access::Defer | Access::FollowRedirect | Access::UseCached => None,
        }
    }
}

/// Two consecutive answers of one origin.
pub type AnswerPair = [Answer; 2];

columns! {
    origin: StringArray = "origin",
    time: TimestampMicrosecondArray = "fetch_time",
    filename: StringArray = "warc_filename",
    input_id: Int64Array = "input_id",
    offset: Int64Array = "warc_record_offset",
    inner_offset: Int64Array = "warc_record_inner_offset",
    status: Int32Array = "final_status",
    ended: StringArray = "ended",
    policy: Int64Array = "policy_id",
}

/// A capture of an origin, with its answer in each dialect. Captures sort as the rows of
/// `policy_edits`: by origin, then by time (captures without a time first), then by place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct OriginAnswers {
    origin: u128,
    time: Option<i64>,
    crawl: String,
    filename: String,
    /// The input, and two offsets in it.
    position: [i64; 3],
    answers: Vec<Option<Answer>>,
}

impl Dataset {
    /// The pairs of different answers that consecutive captures of each origin gave, for each of
    /// `dialects`. Derived tables that an interrupted run left behind are made first.
    ///
    /// Fails if a part cannot be read or written; [`Error::Interrupted`] if `stop` is set.
    pub fn answer_pairs(
        &mut self,
        dialects: &[Dialect],
        stop: &AtomicBool,
    ) -> Result<Vec<BTreeSet<AnswerPair>>, Error> {
        self.catch_up(stop)?;
        let mut sorter = SortSpace::new(&self.staging, &self.pool).sorter();
        for part in self.manifest.parts_of("resolved") {
            let crawl = part.partition().unwrap_or_default();
            let path = self.directory.join(&part.path);
            for batch in stored::open(&path, Some(&COLUMNS))? {
                check_stop(stop)?;
                let batch = batch?;
                let columns = Columns::of(&batch);
                let position = [columns.input_id, columns.offset, columns.inner_offset];
                for row in 0..batch.num_rows() {
                    let (policy, status) = (value(columns.policy, row), value(columns.status, row));
                    let ended = columns.ended.value(row);
                    let dialects = dialects.iter();
                    let answers =
                        dialects.map(|dialect| Answer::of(*dialect, policy, status, ended));
                    sorter.push(OriginAnswers {
                        origin: xxh3_128(columns.origin.value(row).as_bytes()),
                        time: value(columns.time, row),
                        crawl: crawl.clone(),
                        filename: columns.filename.value(row).to_owned(),
                        position: position.map(|column| column.value(row)),
                        answers: answers.collect(),
                    })?;
                }
            }
        }
        let mut pairs = vec![BTreeSet::new(); dialects.len()];
        let mut last: Vec<Option<Answer>> = vec![None; dialects.len()];
        let mut origin = None;
        for capture in sorter.read()? {
            check_stop(stop)?;
            let capture: OriginAnswers = capture?;
            if origin.replace(capture.origin) != Some(capture.origin) {
                last.fill(None);
            }
            for ((last, pairs), answer) in last.iter_mut().zip(&mut pairs).zip(capture.answers) {
                if let Some(answer) = answer
                    && let Some(before) = last.replace(answer)
                    && before != answer
                {
                    pairs.insert([before, answer]);
                }
            }
        }
        Ok(pairs)
    }
}
