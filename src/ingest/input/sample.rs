//! Samples of a list: some of its lines, each line as likely as the others.
//!
//! Lines are put in an order that their text and the seed decide, and the first ones are taken. So
//! a larger sample with the same seed holds the smaller one, lists of the same lines in another
//! order give the same sample, and a list that grows changes little of it.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::dataset::SampleDraw;

/// How much of a list to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Lines.
    pub size: u64,
    /// What decides which.
    pub seed: u64,
}

impl Sample {
    /// Keeps the lines of the sample, in the order that they have. Lines must differ.
    pub(crate) fn draw<L: AsRef<[u8]>>(self, lines: &mut Vec<L>) -> SampleDraw {
        let drawn = SampleDraw {
            of: lines.len() as u64,
            seed: self.seed,
        };
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let Some(last) = size.checked_sub(1).filter(|last| *last < lines.len()) else {
            return drawn; // all of them
        };
        let rank = |line: &[u8]| xxh3_64_with_seed(line, self.seed);
        let lines_of = lines.iter().map(AsRef::as_ref);
        let mut ranked: Vec<(u64, &[u8])> = lines_of.map(|line| (rank(line), line)).collect();
        let (_, &mut (last_rank, last), _) = ranked.select_nth_unstable(last);
        let last = last.to_owned();
        lines.retain(|line| (rank(line.as_ref()), line.as_ref()) <= (last_rank, &*last));
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<String> {
        (0..1000)
            .map(|number| format!("crawl-data/{number}.warc.gz"))
            .collect()
    }

    fn draw(lines: &[String], size: u64, seed: u64) -> Vec<&str> {
        let mut drawn: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
        Sample { size, seed }.draw(&mut drawn);
        drawn
            .iter()
            .map(|line| std::str::from_utf8(line).expect("UTF-8"))
            .collect()
    }

    #[test]
    fn samples_of_a_seed_are_nested_and_keep_the_order() {
        let lines = lines();
        let mut smaller = Vec::new();
        for size in [1, 2, 10, 500, 999, 1000, 5000] {
            let drawn = draw(&lines, size, 7);
            assert_eq!(drawn.len() as u64, size.min(1000));
            assert!(smaller.iter().all(|line| drawn.contains(line)), "{size}");
            let places = drawn
                .iter()
                .map(|line| lines.iter().position(|it| it == line));
            assert!(places.collect::<Vec<_>>().is_sorted());
            smaller = drawn;
        }
        let mut reversed = lines.clone();
        reversed.reverse();
        let mut backwards = draw(&reversed, 10, 7);
        backwards.reverse();
        assert_eq!(draw(&lines, 10, 7), backwards);
    }

    #[test]
    fn every_line_is_as_likely_as_the_others() {
        let lines = lines();
        let mut counts = vec![0_u32; lines.len()];
        for seed in 0..2000 {
            for line in draw(&lines, 100, seed) {
                let digits = line.trim_matches(|letter: char| !letter.is_ascii_digit());
                counts[digits.parse::<usize>().expect("a number")] += 1;
            }
        }
        // 200 expected, with a standard deviation of 13.4: these are six of them.
        assert!(
            counts.iter().all(|count| (120..=280).contains(count)),
            "{counts:?}"
        );
    }
}
