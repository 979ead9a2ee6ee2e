//! Archives of an input: the file itself, or those that a WACZ or another zip file holds.
//!
//! A WACZ (Web Archive Collection Zipped 1.1.1) stores its archives as they are, below `archive/`.
//! They are read where they lie, so offsets of captures are those in the WACZ.

use std::io::{self, Read as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use warc_recovery::RecordSyntax;
use warc_recovery::accounting::Accounting;
use warc_recovery::container::{Boundary, Container, Format};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;

use super::zip::{self, Member, Method};
use crate::dataset::sha256_digits;
use crate::dataset::tables::values::InputKind;
use crate::error::{Error, check_stop};
use crate::ingest::corpus::extension;

/// The longest description that is read, in bytes.
const MAX_DESCRIPTION_BYTES: usize = 16 * 1024 * 1024;
/// Where a WACZ lists its members, with their digests, and where it has the digest of that.
const DESCRIPTION: &str = "datapackage.json";
const DESCRIPTION_DIGEST: &str = "datapackage-digest.json";

pub(crate) struct Archive {
    name: InputKind,
    /// In the order of the file.
    pub(crate) parts: Vec<ArchivePart>,
    /// Archives in a zip file that cannot be read.
    pub(crate) lost: Vec<Damage>,
    members: Vec<Member>,
    /// The whole file, of which an index names some records: these are the parts.
    pub(crate) head: Option<ArchivePart>,
    /// Bytes of these records.
    pub(crate) bytes: Option<u64>,
}

/// An archive of an input, or a record of it that an index names.
pub(crate) struct ArchivePart {
    pub(crate) input: Arc<Input>,
    pub(crate) container: Container,
    /// Offset of the dictionary frame that applies at its start.
    pub(crate) dictionary: Option<u64>,
    /// Bytes that the index gives it.
    pub(crate) given: Option<u64>,
}

impl ArchivePart {
    pub(crate) fn new(input: Arc<Input>, container: Container) -> Self {
        Self {
            input,
            container,
            dictionary: None,
            given: None,
        }
    }

    pub(crate) fn start(&self) -> Boundary {
        Boundary {
            offset: self.input.start(),
            dictionary: self.dictionary,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.input.len() - self.input.start()
    }
}

/// Whether a member of a zip file is called as archives are.
pub(crate) fn is_archive(member: &Member) -> bool {
    !member.is_link && matches!(&*extension(&member.name), "warc" | "arc")
}

/// The archive that holds the byte at `offset` of `input`: the file itself, or one in a WACZ; or
/// what keeps it from being read.
pub fn around(
    input: &Arc<Input>,
    offset: u64,
) -> io::Result<Result<(Arc<Input>, Container), String>> {
    if !zip::begins(&input.read(0, 4)?) {
        let detected = Container::detect(input)?;
        return Ok(detected
            .map(|container| (Arc::clone(input), container))
            .map_err(|not| not.message));
    }
    let members = match zip::members(input) {
        Ok(members) => members,
        Err(message) => return Ok(Err(message)),
    };
    let archive = Archive::from_zip(input, members)?;
    let mut parts = archive.parts.into_iter();
    let part = parts.find(|part| (part.input.start()..part.input.len()).contains(&offset));
    Ok(part
        .map(|part| (part.input, part.container))
        .ok_or_else(|| format!("no archive in the zip file has an offset {offset}")))
}

impl Archive {
    /// The archive that `input` is.
    pub(crate) fn from_file(input: &Arc<Input>, container: Container) -> Self {
        Self {
            name: kind_of(&container),
            parts: vec![ArchivePart::new(Arc::clone(input), container)],
            lost: Vec::new(),
            members: Vec::new(),
            head: None,
            bytes: None,
        }
    }

    /// The archives among the members of the zip file that `input` is.
    pub(crate) fn from_zip(input: &Arc<Input>, members: Vec<Member>) -> io::Result<Self> {
        let is_wacz = members.iter().any(|member| member.name == DESCRIPTION);
        let mut archive = Self {
            name: if is_wacz {
                InputKind::Wacz
            } else {
                InputKind::Zip
            },
            parts: Vec::new(),
            lost: Vec::new(),
            members: Vec::new(),
            head: None,
            bytes: None,
        };
        let mut at = 0;
        for member in members.iter().filter(|member| is_archive(member)) {
            let (overlaps, length) = (member.start < at, member.end - member.start);
            let message = match member.method {
                _ if overlaps => "it overlaps the member before it".to_owned(),
                Method::Stored => {
                    let part = Arc::new(input.part(member.start, member.end));
                    at = member.end;
                    match Container::detect(&part)? {
                        Ok(container) => {
                            archive.parts.push(ArchivePart::new(part, container));
                            continue;
                        }
                        Err(_) if part.is_empty() => continue,
                        Err(not) => not.message,
                    }
                }
                Method::Deflated => {
                    at = member.end;
                    "the zip file packs it once more, which no WACZ does; unzip the file first"
                        .to_owned()
                }
                Method::Other(method) => {
                    at = member.end;
                    format!("{method}; unzip the file first")
                }
            };
            archive.lost.push(Damage {
                offset: member.start,
                length: if overlaps { 0 } else { length },
                kind: DamageKind::NotWarc,
                message: format!("{}: {message}", member.name),
            });
        }
        archive.members = members;
        Ok(archive)
    }

    /// The word for it in `inputs.container`.
    pub(crate) fn name(&self) -> InputKind {
        self.name
    }

    /// What became of the bytes of `input` outside of its archives.
    pub(crate) fn accounting(&self, input: &Input) -> Accounting {
        let damaged_bytes = self.lost.iter().map(|lost| lost.length).sum();
        let of_parts = self.parts.iter().map(ArchivePart::bytes);
        let bytes = self.bytes.unwrap_or(input.len());
        Accounting {
            damaged_records: self.lost.len() as u64,
            damaged_bytes,
            skipped_bytes: bytes - of_parts.sum::<u64>() - damaged_bytes,
            ..Accounting::default()
        }
    }

    /// Compares the members of a WACZ with the digests in its `datapackage.json`, and that file
    /// with its own digest. Returns what is wrong.
    ///
    /// Fails if `stop` is set.
    pub(crate) fn verify(
        &self,
        input: &Arc<Input>,
        stop: &AtomicBool,
    ) -> Result<Vec<Damage>, Error> {
        let mut wrong = Vec::new();
        let mut expected = Vec::new();
        for name in [DESCRIPTION_DIGEST, DESCRIPTION] {
            let Some(member) = self.member(name) else {
                continue;
            };
            match listed(name, member, input) {
                Ok(resources) => expected.extend(resources),
                Err(message) => wrong.push(bad_digest(member, &message)),
            }
        }
        for resource in expected {
            let Some(member) = self.member(&resource.path) else {
                wrong.push(Damage {
                    offset: 0,
                    length: 0,
                    kind: DamageKind::BadDigest,
                    message: format!("{} is listed in {DESCRIPTION}, but missing", resource.path),
                });
                continue;
            };
            let message = match digest(member, input, stop)? {
                Err(message) => message,
                Ok(found) if resource.hash.eq_ignore_ascii_case(&found) => continue,
                Ok(found) => format!("its digest is {found}, not {}", resource.hash),
            };
            wrong.push(bad_digest(member, &message));
        }
        Ok(wrong)
    }

    fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

/// A file of a WACZ and its digest.
#[derive(Deserialize)]
struct Resource {
    path: String,
    /// `sha256:` and hexadecimal digits.
    #[serde(default)]
    hash: String,
}

#[derive(Deserialize)]
struct Description {
    #[serde(default)]
    resources: Vec<Resource>,
}

fn kind_of(container: &Container) -> InputKind {
    match (container.syntax, container.format) {
        (RecordSyntax::Warc, Format::Plain) => InputKind::Plain,
        (RecordSyntax::Warc, Format::Gzip) => InputKind::Gzip,
        (RecordSyntax::Warc, Format::Zstd) => InputKind::Zstd,
        (RecordSyntax::Arc, Format::Plain) => InputKind::Arc,
        (RecordSyntax::Arc, Format::Gzip) => InputKind::ArcGzip,
        (RecordSyntax::Arc, Format::Zstd) => InputKind::ArcZstd,
    }
}

/// The digests that a member of a WACZ lists. Only SHA-256 digests are read.
fn listed(name: &str, member: &Member, input: &Arc<Input>) -> Result<Vec<Resource>, String> {
    let bytes = member.read(input, MAX_DESCRIPTION_BYTES)?;
    let unreadable = |error: serde_json::Error| format!("not a valid description: {error}");
    let mut resources = if name == DESCRIPTION {
        let description: Description = serde_json::from_slice(&bytes).map_err(unreadable)?;
        description.resources
    } else {
        vec![serde_json::from_slice(&bytes).map_err(unreadable)?]
    };
    resources.retain(|resource| resource.hash.starts_with("sha256:"));
    Ok(resources)
}

/// The digest of a member as a WACZ writes it, or what keeps it from being read.
fn digest(
    member: &Member,
    input: &Arc<Input>,
    stop: &AtomicBool,
) -> Result<Result<String, String>, Error> {
    let mut reader = match member.reader(input) {
        Ok(reader) => reader.take(member.size.saturating_add(1)),
        Err(method) => return Ok(Err(method.to_owned())),
    };
    let mut hash = Sha256::new();
    let mut bytes = vec![0; 1024 * 1024];
    let mut at = member.start;
    loop {
        check_stop(stop)?;
        match reader.read(&mut bytes) {
            Ok(0) => break,
            Ok(n) => hash.update(&bytes[..n]),
            Err(error) => return Ok(Err(error.to_string())),
        }
        let next = (at + bytes.len() as u64).min(member.end);
        input.release(at, next);
        at = next;
    }
    Ok(Ok(format!("sha256:{}", sha256_digits(hash))))
}

/// The bytes are counted where they are read.
fn bad_digest(member: &Member, message: &str) -> Damage {
    Damage {
        offset: member.start,
        length: 0,
        kind: DamageKind::BadDigest,
        message: format!("{}: {message}", member.name),
    }
}
