//! Inputs in object stores.

use std::path::Path;
use std::process::Command;

use super::server::{Answer, ServedRequest, Server};
use super::{lines, numbers, quick, run, tables, warc};
use crate::support::folder::Folder;
use crate::support::program::assert_contains;

/// Variables of the environment that programs for S3 read.
const VARIABLES: [&str; 10] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_CONFIG_FILE",
];

/// What a store says to who may not read.
const DENIED: &[u8] = b"<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code>\
    <Message>Not you &amp; him</Message></Error>";

/// The value of a parameter of a request.
fn parameter<'a>(asked: &'a ServedRequest, name: &str) -> Option<&'a str> {
    let (_, query) = asked.target.split_once('?')?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(it, _)| *it == name).map(|(_, value)| value)
}

/// A store with a bucket, `b`, whose keys are listed two at a time; with `is_open`, unsigned
/// requests are answered too.
fn store(is_open: bool) -> Server {
    let keys = [
        "in/a.warc.gz",
        "in/deep/b.warc.gz",
        "in/deep/",
        "in/notes.html",
        "in/c.warc.gz",
    ];
    Server::new(move |asked| {
        let path = asked.target.split('?').next().expect("a path");
        let signed = parameter(asked, "X-Amz-Credential")
            .is_some_and(|it| it.starts_with("KEY%2F"))
            && parameter(asked, "X-Amz-Signature").is_some_and(|it| it.len() == 64);
        if !signed && !is_open {
            return Answer::new(403, DENIED);
        }
        if let Some(key) = path.strip_prefix("/b/").filter(|key| !key.is_empty()) {
            let name = key
                .rsplit('/')
                .next()
                .unwrap_or(key)
                .trim_end_matches(".warc.gz");
            let answer = Answer::file(asked, &warc(name, 2), "\"e\"");
            return if asked.before == 0 && name == "c" {
                answer.cut(50)
            } else {
                answer
            };
        }
        let start: usize =
            parameter(asked, "continuation-token").map_or(0, |it| it.parse().expect("a number"));
        if start == 2 && !asked.target.contains("again") && asked.before == 0 {
            return Answer::new(503, b"<Error><Code>SlowDown</Code></Error>");
        }
        let of_page = keys.iter().skip(start).take(2);
        let contents = of_page.map(|it| format!("<Contents><Key>{it}</Key></Contents>"));
        let more = if start + 2 < keys.len() {
            let next = start + 2;
            format!(
                "<IsTruncated>true</IsTruncated><NextContinuationToken>{next}</NextContinuationToken>"
            )
        } else {
            "<IsTruncated>false</IsTruncated>".to_owned()
        };
        let xml = format!(
            "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{}{more}</ListBucketResult>",
            contents.collect::<String>()
        );
        assert!(
            ["in%2F", "in/"].contains(&parameter(asked, "prefix").expect("a prefix")),
            "{}",
            asked.target
        );
        Answer::new(200, xml.as_bytes())
    })
}

/// Credentials that the store accepts.
const KEY: &[(&str, &str)] = &[
    ("AWS_ACCESS_KEY_ID", "KEY"),
    ("AWS_SECRET_ACCESS_KEY", "SECRET"),
];

/// An ingest from the store, with these variables and without what the environment says of others.
fn from(store: &Server, folder: &Folder, variables: &[(&str, &str)]) -> Command {
    let mut command = quick();
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
        .env("HOME", folder.path(""))
        .env("AWS_ENDPOINT_URL", store.url(""))
        .envs(variables.iter().copied());
    command
}

#[test]
fn objects_below_a_prefix_are_listed_signed_and_ingested() {
    let (store, folder) = (store(false), Folder::new());
    let out = folder.path("out");
    folder.write(
        ".aws/credentials",
        b"[research]\naws_access_key_id = KEY\naws_secret_access_key = SECRET\n",
    );
    let of_profile = |name: &str, out: &Path, code| {
        let mut command = from(&store, &folder, &[("AWS_PROFILE", name)]);
        run(command.arg("s3://b/in/").arg(out), code)
    };
    let (summary, said) = of_profile("research", &out, 0);
    assert_eq!(numbers(&summary, ["inputs", "captures"]), [3, 6], "{said}");
    assert_eq!(summary["skipped"][0]["path"], "s3://b/in/notes.html");
    let noted = lines(&out, "SELECT path, source_url, etag FROM inputs");
    let expected = [
        "a.warc.gz|s3://b/in/a.warc.gz|\"e\"",
        "c.warc.gz|s3://b/in/c.warc.gz|\"e\"",
        "deep/b.warc.gz|s3://b/in/deep/b.warc.gz|\"e\"",
    ];
    assert_eq!(noted, expected, "names as in a directory, no signatures");
    let rows = tables(&out);

    // By the environment, one by one, and again: what is there is not asked for.
    let one = folder.path("one");
    for keys in [
        &["s3://b/in/a.warc.gz"][..],
        &["s3://b/in/a.warc.gz", "s3://b/in/c.warc.gz"],
    ] {
        run(from(&store, &folder, KEY).args(keys).arg(&one), 0);
    }
    let before = store.asked().len();
    run(from(&store, &folder, KEY).arg("s3://b/in/").arg(&out), 0);
    let asked = store.asked().split_off(before);
    let is_list = |it: &ServedRequest| it.target.starts_with("/b/?");
    assert!(asked.iter().all(is_list), "{asked:?}");
    assert_eq!(tables(&out), rows);

    // Without credentials the store refuses, and robostat does not wait.
    let refused = folder.path("refused");
    let mut command = from(&store, &folder, &[]);
    let (_, said) = run(command.arg("s3://b/in/a.warc.gz").arg(&refused), 1);
    let expected = "HTTP status 403 Forbidden: AccessDenied (Not you & him), without credentials";
    assert!(said.contains(expected), "{said}");
    let (_, said) = of_profile("nobody", &refused, 1);
    assert!(said.contains("no profile nobody"), "{said}");
}

#[test]
fn an_open_store_is_read_without_credentials() {
    let (store, folder) = (store(true), Folder::new());
    let out = folder.path("out");
    let (summary, _) = run(from(&store, &folder, &[]).arg("s3://b/in/").arg(&out), 0);
    assert_eq!(summary["captures"], 6);
    let asked = store.asked();
    let is_signed = |it: &ServedRequest| parameter(it, "X-Amz-Signature").is_some();
    assert!(!asked.iter().any(is_signed), "{asked:?}");
}

#[test]
fn what_a_store_says_of_an_object_is_told() {
    let folder = Folder::new();
    let store = Server::new(|asked| match (&*asked.target, asked.before) {
        ("/b/none.warc.gz", _) => Answer::new(
            404,
            b"<Error><Code>NoSuchKey</Code><Message>No such key.</Message></Error>",
        ),
        ("/b/moved.warc.gz", _) => {
            Answer::new(301, b"<Error><Code>PermanentRedirect</Code></Error>")
        }
        ("/b/busy.warc.gz", 0) => Answer::new(
            500,
            b"<Error><Code>InternalError</Code><Message>Again</Message></Error>",
        ),
        _ => Answer::file(asked, &warc("a", 1), "\"a\""),
    });
    let urls = ["busy", "moved", "none"].map(|name| format!("s3://b/{name}.warc.gz"));
    let out = folder.path("out");
    let (_, said) = run(from(&store, &folder, &[]).args(urls).arg(&out), 3);
    assert_contains(
        &said,
        &["HTTP status 500 Internal Server Error: InternalError (Again)"],
    );
    let damage = "SELECT warc_filename, message FROM damage ORDER BY ALL";
    let expected = [
        "moved.warc.gz|HTTP status 301 Moved Permanently: PermanentRedirect",
        "none.warc.gz|HTTP status 404 Not Found: NoSuchKey (No such key.)",
    ];
    assert_eq!(lines(&out, damage), expected);
}

#[test]
fn a_bucket_in_another_region_is_asked_for_there() {
    let folder = Folder::new();
    // As Amazon's store, without Location; every second answer has the region in its text alone.
    let store = Server::new(|asked| {
        let credential = parameter(asked, "X-Amz-Credential").unwrap_or_default();
        if credential.contains("%2Feu-west-3%2F") {
            let name = asked.target.split(['/', '.']).nth(2).expect("a name");
            return Answer::file(asked, &warc(name, 1), "\"a\"");
        }
        let answer = |status| {
            Answer::new(
                status,
                b"<Error><Code>PermanentRedirect</Code><Region>eu-west-3</Region></Error>",
            )
            .after(std::time::Duration::from_millis(100))
        };
        if asked.target.contains("1.warc.gz") {
            answer(400)
        } else {
            answer(301).with("x-amz-bucket-region", "eu-west-3")
        }
    });
    // Several requests are in progress when the first refusal is reported.
    let urls = (0..8).map(|number| format!("s3://b/f{number}.warc.gz"));
    let out = folder.path("out");
    let (summary, _) = run(from(&store, &folder, KEY).args(urls).arg(&out), 0);
    assert_eq!(summary["captures"], 8);
    let asked = store.asked();
    assert!((9..=12).contains(&asked.len()), "{}", asked.len());
}
