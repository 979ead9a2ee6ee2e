//! Pairs of answers: what an origin answered, and what it answered next, each distinct pair once.
//!
//! Captures of all crawls are sorted by origin and time. A dialect takes each answer as a policy,
//! or as a permission or a ban without one ([`AccessDialect`]). Answers that say nothing to the
//! dialect (a redirect that the crawl did not follow, a 304 or 200 without a known file, a failure
//! in `koster1996`) are passed over. The view `policy_edits` does the same in SQL.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::{Int32Array, Int64Array, StringArray, TimestampMicrosecondArray};
use rayon::ThreadPool;
use robots_dialects::access::{Access, AccessDialect, Response};
use xxhash_rust::xxh3::xxh3_128;

use super::record::{put_falling_time, put_sorted_text, rising};
use super::sorter::SortSpace;
use crate::dataset::manifest::Manifest;
use crate::dataset::stored::{self, columns, value};
use crate::error::{Error, check_stop};

/// An answer as a dialect takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// By the rules of the policy with this id.
    Policy(i64),
    /// Without a file: every path may be fetched.
    AllowAll,
    /// Without a file: no path may be fetched.
    DisallowAll,
}

impl Answer {
    /// What a school takes from an answer with this policy, or without one, with the status and
    /// `resolved.ended` of the last response; none if that is not known.
    pub fn of(
        school: AccessDialect,
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
        match school.access(response) {
            Access::AllowAll => Some(Self::AllowAll),
            Access::DisallowAll => Some(Self::DisallowAll),
            // A file without rules.
            Access::Parse if status == Some(204) => Some(Self::AllowAll),
            Access::Parse | Access::Defer | Access::FollowRedirect | Access::UseCached => None,
        }
    }
}

/// Two answers that one origin gave, the second next after the first.
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

/// The pairs of different answers to each of some schools, over all crawls of the dataset.
/// `staging` has room for what does not fit into the memory.
pub(in crate::dataset) fn pairs(
    directory: &Path,
    manifest: &Manifest,
    schools: &[AccessDialect],
    (staging, pool): (&Path, &Arc<ThreadPool>),
    stop: &AtomicBool,
) -> Result<Vec<BTreeSet<AnswerPair>>, Error> {
    let mut sorter = SortSpace::new(staging, pool).sorter();
    let (mut key, mut answers) = (Vec::new(), Vec::new());
    for part in manifest.parts().values() {
        if part.table != "resolved" || part.rows == 0 {
            continue;
        }
        let crawl = part.partition().unwrap_or_default();
        let path = directory.join(&part.path);
        for batch in stored::open(&path, Some(&COLUMNS))? {
            check_stop(stop)?;
            let batch = batch?;
            let columns = Columns::of(&batch);
            for row in 0..batch.num_rows() {
                let (policy, status) = (value(columns.policy, row), value(columns.status, row));
                answers.clear();
                for school in schools {
                    let answer = Answer::of(*school, policy, status, columns.ended.value(row));
                    put_answer(&mut answers, answer);
                }
                write_key(&mut key, &columns, &crawl, row);
                sorter.push(&key, &answers)?;
            }
        }
    }
    let mut records = sorter.finish()?;
    let mut pairs = vec![BTreeSet::new(); schools.len()];
    let mut origin = [0; ORIGIN_BYTES];
    let mut last: Vec<Option<Answer>> = vec![None; schools.len()];
    while let Some((key, value)) = records.advance()? {
        check_stop(stop)?;
        if !key.starts_with(&origin) {
            origin.copy_from_slice(&key[..ORIGIN_BYTES]);
            last.fill(None);
        }
        let answers = value.chunks_exact(ANSWER_BYTES).map(get_answer);
        for ((last, pairs), answer) in last.iter_mut().zip(&mut pairs).zip(answers) {
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

/// Bytes of an origin's hash, which a key begins with: texts with the same beginning, such as
/// `https://www.`, would be slow to compare.
const ORIGIN_BYTES: usize = 16;

/// Writes a key that sorts by origin, then as the rows of `policy_edits`: by time, those without
/// one first, then by place.
fn write_key(key: &mut Vec<u8>, columns: &Columns<'_>, crawl: &str, row: usize) {
    key.clear();
    key.extend(xxh3_128(columns.origin.value(row).as_bytes()).to_be_bytes());
    put_falling_time(key, value(columns.time, row));
    key[ORIGIN_BYTES..]
        .iter_mut()
        .for_each(|byte| *byte = !*byte);
    put_sorted_text(key, crawl);
    put_sorted_text(key, columns.filename.value(row));
    for column in [columns.input_id, columns.offset, columns.inner_offset] {
        key.extend(rising(column.value(row)));
    }
}

/// Bytes of an answer in a record.
const ANSWER_BYTES: usize = 9;

fn put_answer(out: &mut Vec<u8>, answer: Option<Answer>) {
    let (kind, id) = match answer {
        None => (0, 0),
        Some(Answer::AllowAll) => (1, 0),
        Some(Answer::DisallowAll) => (2, 0),
        Some(Answer::Policy(id)) => (3, id),
    };
    out.push(kind);
    out.extend(id.to_le_bytes());
}

fn get_answer(bytes: &[u8]) -> Option<Answer> {
    let id = bytes[1..].try_into().map(i64::from_le_bytes);
    match bytes[0] {
        0 => None,
        1 => Some(Answer::AllowAll),
        2 => Some(Answer::DisallowAll),
        _ => id.ok().map(Answer::Policy),
    }
}
