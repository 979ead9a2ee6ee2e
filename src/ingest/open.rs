//! An input that is being read: what is known of it before its records are.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::archive::{self, Archive, Part};
use super::capture::Subset;
use super::chosen::Chosen;
use super::collector::InputName;
use super::corpus::{self, Columns, Corpus, Window};
use super::identity::{Decision, KnownInputs, Wanted};
use super::no_warc;
use super::page::Pages;
use super::plan::Plan;
use super::planned::{FileState, PlannedInput};
use super::skipped::SkipReason;
use super::zip;
use crate::dataset::{CommittedInput, Fingerprint, Location, Mirror, label};
use crate::error::Error;
use crate::remote::{Fetched, Target};
use warc_recovery::container::Container;
use warc_recovery::damage::Damage;
use warc_recovery::input::Input;
use warc_recovery::lookup::first_record;
use warc_recovery::{RecordSyntax, arc, warc};

/// An input that is being read.
pub(super) struct Open {
    pub(super) input: Arc<Input>,
    /// Bytes of it that are read, or told to be damaged.
    pub(super) bytes: u64,
    /// The path as it was given.
    path: String,
    pub(super) content: Content,
    /// What the manifest will say of it; its captures are yet to be counted.
    pub(super) identity: CommittedInput,
    pub(super) subset: Subset,
    /// Offset of what is read first.
    pub(super) first: u64,
    /// Inputs of earlier runs whose rows it replaces.
    pub(super) replaces: Vec<CommittedInput>,
    /// What was fetched of it, if it lies on the network.
    pub(super) target: Option<Target>,
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
    /// What could not be fetched, or is not there, and why.
    Missing(String),
    /// An index, and what cannot be used of it.
    Index(Arc<Vec<Damage>>),
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
        let packing = Window::packing(&input.read(0, 4)?);
        let mut window = Window::new(Arc::clone(input), packing);
        if !window.is_plain() {
            window.fill(no_warc::LOOKED_AT)?;
            if no_warc::begins_as_cdx(window.bytes()) {
                return Ok(Self::Unknown(no_warc::describe(window.bytes())));
            }
        }
        Ok(match Container::detect(input)? {
            Ok(container) => Self::Archive(Box::new(Archive::of_file(input, container))),
            Err(_) => Self::Unknown(no_warc::describe(&input.read(0, no_warc::LOOKED_AT)?)),
        })
    }

    /// The content of what was found, now that it is open as `input` and called `name`.
    fn of_planned(
        planned: &PlannedInput,
        input: &Arc<Input>,
        name: &str,
        columns: &Columns,
    ) -> io::Result<Self> {
        let mut content = match (&planned.index, &planned.chosen) {
            (Some(damage), _) => Self::Index(Arc::clone(damage)),
            (None, Some(chosen)) => Self::of_chosen(input, chosen)?,
            (None, None) => Self::of(input, name, columns)?,
        };
        if let (Self::Corpus(corpus), Some(_)) = (&mut content, &planned.folder) {
            corpus.is_folder = true;
        }
        Ok(content)
    }

    /// The `chosen` records of the archive that `input` is.
    fn of_chosen(input: &Arc<Input>, chosen: &Chosen) -> io::Result<Self> {
        Ok(match Container::detect(input)? {
            Ok(container) => {
                Self::Archive(Box::new(Archive::of_chosen(input, &container, chosen)?))
            }
            Err(not) => Self::Unknown(not.message),
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
            Self::Archive(archive) => {
                let first = archive.head.as_ref().or(archive.parts.first());
                first.map_or(Ok(None), crawl_of)
            }
            _ => Ok(None),
        }
    }

    /// The word for it in `inputs.container`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Archive(archive) => archive.name(),
            Self::Corpus(corpus) => corpus.name(),
            Self::Index(_) => "index",
            Self::Unknown(_) | Self::Missing(_) => "none",
        }
    }
}

/// Why an input is not read.
pub(super) enum NotOpened {
    Skipped(SkipReason),
    /// Its content is known.
    Known(Box<Again>),
    /// The run cannot go on.
    Failed(Error),
}

/// A file whose content is known.
pub(super) struct Again {
    pub(super) reason: SkipReason,
    /// Its place, if that is to be noted.
    pub(super) mirror: Option<Mirror>,
    /// The input that goes, because it says that the file is missing.
    pub(super) missing: Option<Fingerprint>,
}

impl Again {
    /// The file `planned` at `location`; `known` learns that it is there.
    fn new(
        planned: &PlannedInput,
        location: Location,
        fingerprint: Fingerprint,
        reason: SkipReason,
        known: &mut KnownInputs,
    ) -> Self {
        let missing = known.remove_missing(location);
        let mirror = Mirror {
            fingerprint,
            location,
        };
        let is_new = planned.address.is_some() && known.add_mirror(&mirror);
        if planned.address.is_none() {
            known.move_to(fingerprint, location);
        }
        Self {
            reason,
            mirror: is_new.then_some(mirror),
            missing,
        }
    }
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
            (None, None) if planned.index.is_none() => input.name().to_owned(),
            _ => planned.source_path().to_string_lossy().into_owned(),
        };
        let origin = planned.origin(fetched);
        let fingerprint = match &planned.chosen {
            Some(chosen) => Fingerprint::of_ranges(&input, &chosen.ranges())?,
            None => Fingerprint::of(&input)?,
        };
        let bytes = (planned.chosen.as_ref()).map_or(input.len(), |it| it.bytes(input.len()));
        let name = planned.name.clone().unwrap_or_else(|| match planned.file {
            None => input.name().to_owned(), // after its content
            Some(_) => format!("stream-{:016x}", fingerprint.input_id()),
        });
        let file = planned.file_state(&input, origin.as_ref());
        let wanted = Wanted::of(plan);
        let (replaces, is_beside) = match known.decide(fingerprint, &name, file.as_ref(), &wanted) {
            Decision::Skip(reason) => {
                return Err(match file {
                    Some(FileState { location, .. }) => {
                        let again = Again::new(planned, location, fingerprint, reason, known);
                        NotOpened::Known(Box::new(again))
                    }
                    None => NotOpened::Skipped(reason),
                });
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

        let content = Content::of_planned(planned, &input, &name, &plan.columns)?;
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
        notes.extend(replaces.iter().filter_map(told_to_go));
        let pages = plan.options.pages.of(subset);
        let identity = CommittedInput {
            fingerprint,
            name,
            bytes,
            modified: file.map_or_else(|| input.modified(), |file| file.modified),
            location: file.map(|file| file.location),
            crawl,
            subset: subset.name().to_owned(),
            pages: pages.name().to_owned(),
            links: plan.options.links && pages != Pages::No,
            captures: 0,
            origin,
            is_absent: false,
            drawn: planned.drawn,
        };
        known.begin(identity.clone());
        Ok(Self {
            input,
            bytes,
            path,
            content,
            identity,
            subset,
            first: planned.chosen.as_ref().map_or(0, |chosen| chosen.first()),
            replaces,
            target: planned.target(),
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
        let Some(file) = planned.file else {
            return Err(NotOpened::Skipped(SkipReason::Unreadable(message)));
        };
        let path = planned.source_path().to_string_lossy().into_owned();
        let fingerprint = Fingerprint::of_address(&match &planned.chosen {
            Some(chosen) => format!("{path}#{:032x}", chosen.key()),
            None => path.clone(),
        });
        if known.has(file.location) || known.collides(fingerprint) {
            return Err(NotOpened::Skipped(SkipReason::Unreadable(message)));
        }
        let crawl = plan.crawl.as_deref().unwrap_or("default");
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
            origin: planned.origin(None),
            is_absent: planned.absent.is_some(),
            drawn: planned.drawn,
        };
        known.begin(identity.clone());
        Ok(Self {
            input: Arc::new(Input::empty(&path, spool)?),
            bytes: 0,
            path,
            content: Content::Missing(match &planned.chosen {
                Some(chosen) => format!(
                    "{message}; records of it in the index: {}",
                    chosen.records()
                ),
                None => message,
            }),
            identity,
            subset,
            first: planned.chosen.as_ref().map_or(0, |chosen| chosen.first()),
            replaces: Vec::new(),
            target: planned.target(),
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
            _ => None,
        }
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

/// What one should know of an input whose rows go; nothing of what was missing.
fn told_to_go(replaced: &CommittedInput) -> Option<String> {
    let CommittedInput { name, captures, .. } = replaced;
    (!replaced.is_missing())
        .then(|| format!("replaces what was ingested of {name}; captures that go: {captures}"))
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
