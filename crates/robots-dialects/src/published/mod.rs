//! Published definitions of how much a robots.txt restricts an agent.
//!
//! Figures of three studies are quoted widely. Reproducing one takes the study's own definition:
//!
//! | file | study | judged by |
//! |---|---|---|
//! | [`mod@common_crawl`] | Common Crawl's robots.txt experiments | the text of a sole rule |
//! | [`mod@data_provenance`] | Longpre et al. 2024, Data Provenance Initiative | a `Disallow: /` and whether any allow rule exists |
//! | [`mod@path_probes`] | Liu et al., IMC 2025 | verdicts of Google's parser on the file's own paths |
//!
//! All definitions judge rules that are already assigned to an agent, here by our grouping.
//! [`grouping`] shows how the studies' scripts assign rules, with their errors.
//! [`super::restriction`] is the exact measure.

pub mod common_crawl;
pub mod data_provenance;
pub mod grouping;
pub mod path_probes;

pub use self::common_crawl::{CommonCrawlClass, common_crawl};
pub use self::data_provenance::{DataProvenanceClass, data_provenance};
pub use self::path_probes::path_probes;
