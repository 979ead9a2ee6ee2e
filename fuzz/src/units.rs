//! Members and frames: the two ways of decoding one.

use std::cell::RefCell;

use robostat::container::{Container, Format, State, StreamDecoder, Unit, UnitDecoder};

/// Octets that the fast way decodes a unit to at most.
const MAX_FAST_OCTETS: usize = 16 << 20;

thread_local! {
    static DECODER: RefCell<UnitDecoder> = RefCell::default();
}

/// What the fast way takes for an intact unit, the way in steps does too, octet for octet; and what
/// the latter reads to an end is declined by the former only if it is larger than the limit.
pub fn fast_and_stepping_decoders_agree(data: &[u8]) {
    for format in [Format::Gzip, Format::Zstd] {
        let container = Container {
            format,
            dictionary: None,
        };
        let in_steps = decode_in_steps(&container, data);
        DECODER.with_borrow_mut(|decoder| match decoder.decode(&container, data) {
            Unit::Data {
                data: decoded,
                length,
            } => {
                assert!(decoded.len() <= MAX_FAST_OCTETS);
                let (octets, consumed) = in_steps.expect("a unit that the fast way reads");
                assert_eq!(consumed, length, "{format:?}: where the unit ends");
                assert!(octets == decoded, "{format:?}: what it decodes to");
            }
            Unit::Skippable { length } => {
                assert_eq!(in_steps, Some((Vec::new(), length)), "{format:?}");
            }
            Unit::Declined => {
                let is_small = |(octets, _): &(Vec<u8>, usize)| octets.len() <= MAX_FAST_OCTETS / 2;
                // A header checksum is checked by the way in steps alone.
                let has_header_checksum =
                    format == Format::Gzip && data.get(3).is_some_and(|flags| flags & 2 != 0);
                assert!(
                    !in_steps.as_ref().is_some_and(is_small) || has_header_checksum,
                    "{format:?}: an intact unit is declined"
                );
            }
        });
    }
}

/// The unit at the start of `data`, decoded with little room and input at a time: its data and its
/// length; none if it is damaged, cut off or decodes to more than the fast way allows.
fn decode_in_steps(container: &Container, data: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut decoder = StreamDecoder::begin(container, data).ok()?;
    let (mut octets, mut at) = (Vec::new(), 0);
    let mut room = vec![0; 4096];
    loop {
        let input = &data[at..data.len().min(at + 1000)];
        let step = decoder.step(input, &mut room);
        assert!(step.consumed <= input.len() && step.written <= room.len());
        at += step.consumed;
        octets.extend_from_slice(&room[..step.written]);
        if octets.len() > MAX_FAST_OCTETS {
            return None;
        }
        match step.state {
            State::Finished => return Some((octets, at)),
            State::Corrupt(_) => return None,
            State::Open if step.consumed + step.written == 0 => return None,
            State::Open => {}
        }
    }
}
