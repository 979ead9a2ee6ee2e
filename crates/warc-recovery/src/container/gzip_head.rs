//! The head of a gzip member, as far as it tells a member from other bytes (RFC 1952 §2.3).
//!
//! ```text
//! +---+---+---+---+---+---+---+---+---+---+  +---+---+============+
//! |x1f|x8b| 8 |FLG|     MTIME     |XFL|OS |  | XLEN  | subfields  |  (with FLG.FEXTRA)
//! +---+---+---+---+---+---+---+---+---+---+  +---+---+============+
//! ```

/// First bytes of a gzip member: magic and the one defined method (RFC 1952 §2.3.1).
pub(crate) const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
/// Bytes of the part that every member has.
const FIXED_BYTES: usize = 10;
/// Bits of FLG that must be zero.
const RESERVED_FLAGS: u8 = 0xe0;
/// Bit of FLG: subfields follow the fixed part.
const EXTRA_FLAG: u8 = 0x04;

/// Whether `bytes` begin with a valid head: any time, extra flags and operating system.
pub(crate) fn begins_member(bytes: &[u8]) -> bool {
    bytes.len() >= FIXED_BYTES && bytes.starts_with(&MAGIC) && bytes[3] & RESERVED_FLAGS == 0
}

/// What the heads of the members that one program writes have in common. Bytes within a member that
/// begin like another one, as an archived gzip file does, rarely have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    flags: u8,
    has_time: bool,
    extra_flags: u8,
    operating_system: u8,
    /// The id of the first subfield.
    subfield: Option<[u8; 2]>,
}

impl Shape {
    /// Bytes of a head that tell its shape.
    pub(crate) const BYTES: usize = FIXED_BYTES + 4;

    /// The shape of the head at the start of `bytes`.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        begins_member(bytes).then(|| Self {
            flags: bytes[3],
            has_time: bytes[4..8] != [0; 4],
            extra_flags: bytes[8],
            operating_system: bytes[9],
            subfield: (bytes.get(FIXED_BYTES + 2..Self::BYTES))
                .filter(|_| bytes[3] & EXTRA_FLAG != 0)
                .and_then(|id| id.try_into().ok()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_valid_head_begins_a_member() {
        let head = |flags: u8, extra_flags: u8, system: u8| {
            [0x1f, 0x8b, 8, flags, 1, 2, 3, 4, extra_flags, system]
        };
        for byte in 0..=255 {
            assert!(begins_member(&head(0, byte, !byte)));
            assert_eq!(begins_member(&head(byte, 0, 0)), byte < 0x20);
        }
        assert!(!begins_member(&head(0, 0, 0)[..9]));
        assert_ne!(Shape::of(&head(0, 0, 3)), Shape::of(&head(0, 0, 255)));
    }

    #[test]
    fn a_subfield_is_part_of_the_shape() {
        let with = |id: &[u8; 2]| {
            [
                &[0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 12, 0][..],
                id,
                &[8, 0],
            ]
            .concat()
        };
        assert_ne!(Shape::of(&with(b"SL")), Shape::of(&with(b"XX")));
        assert_eq!(Shape::of(&with(b"SL")), Shape::of(&with(b"SL")));
    }
}
