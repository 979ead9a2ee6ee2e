//! Magic numbers: the bytes with which units begin.

use memchr::memmem;

/// First bytes of a gzip member: magic and the one defined method (RFC 1952 §2.3.1).
pub(crate) const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
/// First bytes of a zstd frame (RFC 8878 §3.1.1), little-endian 0xFD2FB528.
pub(super) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// First bytes of a zstd dictionary frame, little-endian 0x184D2A5D. An archive with a dictionary
/// begins with such a frame (the WARC-zstd specification 1.0).
pub const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// Where gzip members may begin in `bytes`: no reserved flag is set in the ten bytes that begin
/// every member; time, extra flags and operating system may have any value (RFC 1952 §2.3).
pub(crate) fn gzip_candidates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let begins_member = |at: &usize| bytes.len() - at >= 10 && bytes[at + 3] & 0xe0 == 0;
    memmem::find_iter(bytes, &GZIP_MAGIC).filter(begins_member)
}

/// Whether `bytes` begin with a skippable frame (RFC 8878 §3.1.2): its magic is 0x184D2A5? in
/// little-endian order.
pub(super) fn begins_skippable_frame(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Bytes of the skippable frame at the start of `bytes`, head included.
pub(super) fn skippable_frame_length(bytes: &[u8]) -> Option<u64> {
    let size = bytes.get(4..)?.first_chunk()?;
    begins_skippable_frame(bytes).then(|| 8 + u64::from(u32::from_le_bytes(*size)))
}
