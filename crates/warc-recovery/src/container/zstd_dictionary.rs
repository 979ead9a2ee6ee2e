//! The dictionary frame of a WARC-zstd file.
//!
//! "The WARC-zstd specification 1.0": a file compressed with a dictionary begins with a skippable
//! frame of magic 0x184D2A5D whose content is the dictionary, itself optionally a zstd frame.

use std::io;
use std::sync::Arc;

use zstd::dict::DecoderDictionary;

use super::{Dictionary, NotWarc, ZSTD_MAGIC, skippable_frame_length};
use crate::input::Input;

/// Little-endian 0x184D2A5D.
pub(super) const MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Bytes of dictionary accepted, packed or unpacked. Dictionaries are around 100 KiB; a bound is
/// needed because the frame's length is only a claim.
const MAX_DICTIONARY_BYTES: usize = 16 * 1024 * 1024;

/// Reads the dictionary frame at the start of `input`.
pub(super) fn read(input: &Input) -> io::Result<Result<Dictionary, NotWarc>> {
    let head = input.read(0, 8)?;
    let Some(length) = skippable_frame_length(&head) else {
        return Ok(Err(refuse("the dictionary frame is cut off")));
    };
    let Some(size) = usize::try_from(length - 8)
        .ok()
        .filter(|&size| size <= MAX_DICTIONARY_BYTES)
    else {
        return Ok(Err(refuse(&format!(
            "a dictionary of {} bytes is over the limit of {MAX_DICTIONARY_BYTES}",
            length - 8
        ))));
    };
    let packed = input.read(8, size)?;
    if packed.len() < size {
        return Ok(Err(refuse("the dictionary frame is cut off")));
    }
    Ok(unpack(&packed).map(|content| {
        let id =
            zstd::zstd_safe::get_dict_id_from_dict(&content).map_or(0, std::num::NonZeroU32::get);
        Dictionary {
            id,
            prepared: Arc::new(DecoderDictionary::copy(&content)),
        }
    }))
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, NotWarc> {
    if !packed.starts_with(&ZSTD_MAGIC) {
        return Ok(packed.to_vec());
    }
    // The decoder refuses to write more than the capacity, whatever the frame claims.
    let claimed = zstd::zstd_safe::get_frame_content_size(packed)
        .ok()
        .flatten();
    let capacity = claimed
        .and_then(|size| usize::try_from(size).ok())
        .unwrap_or(MAX_DICTIONARY_BYTES)
        .min(MAX_DICTIONARY_BYTES);
    zstd::bulk::decompress(packed, capacity)
        .map_err(|error| refuse(&format!("the dictionary does not decode ({error})")))
}

fn refuse(why: &str) -> NotWarc {
    NotWarc {
        message: format!("a zstd WARC whose dictionary cannot be used: {why}"),
    }
}
