//! The directory of a zip file (PKWARE APPNOTE 6.3.10), and its members.
//!
//! A zip file has its directory at the end, so a truncated file cannot be read.

use std::io::Read;
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use rawzip::time::ZipDateTimeKind;
use rawzip::{CompressionMethod, ZipLocator};
use warc_recovery::input::Input;
use warc_recovery::warc::parse_date;

use super::span::{Bytes, Span};

/// The most members that are read; each takes some hundred bytes of memory.
const MAX_MEMBERS: usize = 1_000_000;
/// Bytes of the directory read at a time; a member's names and comments take up to 192 KiB.
const BUFFER_BYTES: usize = 256 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Stored,
    Deflated,
    /// Any other method, in words; it is not read.
    Other(&'static str),
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    /// Its path; bytes that are not UTF-8 are replaced.
    pub(crate) name: String,
    pub(crate) head: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Unpacked bytes, according to the directory.
    pub(crate) size: u64,
    pub(crate) crc: u32,
    pub(crate) method: Method,
    /// Whether it is a symbolic link, whose data are the path of its target.
    pub(crate) is_link: bool,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(crate) time: Option<i64>,
}

pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The members of a zip file in the order of the file, without directories.
pub(crate) fn members(input: &Arc<Input>) -> Result<Vec<Member>, String> {
    let unreadable = |error: rawzip::Error| {
        format!(
            "a zip file whose directory cannot be read ({error}); it may be cut off: fetch it \
             again, or repair it (zip -FF)"
        )
    };
    let mut buffer = vec![0; BUFFER_BYTES];
    let archive = ZipLocator::new()
        .locate_in_reader(Bytes(Arc::clone(input)), &mut buffer, input.len())
        .map_err(|(_, error)| unreadable(error))?;
    let mut members = Vec::new();
    let mut n_entries = 0_u64;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(unreadable)? {
        n_entries += 1;
        if entry.is_dir() {
            continue;
        }
        if members.len() == MAX_MEMBERS {
            return Err(format!(
                "a zip file with more than {MAX_MEMBERS} members; pack them with tar"
            ));
        }
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let (start, end) = archive
            .get_entry(entry.wayfinder())
            .map(|found| found.compressed_data_range())
            .map_err(|error| format!("a zip file whose member {name} cannot be read: {error}"))?;
        if end > archive.directory_offset() {
            return Err(format!(
                "a zip file whose member {name} overlaps the directory; it is damaged"
            ));
        }
        members.push(Member {
            head: entry.local_header_offset(),
            start,
            end,
            size: entry.uncompressed_size_hint(),
            crc: entry.crc32(),
            method: match entry.compression_method() {
                _ if entry.flags().is_encrypted() => Method::Other("encrypted"),
                CompressionMethod::STORE => Method::Stored,
                CompressionMethod::DEFLATE => Method::Deflated,
                _ => Method::Other("packed by neither deflate nor store"),
            },
            is_link: entry.mode().is_symlink(),
            time: time(&entry.last_modified()),
            name,
        });
    }
    if n_entries != archive.entries_hint() {
        return Err(format!(
            "the directory of the zip file has {n_entries} members but declares {}; it is damaged",
            archive.entries_hint()
        ));
    }
    members.sort_by_key(|member| (member.head, member.start));
    Ok(members)
}

/// A time without a zone is taken as UTC. The first time of MS-DOS, which writers use for an
/// unknown time, is null.
fn time(time: &ZipDateTimeKind) -> Option<i64> {
    let text = time.to_string();
    // Without the fraction.
    let seconds = text.get(.."1980-01-01T00:00:00".len())?;
    parse_date(seconds.as_bytes()).filter(|_| seconds != "1980-01-01T00:00:00")
}

impl Member {
    pub(crate) fn reader(&self, input: &Arc<Input>) -> Result<Box<dyn Read>, &'static str> {
        let packed = Span::new(Bytes(Arc::clone(input)), self.start..self.end);
        match self.method {
            Method::Stored => Ok(Box::new(packed)),
            Method::Deflated => Ok(Box::new(DeflateDecoder::new(packed))),
            Method::Other(method) => Err(method),
        }
    }

    /// All its data, at most `limit` bytes, checked; or what is wrong.
    pub(crate) fn read(&self, input: &Arc<Input>, limit: usize) -> Result<Vec<u8>, String> {
        let reader = self.reader(input)?;
        let mut bytes = Vec::new();
        reader
            .take(limit as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        if bytes.len() > limit {
            Err(format!("longer than {} MiB unpacked", limit >> 20))
        } else if bytes.len() as u64 != self.size || rawzip::crc32(&bytes) != self.crc {
            Err("its length or checksum is wrong".to_owned())
        } else {
            Ok(bytes)
        }
    }
}
