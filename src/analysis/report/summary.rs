//! The summary: which claims of the sections open the report.
//!
//! Sections mark the claims that can be read without context, each with a weight. The weight of a
//! level (a share of all) depends on its subject. A difference or a change has weight only beyond
//! its interval, and more the farther beyond. So the largest shares and changes come first, and
//! differences that the data do not support are left out.

use super::section::Claim;

/// Claims in a summary, at most.
pub(super) const MOST: usize = 8;
/// Claims of one chapter, and of one section, at most.
const MOST_OF_A_CHAPTER: usize = 3;
const MOST_OF_A_SECTION: usize = 2;

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

/// The claims for the summary, as pairs of a chapter's and a claim's place in it: those that matter
/// most, in the order of the page.
pub(super) fn choose(chapters: &[Vec<(usize, &Claim)>]) -> Vec<(usize, usize)> {
    let mut all: Vec<(f64, usize, usize)> = Vec::new();
    for (chapter, claims) in chapters.iter().enumerate() {
        for (place, (_, claim)) in claims.iter().enumerate() {
            all.extend(claim.interest.map(|interest| (interest, chapter, place)));
        }
    }
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for (_, chapter, place) in all {
        let section = chapters[chapter][place].0;
        let is_told =
            |it: &&(usize, usize)| it.0 == chapter && chapters[chapter][it.1].0 == section;
        let of_chapter = chosen.iter().filter(|it| it.0 == chapter).count();
        if chosen.len() < MOST
            && of_chapter < MOST_OF_A_CHAPTER
            && chosen.iter().filter(is_told).count() < MOST_OF_A_SECTION
        {
            chosen.push((chapter, place));
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_most_is_chosen_and_stands_in_the_pages_order() {
        let claims: Vec<Claim> = [1.0, 5.0, 3.0, 2.0, 4.0]
            .into_iter()
            .map(|interest| Claim::main("", interest))
            .collect();
        let aside = Claim::aside("");
        let one: Vec<(usize, &Claim)> = claims.iter().enumerate().collect();
        let two = vec![
            (0, &aside),
            (1, &claims[0]),
            (1, &claims[1]),
            (1, &claims[2]),
        ];
        // Three of the first chapter, and two of a section.
        assert_eq!(
            choose(&[one, two]),
            [(0, 1), (0, 2), (0, 4), (1, 2), (1, 3)]
        );
        assert_eq!(choose(&[]), []);
    }

    #[test]
    fn a_difference_within_its_interval_does_not_matter() {
        assert_eq!(beyond(2.0, 1.0, (-0.5, 2.5)), None);
        assert_eq!(beyond(2.0, 1.0, (0.0, 2.0)), None);
        assert_eq!(beyond(2.0, -3.0, (-4.0, -2.0)), Some(3.0));
        assert!(beyond(2.0, 1.0, (0.1, 1.9)) < beyond(2.0, 1.0, (0.9, 1.1)));
    }
}
