//! Archives and robots.txt files that were written to exhaust their readers: memory and time stay
//! bounded, and each bomb is reported as one remark or one row of damage.
//!
//! The program runs with 1 GiB of address space, a minute of processor time and two workers. The
//! bombs have some hundred megabytes; with `ROBOSTAT_SWEEP=1` (and `--release`) gigabytes.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::program::{number, numbers, text};
use crate::support::warc::{Packing, response};

/// Address space of the program, KiB: mapped input and stacks of threads included.
const ADDRESS_SPACE_KIB: u32 = 1024 * 1024;
/// Seconds of processor time that any one bomb may take, in a debug build; a tenth of it is usual.
const CPU_SECONDS: u32 = 60;
/// A block of zstd data decodes to at most this many bytes (RFC 8878 §3.1.1.2).
const BLOCK_BYTES: usize = 128 * 1024;

fn megabytes() -> usize {
    if std::env::var_os("ROBOSTAT_SWEEP").is_some() {
        4096
    } else {
        256
    }
}

/// Ingests a file under the bounds; returns its summary and standard error.
#[track_caller]
fn ingest(path: &Path, code: i32) -> (Value, String) {
    let out = path.with_extension("out");
    let output = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {ADDRESS_SPACE_KIB}; ulimit -t {CPU_SECONDS}; exec \"$@\""),
        ])
        .args(["sh", env!("CARGO_BIN_EXE_robostat"), "ingest", "--json"])
        .args(["--jobs", "2", "--subset", "robotstxt"])
        .args([path, out.as_path()])
        .output()
        .expect("a program");
    assert_eq!(
        output.status.code(),
        Some(code),
        "{:?} {}",
        output.status,
        text(&output)
    );
    let summary: Value = serde_json::from_slice(&output.stdout).expect("a summary");
    let bytes = number(&summary, "record_bytes")
        + number(&summary, "damaged_bytes")
        + number(&summary, "bytes_skipped");
    assert_eq!(bytes, path.metadata().expect("a file").len());
    (summary, text(&output))
}

/// The captures and damaged records of a file of these bytes.
#[track_caller]
fn counts(bytes: &[u8], code: i32) -> [u64; 2] {
    numbers(
        &ingest_bytes(bytes, code).0,
        ["captures", "damaged_records"],
    )
}

#[track_caller]
fn ingest_bytes(bytes: &[u8], code: i32) -> (Value, String) {
    let directory = tempdir().expect("a directory");
    let path = directory.path().join("bomb");
    std::fs::write(&path, bytes).expect("space");
    ingest(&path, code)
}

/// Ingests an archive of one body; returns the summary and the seconds that it took.
#[track_caller]
fn ingest_body(body: &[u8]) -> (Value, f64) {
    let record = response(0, "http://a.example/robots.txt", body);
    let begun = Instant::now();
    let (summary, _) = ingest_bytes(&Packing::ZstdPerRecord.pack(&[record]), 0);
    assert_eq!(number(&summary, "captures"), 1);
    (summary, begun.elapsed().as_secs_f64())
}

fn good(number: usize) -> Vec<u8> {
    let url = format!("http://h{number}.example/robots.txt");
    response(number, &url, b"User-agent: *\nDisallow: /\n")
}

/// A zstd frame that holds `start`, then `times` blocks of one byte repeated, then `end`.
/// `window` is the window descriptor: exponent in the high five bits, from 1 KiB.
fn frame(window: u8, start: &[u8], byte: u8, times: usize, end: &[u8]) -> Vec<u8> {
    const RAW: usize = 0;
    const REPEATED: usize = 1;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, window];
    let mut block = |kind: usize, size: usize, is_last: bool, content: &[u8]| {
        let head = usize::from(is_last) | kind << 1 | size << 3;
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(content);
    };
    for piece in start.chunks(BLOCK_BYTES) {
        block(RAW, piece.len(), false, piece);
    }
    for _ in 0..times {
        block(REPEATED, BLOCK_BYTES, false, &[byte]);
    }
    block(RAW, end.len(), true, end);
    frame
}

/// 100,000,000 zeros in brotli.
const BROTLI_BOMB: &[u8] = include_bytes!("../../crates/warc-recovery/tests/zeros.br");

/// Window of 8 MiB, more than a block.
const USUAL_WINDOW: u8 = 13 << 3;

/// A record's head whose block has `length` bytes.
fn head(length: usize) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:b>\r\n\
         WARC-Date: 2026-08-01T00:00:00Z\r\n\
         WARC-Target-URI: http://b.example/robots.txt\r\nContent-Type: application/http\r\n\
         Content-Length: {length}\r\n\r\n"
    )
    .into_bytes()
}

/// A zstd record whose block begins with `start` and continues with `byte`, many times.
fn giant(window: u8, start: &[u8], byte: u8) -> Vec<u8> {
    let times = megabytes() * 8;
    let start_and_head = [head(start.len() + times * BLOCK_BYTES).as_slice(), start].concat();
    frame(window, &start_and_head, byte, times, b"\r\n\r\n")
}

fn between_good_ones(bomb: Vec<u8>) -> Vec<u8> {
    let pack = |number| Packing::ZstdPerRecord.pack(&[good(number)]);
    [pack(1), bomb, pack(2)].concat()
}

#[test]
fn a_frame_of_gigabytes_is_a_record_like_any_other() {
    let line = giant(USUAL_WINDOW, b"HTTP/1.1 200 OK\r\n\r\nUser-agent: ", b'a');
    let expected = [3, 0];
    assert_eq!(
        counts(&between_good_ones(line), 0),
        expected,
        "a body's line"
    );
    let head = giant(USUAL_WINDOW, b"HTTP/1.1 200 OK\r\nX: ", b'a');
    assert_eq!(counts(&between_good_ones(head), 0), expected, "a head's");
    let groups = giant(USUAL_WINDOW, b"HTTP/1.1 200 OK\r\n\r\n", b'\n');
    assert_eq!(
        counts(&between_good_ones(groups), 0),
        expected,
        "empty lines"
    );
}

#[test]
fn a_frame_of_gigabytes_without_a_record_is_one_row_of_damage() {
    let noise = frame(USUAL_WINDOW, b"", b'a', megabytes() * 8, b"");
    assert_eq!(counts(&between_good_ones(noise), 3), [2, 1]);
}

#[test]
fn a_frame_of_gigabytes_of_nuls_is_padding() {
    let zeros = frame(USUAL_WINDOW, b"", 0, megabytes() * 8, b"");
    assert_eq!(counts(&between_good_ones(zeros), 0), [2, 0]);
}

#[test]
fn a_record_head_of_gigabytes_is_damage() {
    let start = b"WARC/1.0\r\nWARC-Type: response\r\nX: ";
    let line = frame(USUAL_WINDOW, start, b'a', megabytes() * 8, b"\r\n\r\n");
    assert_eq!(counts(&between_good_ones(line), 3), [2, 1]);
}

#[test]
fn a_member_of_gigabytes_is_read_in_steps() {
    let zeros = vec![0; 1024 * 1024];
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let megabytes = megabytes() / 8;
    encoder
        .write_all(&head(megabytes * zeros.len()))
        .expect("memory");
    for _ in 0..megabytes {
        encoder.write_all(&zeros).expect("memory");
    }
    encoder.write_all(b"\r\n\r\n").expect("memory");
    let bomb = encoder.finish().expect("memory");
    let pack = |number| Packing::GzipPerRecord.pack(&[good(number)]);
    let (summary, _) = ingest_bytes(&[pack(1), bomb, pack(2)].concat(), 0);
    assert_eq!(number(&summary, "captures"), 3);
}

#[test]
fn a_window_of_two_gigabytes_is_refused() {
    let window = (31 - 10) << 3;
    let bomb = giant(window, b"HTTP/1.1 200 OK\r\n\r\n", b'a');
    assert_eq!(counts(&between_good_ones(bomb), 3), [2, 1]);
}

#[test]
fn a_dictionary_of_a_gigabyte_is_refused() {
    const MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
    let directory = tempdir().expect("a directory");
    // The length is claimed and present, as a hole in the file.
    let path = directory.path().join("long");
    let mut file = File::create(&path).expect("a file");
    file.write_all(&[MAGIC, (1u32 << 30).to_le_bytes()].concat())
        .and_then(|()| file.set_len(8 + (1 << 29)))
        .expect("a long file");
    let (summary, errors) = ingest(&path, 3);
    assert_eq!(number(&summary, "damaged_records"), 1);
    assert!(errors.contains("over the limit"), "{errors}");
    // Compressed.
    let packed = frame(USUAL_WINDOW, b"", 0, megabytes() * 8, b"");
    let length = u32::try_from(packed.len()).expect("a short frame");
    let bytes = [&MAGIC[..], &length.to_le_bytes(), &packed].concat();
    let (summary, errors) = ingest_bytes(&bytes, 3);
    assert_eq!(number(&summary, "damaged_records"), 1);
    assert!(errors.contains("does not decode"), "{errors}");
}

#[test]
fn bodies_that_unpack_to_gigabytes_are_cut_off() {
    for (coding, body) in [
        ("zstd", frame(USUAL_WINDOW, b"", b'a', megabytes() * 8, b"")),
        ("br", BROTLI_BOMB.to_vec()),
        ("br, br", BROTLI_BOMB.to_vec()),
    ] {
        let block = [
            format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes(),
            body,
        ]
        .concat();
        let record = [head(block.len()).as_slice(), &block, b"\r\n\r\n"].concat();
        let (summary, _) = ingest_bytes(&record, 0);
        assert_eq!(number(&summary, "captures"), 1, "{coding}");
    }
}

#[test]
fn a_million_chunks_and_ten_million_groups_are_read_up_to_the_limit() {
    let chunks = b"1\r\na\r\n".repeat(1_000_000);
    let block = [
        &b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"[..],
        &chunks,
        b"0\r\n\r\n",
    ]
    .concat();
    let record = [head(block.len()).as_slice(), &block, b"\r\n\r\n"].concat();
    let (summary, _) = ingest_bytes(&Packing::ZstdPerRecord.pack(&[record]), 0);
    assert_eq!(number(&summary, "captures"), 1);

    let group = b"User-agent:a\nAllow:/\n";
    let times = megabytes() * 40_000;
    let body = group.repeat(times / 10);
    let (summary, _) = ingest_body(&body);
    assert_eq!(
        number(&summary["rows"], "groups"),
        512_000u64.div_ceil(group.len() as u64)
    );
}

#[test]
fn long_lines_cost_no_more_than_short_ones() {
    for (body, rules) in [
        (
            format!("User-agent: {}\nDisallow: /\n", "a".repeat(500_000)),
            1,
        ),
        (
            format!("User-agent: *\nDisallow: {}\n", "*".repeat(500_000)),
            1,
        ),
        (
            format!("User-agent: *\nDisallow: /{}$\n", "*a".repeat(250_000)),
            1,
        ),
        (
            format!("User-agent: *\nDisallow: {}\n", "[".repeat(500_000)),
            1,
        ),
    ] {
        let (summary, _) = ingest_body(body.as_bytes());
        assert_eq!(number(&summary["rows"], "rules"), rules);
        // The line is longer than the part of a line that is read, which is one remark at least.
        assert!(number(&summary["rows"], "remarks") >= 1);
    }
}

/// Rule sets in which a column of `agents` would take time quadratic in the file, or worse.
#[test]
fn hostile_rule_sets_take_bounded_work() {
    let name = |number: usize| -> String {
        let letter = |shift: usize| char::from(b"abcdefghijklmnop"[number >> shift & 15]);
        [12, 8, 4, 0].map(letter).iter().collect()
    };
    // Every agent has a group of its own and shares a second group with all: as many different sets
    // of rules as agents, all of them long.
    let shared = |n_agents: usize, rule: &dyn Fn(usize) -> String| {
        let mut body = String::new();
        for number in 0..n_agents {
            let _ = writeln!(body, "useragent:{}", name(number));
        }
        let mut rules = String::new();
        let mut number = 0;
        while body.len() + rules.len() + n_agents * 35 < 500_000 {
            rules += &rule(number);
            number += 1;
        }
        body += &rules;
        for number in 0..n_agents {
            let _ = write!(body, "useragent:{}\nallow:/{number}\n", name(number));
        }
        body
    };
    let alternating = |number: usize, path: &str| {
        let key = ["disallow", "allow"][number % 2];
        format!("{key}:{path}\n")
    };
    let subsequence = |number: usize| {
        let mut path = "*".to_owned();
        for bit in 0..10 {
            path += ["a*", "b*"][number >> bit & 1];
        }
        path
    };
    let bodies = [
        (
            "short rules",
            shared(5_000, &|number| alternating(number, "/")),
        ),
        (
            "covered rules",
            shared(3_000, &|number| {
                alternating(number, &format!("/{}*$", number / 2))
            }),
        ),
        (
            "subsequences",
            shared(2_000, &|number| {
                alternating(number, &subsequence(number / 2))
            }),
        ),
        (
            "one agent of subsequences",
            shared(1, &|number| alternating(number, &subsequence(number / 2))),
        ),
        (
            "names within names",
            (0..30)
                .map(|number| {
                    format!(
                        "user-agent:{}b{}\n",
                        "a".repeat(8_000),
                        "a".repeat(8_000 + number)
                    )
                })
                .chain(["disallow:/\n".to_owned()])
                .collect(),
        ),
        (
            "index pages",
            shared(2_000, &|number| {
                alternating(number, &format!("/{number}/index.htm"))
            }),
        ),
        (
            "groups without rules",
            (0..20_000).fold(String::new(), |body, number| {
                body + "useragent:" + &name(number % 5_000) + "\nx:\n"
            }),
        ),
        (
            "keys that are nearly known",
            "disalllow:/\ncrawl-dellay:1\nuser-agennt:a\n".repeat(12_000),
        ),
    ];
    for (what, body) in bodies {
        let (summary, seconds) = ingest_body(body.as_bytes());
        println!(
            "{what}: {seconds:.2} s, {} agents, {} rules",
            summary["rows"]["agents"], summary["rows"]["rules"]
        );
    }
}

/// Heads in the lines of heads without an end: trying each would take quadratic time.
#[test]
fn heads_within_heads_take_linear_time() {
    for line in [
        &b"x: yWARC/1.0\r\nWARC-Type: response\r\n"[..],
        b"x: yWARC/1.0\r\nContent-Length: many\r\n",
    ] {
        let many = line.repeat(1_500_000 / line.len());
        let bytes = [b"WARC/1.0\r\n", &many[..], b"\r\n", &good(1)].concat();
        let (summary, _) = ingest_bytes(&bytes, 3);
        assert_eq!(number(&summary, "captures"), 1);
        assert!(number(&summary, "damaged_records") < 20);
    }
}

/// Members that add a byte to a record, or nothing.
#[test]
fn many_tiny_members_take_linear_time() {
    let pack = |bytes: &[u8]| Packing::GzipWhole.pack(&[bytes.to_vec()]);
    let begin = head(3_000_000);
    for content in [&b""[..], b"x"] {
        let tiny = pack(content).repeat(megabytes() * 100);
        let bytes = [pack(&begin), tiny, pack(&good(1))].concat();
        assert_eq!(counts(&bytes, 3), [1, 1]);
    }
}

/// Bytes that look like members or frames after a damaged one.
#[test]
fn stretches_full_of_false_heads_are_searched_in_bounded_time() {
    let name_without_end = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03";
    let plain_head = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    for false_head in [name_without_end, plain_head] {
        let pack = |number| Packing::GzipPerRecord.pack(&[good(number)]);
        let bytes = [pack(1), false_head.repeat(20_000), pack(2)].concat();
        assert_eq!(counts(&bytes, 3), [2, 1]);
    }
    let bytes = between_good_ones(b"\x28\xb5\x2f\xfd\x00\x88".repeat(20_000));
    assert_eq!(counts(&bytes, 3), [2, 1]);
}
