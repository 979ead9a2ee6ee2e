//! Inputs that indexes name: which archives they are, where these lie, and which of their records
//! are read.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use warc_recovery::damage::Damage;
use warc_recovery::input::{Input, Source, micros};

use super::bodies::IndexCheck;
use super::index::{self, Index, is_named_as_index};
use super::indexed_records::IndexedRecords;
use super::lists::address_of;
use super::name::{name, name_of_address};
use super::planned::{FileState, InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::sources::{Finder, name_of_file};
use super::subset::Subset;
use crate::dataset::{Location, SampleDraw};
use crate::error::Error;
use crate::remote::{Address, Target};

enum ArchivePlace {
    Here(PathBuf),
    There(Address),
}

/// Where the archives of an index may be: next to the first index file.
struct IndexLocation<'i> {
    address: Option<&'i Address>,
    folder: Option<&'i Path>,
}

impl Finder<'_> {
    pub(crate) fn indexes(&mut self) -> Result<(), Error> {
        let base = self.request.base.unwrap_or_default();
        let is_robotstxt = Subset::from_path(base) == Subset::RobotsTxt;
        let mut index = Index::new(self.request.wants_all || is_robotstxt);
        let mut first = None;
        for path in self.request.indexes {
            for file in self.index_files(path)? {
                self.index(&file, &mut index)?;
            }
            first = first.or(Some(path));
        }
        let address = first.map_or(Ok(None), |path| address_of(path))?;
        let folder = first.filter(|_| address.is_none()).and_then(|path| {
            if path.is_dir() {
                Some(&**path)
            } else {
                path.parent()
            }
        });
        if index.others > 0 {
            let note = format!(
                "rows of other URLs than robots.txt, which are not read (--subset robotstxt and \
                 --pages do): {}",
                index.others
            );
            let path = first.cloned().unwrap_or_default();
            self.found.notes.push((path, note));
        }
        let has_damage =
            (self.found.inputs.iter()).any(|it| matches!(it.place, InputPlace::Index(_)));
        if index.archives.is_empty() && index.others == 0 && !has_damage {
            let path = first.cloned().unwrap_or_default();
            let note = "the index names no record to read".to_owned();
            self.found.notes.push((path, note));
        }
        let mut names: Vec<String> = index.archives.keys().cloned().collect();
        names.sort_unstable();
        let drawn = self.request.sample.map(|sample| sample.draw(&mut names));
        let index_location = IndexLocation {
            address: address.as_ref(),
            folder,
        };
        for name in names {
            let ranges = index.archives.remove(&name).unwrap_or_default();
            let records = IndexedRecords::new(ranges);
            let is_gzip = Path::new(&name).extension().is_some_and(|it| it == "gz");
            let records = if self.request.has_crawl && is_gzip {
                records.without_head()
            } else {
                records
            };
            self.records(&name, records, &index_location, drawn);
        }
        Ok(())
    }

    fn index_files(&self, path: &Path) -> Result<Vec<PathBuf>, Error> {
        if let Some(address) = address_of(path)? {
            let Some(below) = self.request.remote.below(&address)? else {
                return Ok(vec![path.to_owned()]);
            };
            let named = below.iter().filter(|it| is_named_as_index(it.file_name()));
            let found: Vec<PathBuf> = named.map(|it| PathBuf::from(it.text())).collect();
            return some(path, found);
        }
        if !path.is_dir() {
            return Ok(vec![path.to_owned()]);
        }
        let mut found = Vec::new();
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
                let entry = entry.map_err(Error::io(&folder))?;
                let kind = entry.file_type().map_err(Error::io(entry.path()))?;
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if is_named_as_index(&entry.file_name().to_string_lossy()) {
                    found.push(entry.path());
                }
            }
        }
        found.sort();
        some(path, found)
    }

    /// Reads an index file. Rows that cannot be used make an input of it.
    fn index(&mut self, path: &Path, index: &mut Index) -> Result<(), Error> {
        let (file, name) = if let Some(address) = &address_of(path)? {
            (self.fetch_aside(address)?, name_of_address(address))
        } else {
            (path.to_owned(), name_of_file(path))
        };
        // A folder that is there for a moment: for what can be read only once.
        let spool = std::env::temp_dir();
        let input = Input::open(&Source::Path(file.clone()), true, &spool);
        let input = Arc::new(input.map_err(Error::io(path))?);
        let lost = match index::read(index, &input).map_err(Error::io(path))? {
            Ok(lost) => lost,
            Err(message) => {
                let message = format!("not an index of records (Parquet, CDXJ or CDX): {message}");
                let error = io::Error::new(io::ErrorKind::InvalidData, message);
                return Err(Error::io(path)(error));
            }
        };
        if !lost.is_empty() {
            self.bad_index(&file, name, &input, lost);
        }
        Ok(())
    }

    /// Takes an index as an input, for the rows that cannot be used.
    fn bad_index(&mut self, file: &Path, name: String, input: &Input, lost: Vec<Damage>) {
        let resolved = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let location = Location::of(&resolved);
        if !self.seen.insert(location) {
            return self.skip(file, SkipReason::Repeated);
        }
        self.found.inputs.push(PlannedInput {
            name: Some(name),
            file: Some(FileState {
                location,
                bytes: input.len(),
                modified: input.modified(),
            }),
            place: InputPlace::Index(Arc::new(lost)),
            ..PlannedInput::new(Source::Path(file.to_owned()))
        });
    }

    /// Fetches an index to a folder that stays for the run.
    fn fetch_aside(&mut self, address: &Address) -> Result<PathBuf, Error> {
        let aside = if let Some(aside) = &self.found.aside {
            aside
        } else {
            let made = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
            self.found.aside.insert(made)
        };
        let target = Target::from(address.clone());
        let fetched = (self.request.remote).fetch(&target, aside.path(), &IndexCheck)?;
        Ok(fetched.path)
    }

    /// Takes these `records` of the archive that an index calls `indexed`.
    fn records(
        &mut self,
        indexed: &str,
        records: IndexedRecords,
        index_location: &IndexLocation<'_>,
        drawn: Option<SampleDraw>,
    ) {
        let place = place(indexed, self.request.base, index_location);
        let below = Path::new(indexed);
        let key = records.key();
        let located = |text: &Path| {
            let mut text = text.as_os_str().to_owned();
            text.push(format!("#records-{key:032x}"));
            Location::of(Path::new(&text))
        };
        let source = |path: &Path| PlannedInput::new(Source::Path(path.to_owned()));
        let missing = |path: &Path, below: &Path, location: &Path, message| PlannedInput {
            name: Some(name(path, None, below)),
            file: Some(FileState::unknown(located(location))),
            place: InputPlace::Nowhere(message),
            ..source(path)
        };
        let planned = match place {
            Ok(ArchivePlace::There(address)) => {
                let location = located(Path::new(address.text()));
                let name = if Address::is_meant(indexed) {
                    name_of_address(&address)
                } else {
                    name(Path::new(address.path()), None, below)
                };
                PlannedInput::at(address, name, location, drawn)
            }
            Err(message) => missing(below, below, below, message),
            Ok(ArchivePlace::Here(path)) => {
                let found = path.canonicalize().and_then(|resolved| {
                    let metadata = fs::metadata(&path)?;
                    if !metadata.is_file() {
                        return Err(io::Error::other("not a file"));
                    }
                    Ok((resolved, metadata))
                });
                let below = if below.is_absolute() {
                    below.file_name().map_or(below, Path::new)
                } else {
                    below
                };
                match found {
                    Ok((resolved, metadata)) => PlannedInput {
                        name: Some(name(&path, Some(&resolved), below)),
                        file: Some(FileState {
                            location: located(&resolved),
                            bytes: records.bytes(metadata.len()),
                            modified: metadata.modified().map_or(0, micros),
                        }),
                        ..source(&path)
                    },
                    Err(error) => {
                        let location = std::path::absolute(&path).unwrap_or(path.clone());
                        let message = SkipReason::unreadable(&error).to_string();
                        missing(&path, below, &location, message)
                    }
                }
            }
        };
        if let Some(file) = planned.file
            && !self.seen.insert(file.location)
        {
            return self.skip(Path::new(indexed), SkipReason::Repeated);
        }
        self.found.inputs.push(PlannedInput {
            indexed: Some(Arc::new(records)),
            drawn,
            ..planned
        });
    }
}

/// Files below `path`, of which there must be some.
fn some(path: &Path, found: Vec<PathBuf>) -> Result<Vec<PathBuf>, Error> {
    if found.is_empty() {
        let message = "no file below it is called as indexes are: .parquet, .cdxj or .cdx";
        return Err(Error::io(path)(io::Error::other(message)));
    }
    Ok(found)
}

/// Where the archive lies that an index calls `indexed`, or why it is not looked for.
fn place(
    indexed: &str,
    base: Option<&str>,
    index_location: &IndexLocation<'_>,
) -> Result<ArchivePlace, String> {
    if Address::is_meant(indexed) {
        return Address::parse(indexed).map(ArchivePlace::There);
    }
    let path = Path::new(indexed);
    if path.components().any(|it| it == Component::ParentDir) {
        return Err("an archive whose path has `..` is not looked for".to_owned());
    }
    if let Some(base) = base {
        return if Address::is_meant(base) {
            Address::below(base, indexed).map(ArchivePlace::There)
        } else if path.is_absolute() {
            Err("an absolute path is not below --base".to_owned())
        } else {
            Ok(ArchivePlace::Here(Path::new(base).join(path)))
        };
    }
    // As for lists: first on this machine, from here or else from the index.
    if index_location.address.is_none() {
        let from_index = index_location.folder.map(|folder| folder.join(path));
        let here = std::iter::once(path.to_owned()).chain(from_index);
        if let Some(found) = here.into_iter().find(|it| it.exists()) {
            return Ok(ArchivePlace::Here(found));
        }
    }
    let address = Address::from_line(indexed, None, index_location.address)?;
    Ok(match address {
        Some(address) => ArchivePlace::There(address),
        None => ArchivePlace::Here(path.to_owned()),
    })
}
