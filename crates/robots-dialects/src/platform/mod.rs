//! Platforms: who wrote a robots.txt, its owner or the software and services that he uses.
//!
//! A platform is known by a comment that only it writes, or by a file that is exactly its default:
//!
//! | sign | what is the platform's |
//! |---|---|
//! | comments at the beginning and the end of a block | every line between them |
//! | a comment in a file that the platform makes | every group of which the platform's template has all lines, for each of the crawlers named; one with any other line is the owner's |
//! | the policy as a whole, to the byte of its canonical form | everything |
//!
//! What is left when the platform's lines are taken out is what the owner wrote: a robots.txt of
//! its own, with the line numbers of the file ([`Authors::owner_body`]). A switch that an owner may
//! set in a platform's settings is his choice where the platform writes it without a block of its
//! own.

mod authors;
mod defaults;
mod mark;
mod template;
#[cfg(test)]
mod tests;

pub use self::authors::{Authors, PlatformPart};
pub use self::mark::Marks;
use self::template::{Template, templates};
use crate::document::PolicyLine;

/// Software or a service that writes robots.txt files, or blocks in them, for those who use it.
#[derive(Debug)]
pub(crate) struct Platform {
    /// The name in the tables.
    name: &'static str,
    /// How it is known.
    sign: Sign,
    /// Its versions, newest first, each by a line that older ones lack.
    versions: &'static [Version],
}

/// How a platform is known by comments, which are compared without regard to case, `#` and white
/// space before them.
#[derive(Debug)]
enum Sign {
    /// A block begins after a comment with the first prefix, and ends at one with the second.
    Block {
        /// The first comment.
        begin: &'static str,
        /// The last comment.
        end: &'static str,
        /// The first comment of a text without lines that it may write in place of a block, or
        /// above one.
        text: Option<&'static str>,
    },
    /// A file with a comment that begins with one of these.
    File {
        /// Beginnings of comments.
        comments: &'static [&'static str],
        /// The groups that the platform writes, as a robots.txt: the lines of all its versions.
        template: &'static str,
    },
}

/// A version of what a platform writes.
#[derive(Debug)]
struct Version {
    /// The name in the tables: the release that wrote it first, or a distinguishing word.
    name: &'static str,
    /// By what it is known.
    line: VersionLine,
}

/// By which of the platform's lines a version is known.
#[derive(Debug)]
enum VersionLine {
    /// A rule whose value begins so.
    Rule(&'static str),
    /// A directive, in lower case, with this in its value.
    Directive(&'static str, &'static str),
    /// None: any that is no later version.
    Any,
}

impl VersionLine {
    fn is(&self, line: &PolicyLine<'_, '_>) -> bool {
        match (self, line) {
            (Self::Rule(start), PolicyLine::Rule(rule)) => {
                rule.path_raw.starts_with(start.as_bytes())
            }
            (Self::Directive(key, part), PolicyLine::Directive(directive)) => {
                directive.key.eq_ignore_ascii_case(key.as_bytes())
                    && memchr::memmem::find(directive.value, part.as_bytes()).is_some()
            }
            _ => false,
        }
    }
}

/// Every platform that is known by comments.
static PLATFORMS: [Platform; 16] = [
    Platform {
        name: "cloudflare",
        sign: Sign::Block {
            begin: "BEGIN Cloudflare Managed",
            end: "END Cloudflare Managed",
            text: Some("As a condition of accessing this website, you agree to abide by"),
        },
        versions: &[
            Version {
                name: "content-signal-use",
                line: VersionLine::Directive("content-signal", "use="),
            },
            Version {
                name: "content-signal",
                line: VersionLine::Directive("content-signal", ""),
            },
            Version {
                name: "rules",
                line: VersionLine::Any,
            },
        ],
    },
    Platform {
        name: "adm.tools",
        sign: Sign::Block {
            begin: "BEGIN adm.tools Managed",
            end: "END adm.tools Managed",
            text: None,
        },
        versions: &[],
    },
    Platform {
        name: "yoast",
        sign: Sign::Block {
            begin: "START YOAST BLOCK",
            end: "END YOAST BLOCK",
            text: None,
        },
        versions: &[],
    },
    Platform {
        name: "wpforms",
        sign: Sign::Block {
            begin: "START WPFORMS BLOCK",
            end: "END WPFORMS BLOCK",
            text: None,
        },
        versions: &[],
    },
    Platform {
        name: "dark-visitors",
        sign: Sign::Block {
            begin: "START DARK VISITORS BLOCK",
            end: "END DARK VISITORS BLOCK",
            text: None,
        },
        versions: &[],
    },
    Platform {
        name: "seo-ultimate",
        sign: Sign::Block {
            begin: "Added by SEO Ultimate's Link Mask Generator",
            end: "End Link Mask Generator output",
            text: None,
        },
        versions: &[],
    },
    Platform {
        name: "wix",
        sign: Sign::File {
            comments: &["Auto generated, go to SEO Tools > Robots.txt Editor"],
            template: include_str!("templates/wix.txt"),
        },
        versions: &[],
    },
    Platform {
        name: "shopify",
        sign: Sign::File {
            comments: &["we use Shopify as our ecommerce platform"],
            template: include_str!("templates/shopify.txt"),
        },
        versions: &[],
    },
    Platform {
        name: "squarespace",
        sign: Sign::File {
            comments: &["Squarespace Robots Txt"],
            template: include_str!("templates/squarespace.txt"),
        },
        versions: &[],
    },
    // Before Drupal, whose words it uses too.
    Platform {
        name: "prestashop",
        sign: Sign::File {
            comments: &[
                "robots.txt automaticaly generated by PrestaShop",
                "robots.txt automatically generated by PrestaShop",
            ],
            template: "",
        },
        versions: &[],
    },
    Platform {
        name: "drupal",
        sign: Sign::File {
            comments: &["This file is to prevent the crawling and indexing of certain parts"],
            template: include_str!("templates/drupal.txt"),
        },
        versions: &[
            Version {
                name: "8",
                line: VersionLine::Rule("/core/"),
            },
            Version {
                name: "7",
                line: VersionLine::Rule("/INSTALL.sqlite.txt"),
            },
            Version {
                name: "5",
                line: VersionLine::Rule("/misc/"),
            },
        ],
    },
    Platform {
        name: "joomla",
        sign: Sign::File {
            comments: &["If the Joomla site is installed within a folder"],
            template: include_str!("templates/joomla.txt"),
        },
        versions: &[
            Version {
                name: "4",
                line: VersionLine::Rule("/api/"),
            },
            Version {
                name: "3",
                line: VersionLine::Rule("/layouts/"),
            },
            Version {
                name: "2.5",
                line: VersionLine::Rule("/cli/"),
            },
            Version {
                name: "1.5",
                line: VersionLine::Rule("/administrator/"),
            },
        ],
    },
    Platform {
        name: "wordpress.com",
        sign: Sign::File {
            comments: &["If you are regularly crawling WordPress.com sites"],
            template: include_str!("templates/wordpress.com.txt"),
        },
        versions: &[],
    },
    Platform {
        name: "salesforce",
        sign: Sign::File {
            comments: &["default robots.txt for sfdc communities sites"],
            template: "User-agent: *\nAllow: /\nDisallow: */secur/forgotpassword.jsp?*\n",
        },
        versions: &[],
    },
    Platform {
        name: "craft",
        sign: Sign::File {
            comments: &["Don't allow web crawlers to index Craft"],
            template: "User-agent: *\nDisallow: /craft/\n",
        },
        versions: &[],
    },
    Platform {
        name: "rank-math",
        sign: Sign::File {
            comments: &["This file is automatically added by Rank Math SEO plugin"],
            template: "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n",
        },
        versions: &[],
    },
];

impl Platform {
    /// The name of its version that has these lines.
    fn version(&self, lines: &[PolicyLine<'_, '_>]) -> Option<&'static str> {
        let is_there = |version: &&Version| match version.line {
            VersionLine::Any => true,
            ref wanted => lines.iter().any(|line| wanted.is(line)),
        };
        self.versions.iter().find(is_there).map(|found| found.name)
    }

    /// Its groups; none where it is known by blocks.
    fn template(&'static self) -> Option<&'static Template> {
        templates().get(self.name)
    }
}

/// The names of all platforms that are known, in alphabetical order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let marked = PLATFORMS.iter().map(|platform| platform.name);
    let mut names: Vec<_> = marked.chain(defaults::platforms()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
