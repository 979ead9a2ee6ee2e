//! Files that equal a platform's default, without a comment that names the platform.
//!
//! They are recognised by the identity of their policy, so comments, sitemaps and the case of keys
//! do not matter, and any added or missing rule does. An owner who wrote the same lines by hand
//! cannot be distinguished from one who left the default.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::document::Document;
use crate::identity::Id;

/// A platform's default policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlatformDefault {
    pub(super) platform: &'static str,
    pub(super) version: Option<&'static str>,
}

/// Lines that a default policy can have at most; longer ones need not be looked up.
pub(super) const MAX_LINES: usize = 16;

/// Folders that WordPress is usually installed in.
const WORDPRESS_FOLDERS: [&str; 4] = ["", "/wp", "/wordpress", "/blog"];

/// Platform, and the file without comments and sitemaps.
const DEFAULTS: [(&str, &str); 10] = [
    (
        "blogger",
        "User-agent: Mediapartners-Google\nDisallow:\n\nUser-agent: *\nDisallow: /search\n\
         Allow: /\n",
    ),
    (
        "blogger",
        "User-agent: Mediapartners-Google\nDisallow:\n\nUser-agent: *\nDisallow: /search\n\
         Disallow: /share-widget\nAllow: /\n",
    ),
    (
        "weebly",
        "User-agent: NerdyBot\nDisallow: /\n\nUser-agent: *\nDisallow: /ajax/\nDisallow: /apps/\n",
    ),
    (
        "weebly",
        "User-agent: NerdyBot\nDisallow: /\n\nUser-agent: dotbot\nCrawl-delay: 10\n\n\
         User-agent: *\nDisallow: /ajax/\nDisallow: /apps/\n",
    ),
    (
        "hubspot",
        "User-agent: *\nDisallow: /_hcms/preview/\nDisallow: /hs/manage-preferences/\n\
         Disallow: /hs/preferences-center/\n",
    ),
    ("ghost", "User-agent: *\nDisallow: /ghost/\n"),
    (
        "ghost",
        "User-agent: *\nDisallow: /ghost/\nDisallow: /p/\nDisallow: /email/\nDisallow: /r/\n\
         Disallow: /webmentions/\n",
    ),
    (
        "ghost",
        "User-agent: *\nDisallow: /ghost/\nDisallow: /email/\n\
         Disallow: /members/api/comments/counts/\nDisallow: /r/\nDisallow: /webmentions/receive/\n",
    ),
    (
        "ghost",
        "User-agent: *\nDisallow: /ghost/\nDisallow: /email/\n\
         Disallow: /members/api/comments/counts/\nDisallow: /r/\nDisallow: /webmentions/receive/\n\
         Disallow: /.ghost/analytics/api/\n",
    ),
    // `default_custom_instructions` in app/code/Magento/Theme/etc/config.xml.
    (
        "magento",
        "User-agent: *\nDisallow: /index.php/\nDisallow: /*?\nDisallow: /checkout/\n\
         Disallow: /app/\nDisallow: /lib/\nDisallow: /*.php$\nDisallow: /pkginfo/\n\
         Disallow: /report/\nDisallow: /var/\nDisallow: /catalog/\nDisallow: /customer/\n\
         Disallow: /sendfriend/\nDisallow: /review/\nDisallow: /*SID=\n",
    ),
];

/// The names of platforms that have a default.
pub(super) fn platforms() -> impl Iterator<Item = &'static str> {
    let listed = DEFAULTS.iter().map(|(platform, _)| *platform);
    listed.chain(["wordpress"])
}

/// The default that the policy `id` is, if it is one.
pub(super) fn default(id: Id) -> Option<PlatformDefault> {
    static BY_POLICY: LazyLock<HashMap<Id, PlatformDefault>> = LazyLock::new(|| {
        let mut found = HashMap::new();
        let mut add = |platform, version, text: &str| {
            found.insert(policy(text), PlatformDefault { platform, version });
        };
        for (platform, text) in DEFAULTS {
            add(platform, None, text);
        }
        for folder in WORDPRESS_FOLDERS {
            let rule = format!("User-agent: *\nDisallow: {folder}/wp-admin/\n");
            add("wordpress", None, &rule);
            add(
                "wordpress",
                None,
                &format!("{rule}Disallow: {folder}/wp-includes/\n"),
            );
            add(
                "wordpress",
                Some("4.4"),
                &format!("{rule}Allow: {folder}/wp-admin/admin-ajax.php\n"),
            );
        }
        found
    });
    BY_POLICY.get(&id).copied()
}

/// The identity of the policy of a robots.txt.
fn policy(text: &str) -> Id {
    let mut canonical = Vec::new();
    Document::read(text.as_bytes(), 0, &mut canonical);
    Id::of(&canonical)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_as_short_as_is_said_and_differ() {
        let longest = DEFAULTS.iter().map(|(_, text)| {
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.count()
        });
        assert!(longest.max() <= Some(MAX_LINES));
        let ids: std::collections::HashSet<Id> =
            DEFAULTS.iter().map(|(_, text)| policy(text)).collect();
        assert_eq!(ids.len(), DEFAULTS.len());
        for (platform, text) in DEFAULTS {
            let shipped = PlatformDefault {
                platform,
                version: None,
            };
            assert_eq!(default(policy(text)), Some(shipped));
        }
    }
}
