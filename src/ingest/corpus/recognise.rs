//! Recognising a corpus by its first bytes.

use std::io;
use std::sync::Arc;

use memchr::memchr;
use warc_recovery::arc;
use warc_recovery::container::Format as Packing;
use warc_recovery::input::Input;
use warc_recovery::warc::begins_record;

use super::columns::{Column, Columns};
use super::delimited::{Separators, line_end};
use super::format::{Corpus, CorpusFormat};
use super::options::CorpusOptions;
use super::parquet_file::ParquetFile;
use super::window::Window;
use super::{delimited, json_lines, parquet, parquet_file, tar};
use crate::byte_order_mark::without_bom;
use crate::ingest::input::zip::{self, Member};

const SNIFF_BYTES: usize = 1024 * 1024;
/// Bytes by which anything but JSON Lines is recognised.
const BEGINNING: usize = 64 * 1024;
const LINES: usize = 100;
/// Bytes that may separate fields, in the order in which they are tried.
const DELIMITERS: [u8; 4] = [b'\t', b',', b';', b'|'];

/// The corpus in `input`, whose file is called `name`; `None` if it is an archive or is not
/// recognised. The inner error is why a corpus cannot be read.
pub(crate) fn recognise(
    input: &Arc<Input>,
    name: &str,
    options: &CorpusOptions,
) -> io::Result<Option<Result<Corpus, String>>> {
    let start = input.read(0, 4)?;
    if *start == *parquet_file::MAGIC {
        return Ok(Some(open_parquet(input, options)));
    }
    if zip::begins(&start) {
        let members = zip::members(input);
        return Ok(Some(members.and_then(|it| recognise_zip(it, options))));
    }
    let packing = Window::packing(&start);
    let mut window = Window::new(Arc::clone(input), packing);
    window.fill(BEGINNING)?;
    if begins_archive(window.bytes()) {
        return Ok(None);
    }
    if tar::begins(window.bytes()) {
        let corpus = Corpus::new(CorpusFormat::Tar, packing, options, Vec::new());
        return Ok(Some(Ok(corpus)));
    }
    let trimmed = without_bom(window.bytes()).trim_ascii_start();
    if trimmed.starts_with(b"{") {
        window.fill(SNIFF_BYTES)?;
    }
    let (start, extension) = (without_bom(window.bytes()), extension(name));
    let table = json(start, window.is_ended, &extension, &options.columns)
        .or_else(|| delimited(start, &extension, &options.columns));
    let corpus = |(format, names)| Corpus::new(format, packing, options, names);
    Ok(table.map(|table| table.map(corpus)))
}

/// Whether `start`, the unpacked start of a file, begins a WARC or ARC file.
pub(crate) fn begins_archive(start: &[u8]) -> bool {
    begins_record(start) || arc::begins_file(start)
}

/// The extension that shows what a file contains, in lower case.
pub(crate) fn extension(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = [".gz", ".zst", ".zstd"]
        .iter()
        .find_map(|packed| name.strip_suffix(packed))
        .unwrap_or(&name);
    name.rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_owned()
}

/// The files of hosts among the members of a zip file; or what the file is, if it is not a corpus.
pub(crate) fn recognise_zip(
    members: Vec<Member>,
    options: &CorpusOptions,
) -> Result<Corpus, String> {
    if members.iter().any(|it| it.name == "[Content_Types].xml") {
        return Err("an Office document, such as xlsx: save the table as CSV first".to_owned());
    }
    let format = CorpusFormat::Zip(Arc::new(members));
    Ok(Corpus::new(format, Packing::Plain, options, Vec::new()))
}

/// Whether a file of this name may be a table of fetches, or hold files of hosts.
pub(crate) fn is_named_as_table(name: &str) -> bool {
    let name = &name.to_ascii_lowercase().replace(".tgz", ".tar.gz");
    let extensions = [
        "jsonl", "ndjson", "jl", "csv", "tsv", "tab", "parquet", "pq", "tar", "zip",
    ];
    extensions.contains(&&*extension(name))
}

/// The format of a table and the names of its columns, or why it cannot be read.
type Table = Result<(CorpusFormat, Vec<String>), String>;

fn json(start: &[u8], is_whole: bool, extension: &str, columns: &Columns) -> Option<Table> {
    let text = start.trim_ascii_start();
    let is_named = matches!(extension, "jsonl" | "ndjson" | "json" | "jl");
    if text.starts_with(b"[") && is_named {
        return Some(Err(
            "a JSON array: make it JSON Lines first, one object per line (jq -c '.[]')".to_owned(),
        ));
    }
    if !text.starts_with(b"{") {
        return None;
    }
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut found: Vec<String> = Vec::new();
    let mut resolved = None;
    for names in lines.take(LINES).filter_map(json_lines::names) {
        for name in &names {
            if !found.contains(name) {
                found.push(name.clone());
            }
        }
        // Each line is read by its own names. If one line is a fetch, the file is read as fetches.
        if !matches!(resolved, Some(Ok(_))) {
            resolved = Some(columns.resolve(&names, &found));
        }
    }
    // If no line is an object, the first line may be longer than the sample.
    let is_cut = !is_whole && memchr(b'\n', text).is_none();
    Some(match resolved {
        Some(Err(message)) => Err(format!("JSON Lines: {message}")),
        None if !is_cut && text[1..].trim_ascii_start().starts_with(b"\"") => {
            Err("JSON, but not one object per line: make it JSON Lines first (jq -c .)".to_owned())
        }
        None if !is_cut => return None,
        _ => Ok((CorpusFormat::JsonLines, found)),
    })
}

fn delimited(start: &[u8], extension: &str, columns: &Columns) -> Option<Table> {
    let separators = DELIMITERS.map(|delimiter| Separators {
        delimiter,
        line_end: line_end(start),
    });
    let names = |separators| Some((separators, delimited::names(start, separators)?));
    let mut tables: Vec<_> = separators.into_iter().filter_map(names).collect();
    // The delimiter that gives the most columns comes first.
    tables.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let mut mistake = None;
    for (separators, names) in tables {
        match columns.resolve(&names, &names) {
            Ok(places) => return Some(Ok((CorpusFormat::Delimited(separators, places), names))),
            Err(message) => mistake = mistake.or(Some(message)),
        }
    }
    let is_named = matches!(extension, "csv" | "tsv" | "tab");
    let is_text = memchr(0, start).is_none() && !start.is_empty();
    let message = mistake.filter(|_| is_named && is_text)?;
    Some(Err(format!("a table: {message}")))
}

fn open_parquet(input: &Arc<Input>, options: &CorpusOptions) -> Result<Corpus, String> {
    let file = ParquetFile::open(input)?;
    let fields = file.fields();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let places = (options.columns.resolve(&names, &names))
        .map_err(|message| format!("a table: {message}"))?;
    for (column, place) in Column::ALL.into_iter().zip(places) {
        if let Some(field) = place.map(|place| &fields[place])
            && !parquet::can_hold(column, field.data_type())
        {
            return Err(format!(
                "a table: the column {} is of the type {}, which cannot be read as {}",
                field.name(),
                field.data_type(),
                column.name()
            ));
        }
    }
    let wanted: Vec<usize> = places.into_iter().flatten().collect();
    file.check_compression(&wanted)?;
    let format = CorpusFormat::Parquet(file, places);
    Ok(Corpus::new(format, Packing::Plain, options, names))
}
