//! Links and passages: what a page says to robots of single links, and of parts of its text.
//!
//! A link is an `a` or `area` element with `href` (HTML Living Standard §4.6.1, "hyperlink"); `rel`
//! of a `link` or `form` makes no link that a crawler follows. Google reads `rel` of `a` only
//! (Search Central, "Qualify your outbound links to Google"), so that its count is at most this
//! one.

/// Counts of a page's links and marked passages: HTML elements as clients without scripts see them,
/// outside `template`, `svg` and `math`.
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
    /// Links with one of the three or more.
    pub qualified: u32,
    /// Elements with `data-nosnippet`, which Bing heeds on all (Bing Webmaster Blog, October 2025).
    pub nosnippet: u32,
    /// `div`, `section` and `span` elements with it: Google heeds it on these (Search Central,
    /// "Robots meta tag specifications").
    pub nosnippet_google: u32,
}

impl Links {
    /// Adds a link with this `rel`: a list of words in any case, with white space between them
    /// (HTML Living Standard §4.6.1), or commas, as Google allows.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::metas_and_links;

    fn read(html: &str) -> Links {
        metas_and_links(html.as_bytes(), |_| {})
    }

    #[test]
    fn links_of_every_kind() {
        let links = read(
            "<a href=/>plain</a> <A HREF='' REL='NoFollow noopener'>x</A> <area href=x rel=\"ugc\n\
             sponsored\">\
             <a rel=nofollow>no link</a> <link rel=nofollow href=x> <form rel=nofollow action=x>\
             <a href=x rel=nofollow rel=ugc> <a rel=external href> <a href=x rel='no&#102;ollow'/>",
        );
        assert_eq!(
            links,
            Links {
                links: 6,
                nofollow: 3,
                ugc: 1,
                sponsored: 1,
                qualified: 4,
                nosnippet: 0,
                nosnippet_google: 0
            }
        );
    }

    #[test]
    fn what_is_no_element_of_the_page() {
        for html in [
            "<!-- <a href=x> -->",
            "<script>'<a href=x>'</script>",
            "<textarea><a href=x></textarea>",
            "<template><a href=x data-nosnippet></template>",
            "<svg><a href=x data-nosnippet></a></svg>",
            "<svg data-nosnippet></svg>",
            "<math><a href=x></a></math>",
            "</a href=x>",
            "<a href=x",
            "<abbr href=x>",
        ] {
            assert_eq!(read(html), Links::default(), "{html}");
        }
        for html in [
            "<noscript><a href=x></noscript>",
            "<svg><foreignobject><a href=x></foreignobject></svg>",
            "<template></template><a href=x>",
            "<svg/><a href=x>",
        ] {
            assert_eq!(read(html).links, 1, "{html}");
        }
    }

    #[test]
    fn passages_that_are_not_for_excerpts() {
        let links = read(
            "<p data-nosnippet>a<SPAN DATA-NOSNIPPET=false>b</span><section data-nosnippet=''><br data-nosnippet-x>\
             </div data-nosnippet><svg><div data-nosnippet>",
        );
        assert_eq!((links.nosnippet, links.nosnippet_google), (4, 3));
    }
}
