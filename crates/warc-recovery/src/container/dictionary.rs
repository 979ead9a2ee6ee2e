//! The dictionary frames of a WARC-zstd file.
//!
//! "The WARC-zstd specification 1.0": a file compressed with a dictionary begins with a skippable
//! frame of magic 0x184D2A5D whose content is the dictionary, itself optionally a zstd frame. If
//! such files are concatenated, further dictionary frames follow; each applies to the frames after
//! it.

use std::io;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use zstd::dict::DecoderDictionary;
use zstd::zstd_safe;

use super::frames::{Frame, Frames};
use super::magic::{ZSTD_MAGIC, begins_skippable_frame, skippable_frame_length};
use crate::input::Input;
use crate::memory;

/// First bytes of a dictionary with entropy tables (RFC 8878 §5), little-endian 0xEC30A437.
pub(super) const FORMATTED_MAGIC: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];
/// Bytes of a skippable frame's head: magic and size (RFC 8878 §3.1.2).
const HEAD_BYTES: usize = 8;
/// The most bytes of a dictionary, packed or unpacked. Dictionaries are around 100 KiB; a bound is
/// needed because the frame's length is only a claim.
const MAX_DICTIONARY_BYTES: usize = 16 * 1024 * 1024;
/// The most candidate frames that are examined inside a dictionary frame whose size may be wrong,
/// and the most bytes of each candidate: bounds on the time that such a dictionary frame can cost.
const MAX_CANDIDATES: usize = 100;
const MAX_FRAME_BYTES: u64 = 1024 * 1024;
/// How many dictionaries of a file stay loaded. A file has one; concatenated files that are read in
/// parallel need two where one file ends and the next begins. Others are loaded again when needed.
const KEPT_DICTIONARIES: usize = 2;

/// The dictionary of a zstd container, ready to decode with.
pub struct Dictionary {
    /// The id in the dictionary's head (RFC 8878 §5); 0 for a raw-content dictionary.
    pub id: u32,
    /// For decoding in one call.
    pub(super) prepared: DecoderDictionary<'static>,
    /// For decoding in steps.
    pub(super) content: Vec<u8>,
}

impl Dictionary {
    fn load(content: Vec<u8>) -> Result<Self, String> {
        // Not `copy`, which panics if the content is damaged.
        let prepared = DecoderDictionary::try_copy(&content)
            .map_err(|_| "its entropy tables are damaged".to_owned())?;
        Ok(Self {
            id: zstd_safe::get_dict_id_from_dict(&content).map_or(0, NonZeroU32::get),
            prepared,
            content,
        })
    }

    pub(super) fn is_formatted(&self) -> bool {
        self.content.starts_with(&FORMATTED_MAGIC)
    }
}

/// A dictionary frame whose dictionary cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadDictionary {
    /// What is wrong with it.
    pub message: String,
    /// Byte offset in the file where reading should resume.
    pub(crate) resume: u64,
}

type LoadedDictionary = Result<Arc<Dictionary>, BadDictionary>;

/// The dictionaries of a file that were loaded last, by the offsets of their frames.
#[derive(Default)]
pub(super) struct Dictionaries(Mutex<Vec<(u64, LoadedDictionary)>>);

impl Dictionaries {
    pub(super) fn get(&self, input: &Input, offset: u64) -> io::Result<LoadedDictionary> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = kept.iter().find(|(at, _)| *at == offset) {
            return Ok(loaded.clone());
        }
        let loaded = read(input, offset)?;
        if kept.len() == KEPT_DICTIONARIES {
            drop(kept.remove(0));
        }
        kept.push((offset, loaded.clone()));
        Ok(loaded)
    }
}

pub(super) fn read(input: &Input, offset: u64) -> io::Result<LoadedDictionary> {
    let head = input.read(offset, HEAD_BYTES)?;
    let Some(length) = skippable_frame_length(&head) else {
        return Ok(refuse("the frame is cut off", input.len()));
    };
    let (content, end) = (offset + HEAD_BYTES as u64, offset.saturating_add(length));
    let size = usize::try_from(length - HEAD_BYTES as u64).unwrap_or(usize::MAX);
    let packed = input.read(content, size.min(MAX_DICTIONARY_BYTES))?;
    let loaded = if size > MAX_DICTIONARY_BYTES {
        Err(format!(
            "its {size} bytes are over the limit of {MAX_DICTIONARY_BYTES}"
        ))
    } else if packed.len() < size {
        Err("the frame is cut off".to_owned())
    } else {
        unpack(&packed).and_then(Dictionary::load)
    };
    let next = input.read(end, 4)?;
    let is_unit = next.starts_with(&ZSTD_MAGIC) || begins_skippable_frame(&next);
    let is_followed = end == input.len() || is_unit;
    // A packed dictionary is a frame itself: the search for other frames begins after it.
    let packed_length = zstd_safe::find_frame_compressed_size(&packed).unwrap_or_default();
    let within = if is_followed {
        None
    } else {
        frame_within(input, content, &packed, packed_length)?
    };
    Ok(match (loaded, within) {
        (Ok(dictionary), None) => Ok(Arc::new(dictionary)),
        (Ok(_), Some(resume)) => refuse("its size is wrong", resume),
        (Err(why), _) if is_followed => refuse(&why, end),
        (Err(why), within) => refuse(&why, within.unwrap_or(content + packed_length as u64)),
    })
}

/// Offset of the first intact frame in `bytes`, the content of a dictionary frame, from `from` on.
/// If no frame follows the dictionary frame, a frame within it proves that its size is wrong.
fn frame_within(input: &Input, content: u64, bytes: &[u8], from: usize) -> io::Result<Option<u64>> {
    let mut frames = Frames::new(input);
    let candidates = memchr::memmem::find_iter(&bytes[from..], &ZSTD_MAGIC);
    for at in candidates.take(MAX_CANDIDATES) {
        let offset = content + (from + at) as u64;
        if let Frame::Ends(_) = frames.frame(offset, offset + MAX_FRAME_BYTES)? {
            return Ok(Some(offset));
        }
    }
    Ok(None)
}

/// Whether the frame at the start of a file is a dictionary frame whose head is damaged.
pub(super) fn begins_without_head(start: &[u8]) -> bool {
    (start.get(HEAD_BYTES..)).is_some_and(|content| content.starts_with(&FORMATTED_MAGIC))
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, String> {
    if !packed.starts_with(&ZSTD_MAGIC) {
        return Ok(packed.to_vec());
    }
    // The decoder refuses to write more than the capacity, whatever the frame claims.
    let claimed = zstd_safe::get_frame_content_size(packed).ok().flatten();
    let capacity = claimed
        .and_then(|size| usize::try_from(size).ok())
        .unwrap_or(MAX_DICTIONARY_BYTES)
        .min(MAX_DICTIONARY_BYTES);
    zstd::bulk::decompress(packed, capacity)
        .map_err(|error| memory::unless_exhausted(format!("it does not decode ({error})")))
}

fn refuse(why: &str, resume: u64) -> LoadedDictionary {
    Err(BadDictionary {
        message: format!("the zstd dictionary in this frame cannot be used: {why}"),
        resume,
    })
}
