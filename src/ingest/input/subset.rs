//! Which responses of an input become captures.

/// Which responses of an input become captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subset {
    /// Every response: a robots.txt subset also holds the targets of redirects under other paths.
    RobotsTxt,
    /// Only robots.txt URLs: the input is a crawl of pages.
    Mixed,
}

impl Subset {
    /// The word that `--subset` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robotstxt",
            Self::Mixed => "mixed",
        }
    }

    /// The subset that an input's path suggests: Common Crawl keeps robots.txt captures in a
    /// directory `robotstxt`.
    pub fn from_path(path: &str) -> Self {
        if path
            .split(['/', '\\'])
            .any(|component| component == "robotstxt")
        {
            Self::RobotsTxt
        } else {
            Self::Mixed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subset_follows_the_path() {
        assert_eq!(
            Subset::from_path("crawl-data/CC-MAIN-2026-33/segments/1/robotstxt/x.warc.gz"),
            Subset::RobotsTxt
        );
        assert_eq!(Subset::from_path("my-robotstxt.warc.gz"), Subset::Mixed);
    }
}
