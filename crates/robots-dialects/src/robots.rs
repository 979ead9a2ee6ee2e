//! A robots.txt in one value, with the answers that a crawler needs.

use std::collections::HashSet;

use crate::access::{Access, Response};
use crate::comparison::{Class, Comparison, Policy, compare_crawlers};
use crate::dialect::{Crawler, Dialect, Reason, Ruleset, Verdict};
use crate::document::{DirectiveLine, Document, number};
use crate::limit;
use crate::path::UrlPath;
use crate::preferences::{EffectivePreference, effective};
use crate::remark::Remark;
use crate::restriction::Restriction;

/// A robots.txt as one dialect reads it, or the response that came instead.
///
/// ```
/// use robots_dialects::Robots;
///
/// let robots = Robots::new("User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n");
/// assert!(robots.allowed("ExampleBot", "https://example.com/page"));
///
/// let verdict = robots.verdict("ExampleBot", "/private/page");
/// assert_eq!((verdict.allowed, verdict.line), (false, Some(2)));
/// assert_eq!(robots.crawl_delay("ExampleBot"), Some(2.0));
/// ```
///
/// A crawler is named by its product token (`ExampleBot`), or by a name with version
/// (`ExampleBot/1.0`); `google` accepts only the token, as Google's parser does. Only the path and
/// the query of a URL count, not the host. Nothing fails, whatever bytes are given.
///
/// The rules are read once, and only the first verdict allocates memory. The methods from
/// [`document`](Self::document) on read the body again, in time linear in its length.
#[derive(Clone, Debug)]
pub struct Robots {
    body: Vec<u8>,
    access: Access,
    ruleset: Ruleset,
}

impl Robots {
    /// Reads the body of a successful response under RFC 9309: at most 500 KiB of it ([`limit`]).
    #[must_use]
    pub fn new(body: impl AsRef<[u8]>) -> Self {
        let body = limit::cut(body.as_ref(), limit::DEFAULT_LIMIT);
        Self::read(body, Dialect::Rfc9309, Response::Status(200))
    }

    /// Reads the whole body of `response` by `dialect`; without a success, it counts as empty.
    ///
    /// ```
    /// use robots_dialects::Robots;
    /// use robots_dialects::access::Response;
    /// use robots_dialects::dialect::Dialect;
    ///
    /// let missing = Robots::read("Not found", Dialect::Google, Response::Status(404));
    /// assert!(missing.allowed("ExampleBot", "/page"));
    /// let failing = Robots::read("", Dialect::Google, Response::Status(503));
    /// assert!(!failing.allowed("ExampleBot", "/page"));
    /// ```
    #[must_use]
    pub fn read(body: impl AsRef<[u8]>, dialect: Dialect, response: Response) -> Self {
        let access = dialect.access(response);
        let body = match access {
            Access::Parse => body.as_ref().to_vec(),
            _ => Vec::new(),
        };
        Self {
            ruleset: dialect.compile(&body),
            access,
            body,
        }
    }

    /// The dialect that reads the file.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.ruleset.dialect()
    }

    /// What the response means. Unless the rules apply ([`Access::Parse`]), every URL is allowed
    /// after [`Access::AllowAll`], and disallowed, if only for now, after any other.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.access
    }

    /// The bytes that were read.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whether `agent` may fetch `url`.
    #[must_use]
    pub fn allowed(&self, agent: impl AsRef<[u8]>, url: impl AsRef<[u8]>) -> bool {
        let (agent, url) = (agent.as_ref(), url.as_ref());
        match self.access {
            Access::Parse => self.ruleset.allows(agent, &UrlPath::from_url(url)),
            _ => self.verdict(agent, url).allowed,
        }
    }

    /// Whether `agent` may fetch `url`, and why: by which rule, on which line.
    #[must_use]
    pub fn verdict(&self, agent: impl AsRef<[u8]>, url: impl AsRef<[u8]>) -> Verdict<'_> {
        let path = UrlPath::from_url(url.as_ref());
        let verdict = self.ruleset.verdict(agent.as_ref(), &path);
        match self.access {
            Access::Parse => verdict,
            // The file itself may be requested at any time if the dialect exempts it.
            _ if verdict.reason == Reason::RobotsTxt => verdict,
            access => Verdict::of_response(access == Access::AllowAll),
        }
    }

    /// How much of the site `agent` is kept from, decided over all paths; [`Restriction::Partial`]
    /// if the rules are so hostile that this takes too long.
    ///
    /// ```
    /// use robots_dialects::{Robots, restriction::Restriction};
    ///
    /// let robots = Robots::new("User-agent: *\nDisallow: /*/\nDisallow: /\nAllow: /$\n");
    /// assert_eq!(robots.restriction("ExampleBot"), Restriction::Partial); // not the home page
    /// ```
    #[must_use]
    pub fn restriction(&self, agent: impl AsRef<[u8]>) -> Restriction {
        let is = |policy| self.compare_policy(policy, agent.as_ref()).class == Class::Equal;
        if is(Policy::AllowAll(self.dialect())) {
            Restriction::None
        } else if is(Policy::DisallowAll(self.dialect())) {
            Restriction::Full
        } else {
            Restriction::Partial
        }
    }

    /// How the paths that `new` allows `agent` compare with the paths that this file allows. Both
    /// must be read by the same dialect, or by `rep2019` and `rfc9309`; else the result is
    /// [`Class::Undecided`].
    ///
    /// ```
    /// use robots_dialects::{Robots, comparison::Class};
    ///
    /// let old = Robots::new("User-agent: *\nDisallow: /a\n");
    /// let new = Robots::new("User-agent: *\nDisallow: /\n");
    /// let comparison = old.compare(&new, "ExampleBot");
    /// assert_eq!(comparison.class, Class::Stricter);
    /// assert_eq!(comparison.reasons[0].witness, b"/");
    /// ```
    #[must_use]
    pub fn compare<'r>(&'r self, new: &'r Self, agent: impl AsRef<[u8]>) -> Comparison<'r> {
        self.compare_policy(new.policy(), agent.as_ref())
    }

    fn compare_policy<'r>(&'r self, new: Policy<'r>, agent: &[u8]) -> Comparison<'r> {
        let mut compared = compare_crawlers(self.policy(), new, [Crawler::Named(agent)]);
        compared.swap_remove(0).comparison
    }

    fn policy(&self) -> Policy<'_> {
        match self.access {
            Access::Parse => Policy::Rules(&self.ruleset),
            Access::AllowAll => Policy::AllowAll(self.dialect()),
            _ => Policy::DisallowAll(self.dialect()),
        }
    }

    /// Groups, rules, directives, counts and remarks, with line numbers.
    #[must_use]
    pub fn document(&self) -> Document<'_> {
        Document::read_whole(&self.body)
    }

    /// The preference that applies to `agent` for a use of the content at `url`, such as `train-ai`
    /// or `search`; see [`effective`]. `None` if the file states none for this use, or `agent` may
    /// not fetch `url`. If vocabularies disagree, a denial counts.
    ///
    /// ```
    /// use robots_dialects::Robots;
    ///
    /// let robots = Robots::new("User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n");
    /// let preference = robots.preference("ExampleBot", "/page", "train-ai").expect("line 2");
    /// assert_eq!((preference.allows, preference.line), (Some(false), 2));
    /// ```
    #[must_use]
    pub fn preference(
        &self,
        agent: impl AsRef<[u8]>,
        url: impl AsRef<[u8]>,
        category: &str,
    ) -> Option<EffectivePreference> {
        let path = UrlPath::from_url(url.as_ref());
        let mut held = effective(&self.body, agent.as_ref(), &path)?;
        held.retain(|held| held.category.eq_ignore_ascii_case(category.as_bytes()));
        let denial = held.iter().position(|held| held.allows == Some(false));
        (!held.is_empty()).then(|| held.swap_remove(denial.unwrap_or(0)))
    }

    /// The directives, other than rules and sitemaps, that apply to `agent`, in order. Every
    /// dialect reads the groups for its whole product token here, or else the groups for `*`.
    #[must_use]
    pub fn directives(&self, agent: impl AsRef<[u8]>) -> Vec<DirectiveLine<'_>> {
        let document = self.document();
        document.directives_for(agent.as_ref()).cloned().collect()
    }

    /// The directives, other than rules and sitemaps, that are not in a group, in order: lines
    /// before the first group, and lines about the whole site, such as `Host`.
    #[must_use]
    pub fn site_directives(&self) -> Vec<DirectiveLine<'_>> {
        let mut directives = self.document().directives;
        directives.retain(|line| line.block.is_none());
        directives
    }

    /// The first `Crawl-delay` of [`directives`](Self::directives) that is a number from 0 on, in
    /// seconds.
    #[must_use]
    pub fn crawl_delay(&self, agent: impl AsRef<[u8]>) -> Option<f64> {
        let directives = self.directives(agent);
        let mut delays = directives
            .iter()
            .filter(|line| line.key.eq_ignore_ascii_case(b"crawl-delay"));
        delays.find_map(|line| number(line.value).filter(|seconds| *seconds >= 0.0))
    }

    /// The values of the sitemap lines, in order.
    #[must_use]
    pub fn sitemaps(&self) -> Vec<&[u8]> {
        let document = self.document();
        document.sitemaps.iter().map(|line| line.value).collect()
    }

    /// The crawlers that the file names, each once, as first written; `*` is included.
    #[must_use]
    pub fn agents(&self) -> Vec<&[u8]> {
        let mut seen = HashSet::new();
        let tokens = self.document().user_agents.into_iter();
        let tokens = tokens.map(|line| line.product_token);
        tokens
            .filter(|token| !token.is_empty() && seen.insert(token.to_ascii_lowercase()))
            .collect()
    }

    /// Everything that is wrong in the file, line by line.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark<'_>> {
        self.document().remarks
    }
}
