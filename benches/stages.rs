//! One benchmark per stage of an ingest, on a made-up crawl of 2,000 captures.
//!
//! ```text
//! cargo bench --bench stages            # all of them
//! cargo bench --bench stages -- parse   # one
//! ```

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use robostat::internals::{
    Capture, Collector, CollectorOptions, Dataset, InputName, KnownRows, Pages, Settings,
    SplitRows, Subset,
};
use robostat::threads;
use robots_dialects::dialect::Dialect;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::path::UrlPath;
use warc_recovery::container::{Boundary, Container, Format, Unit, UnitDecoder};
use warc_recovery::http::ResponseHead;
use warc_recovery::input::{Input, Source};
use warc_recovery::sink::{Position, RecordSink as _};
use warc_recovery::split;
use warc_recovery::warc::{RecordHead, RecordType};

const CAPTURES: u64 = 2_000;
const LIMIT: usize = 512_000;
const SETTINGS: Settings = Settings {
    limit: LIMIT,
    max_sitemaps: 1_000,
    keep_bodies: false,
};

type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// The same crawl at every stage.
struct Crawl {
    records: Vec<Vec<u8>>,
    /// The records as gzip members, in a file.
    input: Input,
    container: Container,
    /// Distinct bodies of robots.txt files.
    bodies: Vec<Vec<u8>>,
}

impl Crawl {
    fn make(folder: &Path) -> Self {
        let path = folder.join("crawl.warc.gz");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/make_crawl.py");
        let made = Command::new("python3")
            .args([script, "--captures", &CAPTURES.to_string()])
            .arg(&path)
            .status();
        assert!(made.expect("python3").success(), "{script}");
        let input = Input::open(&Source::Path(path), true, folder).expect("the file");
        let container = Container::detect(&input)
            .expect("readable")
            .expect("a WARC file");
        let mut records = Vec::new();
        decode(&input, |record| records.push(record.to_vec()));
        let mut bodies: Vec<Vec<u8>> = responses(&records)
            .filter_map(|(head, block)| {
                let mut buffers = Vec::new();
                let length = block.len() as u64;
                let subset = Subset::RobotsTxt;
                let capture = Capture::read(&head, block, length, subset, LIMIT, &mut buffers)?;
                capture.robots_body().map(<[u8]>::to_vec)
            })
            .collect();
        bodies.sort_unstable();
        bodies.dedup();
        Self {
            records,
            input,
            container,
            bodies,
        }
    }
}

/// Decodes the gzip members of a file, which have a record each.
fn decode(input: &Input, mut record: impl FnMut(&[u8])) {
    let bytes = input.read(0, usize::MAX).expect("readable");
    let (mut decoder, mut at) = (UnitDecoder::default(), 0);
    while let Unit::Data { data, length } = decoder.decode(Format::Gzip, None, &bytes[at..]) {
        record(data);
        at += length;
    }
}

/// The response records: head and block.
fn responses(records: &[Vec<u8>]) -> impl Iterator<Item = (RecordHead<'_>, &[u8])> {
    records
        .iter()
        .filter_map(|record| {
            let head = RecordHead::parse(record).ok()?;
            let start = head.head_length();
            let length = usize::try_from(head.content_length()).ok()?;
            let block = record.get(start..start.checked_add(length)?)?;
            Some((head, block))
        })
        .filter(|(head, _)| head.record_type() == RecordType::Response)
}

/// The rows of the whole crawl.
fn collect(crawl: &Crawl) -> SplitRows {
    let options = CollectorOptions {
        settings: SETTINGS,
        verify_digests: false,
        pages: Pages::No,
        links: false,
    };
    let name = InputName {
        id: 0,
        name: "bench",
    };
    let known = KnownRows::default();
    let mut collector = Collector::new(name, Subset::RobotsTxt, &options, &known);
    for (head, block) in responses(&crawl.records) {
        let position = Position {
            offset: 0,
            inner_offset: 0,
            length: None,
        };
        collector.record(position, &head, block, block.len() as u64);
    }
    collector
        .finish()
        .unwrap_or_else(|_| unreachable!("ids of a small crawl do not collide"))
}

/// The stages from the file to the response.
fn reading(crawl: &Crawl, group: &mut Group<'_>) {
    group.throughput(Throughput::Bytes(crawl.input.len()));
    group.bench_function("boundaries", |bencher| {
        bencher.iter(|| {
            let mut at = Boundary::default();
            while at.offset < crawl.input.len() {
                let split = split::plan(&crawl.container, at).expect("readable");
                at = black_box(split).end;
            }
        });
    });
    group.throughput(bytes_of(&crawl.records));
    group.bench_function("inflate", |bencher| {
        bencher.iter(|| {
            decode(&crawl.input, |record| {
                black_box(record);
            });
        });
    });
    group.throughput(Throughput::Elements(crawl.records.len() as u64));
    group.bench_function("WARC head", |bencher| {
        bencher.iter(|| {
            for record in &crawl.records {
                let _ = black_box(RecordHead::parse(record));
            }
        });
    });
    let blocks: Vec<&[u8]> = responses(&crawl.records).map(|(_, block)| block).collect();
    group.throughput(Throughput::Elements(blocks.len() as u64));
    group.bench_function("HTTP head", |bencher| {
        bencher.iter(|| {
            for block in &blocks {
                black_box(ResponseHead::parse(block));
            }
        });
    });
}

/// The stages from the body to the rule set.
fn understanding(crawl: &Crawl, group: &mut Group<'_>) {
    group.throughput(bytes_of(&crawl.bodies));
    group.bench_function("hash", |bencher| {
        bencher.iter(|| {
            for body in &crawl.bodies {
                black_box(Id::of(body));
            }
        });
    });
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            for body in &crawl.bodies {
                black_box(Document::read(body, 1_000));
            }
        });
    });
    group.bench_function("policy", |bencher| {
        bencher.iter(|| {
            for body in &crawl.bodies {
                let document = Document::read(body, 0);
                black_box(Id::of(&document.canonical_form()));
            }
        });
    });
    let rulesets: Vec<_> = crawl
        .bodies
        .iter()
        .map(|body| Dialect::Rfc9309.compile(body))
        .collect();
    let path = UrlPath::new(b"/wp-admin/options.php?page=1");
    group.throughput(Throughput::Elements(rulesets.len() as u64));
    group.bench_function("match", |bencher| {
        bencher.iter(|| {
            for ruleset in &rulesets {
                black_box(ruleset.verdict(b"examplebot", &path));
            }
        });
    });
}

/// The stages from the rule set to the dataset.
fn writing(crawl: &Crawl, folder: &Path, group: &mut Group<'_>) {
    group.throughput(Throughput::Elements(CAPTURES));
    group.bench_function("table building", |bencher| {
        bencher.iter(|| black_box(collect(crawl)));
    });
    let batches = collect(crawl).batches;
    let out = folder.join("out");
    let pool = threads::pool(threads::available()).expect("threads");
    group.bench_function("Parquet", |bencher| {
        bencher.iter(|| {
            let _ = fs::remove_dir_all(&out);
            let pool = Arc::clone(&pool);
            let mut dataset = Dataset::open(&out, SETTINGS, None, pool).expect("a new dataset");
            dataset.push("bench", &batches).expect("disk");
            dataset.commit(None).expect("disk");
        });
    });
}

fn stages(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let crawl = Crawl::make(folder.path());
    let mut group = criterion.benchmark_group("stages");
    group.sample_size(20);
    reading(&crawl, &mut group);
    understanding(&crawl, &mut group);
    writing(&crawl, folder.path(), &mut group);
    group.finish();
}

/// The bytes of `all`, for rates.
fn bytes_of(all: &[Vec<u8>]) -> Throughput {
    Throughput::Bytes(all.iter().map(|one| one.len() as u64).sum())
}

criterion_group!(benches, stages);
criterion_main!(benches);
