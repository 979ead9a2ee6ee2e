//! Whole archive files, intact and damaged.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use warc_recovery::accounting::Accounting;
use warc_recovery::container::{Boundary, Container, UnitDecoder};
use warc_recovery::input::{Input, Source};
use warc_recovery::recovery::Recovery;
use warc_recovery::sink::{Position, RecordSink};
use warc_recovery::split;
use warc_recovery::warc::{RecordHead, begins_record};

#[derive(Default)]
struct Buffers {
    /// A file without a name.
    file: Option<File>,
    decoder: UnitDecoder,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Records, damaged ranges and skipped bytes add up to the file's size, whatever the file. Where
/// splits read a file without complaint, recovery reads the same records from it, byte for byte,
/// and a sink that wants only some of them gets those.
pub fn every_byte_is_accounted_for(data: &[u8]) {
    let bytes = file_of(data);
    BUFFERS.with_borrow_mut(|buffers| {
        let Some((container, input)) = open(&bytes, buffers) else {
            return;
        };
        let all = read(&input, &container, buffers, Records::new(|_| true));
        let length = bytes.len() as u64;
        assert_eq!(all.accounting.bytes(), length, "{:?}", all.accounting);
        assert!(
            all.accounting.damaged_records > 0 || all.accounting.damaged_bytes == 0,
            "{:?}",
            all.accounting
        );
        let some = read(&input, &container, buffers, Records::new(is_robots_txt));
        assert_eq!(some.accounting.bytes(), length, "{:?}", some.accounting);
        if !all.is_clean {
            return;
        }
        let slow = recover(&input, &container);
        assert_eq!(slow.accounting.records, all.accounting.records);
        assert_eq!(slow.accounting.damaged_records, 0);
        assert_eq!(slow.accounting.bytes(), length);
        assert!(slow.sink.records == all.sink.records, "the same records");
        let mut wanted = all.sink.records;
        wanted.retain(|record| record.is_robots_txt);
        assert!(some.is_clean && some.sink.records == wanted);
    });
}

fn is_robots_txt(head: &RecordHead<'_>) -> bool {
    head.target_uri()
        .is_some_and(|uri| uri.raw().ends_with(b"/robots.txt"))
}

/// A record as a sink got it.
#[derive(PartialEq)]
struct Record {
    offset: u64,
    inner_offset: u64,
    is_robots_txt: bool,
    block: Vec<u8>,
}

/// A sink that keeps what it wants.
struct Records {
    wants: fn(&RecordHead<'_>) -> bool,
    records: Vec<Record>,
}

impl Records {
    fn new(wants: fn(&RecordHead<'_>) -> bool) -> Self {
        Self {
            wants,
            records: Vec::new(),
        }
    }
}

impl RecordSink for Records {
    fn wants(&self, head: &RecordHead<'_>) -> bool {
        (self.wants)(head)
    }

    fn record(&mut self, position: Position, head: &RecordHead<'_>, block: &[u8], length: u64) {
        // Lengths in ARC may be wrong by a few bytes.
        let is_wrong_by = length.abs_diff(head.content_length());
        assert!(is_wrong_by <= if begins_record(head.bytes()) { 0 } else { 10 });
        assert!(block.len() as u64 <= length);
        let place = (position.offset, position.inner_offset);
        let last = self.records.last();
        assert!(
            last.is_none_or(|last| (last.offset, last.inner_offset) < place),
            "records in order, each once"
        );
        self.records.push(Record {
            offset: position.offset,
            inner_offset: position.inner_offset,
            is_robots_txt: is_robots_txt(head),
            block: block.to_vec(),
        });
    }
}

/// What reading a file gave.
struct Contents {
    accounting: Accounting,
    sink: Records,
    /// Whether recovery was never needed.
    is_clean: bool,
}

/// The file that `data` describes. The first byte says how: as it is; or plain records that are
/// packed, cut into units at each `~`, with one byte changed where the second and third say.
fn file_of(data: &[u8]) -> Vec<u8> {
    let [packing, at @ .., change] = *data.first_chunk::<4>().unwrap_or(&[0; 4]);
    let records = data.get(4..).unwrap_or_default();
    let units = || records.split(|byte| *byte == b'~');
    let mut file: Vec<u8> = match packing {
        b'g' => units().flat_map(gzip).collect(),
        b'z' => units().flat_map(zstd).collect(),
        b's' => units().flat_map(stored).collect(),
        b'p' => records.to_vec(),
        _ => return data.to_vec(),
    };
    let at = usize::from(u16::from_le_bytes(at));
    if let Some(byte) = file.get_mut(at) {
        *byte ^= change;
    }
    file
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_at(bytes, flate2::Compression::fast())
}

fn stored(bytes: &[u8]) -> Vec<u8> {
    gzip_at(bytes, flate2::Compression::none())
}

fn gzip_at(bytes: &[u8], level: flate2::Compression) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("memory")
}

fn open(bytes: &[u8], buffers: &mut Buffers) -> Option<(Container, Input)> {
    let file = buffers
        .file
        .get_or_insert_with(|| tempfile::tempfile().expect("a temporary file"));
    file.set_len(0).expect("space");
    file.write_all_at(bytes, 0).expect("space");
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let source = Source::Path(path.into());
    let input = Input::open(&source, true, Path::new("/nonexistent")).expect("a file");
    let container = Container::detect(&input).expect("a readable file").ok()?;
    Some((container, input))
}

/// Reads a file split by split, on one thread, with recovery where a split stops.
fn read(input: &Input, container: &Container, buffers: &mut Buffers, sink: Records) -> Contents {
    let mut reading = Contents {
        accounting: Accounting::default(),
        sink,
        is_clean: true,
    };
    let mut at = Boundary::START;
    while at.offset < input.len() {
        let planned = split::plan(input, container, at).expect("a readable file");
        let progress = split::read(
            input,
            container,
            planned,
            &mut buffers.decoder,
            &mut reading.sink,
        )
        .expect("a readable file");
        reading.accounting += progress.accounting;
        let is_ahead = progress.end.offset > at.offset;
        assert!(is_ahead || progress.is_stopped, "no standstill");
        at = progress.end;
        if progress.is_stopped {
            reading.is_clean = false;
            at = recover_from(input, container, at, &mut reading);
        }
    }
    reading
}

/// Reads a file by recovery alone.
fn recover(input: &Input, container: &Container) -> Contents {
    let mut reading = Contents {
        accounting: Accounting::default(),
        sink: Records::new(|_| true),
        is_clean: false,
    };
    let mut at = Boundary::START;
    while at.offset < input.len() {
        at = recover_from(input, container, at, &mut reading);
    }
    reading
}

/// Recovers from `start` on; where splits are to go on.
fn recover_from(
    input: &Input,
    container: &Container,
    start: Boundary,
    reading: &mut Contents,
) -> Boundary {
    let mut recovery = Recovery::new(input, container, start).expect("a readable file");
    while let Some(batch) = recovery.next_batch().expect("a readable file") {
        reading.accounting += batch.accounting;
        for record in &batch.records {
            record.deliver(&mut reading.sink);
        }
    }
    assert!(recovery.end().offset > start.offset, "no standstill");
    recovery.end()
}
