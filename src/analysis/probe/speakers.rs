//! Finds the policies that speak for the URLs and hosts of some questions.
//!
//! Those are the policies of every capture of their robots.txt, and those that redirects from
//! there lead to (RFC 9309 §2.3.1.2: five of them, and the rules found apply to the authority that
//! was asked). Which of several captures counts is the business of the views.

use std::collections::{HashMap, HashSet};

use super::Questions;
use crate::url_parts::scope::Scope;
use crate::url_parts::{UrlParts, absolute};

/// Redirects that are followed (RFC 9309 §2.3.1.2).
const MAX_REDIRECTS: usize = 5;

/// Which policies speak for which paths of the questions.
#[derive(Debug, Default)]
pub struct Speaking {
    policies: HashSet<(i64, usize)>,
    spoken_for: HashSet<usize>,
}

impl Speaking {
    pub(super) fn speaks(&self, policy_id: i64, path: usize) -> bool {
        self.policies.contains(&(policy_id, path))
    }
}

/// What of a capture decides for whom its policy speaks.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'c> {
    /// Its URL.
    pub url: &'c str,
    /// Where it redirects to, absolute.
    pub redirect_url: Option<&'c str>,
    /// The policy that it brought.
    pub policy_id: Option<i64>,
}

/// Finds the policies that speak for the URLs and hosts of some questions, in passes over the
/// captures: one over those of their robots.txt, then one for each redirect in a row.
#[derive(Debug)]
pub struct Speakers<'q> {
    questions: &'q Questions<'q>,
    /// Paths by their host.
    by_host: HashMap<&'q str, Vec<usize>>,
    /// In a pass over the targets of redirects: the paths by URL, and the hosts of these.
    targets: HashMap<String, HashSet<usize>>,
    target_hosts: HashSet<String>,
    /// The same for the next pass.
    next: HashMap<String, HashSet<usize>>,
    n_redirects: usize,
    found: Speaking,
}

impl<'q> Speakers<'q> {
    /// For the URLs and hosts among `questions`, before the first pass.
    #[must_use]
    pub fn new(questions: &'q Questions<'q>) -> Self {
        let mut by_host: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, path) in questions.paths.iter().enumerate() {
            if let Some(host) = path.whose.host() {
                by_host.entry(host).or_default().push(index);
            }
        }
        Self {
            questions,
            by_host,
            targets: HashMap::new(),
            target_hosts: HashSet::new(),
            next: HashMap::new(),
            n_redirects: 0,
            found: Speaking::default(),
        }
    }

    /// Takes a capture in this pass.
    pub fn capture(&mut self, capture: &Capture<'_>) {
        if capture.policy_id.is_none() && capture.redirect_url.is_none() {
            return;
        }
        let paths = if self.n_redirects == 0 {
            self.asked_of(capture.url)
        } else {
            self.led_to(capture.url)
        };
        for path in paths {
            if let Some(policy_id) = capture.policy_id {
                self.found.policies.insert((policy_id, path));
                self.found.spoken_for.insert(path);
            } else if let Some(url) = capture.redirect_url {
                self.next.entry(url.to_owned()).or_default().insert(path);
            }
        }
    }

    /// Ends a pass; whether another one is needed, because redirects were met.
    pub fn follow(&mut self) -> bool {
        self.targets = std::mem::take(&mut self.next);
        self.target_hosts = self.targets.keys().filter_map(|url| host(url)).collect();
        self.n_redirects += 1;
        !self.targets.is_empty() && self.n_redirects <= MAX_REDIRECTS
    }

    /// The paths for which the robots.txt at `url` speaks.
    fn asked_of(&self, url: &str) -> Vec<usize> {
        let Some(scope) = Scope::of_robots_txt(url) else {
            return Vec::new();
        };
        let paths = self.by_host.get(scope.host()).into_iter().flatten();
        paths
            .copied()
            .filter(|path| self.questions.paths[*path].whose.is_spoken_for_by(&scope))
            .collect()
    }

    /// The paths whose redirects led to `url`.
    fn led_to(&self, url: &str) -> Vec<usize> {
        if !host(url).is_some_and(|host| self.target_hosts.contains(&host)) {
            return Vec::new();
        }
        // In the form that targets have.
        let paths = absolute(url, url).and_then(|url| self.targets.get(&url));
        paths.into_iter().flatten().copied().collect()
    }

    /// What was found, and the URLs and paths with a host for which no capture speaks.
    #[must_use]
    pub fn finish(self) -> (Speaking, Vec<&'q [u8]>) {
        let mut unspoken: Vec<usize> = self.by_host.into_values().flatten().collect();
        unspoken.retain(|path| !self.found.spoken_for.contains(path));
        unspoken.sort_unstable();
        let written = |path: usize| self.questions.paths[path].written;
        (self.found, unspoken.into_iter().map(written).collect())
    }
}

fn host(url: &str) -> Option<String> {
    UrlParts::parse(url)?.host_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use robots_dialects::dialect::Dialect;

    /// URL, redirect and policy of each capture.
    const CAPTURES: [(&str, Option<&str>, Option<i64>); 7] = [
        ("https://e.example/robots.txt", None, Some(1)),
        ("http://e.example/robots.txt", None, Some(2)),
        ("https://e.example/a/robots.txt", None, Some(2)),
        (
            "http://r.example/robots.txt",
            Some("https://www.r.example/r"),
            None,
        ),
        (
            "https://www.r.example:443/r#x",
            Some("https://e.example/robots.txt"),
            None,
        ),
        (
            "http://loop.example/robots.txt",
            Some("http://loop.example/robots.txt"),
            None,
        ),
        ("http://other.example/robots.txt", None, Some(3)),
    ];

    /// The policies that speak for one path, and how many passes it took.
    fn policies(path: &str) -> (Vec<i64>, usize) {
        let questions =
            Questions::read(b"x", path.as_bytes(), vec![Dialect::Rfc9309]).expect("questions");
        let mut speakers = Speakers::new(&questions);
        let mut passes = 0;
        loop {
            passes += 1;
            for (url, redirect_url, policy_id) in CAPTURES {
                speakers.capture(&Capture {
                    url,
                    redirect_url,
                    policy_id,
                });
            }
            if !speakers.follow() {
                break;
            }
        }
        let (speaking, unspoken) = speakers.finish();
        let policies: Vec<i64> = (1..=3)
            .filter(|policy| speaking.speaks(*policy, 0))
            .collect();
        assert_eq!(unspoken.len(), usize::from(policies.is_empty()));
        (policies, passes)
    }

    #[test]
    fn a_url_is_put_to_the_policies_of_its_scope_and_a_host_to_all_of_its_own() {
        assert_eq!(policies("https://E.example:443/x"), (vec![1], 1));
        assert_eq!(policies("e.example/x"), (vec![1, 2], 1));
        assert_eq!(policies("https://nowhere.example/"), (vec![], 1));
    }

    #[test]
    fn redirects_are_followed_but_not_for_ever() {
        assert_eq!(policies("http://r.example/x"), (vec![1], 3));
        assert_eq!(policies("loop.example/"), (vec![], 1 + MAX_REDIRECTS));
    }
}
