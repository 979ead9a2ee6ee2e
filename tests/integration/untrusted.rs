//! Hostile archives: none of their text takes effect on a terminal, in a spreadsheet or in the file
//! system.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::mini_warc::MiniWarc;
use crate::support::program::{assert_contains, files, robostat};

/// Control sequences: colours, a title, the cursor and the screen, in seven bits and in eight;
/// directions of writing; characters without width; and quotes, for SQL.
const CONTROLS: &str = "\u{1b}[31m\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}1A\u{8}\r\u{7f}\u{202e}\u{2066}\u{200b}'; DROP TABLE captures; --\"";

fn is_escaped(character: char) -> bool {
    let is_control = character.is_control() && character != '\n';
    is_control
        || matches!(character, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A crawl with control sequences in every text, and damage in the middle.
fn hostile_crawl() -> MiniWarc {
    // A line end would end the line in a WARC head, so there it is left out.
    let controls = CONTROLS.replace('\r', "");
    let robots = format!(
        "User-agent: GPTBot{CONTROLS}\nUser-agent: =1+1\nDisallow: /{CONTROLS}\nDisallow: =2+2\n\
         Disallow: ../../etc/passwd\n\
         {CONTROLS}: {CONTROLS}\n+3: -3\nCrawl-delay: @4\nSitemap: https://a.example/{CONTROLS}\0\n\
         # {CONTROLS}\nContent-Signal: ai-train{CONTROLS}=no\n"
    );
    MiniWarc::of_crawl(&format!("../../../{controls}/etc"))
        .answer("http://a.example/robots.txt", 200, &robots)
        .answer(
            &format!("http://b.example/{controls}/../robots.txt"),
            200,
            &robots,
        )
        .answer(
            &format!("http://{controls}.example/robots.txt"),
            200,
            "User-agent: *\nDisallow:\n",
        )
        .response(
            "http://c.example/robots.txt",
            200,
            &format!(
                "Server: {controls}\r\nContent-Type: text/{controls}\r\n\
                 Content-Encoding: {controls}\r\nX-Robots-Tag: {controls}\r\n"
            ),
            "User-agent: *\n",
        )
        .redirect(
            "http://d.example/robots.txt",
            &format!("//e.example/{controls}"),
        )
}

struct Place {
    directory: TempDir,
    input: PathBuf,
    out: PathBuf,
}

/// The crawl in a file whose name gives controls too, a line end among them.
fn place() -> Place {
    let directory = tempdir().expect("a directory");
    let inputs = directory.path().join("robotstxt");
    fs::create_dir(&inputs).expect("space");
    let input = inputs.join(format!(
        "{}\nrobostat: all is well.warc",
        CONTROLS.replace('/', "")
    ));
    let mut bytes = hostile_crawl().bytes();
    bytes.extend_from_slice(format!("WARC/{CONTROLS}\r\n{CONTROLS}\r\n\r\n").as_bytes());
    bytes.extend_from_slice(
        &MiniWarc::new()
            .answer("http://z.example/robots.txt", 200, "User-agent: *\n")
            .bytes(),
    );
    fs::write(&input, bytes).expect("space");
    let out = directory.path().join("out");
    Place {
        directory,
        input,
        out,
    }
}

fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Output {
    let mut command = robostat(arguments);
    command.output().expect("a program")
}

/// Runs the program and looks at all that it prints.
#[track_caller]
fn prints_no_controls<S: AsRef<OsStr>>(arguments: &[S], code: i32) -> String {
    let output = run(arguments);
    let [printed, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert_eq!(output.status.code(), Some(code), "{printed:?} {errors:?}");
    for text in [&printed, &errors] {
        let at = text.find(is_escaped);
        assert!(
            at.is_none(),
            "{:?}",
            &text[at.unwrap_or(0).saturating_sub(60)..]
        );
        let forged = text
            .lines()
            .find(|line| line.starts_with("robostat: all is well"));
        assert_eq!(forged, None, "a name takes one line");
    }
    printed + &errors
}

#[test]
fn control_sequences_of_archives_are_escaped() {
    let place = place();
    let (input, out) = (place.input.as_os_str(), place.out.as_os_str());
    let arg = OsStr::new;
    let output = prints_no_controls(&[arg("ingest"), input, out], 3);
    assert_contains(&output, &["\\u{1b}[31m", "damaged at offset"]);
    let again = place.directory.path().join("again");
    prints_no_controls(
        &[
            arg("ingest"),
            arg("--json"),
            place.input.parent().expect("a directory").as_os_str(),
            again.as_os_str(),
        ],
        3,
    );

    for capture in captures(&place.out) {
        let mut at = input.to_owned();
        at.push(format!("@{}", capture["warc_record_offset"]));
        for json in [&[][..], &["--json"]] {
            let mut arguments = vec![arg("inspect")];
            arguments.extend(json.iter().copied().map(arg));
            arguments.push(&at);
            prints_no_controls(&arguments, 0);
        }
    }
    prints_no_controls(&[arg("verify"), out], 0);
    prints_no_controls(&[arg("verify"), arg("--json"), out], 0);
    // A row of inputs that the manifest does not know is reported with its name.
    let commit = place.out.join("manifest/000001.json");
    let manifest = fs::read_to_string(&commit).expect("a commit");
    let changed = manifest.replacen("all is well", "all is wrong", 1);
    assert_ne!(changed, manifest);
    fs::write(&commit, changed).expect("space");
    for json in [&[][..], &["--json"]] {
        let mut arguments = vec![arg("verify"), out];
        arguments.extend(json.iter().copied().map(arg));
        prints_no_controls(&arguments, 3);
    }
}

#[test]
fn errors_name_files_on_one_line() {
    let place = place();
    let (input, out) = (place.input.as_os_str(), place.out.as_os_str());
    let arg = OsStr::new;
    assert_eq!(run(&[arg("ingest"), input, out]).status.code(), Some(3));
    let missing = place.input.with_extension("gone");
    let lines = place.directory.path().join("lines");
    fs::write(&lines, "/\n").expect("space");
    let (missing, lines) = (missing.as_os_str(), lines.as_os_str());
    for arguments in [
        &[arg("ingest"), missing, out][..],
        &[arg("inspect"), missing],
        &[arg("verify"), missing],
        &[arg("query"), missing, arg("agent-adoption")],
        &[arg("report"), missing, arg("-o"), lines],
        &[
            arg("probe"),
            missing,
            arg("--agents"),
            lines,
            arg("--paths"),
            lines,
        ],
        &[
            arg("probe"),
            out,
            arg("--agents"),
            missing,
            arg("--paths"),
            lines,
        ],
        &[arg("ingest"), arg("--files-from"), missing, out],
        &[arg("ingest"), arg("--catalog"), missing, input, out],
        &[arg("ingest"), input, input],
    ] {
        let output = prints_no_controls(arguments, 1);
        assert!(
            output.contains("all is well"),
            "the file is named: {output}"
        );
    }
}

#[test]
fn verdicts_of_a_batch_keep_their_value_and_are_escaped() {
    let body = format!("User-agent: *\nDisallow: /{CONTROLS}");
    let case = serde_json::json!({
        CONTROLS: CONTROLS, "robots": body, "agent": CONTROLS, "url": format!("/{CONTROLS}"),
    });
    let mut child = robostat(["check", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{case}").expect("a reader");
    drop(input);
    let printed = child.wait_with_output().expect("an end").stdout;
    let printed = String::from_utf8(printed).expect("UTF-8");
    assert_eq!(printed.find(is_escaped), None, "{printed:?}");
    let answer: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(answer[CONTROLS], CONTROLS);
    assert_eq!(answer["allowed"], false);
}

#[test]
fn check_escapes_its_arguments() {
    let place = place();
    let arg = OsStr::new;
    let file = place
        .directory
        .path()
        .join(format!("{CONTROLS}\nrobostat: all is well").replace('/', ""));
    fs::write(
        &file,
        format!("User-agent: *\nDisallow: /{CONTROLS}\nAllow: /$\n"),
    )
    .expect("space");
    let agent = format!("bot{CONTROLS}\nrobostat: all is well");
    let url = format!("/{CONTROLS}");
    for more in [
        &["--dialect", "all"][..],
        &["--json"],
        &["--dialect", "all", "--json"],
        &[],
    ] {
        let mut arguments = vec![
            arg("check"),
            arg("--agent"),
            arg(&agent),
            arg("--url"),
            arg(&url),
        ];
        arguments.extend(more.iter().copied().map(arg));
        arguments.push(file.as_os_str());
        let code = run(&arguments).status.code().expect("a code");
        assert!(code <= 1, "{code}");
        prints_no_controls(&arguments, code);
    }
}

fn query(out: &Path, sql: &str, format: &str) -> Output {
    run(&[
        "query".as_ref(),
        out.as_os_str(),
        "-e".as_ref(),
        sql.as_ref(),
        "--format".as_ref(),
        format.as_ref(),
    ])
}

fn captures(out: &Path) -> Vec<Value> {
    let output = query(out, "FROM captures ORDER BY warc_record_offset", "json");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error} {output:?}"))
}

#[test]
fn query_results_are_escaped() {
    let place = place();
    assert_eq!(
        run(&[
            "ingest".as_ref(),
            place.input.as_os_str(),
            place.out.as_os_str()
        ])
        .status
        .code(),
        Some(3)
    );
    for table in [
        "captures",
        "damage",
        "inputs",
        "agents",
        "rules",
        "directives",
        "preferences",
        "sitemaps",
        "remarks",
        "groups",
    ] {
        for format in ["table", "markdown", "json"] {
            let arguments = [
                "query",
                place.out.to_str().expect("UTF-8"),
                "-e",
                &format!("FROM {table}"),
                "--format",
                format,
            ];
            let text = prints_no_controls(&arguments, 0);
            assert!(
                text.lines().count() > 2 || format == "json",
                "{table}: {text}"
            );
        }
        let output = query(&place.out, &format!("FROM {table}"), "csv");
        assert!(output.status.success(), "{output:?}");
        for cell in cells(&String::from_utf8(output.stdout).expect("UTF-8")) {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(
                is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                "{cell:?}"
            );
        }
    }
}

/// The cells of CSV (RFC 4180).
fn cells(csv: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    for character in csv.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(character),
        }
    }
    cells
}

/// Labels that a file system, or who reads partitions, could take for something else.
#[test]
fn a_label_of_a_crawl_stays_a_label_within_the_dataset() {
    let long = "é".repeat(300);
    for label in [
        "..",
        ".",
        "/etc/passwd",
        "../../../up",
        "a/../../b",
        "C:\\x",
        "~",
        "$(id)",
        "null",
        "NULL",
        "__HIVE_DEFAULT_PARTITION__",
        "a=b",
        "%2e%2e%2f",
        "*",
        "[a]",
        "'",
        CONTROLS.trim_end_matches('"'),
        &long,
    ] {
        let label = &label.replace('\r', "");
        let directory = tempdir().expect("a directory");
        let input = directory.path().join("crawl.warc");
        let warc =
            MiniWarc::of_crawl(label).answer("http://a.example/robots.txt", 200, "User-agent: *\n");
        fs::write(&input, warc.bytes()).expect("space");
        let out = directory.path().join("within/out");
        fs::create_dir(directory.path().join("within")).expect("space");
        prints_no_controls(&["ingest".as_ref(), input.as_os_str(), out.as_os_str()], 0);
        for file in files(directory.path()) {
            assert!(
                file == input || file.starts_with(&out),
                "{label:?} wrote {}",
                file.display()
            );
        }
        let parts: Vec<_> = files(&out.join("captures"));
        assert!(
            matches!(parts.as_slice(), [part] if part.components().count() == out.components().count() + 3),
            "{parts:?}"
        );
        let crawl = captures(&out)[0]["crawl"].clone();
        let crawl = crawl.as_str().expect("a label");
        // Names of directories have an end.
        let (kept, _hash) = crawl.rsplit_once('-').unwrap_or_default();
        let is_cut = label == &long && label.starts_with(kept) && kept.len() > 50;
        assert!(crawl == label || is_cut, "{label:?} became {crawl:?}");
        prints_no_controls(&["verify".as_ref(), out.as_os_str()], 0);
        // Who asks for another crawl is told which there are.
        let [query, name, option] = ["query", "agent-adoption", "--crawl=none"].map(OsStr::new);
        let said = prints_no_controls(&[query, out.as_os_str(), name, option], 2);
        assert_contains(&said, &["there is no crawl none; the dataset has"]);
    }
}

#[test]
fn wrong_arguments_are_repeated_without_their_controls() {
    let sign = "x\u{9b}31m\u{202e}";
    for arguments in [
        &[sign][..],
        &[&*format!("--{sign}")],
        &["schema", sign],
        &["schema", "captures", sign],
        &["ingest", "--jobs", sign, "a", "b"],
    ] {
        let said = prints_no_controls(arguments, 2);
        assert!(said.contains("x\\u{9b}31m\\u{202e}"), "{said}");
    }
}
