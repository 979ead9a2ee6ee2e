//! Random numbers that stay the same for ever.
//!
//! `SplitMix64` (Steele, Lea and Flood, 2014), and distributions from tables of whole numbers:
//! logarithms and roots differ from one mathematics library to the next, and a made crawl must be
//! the same bytes on every machine.

/// A stream of numbers that follows from its seed.
#[derive(Clone)]
pub(crate) struct Random(u64);

/// What a share of one is in [`Random::chance`].
pub(crate) const MILLION: u32 = 1_000_000;

impl Random {
    /// The stream of this seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for one purpose, named by `label`, which leaves this one as it is.
    pub(crate) fn stream(&self, label: &str) -> Self {
        let mut stream = self.clone();
        for byte in label.bytes() {
            stream.0 = stream.bits() ^ u64::from(byte);
        }
        stream
    }

    /// A stream of its own for the thing of this number, which leaves this one as it is.
    pub(crate) fn fork(&self, number: u64) -> Self {
        let mut stream = Self(self.0 ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        stream.0 = stream.bits();
        stream
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound`, without `bound` itself.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        let high = self.bits() >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// A number from 0 to `bound`, without `bound` itself, where 32 bits may be too few.
    pub(crate) fn below_wide(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.bits()) * u128::from(bound);
        u64::try_from(product >> 64).expect("a number below the bound")
    }

    /// True in `share` of a [`MILLION`] calls.
    pub(crate) fn chance(&mut self, share: u32) -> bool {
        self.below(MILLION) < share
    }

    /// True in this share of one.
    pub(crate) fn share(&mut self, share: f64) -> bool {
        f64::from(self.below(MILLION)) < share * f64::from(MILLION)
    }

    /// True in `percent` of a hundred calls.
    pub(crate) fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// A place in a sequence of this length.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).expect("sequences here are short")) as usize
    }

    /// One of the choices, all equally likely.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// One of the choices, each as likely as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut point = self.below(total);
        for (weight, choice) in choices {
            if point < *weight {
                return *choice;
            }
            point -= weight;
        }
        unreachable!("the point is below the sum of the weights")
    }

    /// A number from the distribution whose quantiles the table gives, in parts of a million.
    pub(crate) fn quantile(&mut self, table: &[(u32, u32)]) -> u32 {
        interpolate(table, self.below(MILLION))
    }
}

/// The value at `x` on the line through the table's points, which rise in both columns.
pub(crate) fn interpolate(table: &[(u32, u32)], x: u32) -> u32 {
    let (mut x0, mut y0) = table[0];
    for &(x1, y1) in table {
        if x < x1 {
            let part =
                u64::from(x.saturating_sub(x0)) * u64::from(y1 - y0) / u64::from(x1 - x0).max(1);
            return y0 + u32::try_from(part).expect("a part of a 32-bit number");
        }
        (x0, y0) = (x1, y1);
    }
    y0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn values_lie_on_the_line_through_the_points() {
        let table = [(0, 10), (100, 20), (200, 1_020)];
        assert_eq!(
            [0, 50, 100, 150, 199, 900].map(|x| interpolate(&table, x)),
            [10, 15, 20, 520, 1_010, 1_020]
        );
    }
}
