//! Files from the network: addresses become files on this machine, in the order of a list.
//!
//! ```text
//! list ──▶ addresses ──▶ fetcher ──▶ download ──▶ client ──▶ pace ──▶ server
//!                        (ahead, in    (tries,      (one GET,   (rate, one pause
//!                         order)        resumes)     redirects)  for all)
//! ```
//!
//! Limits that protect servers are enforced in one place, [`pace`]: requests, those after redirects
//! included, begin at a bounded rate, and when a server refuses (403, 429, 503) nothing is sent to
//! any server until the pause is over. A partial file stays in a [`cache`] until it is complete,
//! also across runs. This module does not know what the files are for.

#![cfg_attr(
    not(feature = "remote"),
    allow(dead_code, reason = "without a client nothing is sent")
)]

mod address;
mod cache;
#[cfg(feature = "remote")]
mod client;
#[cfg(not(feature = "remote"))]
#[path = "no_client.rs"]
mod client;
mod download;
mod failure;
mod fetcher;
mod list;
mod options;
mod pace;
mod reply;
#[cfg(feature = "remote")]
mod s3;
mod target;

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;

use crate::error::Error;
use cache::Cache;
use client::Client;
use download::Download;
use failure::Failure;
use list::ListCheck;

pub use address::{Address, COMMON_CRAWL};
pub use cache::Fetched;
pub use fetcher::{Arrival, Fetcher};
pub use list::{ListLines, is_named_as_list};
pub use options::{RATE, RemoteOptions, STORE_RATE};
pub use target::{BodyCheck, EndError, FileEnd, NamedRanges, Ranges, Target, WantedBytes};

/// The network as one run uses it: all requests share one rate and one pause.
pub struct Remote {
    options: RemoteOptions,
    /// Made with the first request, so that runs on local files need neither certificates nor the
    /// feature.
    client: OnceLock<Client>,
}

impl Remote {
    pub fn new(options: RemoteOptions) -> Self {
        Self {
            options,
            client: OnceLock::new(),
        }
    }

    fn client(&self) -> Result<&Client, Error> {
        if self.client.get().is_none() {
            // If two threads create a client, the first is kept.
            let _ = self.client.set(Client::new(&self.options)?);
        }
        Ok(self.client.get().expect("it was set"))
    }

    /// [`Error::Missing`]: the list does not exist. [`Error::Remote`]: it cannot be fetched, or is
    /// not a list.
    pub fn list(&self, address: &Address) -> Result<ListLines, Error> {
        let temporary = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
        let target = Target::from(address.clone());
        let fetched = self.fetch(&target, temporary.path(), &ListCheck)?;
        // An open file can be read after its directory is gone.
        let list = File::open(&fetched.path).and_then(ListLines::new);
        list.map_err(Error::io(&fetched.path))
    }

    /// Fetches a list or an index at once, into the directory `aside`. It is never taken from the
    /// kept cache, as it may have grown since. A body that `check` refuses is requested again.
    ///
    /// [`Error::Missing`]: the file does not exist. [`Error::Remote`]: it cannot be fetched.
    pub fn fetch(
        &self,
        target: &Target,
        aside: &Path,
        check: &dyn BodyCheck,
    ) -> Result<Fetched, Error> {
        let cache = Cache::of(None, aside)?;
        let fetched = Download::of(self.client()?, &cache, target, check, &self.options);
        fetched.map_err(|failure| match failure {
            Failure::Final(message) => Error::Missing {
                url: target.address.to_string(),
                message,
            },
            failure => failure.of(&target.address),
        })
    }

    /// The addresses below an object store address that ends with `/`, in the order of their keys.
    /// `None` for any other address.
    pub fn below(&self, address: &Address) -> Result<Option<Vec<Address>>, Error> {
        let Some((bucket, prefix)) = address.bucket_and_key().filter(|_| address.is_prefix())
        else {
            return Ok(None);
        };
        let found = self.client()?.list(bucket, prefix);
        found.map(Some).map_err(|failure| failure.of(address))
    }
}

#[cfg(test)]
mod tests;
