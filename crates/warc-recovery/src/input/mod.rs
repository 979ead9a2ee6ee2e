//! Inputs: archive files opened for reading at any offset.
//!
//! An input may also be a [part](Input::part) of a file. A regular file is memory-mapped. Files
//! that cannot or must not be mapped (`--no-mmap`) are read in pieces. Streams (standard input,
//! pipes) are copied to a temporary file first, because recovery looks back.

mod mapped;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::Xxh3;

use mapped::MappedFile;

pub use mapped::exit_on_bus_error;

/// A source to open for reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or something that can be read like one.
    Path(PathBuf),
    /// Standard input, given as `-`.
    Standard,
}

/// An open input. Clones share the file.
#[derive(Clone)]
pub struct Input {
    name: String,
    /// Offset in the file of the first byte.
    start: u64,
    /// Offset in the file after the last byte.
    length: u64,
    modified: i64,
    content: Arc<Content>,
}

enum Content {
    Mapped(MappedFile),
    File(File),
}

impl Input {
    /// Opens `source`. A regular file is mapped into memory if `use_mmap` is set and the file
    /// system allows it. Otherwise it is read in pieces, which is slower but safe if the file
    /// changes meanwhile. Streams are copied to the directory `spool`.
    ///
    /// # Errors
    ///
    /// Fails if the source cannot be opened or, if it is a stream, cannot be copied.
    pub fn open(source: &Source, use_mmap: bool, spool: &Path) -> io::Result<Self> {
        let (name, file, modified) = match source {
            Source::Standard => copy_aside(&mut io::stdin().lock(), spool)?,
            Source::Path(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if metadata.is_file() {
                    let name = path.to_string_lossy().into_owned();
                    (name, file, metadata.modified().map_or(0, micros))
                } else {
                    copy_aside(&mut &file, spool)?
                }
            }
        };
        let length = file.metadata()?.len();
        // An empty file cannot be mapped.
        let content = match use_mmap.then(|| MappedFile::new(&file, &name)) {
            Some(Ok(map)) => Content::Mapped(map),
            _ => Content::File(file),
        };
        Ok(Self {
            name,
            start: 0,
            length,
            modified,
            content: Arc::new(content),
        })
    }

    /// An empty input named `name`; `spool` is a directory for temporary files.
    ///
    /// # Errors
    ///
    /// Fails if no file can be created there.
    pub fn empty(name: &str, spool: &Path) -> io::Result<Self> {
        let (_, file, _) = copy_aside(&mut io::empty(), spool)?;
        Ok(Self {
            name: name.to_owned(),
            start: 0,
            length: 0,
            modified: 0,
            content: Arc::new(Content::File(file)),
        })
    }

    /// The bytes from offset `start` to `end` as a separate input, for content inside another
    /// format, such as ZIP. Its offsets are offsets in the whole file.
    #[must_use]
    pub fn part(&self, start: u64, end: u64) -> Self {
        let end = end.clamp(self.start, self.length);
        Self {
            name: self.name.clone(),
            start: start.clamp(self.start, end),
            length: end,
            modified: self.modified,
            content: Arc::clone(&self.content),
        }
    }

    /// Offset of the first byte: 0, except for a [part](Self::part) of a file.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The path as given; for a stream, `stream-` and the XXH3-64 hash of the content.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Length in bytes; for a [part](Self::part), the offset at which it ends.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Modification time, microseconds since 1970-01-01T00:00:00Z; 0 for a stream.
    #[must_use]
    pub fn modified(&self) -> i64 {
        self.modified
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == self.start
    }

    /// At most `length` bytes from offset `start` on; fewer only at the end of the file.
    ///
    /// # Errors
    ///
    /// Fails if a file that is not mapped cannot be read, or has been cut short since it was opened
    /// ([`UnexpectedEof`](io::ErrorKind::UnexpectedEof)): missing bytes are not damage to the
    /// archive, and a second run would find another file. The message has the offset in bytes. A
    /// mapped file never fails here; see [`exit_on_bus_error`].
    pub fn read(&self, start: u64, length: usize) -> io::Result<Cow<'_, [u8]>> {
        let left = usize::try_from(self.length.saturating_sub(start)).unwrap_or(usize::MAX);
        let length = length.min(left);
        match &*self.content {
            Content::Mapped(map) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(map.len());
                let end = start.saturating_add(length).min(map.len());
                Ok(Cow::Borrowed(&map[start..end]))
            }
            Content::File(file) => {
                let mut bytes = vec![0; length];
                let mut filled = 0;
                while filled < length {
                    match file.read_at(&mut bytes[filled..], start + filled as u64) {
                        Ok(0) => return Err(cut_short(start + filled as u64)),
                        Ok(n) => filled += n,
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => return Err(at_offset(start + filled as u64, &error)),
                    }
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Releases the memory of the bytes from `start` to `end`, so that a mapped file does not use
    /// ever more of it. The bytes can be read again, slowly.
    pub fn release(&self, start: u64, end: u64) {
        if let Content::Mapped(map) = &*self.content {
            let within = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(map.len());
            let (start, end) = (within(start), within(end));
            if start < end {
                map.release(start, end);
            }
        }
    }
}

fn at_offset(offset: u64, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("at offset {offset}: {error}"))
}

fn cut_short(offset: u64) -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        format!("the file was cut short at offset {offset} while it was read; ingest it again"),
    )
}

/// Microseconds since 1970-01-01T00:00:00Z.
#[must_use]
pub fn micros(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// Copies a stream to an unlinked file in `spool`, which disappears with the process. Returns a
/// name made from the content, the file, and 0 as the modification time, which a stream lacks.
fn copy_aside(stream: &mut dyn Read, spool: &Path) -> io::Result<(String, File, i64)> {
    let path = spool.join(format!("input-{}.tmp", std::process::id()));
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    let mut hash = Xxh3::new();
    let mut bytes = vec![0; 1024 * 1024];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return Ok((format!("stream-{:016x}", hash.digest()), file, 0)),
            Ok(n) => {
                hash.update(&bytes[..n]);
                file.write_all(&bytes[..n])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
