//! The summary: which findings open the report.
//!
//! A section's weight is in its text. A change counts only beyond its interval, and more the
//! farther beyond. A share is of at least 30 hosts, and the smaller group has at least ten.

/// Findings in a summary, at most.
pub(super) const MAX_FINDINGS: usize = 5;
/// Findings of one chapter, at most.
const MAX_FINDINGS_OF_CHAPTER: usize = 2;
/// Hosts that the smaller group of a finding has at least.
pub(super) const SMALLER_GROUP: f64 = 10.0;

/// How much a difference matters: `subject`, times up to one and a half by how many times its
/// interval's half width it is from 0; none where it is not apart from it.
pub(super) fn beyond(subject: f64, difference: f64, (low, high): (f64, f64)) -> Option<f64> {
    let half = (high - low) / 2.0;
    let is_apart = low > 0.0 || high < 0.0;
    let times = if half > 0.0 {
        difference.abs() / half
    } else {
        1.0
    };
    is_apart.then(|| subject * (0.75 + 0.25 * times.min(3.0)))
}

/// Places of the findings for the summary, in the order of the page. `interests` has a chapter and
/// a weight for each finding; none for what is not for the summary.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_most_is_chosen_in_the_order_of_the_page() {
        let of_one = [1.0, 5.0, 3.0].map(|interest| (0, Some(interest)));
        let others = [2.0, 4.0, 0.5, 0.6].map(|interest| (1, Some(interest)));
        let last = [(2, None), (2, Some(0.1))];
        let interests = [&of_one[..], &others, &last].concat();
        assert_eq!(choose(&interests), [1, 2, 3, 4, 8]);
        assert_eq!(choose(&[]), [0; 0]);
    }

    #[test]
    fn a_difference_within_its_interval_does_not_matter() {
        assert_eq!(beyond(2.0, 1.0, (-0.5, 2.5)), None);
        assert_eq!(beyond(2.0, 1.0, (0.0, 2.0)), None);
        assert_eq!(beyond(2.0, -3.0, (-4.0, -2.0)), Some(3.0));
        assert!(beyond(2.0, 1.0, (0.1, 1.9)) < beyond(2.0, 1.0, (0.9, 1.1)));
    }
}
