//! The place between two units of a file.

/// A place in a file where a unit begins, or should begin; by default the start of the file.
///
/// Two readers that reach the same boundary continue alike: nothing else before it matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Byte offset in the file.
    pub offset: u64,
    /// Byte offset of the last zstd dictionary frame before [`offset`](Self::offset), whose
    /// dictionary applies from there on; `None` without such a frame.
    pub dictionary: Option<u64>,
}

impl Boundary {
    /// The boundary at `offset` where no dictionary applies.
    #[must_use]
    pub const fn at(offset: u64) -> Self {
        Self {
            offset,
            dictionary: None,
        }
    }

    /// The boundary at `offset` where the dictionary applies that applies here.
    #[must_use]
    pub const fn moved_to(self, offset: u64) -> Self {
        Self { offset, ..self }
    }
}
