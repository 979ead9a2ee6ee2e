//! Links and passages: what a page says to robots about single links, and about parts of its text.
//!
//! A link is an `a` or `area` element with `href` (HTML Living Standard §4.6.1, "hyperlink"); a
//! `link` or `form` with `rel` is not a link that crawlers follow. Google reads `rel` of `a` only
//! (Search Central, "Qualify your outbound links to Google"), so its count is at most this count.

/// Counts of a page's links and marked passages: HTML elements as clients without scripts see them,
/// outside `template` and frame sets; in `svg` and `math`, only HTML at integration points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Links {
    /// Links.
    pub links: u32,
    /// Links with `rel=nofollow` (HTML Living Standard §4.6.7.13).
    pub nofollow: u32,
    /// Links with `rel=ugc`.
    pub ugc: u32,
    /// Links with `rel=sponsored`.
    pub sponsored: u32,
    /// Links with at least one of these three values.
    pub qualified: u32,
    /// Elements with `data-nosnippet`, which Bing obeys on any element (Bing Webmaster Blog,
    /// October 2025).
    pub nosnippet: u32,
    /// `div`, `section` and `span` elements with `data-nosnippet`: Google obeys it on these (Search
    /// Central, "Robots meta tag specifications").
    pub nosnippet_google: u32,
}

impl Links {
    /// Adds a link with this `rel`: a list of words in any case, separated by white space (HTML
    /// Living Standard §4.6.1) or, as Google allows, by commas.
    ///
    /// ```
    /// use page_directives::html::Links;
    ///
    /// let mut links = Links::default();
    /// links.link(b"UGC,nofollow noopener");
    /// links.link(b"nofollower");
    /// assert_eq!((links.links, links.nofollow, links.ugc, links.qualified), (2, 1, 1, 1));
    /// ```
    pub fn link(&mut self, rel: &[u8]) {
        let words = || rel.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
        let has = |name: &[u8]| words().any(|word| word.eq_ignore_ascii_case(name));
        let said = [has(b"nofollow"), has(b"ugc"), has(b"sponsored")];
        self.links += 1;
        self.nofollow += u32::from(said[0]);
        self.ugc += u32::from(said[1]);
        self.sponsored += u32::from(said[2]);
        self.qualified += u32::from(said.contains(&true));
    }

    /// Adds an element with `data-nosnippet`.
    pub(super) fn passage(&mut self, tag: &[u8]) {
        self.nosnippet += 1;
        self.nosnippet_google += u32::from(matches!(tag, b"div" | b"section" | b"span"));
    }
}
