//! Decoding one intact unit of usual size in one call.

use zstd::zstd_safe::{self, DCtx};

use super::frames::ZSTD_SINGLE_SEGMENT;
use super::inflate::{Inflater, Inflation};
use super::magic::{DICTIONARY_MAGIC, GZIP_MAGIC, ZSTD_MAGIC, skippable_frame_length};
use super::stream::MAX_WINDOW_LOG;
use super::{Dictionary, Format};
use crate::memory;

/// The most bytes that a unit may decode to in one call. Larger units are streamed, so that memory
/// stays bounded whatever a member claims; Common Crawl cuts pages at 5 MiB.
const MAX_UNIT_BYTES: usize = 16 * 1024 * 1024;
/// Room for the first attempt, enough for nearly every record of a crawl; doubled as needed.
const USUAL_UNIT_BYTES: usize = 1024 * 1024;

/// Bit of a gzip header's flags: a checksum of the header follows it (RFC 1952 §2.3.1).
const GZIP_HEADER_CRC: u8 = 2;
/// Room for a look at the start of a member: most record heads have some 700 bytes.
const PEEK_BYTES: usize = 2 * 1024;

/// The unit at the start of a slice.
#[derive(Debug)]
pub enum Unit<'a> {
    /// A whole intact unit.
    Data {
        /// The decoded data; empty for a skippable frame.
        data: &'a [u8],
        /// Its length in the file.
        length: usize,
    },
    /// A zstd dictionary frame; the [container](super::Container::dictionary) reads it.
    Dictionary {
        /// Its length in the file.
        length: usize,
    },
    /// Damaged, cut off, or too large for one call: to be streamed.
    Declined,
}

/// A reusable decoder of units; one per worker.
pub struct UnitDecoder {
    inflater: Inflater,
    zstd: DCtx<'static>,
    output: Vec<u8>,
}

impl Default for UnitDecoder {
    fn default() -> Self {
        Self {
            inflater: Inflater::default(),
            zstd: DCtx::try_create().unwrap_or_else(|| memory::exhausted()),
            output: Vec::new(),
        }
    }
}

impl UnitDecoder {
    /// Decodes the unit at the start of `input`. A plain container's unit is the rest of the input:
    /// only its reader knows where a record ends.
    pub fn decode<'a>(
        &'a mut self,
        format: Format,
        dictionary: Option<&Dictionary>,
        input: &'a [u8],
    ) -> Unit<'a> {
        match format {
            Format::Plain => Unit::Data {
                data: input,
                length: input.len(),
            },
            Format::Gzip => self.gzip(input),
            Format::Zstd => self.zstd(dictionary, input).unwrap_or(Unit::Declined),
        }
    }

    /// The first bytes that the gzip member at the start of `input` decodes to: enough for the head
    /// of a record. If they are all, also the member's length in the file.
    pub(crate) fn peek(&mut self, input: &[u8]) -> Option<(&[u8], Option<usize>)> {
        if !is_for_libdeflate(input) {
            return None;
        }
        if self.output.len() < PEEK_BYTES {
            self.output = vec![0; USUAL_UNIT_BYTES];
        }
        let start = &mut self.output[..PEEK_BYTES];
        let (written, length) = self.inflater.start(input, start)?;
        Some((&self.output[..written], length))
    }

    fn gzip<'a>(&'a mut self, input: &[u8]) -> Unit<'a> {
        if !is_for_libdeflate(input) {
            return Unit::Declined;
        }
        let mut room = self.output.len().max(USUAL_UNIT_BYTES);
        while room <= MAX_UNIT_BYTES {
            if self.output.len() < room {
                // A new allocation: memory that comes zeroed is not touched before it is used.
                self.output = vec![0; room];
            }
            match self.inflater.member(input, &mut self.output) {
                Inflation::Member { consumed, written } => {
                    return Unit::Data {
                        data: &self.output[..written],
                        length: consumed,
                    };
                }
                Inflation::OutputTooSmall => room *= 2,
                Inflation::Bad => break,
            }
        }
        Unit::Declined
    }

    /// `None` if the unit is declined.
    fn zstd<'a>(&'a mut self, dictionary: Option<&Dictionary>, input: &[u8]) -> Option<Unit<'a>> {
        if let Some(length) = skippable_frame_length(input) {
            let length = usize::try_from(length).ok();
            let length = length.filter(|length| *length <= input.len())?;
            return Some(if input.starts_with(&DICTIONARY_MAGIC) {
                Unit::Dictionary { length }
            } else {
                Unit::Data { data: &[], length }
            });
        }
        if !input.starts_with(&ZSTD_MAGIC) || has_large_window(input) {
            return None;
        }
        let length = zstd_safe::find_frame_compressed_size(input).ok()?;
        let frame = &input[..length];
        let room = match zstd_safe::get_frame_content_size(frame) {
            Ok(Some(size)) => usize::try_from(size).unwrap_or(usize::MAX),
            // Streaming writers leave the size out; the decoder stops at the room it is given.
            _ => MAX_UNIT_BYTES,
        };
        if room > MAX_UNIT_BYTES {
            return None;
        }
        self.output.clear();
        self.output.reserve(room);
        let (zstd, output) = (&mut self.zstd, &mut self.output);
        let decoded = match dictionary.map(|it| it.prepared.as_ddict()) {
            Some(prepared) => zstd.decompress_using_ddict(output, frame, prepared),
            None => zstd.decompress(output, frame),
        };
        let data = self.output.as_slice();
        decoded.ok().map(|_| Unit::Data { data, length })
    }
}

/// Whether a zstd frame requires a window of more than 128 MiB (RFC 8878 §3.1.1.1.2). In one call
/// libzstd needs no window, but in steps it refuses one so large. Whether a record is read must not
/// depend on damage nearby.
fn has_large_window(frame: &[u8]) -> bool {
    let Some([descriptor, window, ..]) = frame.get(ZSTD_MAGIC.len()..) else {
        return false;
    };
    descriptor & ZSTD_SINGLE_SEGMENT == 0 && u32::from(*window) > (MAX_WINDOW_LOG - 10) << 3
}

/// Whether libdeflate may read the gzip member at the start of `input`: libdeflate does not verify
/// a checksum of the header, and both decoders must agree on every member.
fn is_for_libdeflate(input: &[u8]) -> bool {
    let flags = input.get(3).copied().unwrap_or_default();
    input.starts_with(&GZIP_MAGIC) && flags & GZIP_HEADER_CRC == 0
}
