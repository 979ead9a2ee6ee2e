//! Checks the pages in this folder, and tests what the pages cannot.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::{Input, Source};
use warc_recovery::warc::parse_date;

use super::columns::{NAMES, normalised};
use super::delimited::{RowStart, Separators, line_end, split};
use super::fetch::{Cell, Cells, status_of, time};
use super::files::{Candidate, FileKind, SNIFF_BYTES, Survey};
use super::headers::Headers;
use super::names::HostFile;
use super::problem::Problem;
use super::time::{YEARS, micros_from_f64, micros_from_i64, parse_time, warc_date};
use super::{Column, Columns, Fetch, GivenColumn, NamePattern, Window, json_lines, parquet_pages};
use crate::tests::{bytes, check, optional};

/// Compares a page of this folder.
fn page(name: &str, answer: impl Fn(&str, [&str; 3]) -> String) {
    check(&format!("src/ingest/corpus/{name}.rs"), answer);
}

fn input(bytes: &[u8], use_mmap: bool) -> (Arc<Input>, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x");
    std::fs::write(&path, bytes).expect("space");
    let input = Input::open(&Source::Path(path), use_mmap, folder.path()).expect("a file");
    (Arc::new(input), folder)
}

mod fetches {
    use super::*;

    /// The row of cells written `column=value; column=value`.
    fn cells(text: &str) -> Cells<'_> {
        let mut cells = Cells::default();
        for cell in text.split("; ") {
            let (name, value) = cell.split_once('=').expect("a column and a value");
            let column = Column::named(name).expect("a column");
            cells[column as usize] = text_cell(value);
        }
        cells
    }

    fn text_cell(value: &str) -> Cell<'_> {
        Cell::Text(Cow::Borrowed(value.as_bytes()))
    }

    #[test]
    fn cases() {
        page("fetch", |question, [row, ..]| {
            let status = |cell: Cell<'_>| {
                let (code, is_odd) = status_of(cell);
                optional(code) + if is_odd { ", odd" } else { "" }
            };
            let time = |cell: Cell<'_>| {
                let time = time(cell).map(|it| optional(it.map(warc_date)));
                time.unwrap_or_else(|problem| problem.message)
            };
            match question {
                "status" => return status(text_cell(row)),
                "integer-status" => return status(Cell::Integer(row.parse().expect("a number"))),
                "integer-time" => return time(Cell::Integer(row.parse().expect("a number"))),
                "real-time" => return time(Cell::Real(row.parse().expect("a number"))),
                "micros" => return time(Cell::Time(row.parse().expect("a number"))),
                "real-status" => return status(Cell::Real(row.parse().expect("a number"))),
                _ => {}
            }
            let fetch = match Fetch::from_cells(cells(row)) {
                Ok(fetch) => fetch,
                Err(Problem { kind, message }) => return format!("{kind:?}: {message}"),
            };
            let (mut head, mut block) = (Vec::new(), Vec::new());
            fetch.write(&mut head, &mut block);
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
            let (head, block) = (text(&head), text(&block));
            let is_response = head.contains("WARC-Type: response\r\n");
            match question {
                "url" => text(&fetch.url),
                "record" => head + &block,
                "block" if is_response => {
                    format!("response {block}").trim_end_matches(' ').to_owned()
                }
                "block" => format!("resource {block}").trim_end_matches(' ').to_owned(),
                _ => panic!("{question}"),
            }
        });
    }

    #[test]
    fn lines_of_json() {
        page("json_lines", |_, [line, ..]| {
            match json_lines::fetch(line.as_bytes(), &Columns::default()) {
                Ok(fetch) => optional(fetch).trim_end().to_owned(),
                Err(problem) => problem.message,
            }
        });
    }

    #[test]
    fn bytes_in_json_that_are_not_utf_8_are_kept() {
        let raw = b"{\"host\": \"a.example\", \"body\": \"caf\xe9\"}";
        let found = json_lines::fetch(raw, &Columns::default()).expect("a fetch");
        let body = found.expect("a line").body;
        assert_eq!(body.as_deref(), Some(&b"caf\xe9"[..]));
    }

    #[test]
    fn headers() {
        page("headers", |_, [text, ..]| {
            let line = |(name, value): &(String, Vec<u8>)| {
                format!("{name}={}", String::from_utf8_lossy(value).trim())
            };
            match Headers::parse(text.as_bytes()) {
                Ok(Headers(lines)) => lines.iter().map(line).collect::<Vec<_>>().join("; "),
                Err(problem) => problem,
            }
        });
    }

    #[test]
    fn times() {
        page("time", |_, [text, ..]| {
            optional(parse_time(text.as_bytes()).map(warc_date))
        });
    }

    proptest! {
        #[test]
        fn a_written_date_is_read_back(micros in YEARS) {
            prop_assert_eq!(parse_date(warc_date(micros).as_bytes()), Some(micros));
        }

        #[test]
        fn no_number_and_no_text_is_too_much(number: i64, real: f64, text: Vec<u8>) {
            for micros in [micros_from_i64(number), micros_from_f64(real), parse_time(&text)].into_iter().flatten() {
                warc_date(micros);
            }
        }
    }
}

mod columns {
    use super::*;

    #[test]
    fn cases() {
        page("columns", |question, [text, given, _]| {
            if question == "given" {
                return text.parse::<GivenColumn>().expect_err("not a column");
            }
            let names = text.split(", ").filter(|name| !name.is_empty());
            let names: Vec<String> = names.map(str::to_owned).collect();
            let given = given.split_whitespace();
            let given = given.map(|it| it.parse().expect("a column"));
            match Columns(given.collect()).resolve(&names, &names) {
                Ok(places) => {
                    let found = Column::ALL.into_iter().zip(places);
                    let found = found.filter_map(|(column, place)| {
                        place.map(|place| format!("{} {place}", column.name()))
                    });
                    found.collect::<Vec<_>>().join(", ")
                }
                Err(message) => message,
            }
        });
    }

    #[test]
    fn every_column_has_its_place() {
        for (index, column) in Column::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, index, "{column:?}");
            assert!(NAMES.values().any(|named| *named == (column, 0)));
        }
        for name in NAMES.keys() {
            assert_eq!(normalised(name), *name);
        }
        let text = include_str!("column_names.txt");
        let words: HashSet<&str> = text.split_whitespace().collect();
        assert_eq!(words.len(), text.split_whitespace().count());
        assert_eq!(
            NAMES.len() + Column::COUNT,
            words.len(),
            "no name is in two lists"
        );
    }
}

mod csv_rows {
    use super::*;

    const COMMA_LF: Separators = Separators {
        delimiter: b',',
        line_end: b'\n',
    };

    fn fields(row: &str) -> Result<Vec<String>, String> {
        match split(row.as_bytes(), COMMA_LF, true) {
            RowStart::Row(_, fields) => {
                let text = |field: &Cow<'_, [u8]>| String::from_utf8_lossy(field).into_owned();
                Ok(fields.iter().map(text).collect())
            }
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn cases() {
        page("delimited", |question, [text, ..]| match question {
            "fields" => fields(text).map_or_else(|error| error, |fields| fields.join(";")),
            "line-end" => char::from(line_end(text.as_bytes())).to_string(),
            _ => panic!("{question}"),
        });
    }

    #[test]
    fn a_row_that_is_cut_anywhere_is_incomplete() {
        let row = b"a,\"b\"\"\nc\",\"\",d\r\n";
        let whole = split(row, COMMA_LF, false);
        assert!(matches!(whole, RowStart::Row(length, _) if length == row.len()));
        for cut in 0..row.len() {
            let found = split(&row[..cut], COMMA_LF, false);
            assert!(matches!(found, RowStart::Incomplete), "{cut}");
        }
    }

    /// The fields of rows as the crate `csv` writes them.
    #[test]
    fn what_a_writer_writes_is_read_back() {
        let values = [
            "",
            "a",
            "\"",
            "\"\"",
            ",",
            "\n",
            "\r\n",
            "\r",
            " x ",
            "a\"b\nc,d",
        ];
        for one in values {
            for other in values {
                let mut writer = csv::Writer::from_writer(Vec::new());
                writer.write_record([one, other, "z"]).expect("memory");
                let bytes = writer.into_inner().expect("memory");
                let row = String::from_utf8(bytes).expect("UTF-8");
                assert_eq!(fields(&row).expect(&row), [one, other, "z"], "{row:?}");
            }
        }
    }

    #[test]
    fn lines_within_cells_may_end_otherwise() {
        let separators = Separators {
            line_end: b'\r',
            ..COMMA_LF
        };
        // Within a cell, programs that end lines with CR write LF.
        let rows = b"a,\"b\nc\"\rd,e\r";
        let RowStart::Row(first, fields) = split(rows, separators, true) else {
            panic!("no row");
        };
        assert_eq!(&rows[..first], b"a,\"b\nc\"\r");
        assert_eq!(fields[1], &b"b\nc"[..]);
        let RowStart::Row(4, fields) = split(&rows[first..], separators, true) else {
            panic!("no second row");
        };
        assert_eq!(fields[1], &b"e"[..]);
    }
}

mod host_files {
    use super::*;

    /// The origin of a robots.txt at this URL.
    fn origin(url: &str) -> String {
        let origin = url.strip_suffix("/robots.txt");
        origin.expect("a robots.txt").to_owned()
    }

    #[test]
    fn names() {
        page("names", |question, [path, ..]| {
            let file = HostFile::of_usual_name(path);
            match question {
                "origin" => optional(file.map(|it| origin(&it.url))),
                "without-rank" => {
                    let file = file.expect("a host");
                    let bare = if file.is_bare { ", bare" } else { "" };
                    optional(file.url_without_rank.as_deref().map(origin)) + bare
                }
                _ => panic!("{question}"),
            }
        });
    }

    #[test]
    fn patterns() {
        page("name_pattern", |question, [pattern, path, _]| {
            let pattern = pattern.parse::<NamePattern>();
            if question == "mistake" {
                return pattern.expect_err("a mistake");
            }
            optional(pattern.expect("a pattern").host_file(path).map(|file| {
                assert!(!file.is_bare, "{path}");
                let origin = origin(&file.url);
                let host = origin.strip_prefix("https://").expect("https");
                let date = file.time.map(|time| format!(" at {}", warc_date(time)));
                host.to_owned() + &date.unwrap_or_default()
            }))
        });
    }

    #[test]
    fn hostile_names_take_no_time() {
        let pattern: NamePattern = "{*}-{host}-{*}-x".parse().expect("a pattern");
        let hostile = "a.-".repeat(85);
        for _ in 0..100 {
            assert!(pattern.host_file(&hostile).is_none());
        }
        assert!(pattern.host_file(&"a-".repeat(100_000)).is_none());
    }

    const README: &[u8] =
        b"# Robots\n\nFiles of the largest sites, such as\n\n```\nUser-agent: *\n\
        Disallow: /\n```\n\nwhich we fetched.\nSee the paper.\n";

    fn content(kind: &str) -> &'static [u8] {
        match kind {
            "robots" => b"User-agent: *\n",
            "empty" => b"",
            "error" => b"Not found",
            "readme" => README,
            "code" => b"mod x;",
            _ => panic!("{kind}"),
        }
    }

    /// The hosts that are chosen from files written `path kind; path kind`.
    fn chosen(files: &str) -> String {
        let files = files.split("; ").map(|file| {
            let (path, kind) = file.split_once(' ').expect("a path and a kind");
            let host = HostFile::of_usual_name(path).expect("a host");
            Candidate::new(path.to_owned(), host, content(kind))
        });
        let files: Vec<Candidate> = files.collect();
        let mut survey = Survey::default();
        for file in &files {
            survey.add(file);
        }
        let mut hosts = Vec::new();
        for file in &files {
            let choice = file.chosen_url(Some(&survey));
            assert!(
                file.depends_on_others() || file.chosen_url(None) == choice,
                "{file:?}"
            );
            if let Some(url) = choice {
                let origin = origin(url);
                hosts.push(origin["https://".len()..].to_owned());
            }
        }
        hosts.join(" ")
    }

    #[test]
    fn choices() {
        page("files", |question, [text, ..]| match question {
            "chosen" => chosen(text),
            "kind" => format!("{:?}", FileKind::of(&bytes(text))),
            _ => panic!("{question}"),
        });
    }

    #[test]
    fn giant_files_are_judged_by_their_beginning() {
        assert_eq!(FileKind::of(&vec![b'x'; SNIFF_BYTES + 1]), FileKind::Other);
        let giant = b"User-agent: *\nDisallow: /x\n".repeat(SNIFF_BYTES);
        assert_eq!(FileKind::of(&giant), FileKind::of(&giant[..SNIFF_BYTES]));
        assert_eq!(FileKind::of(&giant), FileKind::Robots);
    }
}

mod windows {
    use super::*;

    fn window(bytes: &[u8]) -> Window {
        let (input, _folder) = input(bytes, true);
        Window::new(input, Window::packing(bytes))
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    /// All unpacked data, the bytes read, and the damage.
    fn all(mut window: Window) -> (Vec<u8>, u64, Option<Damage>) {
        let (mut bytes, mut read) = (Vec::new(), 0);
        loop {
            window.fill(1000).expect("a file");
            read += window.take_read();
            let n = window.bytes().len();
            assert_eq!(window.start, bytes.len() as u64);
            bytes.extend(window.take(n));
            if window.is_ended {
                return (bytes, read, window.damage.take());
            }
        }
    }

    fn data() -> Vec<u8> {
        (0..700_000_u32)
            .map(|n| (n.wrapping_mul(n) >> 7).to_le_bytes()[0])
            .collect()
    }

    #[test]
    fn every_packing_unpacks_to_the_same() {
        let data = data();
        let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).expect("memory");
        let (one, other) = data.split_at(300_001);
        for packed in [
            data.clone(),
            gzip(&data),
            zstd(&data),
            [gzip(one), gzip(other)].concat(),
            [zstd(one), zstd(b""), zstd(other)].concat(),
            // pzstd writes a skippable frame before each frame.
            [
                b"\x50\x2a\x4d\x18\x04\0\0\0\x09\0\0\0".to_vec(),
                zstd(&data),
            ]
            .concat(),
            [gzip(&data), vec![0; 1024]].concat(),
        ] {
            let (bytes, read, damage) = all(window(&packed));
            assert!(bytes == data, "{} bytes", packed.len());
            assert_eq!(damage, None);
            assert!(packed == data && read == 0 || read == packed.len() as u64);
        }
    }

    #[test]
    fn what_is_before_damage_is_read_and_the_rest_is_told() {
        let data = data();
        let packed = gzip(&data);
        let cut = &packed[..packed.len() / 2];
        let garbage = [packed.clone(), b"garbage".to_vec()].concat();
        let mut flipped = packed.clone();
        flipped[packed.len() / 2..][..64].fill(0xff);
        let zstd = zstd::encode_all(&data[..], 1).expect("memory");
        for (bytes, kind) in [
            (cut, DamageKind::Truncated),
            (&garbage, DamageKind::Corrupt),
            (&flipped, DamageKind::Corrupt),
            (&zstd[..zstd.len() - 1], DamageKind::Truncated),
        ] {
            let (found, read, damage) = all(window(bytes));
            let damage = damage.expect("damage");
            assert_eq!(damage.kind, kind);
            assert!(found.len() > 1000);
            assert!(kind == DamageKind::Corrupt || data.starts_with(&found));
            assert_eq!(damage.offset, read);
            assert_eq!(damage.offset + damage.length, bytes.len() as u64);
        }
    }
}

mod parquet_page_headers {
    use super::*;

    /// Checks a file that consists of `pages`.
    fn checked(pages: &[u8]) -> Result<(), String> {
        let (input, _folder) = input(pages, false);
        parquet_pages::check(&input, 0..pages.len() as u64)
    }

    #[test]
    fn a_page_that_claims_gigabytes_is_refused() {
        // A page of 2 bytes, and a page that claims 2 GiB - 1 bytes unpacked.
        let pages = [
            0x15, 0, 0x15, 4, 0x15, 4, 0, b'a', b'b', 0x15, 0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f,
            0x15, 4, 0, b'a', b'b',
        ];
        assert_eq!(checked(&pages[..9]), Ok(()));
        let message = checked(&pages).expect_err("too long");
        assert!(
            message.contains("offset 9 declares 2147483647"),
            "{message}"
        );
        let message = checked(b"ab").expect_err("no head");
        assert!(message.contains("offset 0 is damaged"), "{message}");
    }

    #[test]
    fn sizes_are_found_among_other_fields() {
        // Type 0, unpacked 1,000, packed 3, checksum, a structure with a list, the end; the page.
        let page = [
            0x15, 0, 0x15, 0xd0, 0x0f, 0x15, 0x06, 0x15, 2, 0x1c, 0x15, 2, 0x19, 0x28, 1, 0x61, 0,
            0, 0, b'a', b'b', b'c',
        ];
        assert_eq!(checked(&page), Ok(()));
        let next = checked(&[&page[..], b"x"].concat()).expect_err("no head");
        assert!(next.contains("offset 22 is damaged"), "{next}");
        for end in 1..page.len() - 3 {
            assert!(checked(&page[..end]).is_err(), "cut at {end}");
        }
        assert!(checked(&[0]).is_err(), "without sizes");
        assert!(checked(&[0x1c; 4096]).is_err(), "deep");
    }
}
