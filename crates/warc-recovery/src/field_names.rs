//! Field names and their look-up.
//!
//! A head has a dozen fields and a reader wants some of them, by name and regardless of
//! case (RFC 9110 §5.1; ISO 28500:2017 §4). The names are declared once, as an enum; this
//! file turns that list into a look-up at compile time.

/// The longest field name that a [`NameIndex`] can hold, in bytes.
const MAX_NAME_BYTES: usize = 63;

/// No further name of this length.
const NONE: u8 = u8::MAX;

/// Finds the position of a field name in a fixed list, letters compared without case.
///
/// Built at compile time. Names are chained by their length, so that a look-up compares bytes with
/// one or two candidates only; most names of a head are in no list and are turned away by their
/// length.
#[derive(Debug)]
pub(crate) struct NameIndex<const N: usize> {
    names: [&'static str; N],
    first_of_length: [u8; MAX_NAME_BYTES + 1],
    next_of_length: [u8; N],
}

impl<const N: usize> NameIndex<N> {
    /// An index over `names`: small letters and hyphens, at most 63 bytes long.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "N is asserted to be below 255; u8::try_from is not const"
    )]
    pub(crate) const fn new(names: [&'static str; N]) -> Self {
        assert!(N < NONE as usize, "too many names for this index");
        let mut first_of_length = [NONE; MAX_NAME_BYTES + 1];
        let mut next_of_length = [NONE; N];
        let mut at = N;
        while at > 0 {
            at -= 1;
            let length = names[at].len();
            assert!(
                length <= MAX_NAME_BYTES,
                "a name is too long for this index"
            );
            let mut byte = 0;
            while byte < length {
                let is_plain = matches!(names[at].as_bytes()[byte], b'a'..=b'z' | b'-');
                assert!(
                    is_plain,
                    "a name has bytes other than small letters and hyphens"
                );
                byte += 1;
            }
            next_of_length[at] = first_of_length[length];
            first_of_length[length] = at as u8;
        }
        Self {
            names,
            first_of_length,
            next_of_length,
        }
    }

    /// Position of `name` in the list.
    #[inline]
    pub(crate) fn find(&self, name: &[u8]) -> Option<usize> {
        let mut at = *self.first_of_length.get(name.len())?;
        while at != NONE {
            let position = usize::from(at);
            if equals_lower(name, self.names[position].as_bytes()) {
                return Some(position);
            }
            at = self.next_of_length[position];
        }
        None
    }
}

/// Whether `name` equals `lower`, which has as many bytes and consists of lower-case letters,
/// hyphens and spaces, letters compared without case.
///
/// Eight bytes at a time where there are so many, the last first: they tell names of one length
/// apart. Heads are read by the million, and to walk their names byte by byte was a third of their
/// time.
#[inline]
pub(crate) fn equals_lower(name: &[u8], lower: &[u8]) -> bool {
    debug_assert_eq!(name.len(), lower.len());
    if let (Some(name_end), Some(lower_end)) = (name.last_chunk(), lower.last_chunk()) {
        let mut eights = name.as_chunks().0.iter().zip(lower.as_chunks().0);
        return eight_equal_lower(*name_end, *lower_end)
            && eights.all(|(name, lower)| eight_equal_lower(*name, *lower));
    }
    name.eq_ignore_ascii_case(lower)
}

fn eight_equal_lower(name: [u8; 8], lower: [u8; 8]) -> bool {
    let (name, lower) = (u64::from_ne_bytes(name), u64::from_ne_bytes(lower));
    // Bit 0x20 tells the cases apart. It may differ where `lower` has a letter, and letters are the
    // bytes of `lower` with bit 0x40.
    let case_bits = (lower & 0x4040_4040_4040_4040) >> 1;
    (name ^ lower) & !case_bits == 0
}

/// Declares an enum of field names: the variants, their lower-case names, their number and a
/// look-up. A field is added by adding one line.
macro_rules! field_names {
    (
        $(#[$enum_doc:meta])*
        pub enum $enum_name:ident {
            $( $(#[$doc:meta])* $variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$enum_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum_name { $( $(#[$doc])* $variant, )+ }

        impl $enum_name {
            /// Every name of the list, in its order.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];
            /// Number of names in the list.
            pub const COUNT: usize = Self::ALL.len();

            /// The field name in lower case.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The field of this name, letters compared without case.
            #[must_use]
            #[inline]
            pub fn from_name(name: &[u8]) -> Option<Self> {
                static INDEX: $crate::field_names::NameIndex<{ $enum_name::COUNT }> =
                    $crate::field_names::NameIndex::new([ $( $name, )+ ]);
                INDEX.find(name).map(|position| Self::ALL[position])
            }
        }
    };
}
pub(crate) use field_names;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_case() {
        static INDEX: NameIndex<3> = NameIndex::new(["etag", "date", "server"]);
        assert_eq!(INDEX.find(b"ETag"), Some(0));
        assert_eq!(INDEX.find(b"DATE"), Some(1));
        assert_eq!(INDEX.find(b"Server"), Some(2));
        assert_eq!(INDEX.find(b"vary"), None);
        assert_eq!(INDEX.find(&[b'x'; 100]), None);
        assert_eq!(INDEX.find(b""), None);
    }

    #[test]
    fn names_are_compared_exactly_but_for_case() {
        let lower = b"warc-segment-number";
        assert!(equals_lower(b"WARC-Segment-NUMBER", lower));
        for at in 0..lower.len() {
            for byte in 0..=255_u8 {
                let mut name = *lower;
                name[at] = byte;
                assert_eq!(equals_lower(&name, lower), name.eq_ignore_ascii_case(lower));
            }
        }
    }
}
