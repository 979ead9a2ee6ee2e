//! What an input holds: archives, fetches, an index, or something that is not read.

use std::io;
use std::sync::Arc;

use warc_recovery::container::Container;
use warc_recovery::damage::Damage;
use warc_recovery::input::Input;
use warc_recovery::lookup::first_record;
use warc_recovery::{RecordSyntax, arc, warc};

use super::archive::{self, Archive};
use super::indexed_records;
use super::no_warc;
use super::planned::{InputPlace, PlannedInput};
use super::zip;
use crate::dataset::tables::values::InputKind;
use crate::ingest::corpus::{self, Corpus, CorpusOptions, Window};

pub(crate) enum Content {
    Archive(Box<Archive>),
    Corpus(Box<Corpus>),
    /// A file that is not read, and why.
    Unknown(String),
    /// A file that could not be fetched, or is missing, and why.
    Missing(String),
    /// An index, and its unusable rows.
    Index(Arc<Vec<Damage>>),
}

impl Content {
    pub(crate) fn of(input: &Arc<Input>, name: &str, options: &CorpusOptions) -> io::Result<Self> {
        if input.is_empty() {
            return Ok(Self::Unknown("the file is empty".to_owned()));
        }
        let corpus = if zip::begins(&input.read(0, 4)?) {
            match zip::members(input) {
                Ok(members) if members.iter().any(archive::is_archive) => {
                    return Ok(Self::Archive(Box::new(Archive::from_zip(input, members)?)));
                }
                Ok(members) => Some(corpus::recognise_zip(members, options)),
                Err(message) => Some(Err(message)),
            }
        } else {
            corpus::recognise(input, name, options)?
        };
        match corpus {
            Some(Ok(corpus)) => return Ok(Self::Corpus(Box::new(corpus))),
            Some(Err(message)) => return Ok(Self::Unknown(format!("not read: {message}"))),
            None => {}
        }
        // Before archives: lines of an index may look like heads of damaged ARC records.
        let mut window = Window::of(input)?;
        window.fill(no_warc::SNIFF_BYTES)?;
        if no_warc::begins_as_cdx(window.bytes()) {
            return Ok(Self::Unknown(no_warc::describe(window.bytes())));
        }
        Ok(match Container::detect(input)? {
            Ok(container) => Self::Archive(Box::new(Archive::from_file(container))),
            Err(_) => Self::Unknown(no_warc::describe(&input.read(0, no_warc::SNIFF_BYTES)?)),
        })
    }

    pub(crate) fn from_planned(
        planned: &PlannedInput,
        input: &Arc<Input>,
        name: &str,
        options: &CorpusOptions,
    ) -> io::Result<Self> {
        if let InputPlace::Index(damage) = &planned.place {
            return Ok(Self::Index(Arc::clone(damage)));
        }
        if let Some(indexed) = &planned.indexed {
            let detected = indexed_records::detect(input, &indexed.wanted.bytes)?;
            return Ok(match detected {
                Ok(container) => {
                    Self::Archive(Box::new(Archive::from_indexed(container, indexed)?))
                }
                Err(message) => Self::Unknown(message),
            });
        }
        let mut content = Self::of(input, name, options)?;
        if let (Self::Corpus(corpus), InputPlace::Folder(folder)) = (&mut content, &planned.place) {
            corpus.folder = Some(Arc::clone(folder));
        }
        Ok(content)
    }

    /// The crawl in the first record of an archive, if that is a warcinfo record with `isPartOf`.
    pub(crate) fn crawl(&self) -> io::Result<Option<String>> {
        let Self::Archive(archive) = self else {
            return Ok(None);
        };
        let Some(part) = archive.head.as_ref().or(archive.parts.first()) else {
            return Ok(None);
        };
        let record = first_record(&part.container)?;
        Ok(record.and_then(|record| {
            let head = record.head().ok()?;
            let block = &record.bytes[head.head_length()..];
            let label = match part.container.syntax {
                _ if head.record_type() != warc::RecordType::Warcinfo => None,
                RecordSyntax::Warc => warc::is_part_of(block),
                RecordSyntax::Arc => arc::is_part_of(block),
            };
            let label = label?.to_text().trim().to_owned();
            (!label.is_empty()).then_some(label)
        }))
    }

    /// Its value in `inputs.container`.
    pub(crate) fn name(&self) -> InputKind {
        match self {
            Self::Archive(archive) => archive.name,
            Self::Corpus(corpus) => corpus.name(),
            Self::Index(_) => InputKind::Index,
            Self::Unknown(_) | Self::Missing(_) => InputKind::None,
        }
    }
}
