//! Lists of inputs and inputs on the network: turns lines and addresses into inputs.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use indicatif::HumanCount;
use xxhash_rust::xxh3::xxh3_128;

use super::name::{name, name_of_address};
use super::planned::PlannedInput;
use super::skipped::SkipReason;
use super::sources::{Finder, is_named_as_archive};
use crate::dataset::Location;
use crate::error::Error;
use crate::ingest::corpus;
use crate::remote::{self, Address, ListLines};

/// The most inputs in one list. Each takes some 500 bytes of memory; further runs can read more.
pub const MAX_LISTED: usize = 2_000_000;

impl Finder<'_> {
    pub(crate) fn given(&mut self, path: &Path) -> Result<(), Error> {
        let address = address_of(path)?;
        if remote::is_named_as_list(path) && (address.is_some() || path.is_file()) {
            self.list(path)
        } else if let Some(address) = address {
            self.address(&address)
        } else {
            self.argument(path)
        }
    }

    /// Takes the inputs of a list, or a sample of them. Lines that begin with `#` are comments.
    pub(crate) fn list(&mut self, list: &Path) -> Result<(), Error> {
        let address = address_of(list)?;
        let mut lines = match &address {
            Some(address) => self.request.remote.list(address)?,
            None => open(list).map_err(Error::io(list))?,
        };
        let before = self.found.inputs.len();
        let (mut seen, mut repeated, mut population) = (HashSet::new(), 0_u64, Vec::new());
        while let Some(line) = lines.next_line().map_err(Error::io(list))? {
            if !seen.insert(xxh3_128(line)) {
                repeated += 1;
                continue;
            }
            if seen.len() > MAX_LISTED {
                let most = HumanCount(MAX_LISTED as u64);
                let message = format!(
                    "the list has more than {most} inputs; divide it, and ingest the parts one \
                     after the other"
                );
                return Err(Error::io(list)(io::Error::other(message)));
            }
            match self.request.sample {
                Some(_) => population.push(line.to_owned()),
                None => self.line(line, address.as_ref())?,
            }
        }
        if let Some(sample) = self.request.sample {
            let drawn = sample.draw(&mut population);
            for line in population {
                self.line(&line, address.as_ref())?;
            }
            for planned in &mut self.found.inputs[before..] {
                planned.drawn = Some(drawn);
            }
        }
        if repeated > 0 {
            self.found.repeated.push((list.to_owned(), repeated));
        }
        if seen.is_empty() {
            let note = "the list has no inputs".to_owned();
            self.found.notes.push((list.to_owned(), note));
        }
        Ok(())
    }

    /// Takes a line of the list at `list` (`None` for a local list).
    fn line(&mut self, line: &[u8], list: Option<&Address>) -> Result<(), Error> {
        let path = Path::new(OsStr::from_bytes(line));
        let base = self.request.base;
        // The base, if it is a directory.
        let folder = base.filter(|base| !Address::is_meant(base)).map(Path::new);
        // A line of a list on this machine is first taken for a file on this machine.
        let is_here = folder.is_some() || list.is_none() && base.is_none() && path.exists();
        if let Ok(text) = std::str::from_utf8(line)
            && (!is_here || Address::is_meant(text))
            && let Some(address) =
                Address::from_line(text, base, list).map_err(bad_address(text))?
        {
            return self.address(&address);
        }
        self.argument(&folder.map_or(path.to_owned(), |folder| folder.join(path)))
    }

    fn address(&mut self, address: &Address) -> Result<(), Error> {
        let Some(below) = self.request.remote.below(address)? else {
            self.file_at(address, name_of_address(address));
            return Ok(());
        };
        for found in below {
            // As in a directory, except that content cannot be examined.
            let path = Path::new(found.path());
            if is_named_as_archive(path) || corpus::is_named_as_table(found.file_name()) {
                let below = path.strip_prefix(address.path()).unwrap_or(path);
                self.file_at(&found, name(path, None, below));
            } else {
                self.skip(Path::new(found.text()), SkipReason::NoWarc);
            }
        }
        Ok(())
    }

    fn file_at(&mut self, address: &Address, name: String) {
        let location = Location::of(Path::new(address.text()));
        self.add(PlannedInput::at(address.clone(), name, location));
    }
}

pub(crate) fn address_of(path: &Path) -> Result<Option<Address>, Error> {
    let text = path.to_str().filter(|text| Address::is_meant(text));
    text.map(|text| Address::parse(text).map_err(bad_address(text)))
        .transpose()
}

fn bad_address(text: &str) -> impl FnOnce(String) -> Error {
    let url = text.to_owned();
    move |message| Error::Remote { url, message }
}

fn open(list: &Path) -> io::Result<ListLines> {
    if list == Path::new("-") {
        ListLines::new(io::stdin())
    } else {
        ListLines::new(File::open(list)?)
    }
}
