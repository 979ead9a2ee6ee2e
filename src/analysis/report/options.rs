//! Arguments of `robostat report`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

/// What a report is made of, and how: arguments of `robostat report`.
#[derive(Debug, Clone, Args)]
pub struct ReportOptions {
    /// The heading of the report.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub title: Option<String>,
    /// Chapters and sections to write, by id, separated by commas; the links next to the headings
    /// end with the ids.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub sections: Vec<String>,
    /// Crawlers that the report is about, by name, separated by commas [default: the eight AI
    /// crawlers named in the most policies, or a section's own choice].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub agents: Vec<String>,
    /// The crawl that the report is about; later crawls are left out, except in the choice of
    /// crawlers without --agents [default: the last one in time].
    #[arg(long, value_name = "LABEL")]
    pub crawl: Option<String>,
    /// Ranks of domains, for the sections that compare popular sites with others: a CSV or Parquet
    /// file of rank and domain, such as Tranco's.
    #[arg(long, value_name = "FILE")]
    pub ranks: Option<PathBuf>,
    /// Follow the sites of this list from crawl to crawl, each at one host, instead of hosts: a CSV
    /// or Parquet file of domain, as `robostat panel choose` writes it.
    #[arg(long, value_name = "FILE")]
    pub sites: Option<PathBuf>,
    /// Another dataset, to compare with on the hosts that both have.
    #[arg(long, value_name = "OTHER_OUT")]
    pub baseline: Option<PathBuf>,
    /// Begin the report with this text: the author's introduction, plain or in simple Markdown.
    #[arg(long, value_name = "FILE")]
    pub lede: Option<PathBuf>,
    /// Address of a picture for previews of links to the report, such as a figure saved as PNG.
    #[arg(long, value_name = "URL")]
    pub card: Option<String>,
    /// Let the report name hosts; without this, it names none.
    #[arg(long = "name-hosts")]
    pub names_hosts: bool,
}

impl ReportOptions {
    pub(super) fn title(&self) -> &str {
        let default = "Who may crawl: a report on robots.txt";
        self.title.as_deref().unwrap_or(default)
    }
}
