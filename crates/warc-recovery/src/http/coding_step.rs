//! A step of a decoder, as every coding takes it, and the one of deflate.

use flate2::{Decompress, FlushDecompress};

/// How a decoder stands after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It goes on with more input or more output space.
    Running,
    /// The coded stream is over.
    Ended,
    /// The input is not what the coding says.
    Failed,
}

/// What a step did, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodingStep {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) status: Status,
}

/// One step of deflate or zlib.
pub(super) fn inflate(deflate: &mut Decompress, input: &[u8], output: &mut [u8]) -> CodingStep {
    let (read, written) = (deflate.total_in(), deflate.total_out());
    let result = deflate.decompress(input, output, FlushDecompress::None);
    let status = match result {
        Ok(flate2::Status::Ok | flate2::Status::BufError) => Status::Running,
        Ok(flate2::Status::StreamEnd) => Status::Ended,
        Err(_) => Status::Failed,
    };
    // Both differences are bounded by the lengths of slices.
    CodingStep {
        read: usize::try_from(deflate.total_in() - read).unwrap_or(input.len()),
        written: usize::try_from(deflate.total_out() - written).unwrap_or(output.len()),
        status,
    }
}

/// Whether data after the end of a stream is only filler.
pub(super) fn is_padding(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n'))
}
