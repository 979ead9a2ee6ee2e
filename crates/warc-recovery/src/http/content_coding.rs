//! Content codings: their names and their decoders, driven slice by slice.
//!
//! Implements RFC 9110 §8.4.1 (gzip, deflate), RFC 7932 (br) and RFC 8878 (zstd). Memory is bounded
//! by the window of each format: 32 KiB for deflate, 16 MiB for br (the large-window extension is
//! refused, because RFC 7932 does not define it), and 16 MiB for zstd (RFC 9659 asks for support of
//! 8 MiB in HTTP).

#[cfg(feature = "content-codings")]
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::Decompress;
use zstd::stream::raw::{DParameter, Operation};

use super::coding_step::{CodingStep, Status, inflate, is_padding};
use super::gzip::GzipDecoder;
use crate::memory;

/// Binary logarithm of the largest zstd window that is accepted: 16 MiB.
const ZSTD_WINDOW_LOG_MAX: u32 = 24;

/// A coding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// RFC 1952, one or more members.
    Gzip,
    /// RFC 1950: what RFC 9110 means by `deflate`.
    Zlib,
    /// RFC 1951: what some servers mean by `deflate`.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878, frames concatenated.
    Zstd,
}

/// The meaning of a coding's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodingName {
    /// One of the codings.
    Known(Coding),
    /// `identity`, or an empty list element.
    Identity,
    /// `chunked`, which is not a content coding: its place is `Transfer-Encoding`.
    Chunked,
    /// Anything else.
    Unknown,
}

impl CodingName {
    /// The coding of this name, letters compared without case.
    pub(super) fn parse(name: &[u8]) -> Self {
        const NAMES: [(&str, CodingName); 9] = [
            ("", CodingName::Identity),
            ("identity", CodingName::Identity),
            ("chunked", CodingName::Chunked),
            ("gzip", CodingName::Known(Coding::Gzip)),
            ("x-gzip", CodingName::Known(Coding::Gzip)),
            ("deflate", CodingName::Known(Coding::Zlib)),
            ("br", CodingName::Known(Coding::Brotli)),
            ("zstd", CodingName::Known(Coding::Zstd)),
            ("x-zstd", CodingName::Known(Coding::Zstd)),
        ];
        NAMES
            .into_iter()
            .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
            .map(|(_, coding)| coding)
            // Without the feature no coding is decoded: each is flagged like an unknown one.
            .filter(|coding| cfg!(feature = "content-codings") || !matches!(coding, Self::Known(_)))
            .unwrap_or(Self::Unknown)
    }
}

#[cfg(feature = "content-codings")]
type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

enum Stream {
    Gzip(Box<GzipDecoder>),
    Inflate(Decompress),
    #[cfg(feature = "content-codings")]
    Brotli(Box<Brotli>),
    Zstd(zstd::stream::raw::Decoder<'static>),
    /// A decoder that could not be set up, or that has failed.
    Failed,
}

/// A decoder of one coding.
pub(super) struct Decoder {
    stream: Stream,
    /// Whether the coded stream may end here.
    is_finished: bool,
    /// Whether the stream has ended and what follows is not part of it.
    has_ended: bool,
    is_damaged: bool,
}

impl Decoder {
    pub(super) fn new(coding: Coding) -> Self {
        let stream = match coding {
            Coding::Gzip => Stream::Gzip(Box::new(GzipDecoder::new())),
            Coding::Zlib => Stream::Inflate(Decompress::new(true)),
            Coding::Deflate => Stream::Inflate(Decompress::new(false)),
            #[cfg(not(feature = "content-codings"))]
            Coding::Brotli => Stream::Failed,
            #[cfg(feature = "content-codings")]
            Coding::Brotli => Stream::Brotli(Box::new(BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ))),
            Coding::Zstd => zstd_decoder().map_or(Stream::Failed, Stream::Zstd),
        };
        Self {
            stream,
            is_finished: false,
            has_ended: false,
            is_damaged: false,
        }
    }

    /// Whether the coded stream may end here.
    pub(super) fn is_finished(&self) -> bool {
        match &self.stream {
            Stream::Gzip(gzip) => gzip.is_finished(),
            _ => self.is_finished,
        }
    }

    /// Whether a checksum is wrong or data follows the end of the stream.
    pub(super) fn is_damaged(&self) -> bool {
        match &self.stream {
            Stream::Gzip(gzip) => gzip.is_damaged(),
            _ => self.is_damaged,
        }
    }

    /// Decodes from `input` into `output`. With an empty input, writes what is held back. Every
    /// step reads or writes something, or nothing is left to do with this input.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> CodingStep {
        if self.has_ended {
            self.is_damaged |= !is_padding(input);
            return CodingStep {
                read: input.len(),
                written: 0,
                status: Status::Ended,
            };
        }
        let step = match &mut self.stream {
            Stream::Gzip(gzip) if input.is_empty() && gzip.is_inflating() => gzip.drain(output),
            Stream::Gzip(gzip) => gzip.step(input, output),
            Stream::Inflate(deflate) => inflate(deflate, input, output),
            #[cfg(feature = "content-codings")]
            Stream::Brotli(state) => brotli(state, input, output),
            Stream::Zstd(decoder) => zstd(decoder, input, output, &mut self.is_finished),
            Stream::Failed => CodingStep {
                read: 0,
                written: 0,
                status: Status::Failed,
            },
        };
        match step.status {
            Status::Running => {}
            Status::Ended => (self.has_ended, self.is_finished) = (true, true),
            Status::Failed => self.stream = Stream::Failed,
        }
        step
    }
}

fn zstd_decoder() -> Option<zstd::stream::raw::Decoder<'static>> {
    let mut decoder = zstd::stream::raw::Decoder::new()
        .map_err(|error| memory::unless_exhausted(error.to_string()))
        .ok()?;
    decoder
        .set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG_MAX))
        .ok()?;
    Some(decoder)
}

#[cfg(feature = "content-codings")]
fn brotli(state: &mut Brotli, input: &[u8], output: &mut [u8]) -> CodingStep {
    let (mut available_in, mut read) = (input.len(), 0);
    let (mut available_out, mut written, mut total) = (output.len(), 0, 0);
    let result = BrotliDecompressStream(
        &mut available_in,
        &mut read,
        input,
        &mut available_out,
        &mut written,
        output,
        &mut total,
        state,
    );
    let status = match result {
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Status::Running,
        BrotliResult::ResultSuccess => Status::Ended,
        BrotliResult::ResultFailure => Status::Failed,
    };
    CodingStep {
        read,
        written,
        status,
    }
}

fn zstd(
    decoder: &mut zstd::stream::raw::Decoder<'static>,
    input: &[u8],
    output: &mut [u8],
    is_finished: &mut bool,
) -> CodingStep {
    if input.is_empty() && *is_finished {
        // Asked for more between two frames, the decoder would say that it needs a header and no
        // longer be finished.
        return CodingStep {
            read: 0,
            written: 0,
            status: Status::Running,
        };
    }
    match decoder.run_on_buffers(input, output) {
        Ok(step) => {
            *is_finished = step.remaining == 0;
            CodingStep {
                read: step.bytes_read,
                written: step.bytes_written,
                status: Status::Running,
            }
        }
        Err(error) => {
            // Only damage comes back from here.
            let _ = memory::unless_exhausted(error.to_string());
            CodingStep {
                read: 0,
                written: 0,
                status: Status::Failed,
            }
        }
    }
}
