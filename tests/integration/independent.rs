//! The tables agree with a count by other means: a few lines that share no code with the program.
//!
//! The bodies are from the sample crawl and, if the shared folder is next to the project, from
//! 20,000 real captures.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::tempdir;

use crate::support;
use crate::support::program;
use crate::support::warc;

const LIMIT: usize = 512_000;

/// The counts of a body.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
struct Count {
    user_agents: i64,
    allow: i64,
    disallow: i64,
    sitemaps: i64,
    grouped_rules: i64,
}

/// Counts lines the plain way: split, strip, compare.
fn count(body: &[u8]) -> Count {
    let mut count = Count::default();
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut is_in_group = false;
    for line in body.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = &line[..line.len().min(16_663)];
        let line = line.split(|byte| *byte == 0).next().unwrap_or_default();
        let line = line
            .split(|byte| *byte == b'#')
            .next()
            .unwrap_or_default()
            .trim_ascii();
        let key = if let Some(colon) = line.iter().position(|byte| *byte == b':') {
            line[..colon].trim_ascii().to_ascii_lowercase()
        } else {
            let mut words = line
                .split(|byte| matches!(byte, b' ' | b'\t'))
                .filter(|word| !word.is_empty());
            match (words.next(), words.next(), words.next()) {
                (Some(key), Some(_), None) => key.to_ascii_lowercase(),
                _ => continue,
            }
        };
        let is = |names: &[&str]| names.iter().any(|name| key.starts_with(name.as_bytes()));
        if is(&["user-agent", "useragent", "user agent"]) {
            count.user_agents += 1;
            is_in_group = true;
        } else if is(&["allow"]) {
            count.allow += 1;
            count.grouped_rules += i64::from(is_in_group);
        } else if is(&[
            "disallow",
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
        ]) {
            count.disallow += 1;
            count.grouped_rules += i64::from(is_in_group);
        } else if is(&["sitemap", "site-map"]) {
            count.sitemaps += 1;
        }
    }
    count
}

fn cut(body: &[u8]) -> &[u8] {
    if body.len() <= LIMIT {
        return body;
    }
    let end = body[..LIMIT]
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(&[], |end| &body[..=end])
}

fn batches(directory: &Path, table: &str) -> Vec<arrow_array::RecordBatch> {
    let mut batches = Vec::new();
    for (path, _) in program::parts(directory) {
        if path.starts_with(table) {
            let file = File::open(directory.join(path)).expect("a part");
            let reader = ParquetRecordBatchReaderBuilder::try_new(file)
                .expect("Parquet")
                .build()
                .expect("Parquet");
            batches.extend(reader.map(|batch| batch.expect("a batch")));
        }
    }
    batches
}

fn bigints(batch: &arrow_array::RecordBatch, column: &str) -> Vec<i64> {
    let column = batch.column_by_name(column).expect("a column");
    match column.as_primitive_opt::<Int64Type>() {
        Some(column) => column.values().to_vec(),
        None => column
            .as_primitive::<Int32Type>()
            .values()
            .iter()
            .map(|value| i64::from(*value))
            .collect(),
    }
}

/// Ingests captures of `bodies` and compares the sums over distinct files.
fn compare(bodies: &[Vec<u8>]) {
    let directory = tempdir().expect("a directory");
    let (input, out) = (
        directory.path().join("crawl.warc"),
        directory.path().join("out"),
    );
    let mut bytes = Vec::new();
    for (number, body) in bodies.iter().enumerate() {
        bytes.extend(warc::response(
            number,
            &format!("https://h{number}.example/robots.txt"),
            body,
        ));
    }
    fs::write(&input, bytes).expect("space");
    let summary = program::ingest(&[], &input, &out, 0);
    assert_eq!(program::number(&summary, "captures"), bodies.len() as u64);

    let distinct: BTreeMap<&[u8], Count> = bodies
        .iter()
        .map(|body| {
            let parsed = cut(body);
            // A body without a line end within the limit is identified by its bytes within the
            // limit.
            let known_by = match parsed {
                [] => &body[..body.len().min(LIMIT)],
                _ => parsed,
            };
            (known_by, count(parsed))
        })
        .collect();
    assert_eq!(
        program::number(&summary, "files"),
        distinct.len() as u64,
        "distinct bodies"
    );
    let rules_of: HashMap<i64, i64> = batches(&out, "policies")
        .iter()
        .flat_map(|batch| {
            bigints(batch, "policy_id")
                .into_iter()
                .zip(bigints(batch, "n_rules"))
        })
        .collect();
    let mut found = Count::default();
    for batch in batches(&out, "files") {
        let sum = |column: &str| bigints(&batch, column).iter().sum::<i64>();
        found.user_agents += sum("n_user_agent_lines");
        found.allow += sum("n_allow");
        found.disallow += sum("n_disallow");
        found.sitemaps += sum("n_sitemaps");
        found.grouped_rules += bigints(&batch, "policy_id")
            .iter()
            .map(|policy| rules_of[policy])
            .sum::<i64>();
    }
    let mut expected = Count::default();
    for count in distinct.values() {
        expected.user_agents += count.user_agents;
        expected.allow += count.allow;
        expected.disallow += count.disallow;
        expected.sitemaps += count.sitemaps;
        expected.grouped_rules += count.grouped_rules;
    }
    assert_eq!(found, expected);
}

#[test]
fn the_samples_are_counted_right() {
    let mut paths: Vec<_> = fs::read_dir(program::sample("robots"))
        .expect("samples")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    compare(
        &paths
            .iter()
            .map(|path| fs::read(path).expect("a sample"))
            .collect::<Vec<_>>(),
    );
}

#[test]
#[cfg_attr(
    not(has_real_captures),
    ignore = "no ../shared/corpus next to the repository"
)]
fn real_captures_are_counted_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/robots.jsonl.zst");
    let file = File::open(path).expect("the build script saw it");
    let mut decoder = zstd::Decoder::new(file).expect("zstd");
    decoder.window_log_max(27).expect("a window");
    let bodies = BufReader::new(decoder).lines().take(20_000).map(|line| {
        let row: serde_json::Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        support::bytes(&row, "body_base64")
    });
    compare(&bodies.collect::<Vec<_>>());
}
