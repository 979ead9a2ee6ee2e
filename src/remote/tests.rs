//! Tests private functions of this module with the pages next to their files, and in code if a page
//! cannot test them.

use std::fs;
use std::io::{self, Cursor, Write as _};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use super::address::Address;
use super::cache::{Cache, Validators};
use super::list::{ListCheck, ListLines, is_named_as_list};
use super::pace::{Schedule, jitter};
use super::reply::{ContentRange, MAX_RETRY_AFTER, retry_after};
use super::target::{BodyCheck as _, FileEnd, Ranges, Target, WantedBytes, runs};
use crate::tests::{check, optional};

#[test]
fn addresses() {
    check(
        "src/remote/address.rs",
        |question, [text, base, list]| match question {
            "is-meant" => Address::is_meant(text).to_string(),
            "address" => match Address::parse(text) {
                Ok(address) => {
                    let prefix = if address.is_prefix() { ", prefix" } else { "" };
                    let (path, name) = (address.path(), address.file_name());
                    format!("{}, {path}, {name}{prefix}", address.text())
                }
                Err(problem) => problem,
            },
            "line" => {
                let base = Some(base).filter(|base| !base.is_empty());
                let list = Some(list).filter(|list| !list.is_empty());
                let list = list.map(|list| Address::parse(list).expect("a URL"));
                let found = Address::from_line(text, base, list.as_ref()).expect("an address");
                optional(found.as_ref().map(Address::text))
            }
            _ => panic!("{question}"),
        },
    );
}

#[test]
fn places_in_the_cache() {
    let cache = Cache::of(None, Path::new("cache")).expect("no file");
    let long = format!("https://a.example/{}", "x".repeat(1000));
    check("src/remote/cache.rs", |_, [text, ..]| {
        let text = if text == "long" { &long } else { text };
        Address::parse(text).map_or_else(
            |problem| problem,
            |address| cache.place(address.text()).display().to_string(),
        )
    });
}

#[test]
fn a_file_is_in_the_cache_only_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = || Cache::of(Some(folder.path()), Path::new("aside"));
    let cache = kept().expect("a cache");
    let key = "https://a.example/crawl-data/x.warc.gz";
    let validators = Validators {
        key: key.to_owned(),
        etag: Some("\"1\"".to_owned()),
        ..Validators::default()
    };
    cache.note(key, &validators).expect("space");
    let part = cache.open_part(key);
    part.and_then(|mut it| it.write_all(b"abc")).expect("space");
    assert!(cache.find(key).is_none());
    let fetched = cache.complete(key, validators, 3).expect("space");
    let place = folder.path().join("https/a.example/crawl-data/x.warc.gz");
    assert_eq!(fetched.path, place);
    assert_eq!(cache.find(key).as_ref(), Some(&fetched));
    fs::write(&fetched.path, b"ab").expect("space");
    assert!(cache.find(key).is_none(), "cut since");
    assert!(kept().is_err(), "locked");
}

fn packed(packing: &str, text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("memory");
    let gzip = gzip.finish().expect("memory");
    match packing {
        "plain" => text.as_bytes().to_vec(),
        "gzip" => gzip,
        "cut-gzip" => gzip[..gzip.len() - 9].to_vec(),
        "zstd" => zstd::encode_all(text.as_bytes(), 1).expect("memory"),
        // pzstd writes a skippable frame before each frame.
        "pzstd" => {
            let frame = zstd::encode_all(text.as_bytes(), 1).expect("memory");
            [b"\x50\x2a\x4d\x18\x04\0\0\0\x09\0\0\0", &frame[..]].concat()
        }
        "a-million-times" => text.repeat(1_000_000).into_bytes(),
        _ => panic!("{packing}"),
    }
}

fn lines(list: Vec<u8>) -> io::Result<String> {
    let mut lines = ListLines::new(Cursor::new(list))?;
    let mut found = Vec::new();
    while let Some(line) = lines.next_line()? {
        found.push(String::from_utf8_lossy(line).into_owned());
    }
    Ok(found.join(" "))
}

#[test]
fn lists() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    let address = Address::parse("https://a.example/x.paths").expect("a URL");
    check(
        "src/remote/list.rs",
        |question, [text, ..]| match question {
            "is-named-as-list" => is_named_as_list(Path::new(text)).to_string(),
            "mistake" => {
                fs::write(&path, text).expect("space");
                let target = address.clone().into();
                optional(ListCheck.mistake(&target, &path).expect("a file"))
            }
            packing => lines(packed(packing, text)).unwrap_or_else(|error| error.to_string()),
        },
    );
}

/// Events and their seconds: `ask@5`, `ok@5`, `503@5`, `503@5+30` with a Retry-After, and
/// `503@5~0.5` with a jitter.
#[test]
fn places_in_the_schedule() {
    const SECOND: Duration = Duration::from_secs(1);
    check("src/remote/pace.rs", |_, [events, ..]| {
        let begun = Instant::now();
        let mut schedule = Schedule::new(3600 * SECOND, SECOND, begun);
        let answers = events.split(' ').map(|event| {
            let (verb, time) = event.split_once('@').expect("a time");
            let (time, jitter) = time.split_once('~').unwrap_or((time, "0"));
            let (time, retry_after) = time.split_once('+').unwrap_or((time, ""));
            let jitter = jitter.parse().expect("a number");
            let retry_after = retry_after.parse().ok().map(Duration::from_secs);
            let now = begun + SECOND.mul_f64(time.parse().expect("seconds"));
            match verb {
                "ask" => format!("{:?}", schedule.take_place(now, SECOND / 5) - begun),
                "ok" => {
                    schedule.succeed();
                    "-".to_owned()
                }
                status => {
                    let status = status.parse().expect("a status");
                    match schedule.refuse(now, status, retry_after, jitter) {
                        Ok(Some(pause)) => format!("{pause:?}"),
                        Ok(None) => "the same".to_owned(),
                        Err(failure) => failure.to_string(),
                    }
                }
            }
        });
        answers.collect::<Vec<_>>().join(", ")
    });
}

#[test]
fn jitter_lies_between_nothing_and_one() {
    assert!((0..100).all(|_| (0.0..=1.0).contains(&jitter())));
}

#[test]
fn headers_of_replies() {
    check(
        "src/remote/reply.rs",
        |question, [header, ..]| match question {
            "content-range" => optional(ContentRange::parse(header).map(|range| {
                let bytes = range.bytes.map(|(first, last)| format!("{first}-{last}"));
                format!("{} of {}", optional(bytes), optional(range.complete))
            })),
            "retry-after" => optional(retry_after(header).map(|pause| match pause {
                MAX_RETRY_AFTER => "the longest".to_owned(),
                pause => format!("{pause:?}"),
            })),
            _ => panic!("{question}"),
        },
    );
}

fn requests(ranges: &[Range<u64>], gap: u64) -> Vec<Range<u64>> {
    runs(ranges.iter().cloned(), gap)
}

#[test]
fn requests_and_keys() {
    check("src/remote/target.rs", |question, [ranges, number, _]| {
        let read = |text: &str| text.parse::<u64>().expect("a number");
        let bytes = ranges.split(' ').filter_map(|range| range.split_once(".."));
        let bytes: Vec<_> = bytes.map(|(start, end)| read(start)..read(end)).collect();
        if question == "requests" {
            let found = requests(&bytes, read(number));
            let found = found.iter().map(|range| format!("{range:?}"));
            return found.collect::<Vec<_>>().join(" ");
        }
        let wanted = match ranges {
            "whole" => WantedBytes::Whole,
            "end" => WantedBytes::ByEnd(FileEnd {
                name: "footer",
                first: read(number),
                ranges: |_, _| Ok(Vec::new()),
            }),
            _ => WantedBytes::Ranges(Ranges {
                bytes: bytes.into(),
                first: read(number),
                head: |_| 0,
            }),
        };
        let address = Address::parse("https://a.example/x").expect("a URL");
        Target { address, wanted }.key()
    });
}

#[test]
fn requests_for_a_file_are_bounded_and_leave_out_the_largest_gaps() {
    let starts = (0..1000_u64).map(|it| it * 1000 + it % 7 * 100);
    let ranges: Vec<_> = starts.map(|start| start..start + 10).collect();
    let found = requests(&ranges, 10);
    assert_eq!(found.len(), 100);
    assert!(found.is_sorted_by_key(|run| run.start));
    let is_in = |range: &Range<u64>| {
        found
            .iter()
            .any(|run| run.start <= range.start && range.end <= run.end)
    };
    assert!(ranges.iter().all(is_in));
    let mut far = ranges.clone();
    far.push(1 << 40..(1 << 40) + 1);
    let found = requests(&far, 10);
    assert_eq!(found.last(), far.last());
}

#[cfg(feature = "remote")]
mod stores {
    use rusty_s3::Credentials;

    use crate::remote::s3::{MAX_MESSAGE, S3, StoreError, is_region};
    use crate::tests::{check, optional};

    const CREDENTIALS: &str = "# mine\n[default]\naws_access_key_id = A\naws_secret_access_key=S\n\
                               [other]\naws_access_key_id = B\naws_secret_access_key = T\n";
    const CONFIG: &str = "[default]\nregion = eu-west-1\n[profile other]\nregion = eu-north-1\n\
                          endpoint_url = http://127.0.0.1:9/x\n";

    /// Settings from variables `NAME=value`, and from files.
    fn s3(variables: &str, files: &str) -> Result<S3, String> {
        let variables = variables.split(' ').filter_map(|it| it.split_once('='));
        let variable = |name: &str| {
            let found = variables.clone().find(|(it, _)| *it == name);
            found.map(|(_, value)| value.to_owned())
        };
        let file = |name, text| if files.contains(name) { text } else { "" };
        let (credentials, config) = (file("credentials", CREDENTIALS), file("config", CONFIG));
        S3::new(variable, credentials, config)
    }

    /// The URL without its query, whether it is signed, and the session token in the query.
    fn object(s3: &S3, bucket: &str, key: &str) -> String {
        let url = s3.object(bucket, key).expect("a URL");
        let (path, query) = url.as_str().split_once('?').unwrap_or((url.as_str(), ""));
        let signed = if query.is_empty() { "" } else { ", signed" };
        let token = query.split('&').find(|it| it.starts_with("X-Amz-Security"));
        let token = token.map(|it| format!(", {it}")).unwrap_or_default();
        format!("{path}{signed}{token}")
    }

    #[test]
    fn accounts_and_objects() {
        check(
            "src/remote/s3.rs",
            |question, [text, files, place]| match question {
                "account" => match s3(text, files) {
                    Ok(found) => {
                        let key = found.credentials.as_ref().map(Credentials::key);
                        format!("{} {}", optional(key), found.region)
                    }
                    Err(problem) => problem,
                },
                "object" => {
                    let (bucket, key) = place.split_once(' ').expect("a bucket and a key");
                    object(&s3(text, files).expect("an account"), bucket, key)
                }
                "is-region" => is_region(text).to_string(),
                "error" => {
                    let region = StoreError::read(text.as_bytes()).region;
                    let region = region.map(|it| format!(", region {it}"));
                    told(text) + &region.unwrap_or_default()
                }
                _ => panic!("{question}"),
            },
        );
    }

    #[test]
    fn a_bucket_keeps_the_region_that_its_store_names() {
        let found = s3("", "credentials").expect("a profile");
        found.set_region("b-1", "eu-west-3".to_owned());
        let expected = "https://b-1.s3.eu-west-3.amazonaws.com/k, signed";
        assert_eq!(object(&found, "b-1", "k"), expected);
    }

    #[test]
    fn common_crawls_bucket_is_not_listed_without_credentials() {
        let anonymous = s3("", "").expect("nothing");
        assert!(anonymous.list("commoncrawl", "crawl-data/", None).is_err());
    }

    fn told(text: &str) -> String {
        StoreError::read(text.as_bytes()).text
    }

    #[test]
    fn long_answers_are_cut() {
        let long = "ä".repeat(9000);
        let long = format!("<Error><Code>x</Code><Message>{long}</Message>");
        assert_eq!(told(&long), ": x", "longer than what is read");
        let long = format!("<Error><Message>{}</Message>", "ä".repeat(900));
        assert_eq!(told(&long).chars().count(), 2 + MAX_MESSAGE);
    }
}
