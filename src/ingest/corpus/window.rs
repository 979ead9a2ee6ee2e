//! A window over an input as it unpacks: what the readers of lines, rows and entries look through.

use std::io;
use std::sync::Arc;

use memchr::memchr;
use warc_recovery::container::{Format, StreamDecoder, UnitState};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;

/// Bytes of the file that are read at a time.
const PIECE_BYTES: usize = 256 * 1024;
/// Bytes that a packed file is asked for at a time.
const STEP_BYTES: usize = 64 * 1024;

/// The bytes of an input in order, unpacked; those that are not used yet are held.
pub(crate) struct Window {
    input: Arc<Input>,
    packing: Format,
    /// Offset in the file of the next byte to be unpacked.
    at: u64,
    decoder: Option<StreamDecoder>,
    /// Offset in the file up to which [`take_read`](Self::take_read) has told.
    told: u64,
    held: Vec<u8>,
    /// Bytes at the start of `held` that are used; they go when more is read.
    used: usize,
    /// Offset of the first byte held, in what the file unpacks to.
    start: u64,
    is_ended: bool,
    damage: Option<(DamageKind, String)>,
}

impl Window {
    /// A window over `input`, packed like that: plain, gzip or zstd.
    pub(crate) fn new(input: Arc<Input>, packing: Format) -> Self {
        Self {
            input,
            packing,
            at: 0,
            decoder: None,
            told: 0,
            held: Vec::new(),
            used: 0,
            start: 0,
            is_ended: false,
            damage: None,
        }
    }

    /// A window over `input`, packed as its first bytes show.
    pub(crate) fn of(input: &Arc<Input>) -> io::Result<Self> {
        let packing = Self::packing(&input.read(0, 4)?);
        Ok(Self::new(Arc::clone(input), packing))
    }

    /// A window over the start of the same input.
    pub(crate) fn again(&self) -> Self {
        Self::new(Arc::clone(&self.input), self.packing)
    }

    /// How a file that begins with these bytes is packed.
    pub(crate) fn packing(start: &[u8]) -> Format {
        match start {
            [0x1f, 0x8b, 8, ..] => Format::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Format::Zstd,
            _ => Format::Plain,
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.held[self.used..]
    }

    /// Offset of the first byte held, in what the file unpacks to.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Whether nothing follows the bytes held.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Whether the file is as it unpacks.
    pub(crate) fn is_plain(&self) -> bool {
        self.packing == Format::Plain
    }

    /// Holds at least `length` bytes, fewer only at the end.
    pub(crate) fn fill(&mut self, length: usize) -> io::Result<()> {
        if self.bytes().len() >= length || self.is_ended {
            return Ok(());
        }
        self.held.drain(..self.used);
        self.used = 0;
        while self.held.len() < length && !self.is_ended {
            let piece = self.input.read(self.at, PIECE_BYTES)?;
            if self.packing == Format::Plain {
                self.held.extend_from_slice(&piece);
                let from = self.at;
                self.at += piece.len() as u64;
                self.is_ended = self.at >= self.input.len();
                self.input.release(from, self.at);
                continue;
            }
            let used = unpack(
                self.packing,
                &mut self.decoder,
                &piece,
                self.at + piece.len() as u64 == self.input.len(),
                length,
                &mut self.held,
            );
            let from = self.at;
            match used {
                Ok(used) => self.at += used as u64,
                Err((used, kind, message)) => {
                    self.at += used as u64;
                    self.damage = Some((kind, message));
                    self.is_ended = true;
                }
            }
            // What is in the decoder still is yet to come.
            self.is_ended |= self.at >= self.input.len() && self.decoder.is_none();
            self.input.release(from, self.at);
        }
        Ok(())
    }

    pub(crate) fn advance(&mut self, length: usize) {
        self.used += length;
        self.start += length as u64;
    }

    pub(crate) fn take(&mut self, length: usize) -> Vec<u8> {
        let taken = self.bytes()[..length].to_vec();
        self.advance(length);
        taken
    }

    /// Drops `length` bytes, fewer only at the end. How many.
    pub(crate) fn skip(&mut self, length: u64) -> io::Result<u64> {
        let mut left = length;
        loop {
            let held = usize::try_from(left)
                .unwrap_or(usize::MAX)
                .min(self.bytes().len());
            self.advance(held);
            left -= held as u64;
            if left == 0 || self.is_ended && self.bytes().is_empty() {
                return Ok(length - left);
            }
            self.fill(PIECE_BYTES)?;
        }
    }

    /// Holds the next line. How long it is, with its end; none where that does not come before the
    /// end of the file, or within `most` bytes.
    pub(crate) fn line(&mut self, line_end: u8, most: usize) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            if let Some(end) = memchr(line_end, &self.bytes()[searched..]) {
                return Ok(Some(searched + end + 1));
            }
            searched = self.bytes().len();
            if self.is_ended || searched >= most {
                return Ok(None);
            }
            self.fill((searched * 2).clamp(STEP_BYTES, most))?;
        }
    }

    /// Drops the line that is held first, to its end. 1 where it has one, else 0.
    pub(crate) fn skip_line(&mut self, line_end: u8) -> io::Result<u64> {
        loop {
            let end = memchr(line_end, self.bytes());
            self.advance(end.map_or(self.bytes().len(), |end| end + 1));
            if end.is_some() || self.is_ended {
                return Ok(u64::from(end.is_some()));
            }
            self.fill(PIECE_BYTES)?;
        }
    }

    /// Bytes of a packed file that have been unpacked since the last call; 0 of a plain one.
    pub(crate) fn take_read(&mut self) -> u64 {
        if self.is_plain() {
            return 0;
        }
        let read = self.at - self.told;
        self.told = self.at;
        read
    }

    /// Whether the end of a compressed file could not be decoded and this was not yet reported.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damage.is_some()
    }

    /// The end of a packed file that could not be unpacked, told once.
    pub(crate) fn take_damage(&mut self) -> Option<Damage> {
        let (kind, message) = self.damage.take()?;
        Some(Damage {
            offset: self.at,
            length: self.input.len() - self.at,
            kind,
            message,
        })
    }
}

/// Unpacks some of `piece` to the end of `held`, until that has `wanted` bytes. How many bytes were
/// used; with what is wrong where the next ones cannot be unpacked.
fn unpack(
    packing: Format,
    decoder: &mut Option<StreamDecoder>,
    piece: &[u8],
    is_last: bool,
    wanted: usize,
    held: &mut Vec<u8>,
) -> Result<usize, (usize, DamageKind, String)> {
    let mut used = 0;
    while held.len() < wanted {
        let rest = &piece[used..];
        let unit = match decoder {
            Some(unit) => unit,
            None if rest.is_empty() => break,
            None if rest.len() < 16 && !is_last => break,
            // Padding, as of tapes.
            None if rest.iter().all(|byte| *byte == 0) => return Ok(piece.len()),
            None => match StreamDecoder::begin(packing, None, rest) {
                Ok(unit) => decoder.insert(unit),
                Err(error) => return Err((used, DamageKind::Corrupt, error.to_string())),
            },
        };
        let filled = held.len();
        held.resize(filled + STEP_BYTES, 0);
        let step = unit.step(rest, &mut held[filled..]);
        held.truncate(filled + step.written);
        used += step.consumed;
        let is_stuck = step.consumed + step.written == 0;
        match step.state {
            UnitState::Finished => *decoder = None,
            UnitState::Corrupt(message) => return Err((used, DamageKind::Corrupt, message)),
            UnitState::Open if is_stuck && used < piece.len() => {
                return Err((used, DamageKind::Corrupt, "it does not unpack".to_owned()));
            }
            UnitState::Open if is_stuck && is_last => {
                let message = "the file is cut off within a gzip member or zstd frame";
                return Err((used, DamageKind::Truncated, message.to_owned()));
            }
            UnitState::Open if is_stuck => break,
            UnitState::Open => {}
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use warc_recovery::input::Source;

    use super::*;

    fn window(bytes: &[u8]) -> Window {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        std::fs::write(&path, bytes).expect("space");
        let input = Input::open(&Source::Path(path), true, folder.path()).expect("a file");
        Window::new(Arc::new(input), Window::packing(bytes))
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Everything that unpacks, bytes read, and the damage.
    fn all(mut window: Window) -> (Vec<u8>, u64, Option<Damage>) {
        let (mut bytes, mut read) = (Vec::new(), 0);
        loop {
            window.fill(1000).expect("a file");
            read += window.take_read();
            let n = window.bytes().len();
            assert_eq!(window.start(), bytes.len() as u64);
            bytes.extend(window.take(n));
            if window.is_ended() {
                return (bytes, read, window.take_damage());
            }
        }
    }

    fn data() -> Vec<u8> {
        (0..700_000_u32)
            .map(|n| (n.wrapping_mul(n) >> 7).to_le_bytes()[0])
            .collect()
    }

    #[test]
    fn every_packing_unpacks_to_the_same() {
        let data = data();
        let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).expect("memory");
        let (one, other) = data.split_at(300_001);
        for packed in [
            data.clone(),
            gzip(&data),
            zstd(&data),
            [gzip(one), gzip(other)].concat(),
            [zstd(one), zstd(b""), zstd(other)].concat(),
            [gzip(&data), vec![0; 1024]].concat(),
        ] {
            let (bytes, read, damage) = all(window(&packed));
            assert!(bytes == data, "{} bytes", packed.len());
            assert_eq!(damage, None);
            assert!(packed == data && read == 0 || read == packed.len() as u64);
        }
    }

    #[test]
    fn what_is_before_damage_is_read_and_the_rest_is_told() {
        let data = data();
        let packed = gzip(&data);
        let cut = &packed[..packed.len() / 2];
        let garbage = [packed.clone(), b"garbage".to_vec()].concat();
        let mut flipped = packed.clone();
        flipped[packed.len() / 2..][..64].fill(0xff);
        let zstd = zstd::encode_all(&data[..], 1).expect("memory");
        for (bytes, kind) in [
            (cut, DamageKind::Truncated),
            (&garbage, DamageKind::Corrupt),
            (&flipped, DamageKind::Corrupt),
            (&zstd[..zstd.len() - 1], DamageKind::Truncated),
        ] {
            let (found, read, damage) = all(window(bytes));
            let damage = damage.expect("damage");
            assert_eq!(damage.kind, kind);
            assert!(found.len() > 1000);
            assert!(kind == DamageKind::Corrupt || data.starts_with(&found));
            assert_eq!(damage.offset, read);
            assert_eq!(damage.offset + damage.length, bytes.len() as u64);
        }
    }
}
