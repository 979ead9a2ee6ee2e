//! Archives of an input: the file itself, or the archives in a WACZ or another zip file.
//!
//! A WACZ (Web Archive Collection Zipped 1.1.1) stores its archives uncompressed, below `archive/`.
//! They are read in place, so offsets of captures are offsets in the WACZ.

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

const MAX_DESCRIPTION_BYTES: usize = 16 * 1024 * 1024;
/// The member of a WACZ that lists its members with their digests, and the one with the digest of
/// this list.
const DESCRIPTION: &str = "datapackage.json";
const DESCRIPTION_DIGEST: &str = "datapackage-digest.json";

pub(crate) struct Archive {
    /// Its value in `inputs.container`.
    pub(crate) name: InputKind,
    /// In the order of the file.
    pub(crate) parts: Vec<Arc<ArchivePart>>,
    /// Archives in a zip file that cannot be read.
    pub(crate) lost: Vec<Damage>,
    members: Vec<Member>,
    /// The whole file, if the parts are records that an index lists.
    pub(crate) head: Option<Arc<ArchivePart>>,
}

/// An archive of an input, or a record that an index lists.
pub(crate) struct ArchivePart {
    pub(crate) container: Container,
    /// Offset of the dictionary frame that applies at its start.
    pub(crate) dictionary: Option<u64>,
    /// Bytes that the index gives the record.
    pub(crate) given: Option<u64>,
}

impl ArchivePart {
    fn new(container: Container) -> Arc<Self> {
        Arc::new(Self {
            container,
            dictionary: None,
            given: None,
        })
    }

    pub(crate) fn start(&self) -> Boundary {
        Boundary {
            offset: self.container.input.start(),
            dictionary: self.dictionary,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.container.input.len() - self.container.input.start()
    }
}

pub(crate) fn is_archive(member: &Member) -> bool {
    !member.is_link && matches!(&*extension(&member.name), "warc" | "arc")
}

/// The archive that holds the byte at `offset` of `input`: the file itself, or an archive in a
/// WACZ; or why the archive cannot be read.
pub fn around(input: &Arc<Input>, offset: u64) -> io::Result<Result<Arc<ArchivePart>, String>> {
    if !zip::begins(&input.read(0, 4)?) {
        let container = Container::detect(input)?;
        return Ok(container.map(ArchivePart::new));
    }
    let members = match zip::members(input) {
        Ok(members) => members,
        Err(message) => return Ok(Err(message)),
    };
    let mut parts = Archive::from_zip(input, members)?.parts.into_iter();
    let part = parts
        .find(|part| (part.container.input.start()..part.container.input.len()).contains(&offset));
    Ok(part.ok_or_else(|| format!("no archive in the zip file contains offset {offset}")))
}

impl Archive {
    fn new(name: InputKind, parts: Vec<Arc<ArchivePart>>) -> Self {
        Self {
            name,
            parts,
            lost: Vec::new(),
            members: Vec::new(),
            head: None,
        }
    }

    pub(crate) fn from_file(container: Container) -> Self {
        let name = match (container.syntax, container.format) {
            (RecordSyntax::Warc, Format::Plain) => InputKind::Plain,
            (RecordSyntax::Warc, Format::Gzip) => InputKind::Gzip,
            (RecordSyntax::Warc, Format::Zstd) => InputKind::Zstd,
            (RecordSyntax::Arc, Format::Plain) => InputKind::Arc,
            (RecordSyntax::Arc, Format::Gzip) => InputKind::ArcGzip,
            (RecordSyntax::Arc, Format::Zstd) => InputKind::ArcZstd,
        };
        Self::new(name, vec![ArchivePart::new(container)])
    }

    pub(crate) fn from_zip(input: &Arc<Input>, members: Vec<Member>) -> io::Result<Self> {
        let is_wacz = members.iter().any(|member| member.name == DESCRIPTION);
        let name = if is_wacz {
            InputKind::Wacz
        } else {
            InputKind::Zip
        };
        let mut archive = Self::new(name, Vec::new());
        let mut at = 0;
        for member in members.iter().filter(|member| is_archive(member)) {
            let overlaps = member.start < at;
            if !overlaps {
                at = member.end;
            }
            let message = match member.method {
                _ if overlaps => "it overlaps the member before it".to_owned(),
                Method::Stored => {
                    let part = input.part(member.start, member.end);
                    match Container::detect(&part)? {
                        Ok(container) => {
                            archive.parts.push(ArchivePart::new(container));
                            continue;
                        }
                        Err(_) if part.is_empty() => continue,
                        Err(message) => message,
                    }
                }
                Method::Deflated => {
                    "the zip file compresses it again, which no WACZ does; unzip the file first"
                        .to_owned()
                }
                Method::Other(method) => format!("{method}; unzip the file first"),
            };
            archive.lost.push(Damage {
                offset: member.start,
                length: if overlaps {
                    0
                } else {
                    member.end - member.start
                },
                kind: DamageKind::NotWarc,
                message: format!("{}: {message}", member.name),
            });
        }
        archive.members = members;
        Ok(archive)
    }

    /// Members of a zip file next to the archives. A WACZ always has some.
    pub(crate) fn other_members(&self) -> u64 {
        let others = self.members.iter().filter(|member| !is_archive(member));
        let is_zip = self.name == InputKind::Zip;
        others.filter(|_| is_zip).count() as u64
    }

    /// Accounts for the bytes outside the parts; the input has `bytes` bytes.
    pub(crate) fn accounting(&self, bytes: u64) -> Accounting {
        let damaged_bytes = self.lost.iter().map(|lost| lost.length).sum();
        let of_parts: u64 = self.parts.iter().map(|part| part.bytes()).sum();
        Accounting {
            damaged_records: self.lost.len() as u64,
            damaged_bytes,
            skipped_bytes: bytes - of_parts - damaged_bytes,
            ..Accounting::default()
        }
    }

    /// Compares the members of a WACZ with the digests in its `datapackage.json`, and that file
    /// with its own digest. Returns what is wrong.
    pub(crate) fn verify(
        &self,
        input: &Arc<Input>,
        stop: &AtomicBool,
    ) -> Result<Vec<Damage>, Error> {
        let mut wrong = Vec::new();
        // The bytes are counted when they are read.
        let mut refuse = |offset, message| {
            wrong.push(Damage {
                offset,
                length: 0,
                kind: DamageKind::BadDigest,
                message,
            });
        };
        let mut expected = Vec::new();
        for name in [DESCRIPTION_DIGEST, DESCRIPTION] {
            let Some(member) = self.member(name) else {
                continue;
            };
            match listed(name, member, input) {
                Ok(resources) => expected.extend(resources),
                Err(message) => refuse(member.start, format!("{name}: {message}")),
            }
        }
        for Resource { path, hash } in expected {
            let Some(member) = self.member(&path) else {
                refuse(0, format!("{path} is listed in {DESCRIPTION}, but missing"));
                continue;
            };
            let found = digest(member, input, stop);
            check_stop(stop)?;
            let message = match found {
                Err(message) => message,
                Ok(found) if hash.eq_ignore_ascii_case(&found) => continue,
                Ok(found) => format!("its digest is {found}, not {hash}"),
            };
            refuse(member.start, format!("{path}: {message}"));
        }
        Ok(wrong)
    }

    fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

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

/// The digest of a member as a WACZ writes it, or why it cannot be read.
fn digest(member: &Member, input: &Arc<Input>, stop: &AtomicBool) -> Result<String, String> {
    let mut reader = member.reader(input)?.take(member.size.saturating_add(1));
    let mut hash = Sha256::new();
    let mut bytes = vec![0; 1024 * 1024];
    let mut at = member.start;
    loop {
        check_stop(stop).map_err(|error| error.to_string())?;
        match reader.read(&mut bytes).map_err(|error| error.to_string())? {
            0 => return Ok(format!("sha256:{}", sha256_digits(hash))),
            n => hash.update(&bytes[..n]),
        }
        let next = (at + bytes.len() as u64).min(member.end);
        input.release(at, next);
        at = next;
    }
}
