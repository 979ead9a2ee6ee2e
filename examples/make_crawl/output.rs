//! Where the records go: one after another, or each in a gzip member or zstd frame of its own.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zstd::bulk::Compressor;

/// How the records of a file are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// `.warc`
    Plain,
    /// `.warc.gz`
    Gzip,
    /// `.warc.zst`
    Zstd,
}

/// What a file's name tells about it.
const ENDINGS: [(&str, Encoding); 3] = [
    (".warc", Encoding::Plain),
    (".warc.gz", Encoding::Gzip),
    (".warc.zst", Encoding::Zstd),
];

/// Level for frames: what crawlers use that care for size. The dictionary, made once, is worth more.
const FRAME_LEVEL: i32 = 9;
const DICTIONARY_LEVEL: i32 = 19;

/// How many records a dictionary is trained on, and how large it gets at most.
const SAMPLES: usize = 6_000;
const DICTIONARY_SIZE: usize = 112_640;

/// The first frame of a file with a dictionary: skippable (RFC 8878, 3.1.2), so that readers that know nothing of it
/// pass over it; the WARC community's convention fixes which of the sixteen magic numbers it has.
const DICTIONARY_MAGIC: u32 = 0x184D_2A5D;

impl Encoding {
    /// The encoding of a file with this name, if its ending is known.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.to_str()?;
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map(|(_, encoding)| *encoding)
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// Records in all.
    pub(crate) records: u64,
    /// Bytes of the records before packing.
    pub(crate) bytes: u64,
}

/// Writes the records to a new file.
///
/// # Errors
///
/// When the file cannot be written, or a dictionary cannot be trained on so few records.
pub(crate) fn write(
    path: &Path,
    encoding: Encoding,
    with_dictionary: bool,
    mut records: impl Iterator<Item = Vec<u8>>,
) -> io::Result<Written> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut written = Written::default();
    let mut packer = match (encoding, with_dictionary) {
        (Encoding::Plain, _) => Packer::Plain,
        (Encoding::Gzip, _) => Packer::Gzip(Vec::new()),
        (Encoding::Zstd, false) => Packer::zstd(&[])?,
        (Encoding::Zstd, true) => {
            let samples: Vec<Vec<u8>> = records.by_ref().take(SAMPLES).collect();
            let dictionary = train(&samples)?;
            write_dictionary(&mut out, &dictionary)?;
            let mut packer = Packer::zstd(&dictionary)?;
            for record in &samples {
                packer.pack(record, &mut out, &mut written)?;
            }
            packer
        }
    };
    for record in records {
        packer.pack(&record, &mut out, &mut written)?;
    }
    out.flush()?;
    Ok(written)
}

/// Turns a record into what the file holds of it.
enum Packer {
    Plain,
    /// With the buffer that members are made in.
    Gzip(Vec<u8>),
    Zstd(Box<Compressor<'static>>),
}

impl Packer {
    fn zstd(dictionary: &[u8]) -> io::Result<Self> {
        let mut compressor = Compressor::with_dictionary(FRAME_LEVEL, dictionary)?;
        compressor.include_checksum(true)?;
        Ok(Self::Zstd(Box::new(compressor)))
    }

    fn pack(
        &mut self,
        record: &[u8],
        out: &mut impl Write,
        written: &mut Written,
    ) -> io::Result<()> {
        written.records += 1;
        written.bytes += record.len() as u64;
        match self {
            Self::Plain => out.write_all(record),
            Self::Gzip(buffer) => {
                buffer.clear();
                let mut encoder = GzEncoder::new(buffer, Compression::default());
                encoder.write_all(record)?;
                out.write_all(encoder.finish()?)
            }
            Self::Zstd(compressor) => out.write_all(&compressor.compress(record)?),
        }
    }
}

fn train(samples: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    // A dictionary of a small file must itself be small, or it costs more than it saves.
    let size = DICTIONARY_SIZE.min(samples.iter().map(Vec::len).sum::<usize>() / 100);
    zstd::dict::from_samples(samples, size)
}

fn write_dictionary(out: &mut impl Write, dictionary: &[u8]) -> io::Result<()> {
    let packed = zstd::bulk::compress(dictionary, DICTIONARY_LEVEL)?;
    let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
    out.write_all(&DICTIONARY_MAGIC.to_le_bytes())?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&packed)
}
