//! Which policies apply to the URLs and hosts of a plan.
//!
//! A policy applies to a URL when a capture of the URL's robots.txt returned it, directly or at the
//! end of redirects. RFC 9309 §2.3.1.2 asks crawlers to follow five redirects and to apply the
//! rules to the authority that was asked first. Where a robots.txt was captured several times, the
//! policies of all captures apply here; the views choose the capture that counts.

use std::collections::{HashMap, HashSet};

use super::ProbePlan;
use crate::url_parts::scope::Scope;
use crate::url_parts::{UrlParts, absolute};

/// Redirects that are followed (RFC 9309 §2.3.1.2).
const MAX_REDIRECTS: usize = 5;

/// Pairs of a policy and a path of the plan to which it applies.
pub type ApplicablePolicies = HashSet<(i64, usize)>;

/// Finds the policies that apply to the URLs and hosts of a plan, in passes over all captures: the
/// first finds the captures of their robots.txt, each further one the targets of redirects.
#[derive(Debug)]
pub struct PolicyFinder<'q> {
    plan: &'q ProbePlan<'q>,
    /// Indices of the plan's paths, by host.
    by_host: HashMap<&'q str, Vec<usize>>,
    /// In the passes after the first: the paths by the URL that redirects led to.
    targets: HashMap<String, HashSet<usize>>,
    /// The hosts of these URLs.
    target_hosts: HashSet<String>,
    /// The targets of the next pass.
    next: HashMap<String, HashSet<usize>>,
    n_redirects: usize,
    found: ApplicablePolicies,
}

impl<'q> PolicyFinder<'q> {
    /// A finder for the URLs and hosts of `plan`, before its first pass.
    pub fn new(plan: &'q ProbePlan<'q>) -> Self {
        let mut by_host: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, path) in plan.paths.iter().enumerate() {
            if let Some(host) = path.reach.host() {
                by_host.entry(host).or_default().push(index);
            }
        }
        Self {
            plan,
            by_host,
            targets: HashMap::new(),
            target_hosts: HashSet::new(),
            next: HashMap::new(),
            n_redirects: 0,
            found: ApplicablePolicies::default(),
        }
    }

    /// Takes note of a capture in this pass: the URL that was fetched, the absolute URL that it
    /// redirects to, and the policy that was returned.
    pub fn capture(&mut self, url: &str, redirect_url: Option<&str>, policy_id: Option<i64>) {
        if policy_id.is_none() && redirect_url.is_none() {
            return;
        }
        let paths = if self.n_redirects == 0 {
            self.paths_under(url)
        } else {
            self.paths_redirected_to(url)
        };
        for path in paths {
            if let Some(policy_id) = policy_id {
                self.found.insert((policy_id, path));
            } else if let Some(url) = redirect_url {
                self.next.entry(url.to_owned()).or_default().insert(path);
            }
        }
    }

    /// Ends a pass. Returns whether another one is needed, because redirects were seen.
    pub fn follow(&mut self) -> bool {
        self.targets = std::mem::take(&mut self.next);
        self.target_hosts = self.targets.keys().filter_map(|url| host(url)).collect();
        self.n_redirects += 1;
        !self.targets.is_empty() && self.n_redirects <= MAX_REDIRECTS
    }

    /// The paths to which the robots.txt at `url` applies.
    fn paths_under(&self, url: &str) -> Vec<usize> {
        let Some(scope) = Scope::from_robots_txt(url) else {
            return Vec::new();
        };
        let paths = self.by_host.get(scope.host()).into_iter().flatten();
        paths
            .copied()
            .filter(|path| self.plan.paths[*path].reach.is_covered_by(&scope))
            .collect()
    }

    /// The paths whose redirects led to `url`.
    fn paths_redirected_to(&self, url: &str) -> Vec<usize> {
        if !host(url).is_some_and(|host| self.target_hosts.contains(&host)) {
            return Vec::new();
        }
        // Normalised, as targets are.
        let paths = absolute(url, url).and_then(|url| self.targets.get(&url));
        paths.into_iter().flatten().copied().collect()
    }

    /// The policies found, and the URLs and hosts of the plan to which none applies.
    pub fn finish(self) -> (ApplicablePolicies, Vec<&'q [u8]>) {
        let with_policy: HashSet<usize> = self.found.iter().map(|(_, path)| *path).collect();
        let mut without_policy: Vec<usize> = self.by_host.into_values().flatten().collect();
        without_policy.retain(|path| !with_policy.contains(path));
        without_policy.sort_unstable();
        let written = without_policy
            .into_iter()
            .map(|path| self.plan.paths[path].written);
        (self.found, written.collect())
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

    /// The policies that apply to one path, and the number of passes that it took.
    fn policies(path: &str) -> (Vec<i64>, usize) {
        let plan = ProbePlan::read(b"x", path.as_bytes(), vec![Dialect::Rfc9309]).expect("plan");
        let mut finder = PolicyFinder::new(&plan);
        let mut passes = 0;
        loop {
            passes += 1;
            for (url, redirect_url, policy_id) in CAPTURES {
                finder.capture(url, redirect_url, policy_id);
            }
            if !finder.follow() {
                break;
            }
        }
        let (applicable, without_policy) = finder.finish();
        let policies: Vec<i64> = (1..=3)
            .filter(|policy| applicable.contains(&(*policy, 0)))
            .collect();
        assert_eq!(without_policy.len(), usize::from(policies.is_empty()));
        (policies, passes)
    }

    #[test]
    fn a_url_has_the_policies_of_its_origin_and_a_host_those_of_all_its_origins() {
        assert_eq!(policies("https://E.example:443/x"), (vec![1], 1));
        assert_eq!(policies("e.example/x"), (vec![1, 2], 1));
        assert_eq!(policies("https://nowhere.example/"), (vec![], 1));
    }

    #[test]
    fn five_redirects_are_followed() {
        assert_eq!(policies("http://r.example/x"), (vec![1], 3));
        assert_eq!(policies("loop.example/"), (vec![], 1 + MAX_REDIRECTS));
    }
}
