//! Which responses of an input become captures.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subset {
    /// Every response: a robots.txt subset also holds the targets of redirects under other paths.
    RobotsTxt,
    /// Only robots.txt URLs: the input is a crawl of pages.
    Mixed,
}

impl Subset {
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robotstxt",
            Self::Mixed => "mixed",
        }
    }

    /// The subset that an input's path suggests: Common Crawl keeps robots.txt captures in a
    /// directory `robotstxt`.
    pub fn from_path(path: &str) -> Self {
        let mut components = path.split(['/', '\\']);
        if components.any(|component| component == "robotstxt") {
            Self::RobotsTxt
        } else {
            Self::Mixed
        }
    }
}
