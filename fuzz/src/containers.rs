//! Whole archive files, intact and damaged.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use robostat::dataset::known::Known;
use robostat::ingest::capture::Subset;
use robostat::ingest::collector::{Collector, Options, Scratch};
use robostat::ingest::tally::Tally;
use warc_recovery::container::{Container, UnitDecoder};
use warc_recovery::input::{Input, Source};
use warc_recovery::recovery::Recovery;
use warc_recovery::split;

const OPTIONS: Options = Options {
    limit: 512_000,
    max_sitemaps: 10,
    keep_bodies: false,
    verify_digests: false,
};

#[derive(Default)]
struct Tools {
    /// A file without a name.
    file: Option<File>,
    scratch: Scratch,
    decoder: UnitDecoder,
}

thread_local! {
    static TOOLS: RefCell<Tools> = RefCell::default();
}

/// Records, damaged stretches and skipped bytes add up to the file's size, whatever the file; and
/// where extents read a file without complaint, recovery reads the same records from it.
pub fn every_byte_is_accounted_for(data: &[u8]) {
    let bytes = file_of(data);
    TOOLS.with_borrow_mut(|tools| {
        let Some((container, input)) = open(&bytes, tools) else {
            return;
        };
        let (all, is_clean) = read(&input, &container, tools);
        assert_eq!(all.accounting.bytes(), bytes.len() as u64, "{all:?}");
        assert!(
            all.accounting.damaged_records > 0 || all.accounting.damaged_bytes == 0,
            "{all:?}"
        );
        if is_clean {
            let slow = recover(&input, &container);
            assert_eq!(slow.accounting.records, all.accounting.records);
            assert_eq!(slow.accounting.damaged_records, 0);
            assert_eq!(slow.accounting.bytes(), bytes.len() as u64);
        }
    });
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

fn open(bytes: &[u8], tools: &mut Tools) -> Option<(Container, Input)> {
    let file = tools
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

/// Reads a file as the pipeline does, on one thread; whether recovery was never needed.
fn read(input: &Input, container: &Container, tools: &mut Tools) -> (Tally, bool) {
    let known = Known::default();
    let mut tally = Tally::default();
    let (mut at, mut is_clean) = (0, true);
    while at < input.len() {
        let planned = split::plan(input, container, at).expect("a readable file");
        let mut collector =
            Collector::new("x", Subset::RobotsTxt, &OPTIONS, &known, &mut tools.scratch);
        let progress = split::read(
            input,
            container,
            planned,
            &mut tools.decoder,
            &mut collector,
        )
        .expect("a readable file");
        tally += &collector.tally;
        tally.accounting += progress.accounting;
        collector.finish().unwrap_or_else(|_| panic!("a collision"));
        assert!(progress.end > at || progress.is_stopped, "no standstill");
        at = progress.end;
        if progress.is_stopped {
            is_clean = false;
            let (stretch, end) = recover_from(input, container, at);
            tally += &stretch;
            at = end;
        }
    }
    (tally, is_clean)
}

/// Reads a file by recovery alone.
fn recover(input: &Input, container: &Container) -> Tally {
    let mut tally = Tally::default();
    let mut at = 0;
    while at < input.len() {
        let (stretch, end) = recover_from(input, container, at);
        tally += &stretch;
        at = end;
    }
    tally
}

fn recover_from(input: &Input, container: &Container, start: u64) -> (Tally, u64) {
    let mut tally = Tally::default();
    let mut recovery = Recovery::new(input, container, start);
    let mut last = None;
    while let Some(batch) = recovery.next_batch().expect("a readable file") {
        tally.accounting += batch.accounting;
        for record in &batch.records {
            let place = Some((record.offset, record.inner_offset));
            assert!(last < place, "records in order, each once");
            last = place;
        }
    }
    assert!(recovery.end() > start, "no standstill");
    (tally, recovery.end())
}
