//! The two ways to decode a member or frame.

use std::cell::RefCell;

use warc_recovery::container::{Format, StreamDecoder, Unit, UnitDecoder, UnitState};

/// The most bytes that the fast decoder decodes a unit to.
const MAX_FAST_BYTES: usize = 16 << 20;

thread_local! {
    static DECODER: RefCell<UnitDecoder> = RefCell::default();
}

/// A unit that the fast decoder accepts as intact decodes in steps to the same bytes. A unit that
/// decodes in steps is declined by the fast decoder only if it is larger than the limit.
pub fn fast_and_stepping_decoders_agree(data: &[u8]) {
    for format in [Format::Gzip, Format::Zstd] {
        let in_steps = decode_in_steps(format, data);
        DECODER.with_borrow_mut(|decoder| match decoder.decode(format, None, data) {
            Unit::Data {
                data: decoded,
                length,
            } => {
                assert!(decoded.len() <= MAX_FAST_BYTES);
                let Some((bytes, consumed)) = in_steps else {
                    // In one call libzstd accepts blocks and offsets that are longer than the frame
                    // allows; in steps it does not. No encoder writes one.
                    assert!(format == Format::Zstd && may_exceed_bounds(data, decoded.len()));
                    return;
                };
                assert_eq!(consumed, length, "{format:?}: where the unit ends");
                assert!(bytes == decoded, "{format:?}: what it decodes to");
            }
            Unit::Dictionary { length } => {
                assert_eq!(in_steps, Some((Vec::new(), length)), "{format:?}");
            }
            Unit::Declined => {
                // Only decoding in steps checks the header's checksum, and only there libzstd
                // accepts an empty compressed block.
                let is_plain =
                    format == Format::Gzip && data.get(3).is_some_and(|flags| flags & 2 == 0);
                let is_small = |(bytes, _): &(Vec<u8>, usize)| bytes.len() <= MAX_FAST_BYTES;
                assert!(
                    !is_plain || !in_steps.as_ref().is_some_and(is_small),
                    "an intact member is declined"
                );
            }
        });
    }
}

/// Whether a block or an offset of a frame can be longer than its window, or a block longer than
/// 128 KiB (RFC 8878 §3.1.1.2.4): the frame decodes to more than the smaller of the two, or has a
/// larger block.
fn may_exceed_bounds(frame: &[u8], decoded_length: usize) -> bool {
    let descriptor = frame[4];
    let is_single_segment = descriptor & 0x20 != 0;
    let dictionary_id = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        log => 1 << log,
    };
    let mut at = 5 + usize::from(!is_single_segment) + dictionary_id + content_size;
    let window = if is_single_segment {
        decoded_length
    } else {
        let (exponent, mantissa) = (frame[5] >> 3, usize::from(frame[5] & 7));
        (8 + mantissa) << (7 + exponent)
    };
    let bound = window.min(128 << 10);
    if decoded_length > bound {
        return true;
    }
    while let Some([low, middle, high]) = frame.get(at..at + 3) {
        let head = u32::from_le_bytes([*low, *middle, *high, 0]);
        let (is_last, kind, size) = (head & 1, head >> 1 & 3, head as usize >> 3);
        if size > bound {
            return true;
        }
        at += 3 + if kind == 1 { 1 } else { size };
        if is_last == 1 {
            break;
        }
    }
    false
}

/// The unit at the start of `data`, decoded in small steps: its data and its length; `None` if it
/// is damaged, cut off or decodes to more than the fast decoder allows.
fn decode_in_steps(format: Format, data: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut decoder = StreamDecoder::begin(format, None, data).ok()?;
    let (mut bytes, mut at) = (Vec::new(), 0);
    let mut room = vec![0; 4096];
    loop {
        let input = &data[at..data.len().min(at + 1000)];
        let step = decoder.step(input, &mut room);
        assert!(step.consumed <= input.len() && step.written <= room.len());
        at += step.consumed;
        bytes.extend_from_slice(&room[..step.written]);
        if bytes.len() > MAX_FAST_BYTES {
            return None;
        }
        match step.state {
            UnitState::Finished => return Some((bytes, at)),
            UnitState::Corrupt(_) => return None,
            UnitState::Open if step.consumed + step.written == 0 => return None,
            UnitState::Open => {}
        }
    }
}
