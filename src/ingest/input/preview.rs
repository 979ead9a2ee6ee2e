//! A preview of an input that is not ingested: what it is, and its first rows as they are read.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::content::Content;
use super::planned::{InputPlace, PlannedInput};
use crate::ingest::corpus::{Column, CorpusOptions, Row};

const ROWS: usize = 3;

#[derive(Debug, Default)]
pub struct Preview {
    /// What it is, or why it is not read.
    pub content: String,
    pub is_readable: bool,
    /// The columns of a table, each with its content if that is used.
    pub columns: Vec<(String, Option<Column>)>,
    /// Its first rows, a line each.
    pub rows: Vec<String>,
}

pub fn of(planned: &PlannedInput, options: &CorpusOptions) -> io::Result<Preview> {
    let without_rows = |content: String, is_readable: bool| Preview {
        content,
        is_readable,
        ..Preview::default()
    };
    let with_records = |content: String| match &planned.indexed {
        Some(indexed) => format!("{content}, records: {}", indexed.records()),
        None => content,
    };
    match &planned.place {
        InputPlace::Nowhere(reason) => return Ok(without_rows(reason.clone(), false)),
        InputPlace::Index(wrong) => {
            let messages = wrong.iter().map(|it| it.message.clone());
            return Ok(Preview {
                content: format!("an index; unusable rows: {}", wrong.len()),
                rows: messages.take(ROWS).collect(),
                ..Preview::default()
            });
        }
        InputPlace::Network(_) => {
            return Ok(without_rows(with_records("to be fetched".to_owned()), true));
        }
        InputPlace::Standard | InputPlace::File | InputPlace::Folder(_) => {}
    }
    let input = Arc::new(planned.open(None, false, &std::env::temp_dir())?);
    let mut corpus = match Content::of(&input, &planned.path.to_string_lossy(), options)? {
        Content::Archive(archive) => {
            let content = match &archive.parts[..] {
                [part] if part.bytes() == input.len() => {
                    let (syntax, format) = (part.container.syntax, part.container.format);
                    format!("{}, {}", syntax.name(), format.name())
                }
                parts => format!("{} with archives: {}", archive.name.name(), parts.len()),
            };
            return Ok(without_rows(with_records(content), true));
        }
        Content::Unknown(message) | Content::Missing(message) => {
            return Ok(without_rows(message, false));
        }
        Content::Index(_) => return Ok(Preview::default()),
        Content::Corpus(corpus) => corpus,
    };
    if let InputPlace::Folder(folder) = &planned.place {
        corpus.folder = Some(Arc::clone(folder));
    }
    let mut rows = Vec::new();
    let mut reader = corpus.reader(&input);
    while rows.len() < ROWS
        && let Some(batch) = reader.next_batch(&AtomicBool::new(false))?
    {
        rows.extend(batch.rows.into_iter().take(ROWS).map(|row| match row {
            Row::Fetch(place, fetch) => format!("{}: {fetch}", place.name),
            Row::Lost(damage) => damage.message,
        }));
    }
    rows.truncate(ROWS);
    Ok(Preview {
        content: corpus.name().name().to_owned(),
        is_readable: true,
        columns: corpus.names,
        rows,
    })
}
