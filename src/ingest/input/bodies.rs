//! The expected form of files on the network: an error page with status 200 is not an input.

use std::io;
use std::path::Path;
use std::sync::Arc;

use memchr::memmem;
use warc_recovery::arc;
use warc_recovery::container::Format;
use warc_recovery::input::Input;

use super::content::Content;
use super::sources::{is_named_as_archive, open};
use super::{index, indexed_records, no_warc};
use crate::ingest::corpus::{self, CorpusOptions, Window};
use crate::remote::{BodyCheck, Target, WantedBytes};

const STEP_BYTES: usize = 1 << 20;
/// A record begins within this many unpacked bytes of an archive.
const SNIFF_BYTES: usize = 64 << 10;

pub(crate) enum InputCheck {
    /// Archives, tables and collections of fetches, and robots.txt at its address.
    Inputs(CorpusOptions),
    Index,
}

impl BodyCheck for InputCheck {
    fn mistake(&self, target: &Target, body: &Path) -> io::Result<Option<String>> {
        let input = open(body)?;
        let Self::Inputs(corpora) = self else {
            return index::mistake(&input);
        };
        if let WantedBytes::Ranges(ranges) = &target.wanted {
            return Ok(indexed_records::detect(&input, &ranges.bytes)?.err());
        }
        let start = input.read(0, no_warc::SNIFF_BYTES)?;
        let name = target.address.file_name();
        if name == "robots.txt" && no_warc::has_user_agent(&start) {
            return Ok(None);
        }
        let is_archive = is_named_as_archive(Path::new(name)) && !corpus::is_named_as_table(name);
        Ok(match Content::of(&input, name, corpora)? {
            Content::Unknown(message) => Some(message),
            Content::Archive(_) => packed_mistake(&input)?,
            // Error messages in JSON may have a URL and a status.
            Content::Corpus(table) if is_archive => Some(format!(
                "not an archive, as its name says, but {}",
                table.name().name()
            )),
            _ => None,
        })
    }

    /// Whether the body is packed and can be unpacked to its end.
    fn is_complete(&self, body: &Path) -> io::Result<bool> {
        let mut window = Window::of(&open(body)?)?;
        if window.is_plain() {
            return Ok(false);
        }
        while !window.is_ended {
            window.fill(STEP_BYTES)?;
            window.advance(window.bytes().len());
        }
        Ok(window.damage.is_none())
    }
}

/// What `input`, if it is packed, has in place of records. A damaged archive is an archive.
fn packed_mistake(input: &Arc<Input>) -> io::Result<Option<String>> {
    let mut window = Window::of(input)?;
    if window.is_plain() {
        return Ok(None);
    }
    window.fill(SNIFF_BYTES)?;
    let start = window.bytes();
    if memmem::find(start, b"WARC/").is_some() || arc::begins_file(start) {
        return Ok(None);
    }
    if start.is_empty() && window.damage.is_none() {
        return Ok(Some("an empty file, packed".to_owned()));
    }
    if Window::packing(start) != Format::Plain {
        return Ok(Some("a packed file that is packed once more".to_owned()));
    }
    Ok(no_warc::what(start).map(|what| format!("not an input, but {what}, packed")))
}
