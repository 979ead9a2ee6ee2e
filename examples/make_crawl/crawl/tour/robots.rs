//! The single files of `samples/robots/`, each served by a host of its name.

use super::super::exchange::Exchange;
use super::file;

/// A file of `samples/robots/`, and its name without the ending.
macro_rules! sample {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!("../../../../samples/robots/", $name, ".txt")),
        )
    };
}

const SAMPLES: [(&str, &[u8]); 25] = [
    sample!("allow-all"),
    sample!("disallow-all"),
    sample!("specific-group"),
    sample!("stacked-agents"),
    sample!("merged-groups"),
    sample!("blank-lines"),
    sample!("longest-match"),
    sample!("first-match"),
    sample!("wildcards"),
    sample!("end-anchor"),
    sample!("percent-encoding"),
    sample!("utf8-paths"),
    sample!("index-pages"),
    sample!("version-2"),
    sample!("extensions"),
    sample!("sitemaps"),
    sample!("ai-crawlers"),
    sample!("content-signal"),
    sample!("content-usage"),
    sample!("licence-terms"),
    sample!("eu-2019-790"),
    sample!("misspelt-keys"),
    sample!("missing-colons"),
    sample!("orphan-rules"),
    sample!("absolute-rules"),
];

pub(super) fn stops() -> Vec<Exchange> {
    SAMPLES
        .iter()
        .map(|(name, body)| file(&format!("{name}.robots.example"), *body))
        .collect()
}
