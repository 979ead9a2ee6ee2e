//! Arguments for inputs on the network and for samples of lists.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::outcome::{Result, tell, usage};
use crate::escape;
use crate::ingest::input::sample::Sample;
use crate::remote::{Address, COMMON_CRAWL, Remote, RemoteOptions};

/// Arguments for lists and for inputs on the network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Lists and the network")]
pub(super) struct RemoteArguments {
    /// Ingest a crawl of Common Crawl by its name, as in CC-MAIN-2026-34: the files on its list.
    /// The name is the label of its captures, unless --crawl gives another.
    #[arg(long, value_name = "CRAWL", conflicts_with = "files_from")]
    pub(super) from: Option<String>,
    /// The list of --from, below --base; {} is replaced with the name of the crawl.
    #[arg(
        long,
        value_name = "PATH",
        default_value = "crawl-data/{}/robotstxt.paths.gz"
    )]
    list_path: String,
    /// Take N inputs of each list, or archives of the indexes, drawn at random. A larger sample
    /// with the same seed contains the smaller one; intervals treat the inputs as clusters.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the random numbers that choose the inputs of --sample.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Keep fetched files in this directory, and reuse files that are there already.
    #[arg(long, value_name = "DIR")]
    pub(super) cache: Option<PathBuf>,
    #[command(flatten)]
    pub(super) network: NetworkArguments,
}

/// Arguments of commands that use the network.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Lists and the network")]
pub(super) struct NetworkArguments {
    /// Base of relative paths in lists and indexes: an address or a directory [default: Common
    /// Crawl for crawl-data/…, else the folder of the list].
    #[arg(long, value_name = "URL|DIR")]
    pub(super) base: Option<String>,
    #[command(flatten)]
    pub(super) options: RemoteOptions,
}

impl NetworkArguments {
    /// The base of relative paths of Common Crawl.
    pub(super) fn base(&self) -> &str {
        self.base.as_deref().unwrap_or(COMMON_CRAWL)
    }

    pub(super) fn is_store(&self) -> bool {
        Address::is_of_store(self.base())
    }

    /// Fails if the base is neither an address nor a directory on this machine.
    pub(super) fn check_base(&self) -> Result<()> {
        let base = self.base();
        if Address::is_meant(base) {
            let problem = Address::parse(base).err();
            return problem.map_or(Ok(()), |it| usage(format!("--base {base}: {it}")));
        }
        if Path::new(base).is_dir() {
            return Ok(());
        }
        usage(format!(
            "--base {base}: neither a directory nor an address, which begins with https://, \
             http:// or s3://"
        ))
    }

    /// The network to use, with this directory for fetched files.
    pub(super) fn remote(&self, cache: Option<PathBuf>, is_quiet: bool) -> Arc<Remote> {
        let print: fn(&str, &str) = |url, note| {
            let (url, note) = (escape::line(url), escape::line(note));
            tell!("robostat: {url}: {note}");
        };
        Arc::new(Remote::new(RemoteOptions {
            cache,
            note: (!is_quiet).then_some(print),
            ..self.options.clone()
        }))
    }
}

impl RemoteArguments {
    pub(super) fn sample(&self) -> Option<Sample> {
        let seed = self.seed;
        self.sample.map(|size| Sample { size, seed })
    }

    pub(super) fn list_of_crawl(&self) -> Result<Option<PathBuf>> {
        let Some(crawl) = &self.from else {
            return Ok(None);
        };
        let (base, list) = (self.network.base(), self.list_path.replace("{}", crawl));
        Ok(Some(if Address::is_meant(base) {
            Address::below(base, &list)?.text().into()
        } else {
            Path::new(base).join(list)
        }))
    }
}
