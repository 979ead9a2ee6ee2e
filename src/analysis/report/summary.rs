//! The summary: which findings open the report.
//!
//! A section's weight is in its text. A change counts only if its interval excludes 0; the farther
//! it is from 0, the more it counts. A share is based on at least 30 hosts and, if their number is
//! known, 30 websites; the smaller group has at least ten.

use super::format::Share;

pub(super) const MAX_FINDINGS: usize = 5;
const MAX_FINDINGS_OF_CHAPTER: usize = 2;
pub(super) const SMALLER_GROUP: f64 = 10.0;

/// How much a difference matters: `subject`, times a factor of 1 to 1.5 that grows with the
/// difference in half widths of its interval; `None` if the interval does not exclude 0.
pub(super) fn beyond(subject: f64, difference: Share) -> Option<f64> {
    let (low, high) = difference
        .interval
        .filter(|_| difference.is_apart_from_zero())?;
    let half = (high - low) / 2.0;
    let times = if half > 0.0 {
        difference.value.abs() / half
    } else {
        1.0
    };
    Some(subject * (0.75 + 0.25 * times.min(3.0)))
}

/// Places of the findings for the summary, in the order of the page. `interests` has a chapter and
/// a weight for each finding, which is `None` if the finding is not for the summary.
pub(super) fn choose(interests: &[(usize, Option<f64>)]) -> Vec<usize> {
    let weights = interests.iter().enumerate();
    let mut all: Vec<(f64, usize)> = weights
        .filter_map(|(place, (_, interest))| Some(((*interest)?, place)))
        .collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, place) in all {
        let is_same = |it: &&usize| interests[**it].0 == interests[place].0;
        let of_chapter = chosen.iter().filter(is_same).count();
        if chosen.len() < MAX_FINDINGS && of_chapter < MAX_FINDINGS_OF_CHAPTER {
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    chosen
}
