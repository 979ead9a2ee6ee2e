//! An input that is being read: what is known of it before its records are.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::archive::{self, Archive, Part};
use super::capture::Subset;
use super::collector::InputName;
use super::corpus::{self, Columns, Corpus};
use super::identity::{Decision, KnownInputs, Wanted};
use super::no_warc;
use super::page::Pages;
use super::plan::Plan;
use super::planned::PlannedInput;
use super::skipped::SkipReason;
use super::zip;
use crate::dataset::{CommittedInput, Fingerprint, label};
use crate::error::Error;
use crate::remote::Fetched;
use warc_recovery::container::Container;
use warc_recovery::input::Input;
use warc_recovery::lookup::first_record;
use warc_recovery::{RecordSyntax, arc, warc};

/// An input that is being read.
pub(super) struct Open {
    pub(super) input: Arc<Input>,
    /// The path as it was given.
    path: String,
    pub(super) content: Content,
    /// What the manifest will say of it; its captures are yet to be counted.
    pub(super) identity: CommittedInput,
    pub(super) subset: Subset,
    /// Inputs of earlier runs whose rows it replaces.
    pub(super) replaces: Vec<CommittedInput>,
    /// What one should know of it.
    pub(super) notes: Vec<String>,
}

/// What an input holds.
pub(super) enum Content {
    /// Records of WARC or ARC.
    Archive(Box<Archive>),
    /// Rows of fetches.
    Corpus(Box<Corpus>),
    /// What is not read, and why.
    Unknown(String),
    /// What could not be fetched, and why.
    Missing(String),
}

impl Content {
    /// Recognises the content of `input`, whose file is called `name`.
    pub(super) fn of(input: &Arc<Input>, name: &str, columns: &Columns) -> io::Result<Self> {
        if input.is_empty() {
            return Ok(Self::Unknown("the file is empty".to_owned()));
        }
        if zip::begins(&input.read(0, 4)?) {
            return Self::of_zip(input, columns);
        }
        match corpus::recognise(input, name, columns)? {
            Some(Ok(corpus)) => return Ok(Self::Corpus(Box::new(corpus))),
            Some(Err(message)) => return Ok(Self::Unknown(format!("not read: {message}"))),
            None => {}
        }
        Ok(match Container::detect(input)? {
            Ok(container) => Self::Archive(Box::new(Archive::of_file(input, container))),
            Err(_) => Self::Unknown(no_warc::describe(&input.read(0, no_warc::LOOKED_AT)?)),
        })
    }

    fn of_zip(input: &Arc<Input>, columns: &Columns) -> io::Result<Self> {
        let members = match zip::members(input) {
            Ok(members) => members,
            Err(message) => return Ok(Self::Unknown(format!("not read: {message}"))),
        };
        if members.iter().any(archive::is_archive) {
            return Ok(Self::Archive(Box::new(Archive::of_zip(input, members)?)));
        }
        Ok(match Corpus::of_zip(members, columns) {
            Ok(corpus) => Self::Corpus(Box::new(corpus)),
            Err(message) => Self::Unknown(format!("not read: {message}")),
        })
    }

    /// The crawl that its first archive names.
    fn crawl(&self) -> io::Result<Option<String>> {
        match self {
            Self::Archive(archive) => archive.parts.first().map_or(Ok(None), crawl_of),
            Self::Corpus(_) | Self::Unknown(_) | Self::Missing(_) => Ok(None),
        }
    }

    /// The word for it in `inputs.container`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Archive(archive) => archive.name(),
            Self::Corpus(corpus) => corpus.name(),
            Self::Unknown(_) | Self::Missing(_) => "none",
        }
    }
}

/// Why an input is not read.
pub(super) enum NotOpened {
    Skipped(SkipReason),
    /// The run cannot go on.
    Failed(Error),
}

impl From<io::Error> for NotOpened {
    fn from(error: io::Error) -> Self {
        Self::Skipped(SkipReason::unreadable(&error))
    }
}

impl Open {
    /// Opens an input, unless the dataset has its content already; `known` learns of it. Streams
    /// are copied to `spool`; what came from the network is `fetched`.
    pub(super) fn new(
        planned: &PlannedInput,
        fetched: Option<&Fetched>,
        plan: &Plan,
        known: &mut KnownInputs,
        spool: &Path,
    ) -> Result<Self, NotOpened> {
        let input = Arc::new(planned.open(fetched, plan.use_mmap, spool)?);
        let path = match (&planned.folder, &planned.address) {
            (None, None) => input.name().to_owned(),
            _ => planned.source_path().to_string_lossy().into_owned(),
        };
        let origin = planned.origin(fetched);
        let fingerprint = Fingerprint::of(&input)?;
        let name = planned.name.clone().unwrap_or_else(|| match planned.file {
            None => input.name().to_owned(), // after its content
            Some(_) => format!("stream-{:016x}", fingerprint.input_id()),
        });
        let file = planned.file_state(&input, origin.as_ref());
        let wanted = Wanted::of(plan);
        let (replaces, is_beside) = match known.decide(fingerprint, &name, file.as_ref(), &wanted) {
            Decision::Skip(reason) => {
                if let Some(file) = file {
                    known.move_to(fingerprint, file.location);
                }
                return Err(NotOpened::Skipped(reason));
            }
            Decision::Read {
                replaces,
                is_beside,
            } => (replaces, is_beside),
        };
        for replaced in &replaces {
            known.remove(replaced);
        }
        if known.collides(fingerprint) {
            return Err(NotOpened::Failed(Error::Collision {
                input: path,
                id: fingerprint.input_id(),
            }));
        }

        let mut content = Content::of(&input, &name, &plan.columns)?;
        if let (Content::Corpus(corpus), Some(_)) = (&mut content, &planned.folder) {
            corpus.is_folder = true;
        }
        let crawl = match &plan.crawl {
            Some(crawl) => Some(crawl.clone()),
            None => content.crawl()?,
        };
        let named = crawl.as_deref().unwrap_or("default");
        let crawl = label::fitting(named).into_owned();
        let mut notes = Vec::new();
        if crawl != named {
            notes.push(format!(
                "the crawl's label is too long for a directory's name; its captures are filed under \
                 {crawl}"
            ));
        }
        let subset = plan.subset.unwrap_or_else(|| {
            let paths = [&*path, &name];
            let is_robotstxt = paths.map(Subset::of_path).contains(&Subset::RobotsTxt);
            if is_robotstxt {
                Subset::RobotsTxt
            } else {
                Subset::Pages
            }
        });
        if is_beside {
            notes.push(format!(
                "other content than the input {name} in the dataset; both are kept"
            ));
        }
        for CommittedInput { name, captures, .. } in replaces.iter().filter(|it| !it.is_missing()) {
            notes.push(format!(
                "replaces what was ingested of {name}; captures that go: {captures}"
            ));
        }
        let pages = plan.options.pages.of(subset);
        let identity = CommittedInput {
            fingerprint,
            name,
            bytes: input.len(),
            modified: file.map_or_else(|| input.modified(), |file| file.modified),
            location: file.map(|file| file.location),
            crawl,
            subset: subset.name().to_owned(),
            pages: pages.name().to_owned(),
            links: plan.options.links && pages != Pages::No,
            captures: 0,
            origin,
            drawn: planned.drawn,
        };
        known.begin(identity.clone());
        Ok(Self {
            input,
            path,
            content,
            identity,
            subset,
            replaces,
            notes,
        })
    }

    /// What stands in the dataset for an input that could not be fetched: an empty one. Nothing new
    /// where the dataset has the file from earlier, or was told before that it is missing.
    pub(super) fn missing(
        planned: &PlannedInput,
        message: String,
        plan: &Plan,
        known: &mut KnownInputs,
        spool: &Path,
    ) -> Result<Self, NotOpened> {
        let (Some(file), Some(origin)) = (planned.file, planned.origin(None)) else {
            return Err(NotOpened::Skipped(SkipReason::Unreadable(message)));
        };
        let fingerprint = Fingerprint::of_address(&origin.url);
        if known.has(file.location) || known.collides(fingerprint) {
            return Err(NotOpened::Skipped(SkipReason::Unreadable(message)));
        }
        let crawl = plan.crawl.as_deref().unwrap_or("default");
        let path = planned.source_path().to_string_lossy().into_owned();
        let subset = plan.subset.unwrap_or_else(|| Subset::of_path(&path));
        let pages = plan.options.pages.of(subset);
        let identity = CommittedInput {
            fingerprint,
            name: planned.name.clone().unwrap_or_default(),
            bytes: 0,
            modified: 0,
            location: Some(file.location),
            crawl: label::fitting(crawl).into_owned(),
            subset: subset.name().to_owned(),
            pages: pages.name().to_owned(),
            links: plan.options.links && pages != Pages::No,
            captures: 0,
            origin: Some(origin),
            drawn: planned.drawn,
        };
        known.begin(identity.clone());
        Ok(Self {
            input: Arc::new(Input::empty(&path, spool)?),
            path,
            content: Content::Missing(message),
            identity,
            subset,
            replaces: Vec::new(),
            notes: Vec::new(),
        })
    }

    /// What its rows say of it.
    pub(super) fn name(&self) -> InputName<'_> {
        InputName {
            id: self.identity.fingerprint.input_id(),
            name: &self.identity.name,
        }
    }

    /// Its archive of this number.
    pub(super) fn part(&self, number: usize) -> Option<&Part> {
        match &self.content {
            Content::Archive(archive) => archive.parts.get(number),
            Content::Corpus(_) | Content::Unknown(_) | Content::Missing(_) => None,
        }
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

/// The crawl that an input's first record names, if that describes the file and has `isPartOf`.
fn crawl_of(part: &Part) -> io::Result<Option<String>> {
    let Some(record) = first_record(&part.input, &part.container)? else {
        return Ok(None);
    };
    let Ok(head) = record.head() else {
        return Ok(None);
    };
    if head.record_type() != warc::RecordType::Warcinfo {
        return Ok(None);
    }
    let block = &record.bytes[head.head_length()..];
    let label = match part.container.syntax {
        RecordSyntax::Warc => warc::fields::is_part_of(block),
        RecordSyntax::Arc => arc::is_part_of(block),
    };
    Ok(label
        .map(|label| label.to_text().trim().to_owned())
        .filter(|label| !label.is_empty()))
}
