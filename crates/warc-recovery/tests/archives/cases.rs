//! Cases as text: the code blocks on each page of `tests/cases`, line by line.
//!
//! The word after a fence is a [question](answer). A line of the block is a case: bytes in the
//! [notation](super::notation), `->`, and the answer. Lines without an arrow are comments.
//! With `ROBOSTAT_UPDATE=1` in the environment, the answers are written into the pages.

use std::fs;
use std::path::Path;

use warc_recovery::container::{Container, Format};
use warc_recovery::header_fields::{FieldLine, FieldLines, FieldValue};
use warc_recovery::http::{BodyIssue, Header, ResponseHead, for_each_chunk, link_target};
use warc_recovery::lookup::{self, RecordLocation};
use warc_recovery::warc::{self, Field, HeadError, RecordHead};
use warc_recovery::{RecordSyntax, arc, digest};

use crate::bodies::decode_within;
use crate::notation::{bytes, chunked, split};
use crate::read;

#[test]
fn cases_of_every_page() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for page in fs::read_dir(pages).expect("pages") {
        check(&page.expect("a page").path());
    }
}

/// Compares a page with the answers to its questions.
fn check(page: &Path) {
    let text = fs::read_to_string(page).expect("a page");
    let (mut found, mut wrong) = (String::new(), Vec::new());
    let mut question = "";
    for (number, line) in (1..).zip(text.lines()) {
        let mut answered = line.to_owned();
        if let Some(asked) = line.strip_prefix("```") {
            question = asked;
        } else if let Some((case, expected)) = line.rsplit_once("->")
            && !question.is_empty()
        {
            let answer = shown(&answer(question, &bytes(case.trim())));
            if answer != shown(&bytes(expected.trim())) {
                answered = format!("{case}-> {answer}");
                wrong.push(format!("line {number}:\n- {line}\n+ {answered}\n"));
            }
        }
        found += answered.trim_end();
        found.push('\n');
    }
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(page, found).expect("written");
    } else {
        assert!(wrong.is_empty(), "{}\n{}", page.display(), wrong.concat());
    }
}

/// Bytes in the notation of the pages.
fn shown(bytes: &[u8]) -> String {
    let text = bytes.escape_ascii().to_string();
    text.replace("\\\"", "\"").replace("\\'", "'")
}

/// The answer to a question about `input`.
fn answer(question: &str, input: &[u8]) -> Vec<u8> {
    match question {
        "archive" => archive(input),
        "record-at" => record_at(input),
        "gzip-candidate" => candidate(Format::Gzip, input),
        "plain-candidate" => candidate(Format::Plain, input),
        "field-lines" => field_lines(input),
        "warc-head" => record_head(RecordSyntax::Warc, input),
        "arc-head" => record_head(RecordSyntax::Arc, input),
        "next-warc-heads" => next_heads(RecordSyntax::Warc, input),
        "next-arc-heads" => next_heads(RecordSyntax::Arc, input),
        "date" => or_none(warc::parse_date(input).map(|time| time.to_string())),
        "record-type" => {
            let start = b"WARC/1.0\r\nContent-Length: 0\r\nWARC-Type: ".as_slice();
            let head = [start, input, b"\r\n\r\n"].concat();
            (RecordHead::parse(&head)
                .expect("a head")
                .record_type()
                .name())
            .into()
        }
        "warcinfo" => {
            let label = warc::is_part_of(input).map(|label| label.to_text().into_owned());
            joined([part("isPartOf", label)])
        }
        "filedesc" => or_none(arc::is_part_of(input).map(FieldValue::raw)),
        "http-head" => http_head(input),
        "license-link" => or_none(link_target(input, b"license")),
        "chunks" => {
            let mut data = Vec::new();
            let issues = for_each_chunk(input, |chunk| data.extend_from_slice(chunk));
            with_issues(data, issues.iter())
        }
        "body" => body(input),
        "digests" => {
            let head = RecordHead::parse(input).expect("a head");
            let block = input[head.head_length()..].strip_suffix(b"\r\n\r\n");
            verdict(&head, block.expect("line endings")).into()
        }
        "digest-of-abc" => digest_of_abc(input).into(),
        _ => panic!("unknown question: {question}"),
    }
}

fn or_none(value: Option<impl AsRef<[u8]>>) -> Vec<u8> {
    value.map_or(b"none".to_vec(), |value| value.as_ref().to_vec())
}

fn part(name: &str, value: Option<impl AsRef<[u8]>>) -> Option<Vec<u8>> {
    value.map(|value| [name.as_bytes(), b"=", value.as_ref()].concat())
}

fn joined(parts: impl IntoIterator<Item = Option<Vec<u8>>>) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = parts.into_iter().flatten().collect();
    parts.join(&b" | "[..])
}

/// The records of a file, `offset uri=block`, its damage, and the bytes skipped. Recovery alone
/// must find the same.
fn archive(bytes: &[u8]) -> Vec<u8> {
    let input = read::open(bytes, true);
    if let Err(other) = Container::detect(&input).expect("readable") {
        return other.into();
    }
    let found = read::bytes(bytes);
    assert_eq!(read::recovered(&input), found);
    let mut parts = Vec::new();
    for record in &found.records {
        let uri = record.uri.as_deref().unwrap_or_default();
        let name = format!("{} {uri}", record.position.offset);
        parts.push((record.position.offset, part(&name, Some(&record.block))));
    }
    for damage in &found.damage {
        let (offset, length) = (damage.offset, damage.length);
        let text = format!("{offset}+{length} {}", damage.kind.name());
        parts.push((offset, Some(text.into())));
    }
    parts.sort_by_key(|(offset, _)| *offset);
    let skipped = found.accounting.skipped_bytes;
    let skipped = (skipped > 0).then(|| format!("{skipped}"));
    let parts = parts.into_iter().map(|(_, part)| part);
    joined(parts.chain([part("skipped", skipped)]))
}

/// The offsets `offset+inner` of the record that a lookup by offsets finds, or why it finds none.
/// The input holds the offsets, then the file.
fn record_at(input: &[u8]) -> Vec<u8> {
    let (place, bytes) = split(input, b" | ");
    let (offset, inner_offset) = split(place, b"+");
    let number = |digits: &[u8]| FieldValue::new(digits).to_u64().expect("a number");
    let location = RecordLocation {
        offset: number(offset),
        inner_offset: number(inner_offset),
    };
    let input = read::open(bytes, false);
    match lookup::record_at(&read::container(&input), location).expect("readable") {
        Ok(record) => {
            let position = record.position;
            format!("{}+{}", position.offset, position.inner_offset).into()
        }
        Err(why) => why.into(),
    }
}

fn candidate(format: Format, bytes: &[u8]) -> Vec<u8> {
    let container = Container::new(&read::open(bytes, false), format);
    assert_eq!(container.find_candidate(bytes, bytes.len() + 40), None);
    or_none(container.find_candidate(bytes, 0).map(|at| at.to_string()))
}

/// Folded values are marked `~`, and lines that are not fields are between `?`.
fn field_lines(input: &[u8]) -> Vec<u8> {
    joined(FieldLines::new(input, 0).map(|line| match line {
        FieldLine::Field(name, value) => {
            let is_folded = value.raw().contains(&b'\n');
            let mark: &[u8] = if is_folded { b"~=" } else { b"=" };
            Some([name, mark, value.to_text().as_bytes()].concat())
        }
        FieldLine::Blank => Some(b"blank".to_vec()),
        FieldLine::Malformed(line) => Some([b"?", line, b"?"].concat()),
    }))
}

fn record_head(syntax: RecordSyntax, input: &[u8]) -> Vec<u8> {
    let head = match syntax.parse(input) {
        Ok(head) => head,
        Err(error) => return format!("{error:?}").into(),
    };
    for end in 0..head.head_length() {
        let error = syntax.parse(&input[..end]).expect_err("a part");
        assert_eq!(error, HeadError::Incomplete, "{end}");
    }
    if syntax == RecordSyntax::Arc {
        let found = syntax.find_next_head(&[b"x\n", input].concat(), 0);
        assert_eq!(found, Some(2));
    }
    let version = head.version();
    let mut parts = vec![Some(
        format!(
            "{}.{} {} {}",
            version.major,
            version.minor,
            head.record_type().name(),
            head.content_length()
        )
        .into(),
    )];
    let mut digests = head.values_of(Field::PayloadDigest.name());
    assert_eq!(digests.next(), head.get(Field::PayloadDigest));
    for &field in Field::ALL {
        let bytes = |value: Option<FieldValue<'_>>| value.map(|it| it.unfolded().into_owned());
        let number = |number: i64| number.to_string().into_bytes();
        let value = match field {
            Field::Type | Field::ContentLength => None,
            Field::Date => head.date().map(number),
            Field::TargetUri => bytes(head.target_uri()),
            Field::RecordId => bytes(head.record_id()),
            _ => bytes(head.get(field)),
        };
        parts.push(part(field.name(), value));
    }
    parts.extend(digests.map(|digest| part("also", Some(digest.raw()))));
    let protocols = head.values_of("warc-protocol");
    parts.extend(protocols.map(|protocol| part("warc-protocol", Some(protocol.raw()))));
    let rest = &input[head.head_length()..];
    parts.push((!rest.is_empty()).then(|| [b"rest=", rest].concat()));
    joined(parts)
}

fn next_heads(syntax: RecordSyntax, input: &[u8]) -> Vec<u8> {
    let next = |from: usize| syntax.find_next_head(input, from);
    assert_eq!(next(input.len() + 100), None);
    let found = std::iter::successors(next(0), |at| next(at + 1));
    let found: Vec<String> = found.map(|at| at.to_string()).collect();
    // A search from a head's start finds that head.
    for at in &found {
        let at = at.parse().expect("a number");
        assert_eq!(next(at), Some(at));
    }
    or_none((!found.is_empty()).then(|| found.join(" ")))
}

fn http_head(block: &[u8]) -> Vec<u8> {
    let head = ResponseHead::parse(block);
    let status = head.status().map(|status| status.to_string());
    let mut parts = vec![part("version", head.version()), part("status", status)];
    for &header in Header::ALL {
        let first = head.get(header);
        assert_eq!(head.get_all(header).next(), first);
        parts.push(part(header.name(), head.get_joined(header)));
        let original = head.get_original(header).filter(|it| Some(*it) != first);
        let name = format!("original {}", header.name());
        parts.push(part(&name, original.map(FieldValue::raw)));
    }
    for (name, value) in head.fields() {
        let name = String::from_utf8_lossy(name);
        let is_known = |it: &Header| name.eq_ignore_ascii_case(it.name());
        if !Header::ALL.iter().any(is_known) {
            assert!(head.values_of(&name.to_lowercase()).any(|it| it == value));
            parts.push(part(&name, Some(value.raw())));
        }
    }
    if !head.is_complete() {
        assert_eq!(head.body_offset(), block.len());
        parts.push(Some(b"incomplete".to_vec()));
    }
    let body = &block[head.body_offset()..];
    parts.push((!body.is_empty()).then(|| [b"body=", body].concat()));
    joined(parts)
}

fn with_issues(data: Vec<u8>, issues: impl IntoIterator<Item = BodyIssue>) -> Vec<u8> {
    let data = if data.is_empty() {
        b"nothing".to_vec()
    } else {
        data
    };
    let names: Vec<&str> = issues.into_iter().map(BodyIssue::name).collect();
    let names = (!names.is_empty()).then(|| names.join(", ").into());
    joined([Some(data), names])
}

/// Decodes a stored body under header fields. The same body in chunks must give the same result.
fn body(input: &[u8]) -> Vec<u8> {
    let (fields, stored) = split(input, b" |");
    let stored = stored.strip_prefix(b" ").unwrap_or_default();
    let fields = std::str::from_utf8(fields).expect("text");
    let (data, length, issues) = decode_within(fields, stored, crate::bodies::LIMITS);
    assert_eq!(data.len() as u64, length, "{fields}");
    if !fields.contains("Transfer-Encoding") && !fields.contains("Content-Length") {
        let fields = format!("{fields}\r\nTransfer-Encoding: chunked");
        for size in [1, 7, 1_000] {
            let again = decode_within(&fields, &chunked(stored, size), crate::bodies::LIMITS);
            assert_eq!(
                again,
                (data.clone(), length, issues.clone()),
                "{fields} {size}"
            );
        }
    }
    with_issues(data, issues)
}

fn verdict(head: &RecordHead<'_>, block: &[u8]) -> &'static str {
    let http = ResponseHead::parse(block);
    match digest::verify(head, block.starts_with(b"HTTP/").then_some(&http), block) {
        Some(true) => "right",
        Some(false) => "wrong",
        None => "unknown",
    }
}

/// The verdict on a claim about the bytes `abc`, with its label written in three ways.
fn digest_of_abc(claim: &[u8]) -> &'static str {
    let claim = std::str::from_utf8(claim).expect("text");
    let (label, value) = claim.split_once(':').expect("a label");
    let labels = [
        label.to_owned(),
        label.to_uppercase(),
        label.replace("sha", "SHA-"),
    ];
    let verdicts = labels.map(|label| {
        let head =
            format!("WARC/1.0\r\nContent-Length: 3\r\nWARC-Block-Digest: {label}:{value}\r\n\r\n");
        let head = RecordHead::parse(head.as_bytes()).expect("a head");
        assert_eq!(verdict(&head, b"abd"), "wrong");
        verdict(&head, b"abc")
    });
    assert!(
        verdicts.iter().all(|verdict| *verdict == verdicts[0]),
        "{verdicts:?}"
    );
    verdicts[0]
}
