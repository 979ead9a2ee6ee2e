//! Decoding one intact unit of usual size in one call.

use zstd::zstd_safe::{self, DCtx};

use super::inflate::{Inflated, Inflater};
use super::{Container, Format, GZIP_MAGIC, ZSTD_MAGIC, skippable_frame_length};

/// Octets that one unit may decode to on the fast way. Larger ones are streamed, so that memory
/// stays bounded whatever a member claims; Common Crawl cuts pages at 5 MiB.
const MAX_UNIT_OCTETS: usize = 16 * 1024 * 1024;
/// Room for the first attempt, enough for nearly every robots.txt record.
const USUAL_UNIT_OCTETS: usize = 1024 * 1024;

/// Bit of a gzip header's flags: a checksum of the header follows it (RFC 1952, 2.3.1).
const GZIP_HEADER_CRC: u8 = 2;

/// What stands at the start of a slice.
#[derive(Debug)]
pub enum Unit<'a> {
    /// A whole intact unit.
    Data {
        /// What it decodes to.
        data: &'a [u8],
        /// Its octets in the file.
        length: usize,
    },
    /// A unit that holds no data (a skippable frame).
    Skippable {
        /// Its octets in the file.
        length: usize,
    },
    /// Damaged, cut off, or larger than this way allows: to be streamed.
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
            inflater: Inflater::new(),
            zstd: DCtx::create(),
            output: Vec::new(),
        }
    }
}

impl UnitDecoder {
    /// Decodes the unit at the start of `input`.
    ///
    /// A plain container's unit is the rest of the input: only its reader knows where a record
    /// ends.
    pub fn decode<'a>(&'a mut self, container: &Container, input: &'a [u8]) -> Unit<'a> {
        match container.format {
            Format::Plain => Unit::Data {
                data: input,
                length: input.len(),
            },
            Format::Gzip => self.gzip(input),
            Format::Zstd => self.zstd(container, input),
        }
    }

    fn gzip<'a>(&'a mut self, input: &[u8]) -> Unit<'a> {
        // A checksum of the header is for the way in steps: libdeflate does not look at it, and the
        // two ways must not tell different things of one member.
        let has_header_checksum = input
            .get(3)
            .is_some_and(|flags| flags & GZIP_HEADER_CRC != 0);
        if !input.starts_with(&GZIP_MAGIC) || has_header_checksum {
            return Unit::Declined;
        }
        for room in [USUAL_UNIT_OCTETS, MAX_UNIT_OCTETS] {
            if self.output.len() < room {
                self.output.resize(room, 0);
            }
            match self.inflater.member(input, &mut self.output) {
                Inflated::Member { consumed, written } => {
                    return Unit::Data {
                        data: &self.output[..written],
                        length: consumed,
                    };
                }
                Inflated::OutputTooSmall => {}
                Inflated::Bad => break,
            }
        }
        Unit::Declined
    }

    fn zstd<'a>(&'a mut self, container: &Container, input: &[u8]) -> Unit<'a> {
        if let Some(length) = skippable_frame_length(input) {
            return match usize::try_from(length) {
                Ok(length) if length <= input.len() => Unit::Skippable { length },
                _ => Unit::Declined,
            };
        }
        if !input.starts_with(&ZSTD_MAGIC) {
            return Unit::Declined;
        }
        let Ok(length) = zstd_safe::find_frame_compressed_size(input) else {
            return Unit::Declined;
        };
        let frame = &input[..length];
        let room = match zstd_safe::get_frame_content_size(frame) {
            Ok(Some(size)) => usize::try_from(size).unwrap_or(usize::MAX),
            // Streaming writers leave the size out; the decoder stops at the room it is given.
            _ => MAX_UNIT_OCTETS,
        };
        if room > MAX_UNIT_OCTETS {
            return Unit::Declined;
        }
        self.output.clear();
        self.output.reserve(room);
        let result = match &container.dictionary {
            Some(dictionary) => self.zstd.decompress_using_ddict(
                &mut self.output,
                frame,
                dictionary.prepared.as_ddict(),
            ),
            None => self.zstd.decompress(&mut self.output, frame),
        };
        match result {
            Ok(_) => Unit::Data {
                data: &self.output,
                length,
            },
            Err(_) => Unit::Declined,
        }
    }
}
