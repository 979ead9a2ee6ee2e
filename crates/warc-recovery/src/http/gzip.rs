//! The gzip file format around a deflate stream: member header and trailer.
//!
//! Implements RFC 1952. One byte at a time, because a chunked body may cut the header anywhere, and
//! because a header may claim a file name of any length: nothing is kept, so nothing can grow.

use flate2::{Crc, Decompress};

use super::coding_step::{CodingStep, Status, inflate, is_padding};

/// FLG bits, RFC 1952 §2.3.1.
const HEADER_CRC: u8 = 0x02;
const EXTRA: u8 = 0x04;
const NAME: u8 = 0x08;
const COMMENT: u8 = 0x10;
const RESERVED: u8 = 0xe0;

/// Where in a member the decoder stands; numbers count bytes read or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// The ten bytes that every member begins with.
    Fixed(u8),
    ExtraLength(u8),
    Extra(u16),
    Name,
    Comment,
    HeaderCrc(u8),
    Deflate,
    /// CRC32 and ISIZE.
    Trailer(u8),
    /// After a member: another one, or the end.
    BetweenMembers,
    /// After the last member, where anything else follows.
    Trailing,
}

/// Decodes a gzip stream of one or more members.
#[derive(Debug)]
pub(super) struct GzipDecoder {
    position: Position,
    /// Those whose part of the header has not been reached.
    flags: u8,
    extra_length: u16,
    trailer: [u8; 8],
    deflate: Decompress,
    crc: Crc,
    is_damaged: bool,
}

impl GzipDecoder {
    pub(super) fn new() -> Self {
        Self {
            position: Position::Fixed(0),
            flags: 0,
            extra_length: 0,
            trailer: [0; 8],
            deflate: Decompress::new(false),
            crc: Crc::new(),
            is_damaged: false,
        }
    }

    /// Whether a checksum is wrong or data follows the last member.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Whether the stream may end here.
    pub(super) fn is_finished(&self) -> bool {
        matches!(self.position, Position::BetweenMembers | Position::Trailing)
    }

    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> CodingStep {
        let mut read = 0;
        while read < input.len() {
            match self.position {
                Position::Deflate => {
                    let step = inflate(&mut self.deflate, &input[read..], output);
                    self.crc.update(&output[..step.written]);
                    if step.status == Status::Ended {
                        self.position = Position::Trailer(0);
                    }
                    read += step.read;
                    let is_stuck = step.status == Status::Running && step.read == 0;
                    if step.written > 0 || step.status == Status::Failed || is_stuck {
                        let status = match step.status {
                            Status::Failed => Status::Failed,
                            Status::Running | Status::Ended => Status::Running,
                        };
                        return CodingStep {
                            read,
                            written: step.written,
                            status,
                        };
                    }
                }
                Position::Trailing => {
                    self.is_damaged |= !is_padding(&input[read..]);
                    read = input.len();
                }
                _ => {
                    if !self.take(input[read]) {
                        return CodingStep {
                            read,
                            written: 0,
                            status: Status::Failed,
                        };
                    }
                    // A byte after the last member is judged by `Trailing`.
                    read += usize::from(self.position != Position::Trailing);
                }
            }
        }
        CodingStep {
            read,
            written: 0,
            status: Status::Running,
        }
    }

    /// Whether deflated data is at hand that needs no more input to go on.
    pub(super) fn is_inflating(&self) -> bool {
        self.position == Position::Deflate
    }

    /// Drains what the deflate decoder holds back for lack of output space.
    pub(super) fn drain(&mut self, output: &mut [u8]) -> CodingStep {
        let mut step = inflate(&mut self.deflate, &[], output);
        self.crc.update(&output[..step.written]);
        if step.status == Status::Ended {
            self.position = Position::Trailer(0);
            step.status = Status::Running;
        }
        step
    }

    /// Takes one byte outside the deflate data; false where it cannot be.
    fn take(&mut self, byte: u8) -> bool {
        self.position = match self.position {
            Position::Fixed(at) => {
                match (at, byte) {
                    (0, 0x1f) | (1, 0x8b) | (2, 8) | (4..=9, _) => {}
                    (3, flags) if flags & RESERVED == 0 => self.flags = flags,
                    _ => return false,
                }
                if at < 9 {
                    Position::Fixed(at + 1)
                } else {
                    self.next_part()
                }
            }
            Position::ExtraLength(0) => {
                self.extra_length = u16::from(byte);
                Position::ExtraLength(1)
            }
            Position::ExtraLength(_) => {
                self.extra_length |= u16::from(byte) << 8;
                match self.extra_length {
                    0 => self.next_part(),
                    left => Position::Extra(left),
                }
            }
            Position::Extra(1) => self.next_part(),
            Position::Extra(left) => Position::Extra(left - 1),
            Position::Name | Position::Comment if byte == 0 => self.next_part(),
            Position::HeaderCrc(0) => Position::HeaderCrc(1),
            Position::HeaderCrc(_) => Position::Deflate,
            Position::Trailer(at) => {
                self.trailer[usize::from(at)] = byte;
                if at == 7 {
                    self.end_member();
                    Position::BetweenMembers
                } else {
                    Position::Trailer(at + 1)
                }
            }
            Position::BetweenMembers if byte == 0x1f => {
                self.deflate.reset(false);
                self.crc.reset();
                Position::Fixed(1)
            }
            Position::BetweenMembers => Position::Trailing,
            same
            @ (Position::Name | Position::Comment | Position::Deflate | Position::Trailing) => same,
        };
        true
    }

    /// The next part of the header that the flags name, or the data after them.
    fn next_part(&mut self) -> Position {
        let parts = [
            (EXTRA, Position::ExtraLength(0)),
            (NAME, Position::Name),
            (COMMENT, Position::Comment),
            (HEADER_CRC, Position::HeaderCrc(0)),
        ];
        let next = parts.into_iter().find(|(flag, _)| self.flags & flag != 0);
        let (flag, position) = next.unwrap_or((0, Position::Deflate));
        self.flags &= !flag;
        position
    }

    /// Compares the trailer with what was decoded.
    fn end_member(&mut self) {
        // ISIZE is the length modulo 2^32, and so is `amount`.
        let expected = u64::from(self.crc.amount()) << 32 | u64::from(self.crc.sum());
        self.is_damaged |= u64::from_le_bytes(self.trailer) != expected;
    }
}
