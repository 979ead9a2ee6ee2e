//! An input that is being read: what is known of it before its records are.

use std::path::PathBuf;

use super::Plan;
use crate::dataset::{Dataset, Fingerprint, label};
use crate::error::Error;
use crate::ingest::capture::Subset;
use warc_recovery::container::{Container, Unit, UnitDecoder};
use warc_recovery::input::{Input, Source};
use warc_recovery::warc;

/// Bytes at the start of a file in which its warcinfo record is looked for.
const WARCINFO_BYTES: usize = 64 * 1024;

/// An input that is being read.
pub(super) struct Open {
    pub(super) input: Input,
    /// None where the content is no WARC, with the reason.
    pub(super) container: Result<Container, String>,
    pub(super) crawl: String,
    pub(super) subset: Subset,
}

impl Open {
    /// Opens `source`; none where the dataset has it already.
    pub(super) fn new(
        source: &Source,
        plan: &Plan,
        dataset: &Dataset,
    ) -> Result<Option<Self>, Error> {
        // A stream has its fingerprint only when it has been read.
        let is_done = |fingerprint: &Fingerprint| !plan.force && dataset.has_input(fingerprint);
        if Fingerprint::of_source(source).as_ref().is_some_and(is_done) {
            return Ok(None);
        }
        let name = name(source);
        let input =
            Input::open(source, plan.use_mmap, dataset.staging()).map_err(Error::io(&name))?;
        if is_done(&Fingerprint::of(&input)) {
            return Ok(None);
        }
        let container = Container::detect(&input).map_err(Error::io(&name))?;
        let container = if input.is_empty() {
            Err("the file is empty".to_owned())
        } else {
            container.map_err(|not| not.message)
        };
        let crawl = match (&plan.crawl, &container) {
            (Some(crawl), _) => Some(crawl.clone()),
            (None, Ok(container)) => crawl_of(&input, container).map_err(Error::io(&name))?,
            (None, Err(_)) => None,
        };
        let subset = plan.subset.unwrap_or_else(|| Subset::of_path(input.name()));
        Ok(Some(Self {
            input,
            container,
            crawl: label::fitting(crawl.as_deref().unwrap_or("default")).to_owned(),
            subset,
        }))
    }
}

/// What `source` is called before it is opened.
pub(super) fn name(source: &Source) -> PathBuf {
    match source {
        Source::Path(path) => path.clone(),
        Source::Standard => "standard input".into(),
    }
}

/// The crawl that an input's first record names, if that is a warcinfo record with `isPartOf`.
fn crawl_of(input: &Input, container: &Container) -> std::io::Result<Option<String>> {
    // A dictionary stands in a frame of its own before the first record.
    let mut start = 0;
    if container.dictionary.is_some() {
        let head = input.read(0, 8)?;
        let size = head
            .get(4..8)
            .and_then(|size| size.try_into().ok())
            .map_or(0, u32::from_le_bytes);
        start = 8 + u64::from(size);
    }
    let bytes = input.read(start, WARCINFO_BYTES)?;
    let mut decoder = UnitDecoder::default();
    let Unit::Data { data, .. } = decoder.decode(container, &bytes) else {
        return Ok(None);
    };
    let Ok(head) = warc::RecordHead::parse(data) else {
        return Ok(None);
    };
    if head.record_type() != warc::RecordType::Warcinfo {
        return Ok(None);
    }
    let end = usize::try_from(head.content_length())
        .unwrap_or(usize::MAX)
        .saturating_add(head.head_length())
        .min(data.len());
    let label = warc::fields::is_part_of(&data[head.head_length().min(end)..end]);
    Ok(label
        .map(|label| label.to_text().trim().to_owned())
        .filter(|label| !label.is_empty()))
}
