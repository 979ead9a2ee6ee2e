//! Where the records go: one after another, or each in a gzip member or zstd frame of its own, in
//! one file or in many.
//!
//! Threads make and pack batches, each its own; they are written in order.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use zstd::bulk::Compressor;

use super::crawl::{Crawl, Plan, records};

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

/// Level for members: the whole takes 0.6 of the time that it takes at level 6, and the file has 5%
/// more bytes.
const MEMBER_LEVEL: u32 = 3;

/// Level for frames: what crawlers use that care for size. The dictionary, made once, is worth
/// more.
const FRAME_LEVEL: i32 = 9;
const DICTIONARY_LEVEL: i32 = 19;

/// How many records a dictionary is trained on, and how large it gets at most.
const SAMPLES: usize = 6_000;
const DICTIONARY_SIZE: usize = 112_640;

/// The first frame of a file with a dictionary: skippable (RFC 8878 §3.1.2), so that readers that
/// know nothing of it skip it; the WARC community's convention fixes which of the sixteen
/// magic numbers it has.
const DICTIONARY_MAGIC: u32 = 0x184D_2A5D;

/// The head of a gzip member (RFC 1952 §2.3): no name, no time, no system.
const MEMBER_HEAD: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF];

/// Batches that a thread may be ahead of what has been written.
const AHEAD: usize = 2;

impl Encoding {
    /// The encoding of a file with this name, if its ending is known.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.to_str()?;
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map(|(_, encoding)| *encoding)
    }

    /// How names of such files end.
    fn ending(self) -> &'static str {
        let ending = ENDINGS.iter().find(|(_, encoding)| *encoding == self);
        ending.map_or("", |(ending, _)| ending)
    }
}

/// The files that a crawl is written to.
pub(crate) enum Target<'t> {
    /// This one.
    File(&'t Path),
    /// `LABEL/robotstxt/LABEL-00000.warc.gz` and so on in this folder, each ended when it has so
    /// many bytes.
    Folder(&'t Path, u64),
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    /// Files in all.
    pub(crate) files: u64,
    /// Records in all.
    pub(crate) records: u64,
    /// Bytes of the records before packing.
    pub(crate) bytes: u64,
}

/// Writes a crawl to new files.
///
/// # Errors
///
/// When a file cannot be written, or a dictionary cannot be trained on so few records.
pub(crate) fn write(
    plan: &Plan,
    target: &Target,
    encoding: Encoding,
    with_dictionary: bool,
) -> io::Result<Written> {
    let dictionary = if with_dictionary {
        train(plan)?
    } else {
        Vec::new()
    };
    let crawl = &Crawl::new(plan);
    let packing = &Packing {
        encoding,
        dictionary,
    };
    let mut files = Files {
        crawl,
        packing,
        packer: packing.packer()?,
        target,
        label: &plan.label,
        open: None,
        written: Written::default(),
    };
    files.next()?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let mut queues = Vec::with_capacity(threads);
        for first in 0..threads {
            let (send, receive) = sync_channel(AHEAD);
            queues.push(receive);
            scope.spawn(move || {
                let numbers = (first as u64..).step_by(threads);
                let mut batches = numbers.map(|number| Batch::make(crawl, number, packing));
                // Nobody receives any more: the crawl has its captures.
                while batches.next().is_some_and(|it| send.send(it).is_ok()) {}
            });
        }
        let mut left = crawl.captures();
        for queue in queues.iter().cycle() {
            if left == 0 {
                break;
            }
            let batch = queue.recv().map_err(io::Error::other)??;
            left -= files.add(&batch, left)?;
        }
        drop(queues);
        files.close()
    })?;
    Ok(files.written)
}

/// Captures of a batch, packed.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    captures: Vec<Packed>,
}

/// One capture with what goes with it.
struct Packed {
    /// Where it ends in the batch.
    end: usize,
    records: u64,
    /// Bytes before packing.
    bytes: u64,
}

impl Batch {
    fn make(crawl: &Crawl, number: u64, packing: &Packing) -> io::Result<Self> {
        let mut packer = packing.packer()?;
        let mut batch = Self::default();
        for records in crawl.batch(number) {
            for record in &records {
                packer.pack(record, &mut batch.bytes)?;
            }
            batch.captures.push(Packed {
                end: batch.bytes.len(),
                records: records.len() as u64,
                bytes: records.iter().map(|record| record.len() as u64).sum(),
            });
        }
        Ok(batch)
    }
}

/// The files of a crawl, one after another.
struct Files<'f> {
    crawl: &'f Crawl,
    packing: &'f Packing,
    packer: Packer,
    target: &'f Target<'f>,
    label: &'f str,
    /// The file that is being written, and its bytes so far.
    open: Option<(BufWriter<File>, u64)>,
    written: Written,
}

impl Files<'_> {
    /// Ends the file that is open and begins the next.
    fn next(&mut self) -> io::Result<()> {
        self.close()?;
        let (path, name) = match self.target {
            Target::File(path) => (path.to_path_buf(), self.label.to_owned()),
            Target::Folder(folder, _) => {
                let folder = folder.join(self.label).join("robotstxt");
                fs::create_dir_all(&folder)?;
                let name = format!("{}-{:05}", self.label, self.written.files);
                let file = format!("{name}{}", self.packing.encoding.ending());
                (folder.join(file), name)
            }
        };
        let mut begin = self.packing.begin()?;
        let warcinfo = self.crawl.warcinfo(&name);
        self.packer.pack(&warcinfo, &mut begin)?;
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        file.write_all(&begin)?;
        self.open = Some((file, begin.len() as u64));
        self.written.files += 1;
        self.written.records += 1;
        self.written.bytes += warcinfo.len() as u64;
        Ok(())
    }

    /// Writes a batch, this many captures of it at most; returns how many.
    fn add(&mut self, batch: &Batch, most: u64) -> io::Result<u64> {
        let begins = iter::once(0).chain(batch.captures.iter().map(|capture| capture.end));
        let mut count = 0;
        for (begin, capture) in begins.zip(&batch.captures).take(clamped(most)) {
            if let (Target::Folder(_, size), Some((_, length))) = (self.target, &self.open)
                && length >= size
            {
                self.next()?;
            }
            if let Some((file, length)) = &mut self.open {
                file.write_all(&batch.bytes[begin..capture.end])?;
                *length += (capture.end - begin) as u64;
            }
            self.written.records += capture.records;
            self.written.bytes += capture.bytes;
            count += 1;
        }
        Ok(count)
    }

    fn close(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some((mut file, _)) => file.flush(),
            None => Ok(()),
        }
    }
}

fn clamped(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// How records are packed, for any number of threads.
struct Packing {
    encoding: Encoding,
    /// Empty for none.
    dictionary: Vec<u8>,
}

impl Packing {
    fn packer(&self) -> io::Result<Packer> {
        Ok(match self.encoding {
            Encoding::Plain => Packer::Plain,
            Encoding::Gzip => {
                let level = Compression::new(MEMBER_LEVEL);
                Packer::Gzip(Box::new(Compress::new(level, false)))
            }
            Encoding::Zstd => {
                let mut compressor = Compressor::with_dictionary(FRAME_LEVEL, &self.dictionary)?;
                compressor.include_checksum(true)?;
                Packer::Zstd(Box::new(compressor))
            }
        })
    }

    /// What a file begins with.
    fn begin(&self) -> io::Result<Vec<u8>> {
        let mut begin = Vec::new();
        if !self.dictionary.is_empty() {
            let packed = zstd::bulk::compress(&self.dictionary, DICTIONARY_LEVEL)?;
            let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
            begin.extend_from_slice(&DICTIONARY_MAGIC.to_le_bytes());
            begin.extend_from_slice(&length.to_le_bytes());
            begin.extend_from_slice(&packed);
        }
        Ok(begin)
    }
}

/// Turns a record into what the file holds of it.
enum Packer {
    Plain,
    /// Raw deflate, reset for each member: making an encoder takes longer than most members.
    Gzip(Box<Compress>),
    Zstd(Box<Compressor<'static>>),
}

impl Packer {
    fn pack(&mut self, record: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Plain => out.extend_from_slice(record),
            Self::Gzip(deflate) => push_member(deflate, record, out)?,
            Self::Zstd(compressor) => out.extend_from_slice(&compressor.compress(record)?),
        }
        Ok(())
    }
}

fn push_member(deflate: &mut Compress, record: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    out.extend_from_slice(&MEMBER_HEAD);
    deflate.reset();
    loop {
        let taken = usize::try_from(deflate.total_in()).map_err(io::Error::other)?;
        out.reserve(record.len() - taken + 64);
        let status = deflate.compress_vec(&record[taken..], out, FlushCompress::Finish)?;
        if status == Status::StreamEnd {
            break;
        }
    }
    let mut check = Crc::new();
    check.update(record);
    out.extend_from_slice(&check.sum().to_le_bytes());
    out.extend_from_slice(&check.amount().to_le_bytes());
    Ok(())
}

/// A dictionary for frames, from the records that the crawl begins with.
fn train(plan: &Plan) -> io::Result<Vec<u8>> {
    let samples: Vec<Vec<u8>> = records(plan).take(SAMPLES).collect();
    // A dictionary of a small file must itself be small, or it costs more than it saves.
    let size = DICTIONARY_SIZE.min(samples.iter().map(Vec::len).sum::<usize>() / 100);
    zstd::dict::from_samples(&samples, size)
}
