//! Inputs that indexes list: which archives, where they are, and which of their records are read.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use warc_recovery::input::{Input, Source, micros};

use super::bodies::InputCheck;
use super::index::{self, Index, is_named_as_index};
use super::indexed_records::IndexedRecords;
use super::lists::address_of;
use super::name::{name, name_of_address};
use super::planned::{InputPlace, PlannedInput};
use super::skipped::SkipReason;
use super::sources::{Finder, name_of_file};
use super::subset::Subset;
use crate::dataset::Location;
use crate::error::Error;
use crate::remote::{Address, Target};

/// Where an archive is, or the folder of an index.
enum ArchivePlace {
    Here(PathBuf),
    There(Address),
}

impl Finder<'_> {
    pub(crate) fn indexes(&mut self) -> Result<(), Error> {
        let base = self.request.base.unwrap_or_default();
        let is_robotstxt = Subset::from_path(base) == Subset::RobotsTxt;
        let mut index = Index {
            wants_all: self.request.wants_all || is_robotstxt,
            ..Index::default()
        };
        for path in self.request.indexes {
            for file in self.index_files(path)? {
                self.index(&file, &mut index)?;
            }
        }
        // The archives may be next to the first index.
        let first = &self.request.indexes[0];
        let folder = match address_of(first)? {
            Some(address) => ArchivePlace::There(address),
            None if first.is_dir() => ArchivePlace::Here(first.clone()),
            None => ArchivePlace::Here(first.parent().map(Path::to_owned).unwrap_or_default()),
        };
        let is_index = |it: &PlannedInput| matches!(it.place, InputPlace::Index(_));
        if index.others > 0 {
            let note = format!(
                "rows of URLs other than robots.txt, which are not read (--subset robotstxt and \
                 --pages read them): {}",
                index.others
            );
            self.found.notes.push((first.clone(), note));
        } else if index.archives.is_empty() && !self.found.inputs.iter().any(is_index) {
            let note = "the index lists no record to read".to_owned();
            self.found.notes.push((first.clone(), note));
        }
        let mut names: Vec<String> = index.archives.keys().cloned().collect();
        // Indexes may spell the path of one archive differently.
        let mut places = HashMap::new();
        names.retain(|name| {
            let place = match place(name, self.request.base, &folder) {
                Ok(ArchivePlace::Here(path)) => path.canonicalize().ok(),
                Ok(ArchivePlace::There(address)) => Some(PathBuf::from(address.text())),
                Err(_) => None,
            };
            let first = place.map(|it| places.entry(it).or_insert_with(|| name.clone()));
            let Some(first) = first.filter(|first| *first != name) else {
                return true;
            };
            let ranges = index.archives.remove(name).unwrap_or_default();
            index
                .archives
                .entry(first.clone())
                .or_default()
                .extend(ranges);
            false
        });
        let drawn = self.request.sample.map(|sample| sample.draw(&mut names));
        for name in names {
            let ranges = index.archives.remove(&name).unwrap_or_default();
            let is_gzip = Path::new(&name).extension().is_some_and(|it| it == "gz");
            let records = IndexedRecords::new(ranges, !(self.request.has_crawl && is_gzip));
            let planned = self.archive(&name, &records, &folder);
            self.add(PlannedInput {
                indexed: Some(Arc::new(records)),
                drawn,
                ..planned
            });
        }
        Ok(())
    }

    fn index_files(&self, path: &Path) -> Result<Vec<PathBuf>, Error> {
        let mut found = Vec::new();
        if let Some(address) = address_of(path)? {
            let Some(below) = self.request.remote.below(&address)? else {
                return Ok(vec![path.to_owned()]);
            };
            let named = below.iter().filter(|it| is_named_as_index(it.file_name()));
            found.extend(named.map(|it| PathBuf::from(it.text())));
        } else if path.is_dir() {
            let mut folders = vec![path.to_owned()];
            while let Some(folder) = folders.pop() {
                for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
                    let entry = entry.map_err(Error::io(&folder))?;
                    let path = entry.path();
                    if entry.file_type().map_err(Error::io(&path))?.is_dir() {
                        folders.push(path);
                    } else if is_named_as_index(&entry.file_name().to_string_lossy()) {
                        found.push(path);
                    }
                }
            }
            found.sort();
        } else {
            return Ok(vec![path.to_owned()]);
        }
        if found.is_empty() {
            let message = "no file in it is named like an index: .parquet, .cdxj or .cdx";
            return Err(Error::io(path)(io::Error::other(message)));
        }
        Ok(found)
    }

    /// Reads an index file. If rows cannot be used, the file becomes an input too.
    fn index(&mut self, path: &Path, index: &mut Index) -> Result<(), Error> {
        let (file, name) = if let Some(address) = &address_of(path)? {
            (self.fetch_aside(address)?, name_of_address(address))
        } else {
            (path.to_owned(), name_of_file(path))
        };
        // The folder for a copy of a file that can be read only once.
        let spool = std::env::temp_dir();
        let input = Input::open(&Source::Path(file.clone()), true, &spool);
        let input = Arc::new(input.map_err(Error::io(path))?);
        let lost = index::read(index, &input).map_err(Error::io(path))?;
        if !lost.is_empty() {
            let location = Location::of(&file.canonicalize().unwrap_or_else(|_| file.clone()));
            let planned = PlannedInput::new(&file, InputPlace::Index(Arc::new(lost)));
            self.add(planned.with_file(name, location, input.len(), input.modified()));
        }
        Ok(())
    }

    /// Fetches an index to a folder that exists for the run.
    fn fetch_aside(&mut self, address: &Address) -> Result<PathBuf, Error> {
        let aside = if let Some(aside) = &self.found.aside {
            aside
        } else {
            let made = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
            self.found.aside.insert(made)
        };
        let target = Target::from(address.clone());
        let fetched = (self.request.remote).fetch(&target, aside.path(), &InputCheck::Index)?;
        Ok(fetched.path)
    }

    /// The archive named `indexed` in an index, with the `records` to read. The archives of the
    /// index may be in `folder`.
    fn archive(
        &self,
        indexed: &str,
        records: &IndexedRecords,
        folder: &ArchivePlace,
    ) -> PlannedInput {
        let key = records.key();
        let located = |text: &Path| {
            let mut text = text.as_os_str().to_owned();
            text.push(format!("#records-{key:032x}"));
            Location::of(Path::new(&text))
        };
        let nowhere = |path: &Path, below: &Path, location: &Path, message: String| {
            let planned = PlannedInput::new(path, InputPlace::Nowhere(message));
            planned.with_file(name(path, None, below), located(location), 0, 0)
        };
        let below = Path::new(indexed);
        let path = match place(indexed, self.request.base, folder) {
            Ok(ArchivePlace::Here(path)) => path,
            Ok(ArchivePlace::There(address)) => {
                let location = located(Path::new(address.text()));
                let name = if Address::is_meant(indexed) {
                    name_of_address(&address)
                } else {
                    name(Path::new(address.path()), None, below)
                };
                return PlannedInput::at(address, name, location);
            }
            Err(message) => return nowhere(below, below, below, message),
        };
        let below = match below.file_name() {
            Some(file_name) if below.is_absolute() => Path::new(file_name),
            _ => below,
        };
        let found = path.canonicalize().and_then(|resolved| {
            let metadata = fs::metadata(&path)?;
            if !metadata.is_file() {
                return Err(io::Error::other("not a file"));
            }
            Ok((resolved, metadata))
        });
        match found {
            Ok((resolved, metadata)) => PlannedInput::new(&path, InputPlace::File).with_file(
                name(&path, Some(&resolved), below),
                located(&resolved),
                records.bytes(metadata.len()),
                metadata.modified().map_or(0, micros),
            ),
            Err(error) => {
                let location = std::path::absolute(&path).unwrap_or(path.clone());
                let message = SkipReason::from(error).to_string();
                nowhere(&path, below, &location, message)
            }
        }
    }
}

/// The place of the archive named `indexed` in an index in `folder`, or why it is not looked for.
fn place(indexed: &str, base: Option<&str>, folder: &ArchivePlace) -> Result<ArchivePlace, String> {
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
    let address = match folder {
        ArchivePlace::There(address) => Some(address),
        ArchivePlace::Here(folder) => {
            // As for lists: first on this machine, relative to the working directory or else to the
            // index.
            let here = [path.to_owned(), folder.join(path)];
            if let Some(found) = here.into_iter().find(|it| it.exists()) {
                return Ok(ArchivePlace::Here(found));
            }
            None
        }
    };
    let address = Address::from_line(indexed, None, address)?;
    Ok(address.map_or_else(|| ArchivePlace::Here(path.to_owned()), ArchivePlace::There))
}
