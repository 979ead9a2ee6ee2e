//! The server of a page of tests/cases, over HTTP and, on the same port, over TLS as `localhost`.
//! It serves the files of the page's folder. A block `serve` of the page writes the file `answers`,
//! which changes the answers to some requests:
//!
//! ```text
//! /a.warc.gz file | cut 1000     the first request: the connection breaks after 1000 bytes
//! /a.warc.gz 503 slow down       the second request: a status and a body
//!     Retry-After: 1             a header of that answer; without a value, it is left out
//! /b.warc.gz 200 @c.warc.gz      a status and the content of a file, without ranges
//! /c.warc.gz always none         every request: the connection is closed
//! /dir/* always file a.warc.gz   every request below /dir/: another file
//! /b/*?us-east-1 always 400      requests below /b/ whose query has this word
//! ```
//!
//! Each request adds a line to the file `requests`: the method, the target, the range and the
//! condition of the range. The first request of a path is the first in that file. The file `times`
//! has the time of each, in seconds, and `headers` the headers of the last one. From the first
//! connection by TLS on, `certificate.pem` is the certificate to trust.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, SystemTime};

use rcgen::CertifiedKey;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::sha256;

/// The Last-Modified of every file.
const MODIFIED: &str = "Sat, 01 Aug 2026 06:00:00 GMT";

struct Server {
    folder: PathBuf,
    tls: OnceLock<Arc<ServerConfig>>,
    /// Held while a request is logged.
    turn: Mutex<()>,
}

struct Request {
    method: String,
    /// Path and query.
    target: String,
    /// Headers, by their names in lower case.
    headers: BTreeMap<String, String>,
}

struct Answer {
    status: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// Starts the server of a folder, which runs as long as the tests. Returns its address, without a
/// slash at its end.
pub(crate) fn start(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let server = Arc::new(Server {
        tls: OnceLock::new(),
        turn: Mutex::default(),
        folder,
    });
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let server = Arc::clone(&server);
            thread::spawn(move || server.serve(stream));
        }
    });
    url
}

/// TLS with a certificate of its own, which is written to a file.
fn tls(certificate: &Path) -> Arc<ServerConfig> {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    fs::write(certificate, cert.pem()).expect("space");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key);
    Arc::new(config.expect("a certificate and its key"))
}

impl Server {
    fn serve(&self, stream: TcpStream) {
        // The first byte of TLS is the type of its record: a handshake.
        let mut first = [0];
        if stream.peek(&mut first).is_ok() && first == [22] {
            let certificate = self.folder.join("certificate.pem");
            let config = self.tls.get_or_init(|| tls(&certificate));
            let connection = ServerConnection::new(Arc::clone(config)).expect("a connection");
            self.answer_all(StreamOwned::new(connection, stream));
        } else {
            self.answer_all(stream);
        }
    }

    fn answer_all(&self, stream: impl Read + Write) {
        let mut stream = BufReader::new(stream);
        while let Some(asked) = Request::read(&mut stream)
            && self.answer(&asked, &mut stream).is_some()
        {}
    }

    /// Answers a request. `None` if the connection ends.
    fn answer(&self, asked: &Request, stream: &mut BufReader<impl Read + Write>) -> Option<()> {
        let before = self.log(asked);
        let answers = fs::read_to_string(self.folder.join("answers")).unwrap_or_default();
        let (rule, headers) = asked.rule(&answers, before);
        let mut changes = rule.split(" | ").map(pair);
        let (kind, text) = changes.next()?;
        let changes: BTreeMap<&str, isize> = changes
            .map(|(name, number)| (name, number.parse().unwrap_or_default()))
            .collect();
        let number = |name| usize::try_from(*changes.get(name)?).ok();
        let mut answer = match (kind, text) {
            ("none", _) => return None,
            ("file", text) => {
                let path = if text.is_empty() { asked.path() } else { text };
                let shift = ["first", "last"].map(|name| *changes.get(name).unwrap_or(&0));
                self.file(asked, path, shift)
            }
            (status, text) => match text.strip_prefix('@') {
                Some(name) => Answer::new(status, fs::read(self.folder.join(name)).ok()?),
                None => Answer::new(status, text.into()),
            },
        };
        for (name, value) in headers.iter().filter_map(|line| line.split_once(':')) {
            answer.set(name, value.trim());
        }
        thread::sleep(Duration::from_millis(number("after").unwrap_or(0) as u64));
        if let Some(length) = number("length") {
            answer.set("Content-Length", &length.to_string());
        }
        answer
            .body
            .truncate(number("cut").or(number("stall")).unwrap_or(usize::MAX));
        let mut version = "1.1";
        if changes.contains_key("chunked") {
            answer.set("Content-Length", "");
            answer.set("Transfer-Encoding", "chunked");
            let start = format!("{:x}\r\n", answer.body.len());
            let end = if changes.contains_key("cut") {
                "\r\n"
            } else {
                "\r\n0\r\n\r\n"
            };
            answer.body = [start.as_bytes(), &answer.body, end.as_bytes()].concat();
        } else if changes.contains_key("until-closed") {
            answer.set("Content-Length", "");
            version = "1.0";
        }
        let mut head = format!("HTTP/{version} {} Status\r\n", answer.status);
        for (name, value) in &answer.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let all = [head.as_bytes(), b"\r\n", &answer.body].concat();
        stream.get_mut().write_all(&all).ok()?;
        stream.get_mut().flush().ok()?;
        if changes.contains_key("stall") {
            // Until the other side gives up.
            let _ = stream.read(&mut [0]);
        }
        let ends = ["cut", "length", "stall", "until-closed"];
        let is_last = ends.iter().any(|name| changes.contains_key(name));
        (!is_last).then_some(())
    }

    /// Logs a request. Returns how many requests of its path came before.
    fn log(&self, asked: &Request) -> usize {
        let _turn = self.turn.lock().expect("no panic");
        let append = |name: &str, line: String| {
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(self.folder.join(name));
            file.and_then(|mut file| file.write_all(line.as_bytes()))
                .expect("space");
        };
        let requests = fs::read_to_string(self.folder.join("requests")).unwrap_or_default();
        let paths = requests
            .lines()
            .filter_map(|line| line.split([' ', '?']).nth(1));
        let before = paths.filter(|path| *path == asked.path()).count();
        let mut words = vec![&*asked.method, &*asked.target];
        words.extend(
            ["range", "if-range"]
                .iter()
                .filter_map(|name| asked.header(name)),
        );
        append("requests", words.join(" ") + "\n");
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("a time");
        append("times", format!("{:.6}\n", now.as_secs_f64()));
        let mut headers = String::new();
        for (name, value) in &asked.headers {
            headers.extend([name, ": ", value, "\n"]);
        }
        fs::write(self.folder.join("headers"), headers).expect("space");
        before
    }

    /// A file of the folder, or the requested range with its first and last byte moved by `shift`;
    /// or 404. The ETag depends on the content.
    fn file(&self, asked: &Request, path: &str, shift: [isize; 2]) -> Answer {
        let Ok(body) = fs::read(self.folder.join(path.trim_start_matches('/'))) else {
            return Answer::new("404", b"not here".to_vec());
        };
        let etag = format!("\"{}\"", &sha256(&body)[..6]);
        let condition = asked.header("if-range");
        let range = asked
            .header("range")
            .filter(|_| condition.is_none_or(|it| it == etag || it == MODIFIED))
            .and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        let all = body.len();
        let mut answer = if let Some((first, last)) = range {
            let last = last.parse().ok();
            let (first, last) = match (first.parse(), last) {
                (Ok(first), last) => (first, last.unwrap_or(all)),
                (Err(_), bytes) => (all.saturating_sub(bytes.unwrap_or(0)), all),
            };
            let first: usize = first.saturating_add_signed(shift[0]);
            let last: usize = last.saturating_add_signed(shift[1]).min(all - 1);
            if first < all {
                let mut answer = Answer::new("206", body[first..=last].to_vec());
                answer.set("Content-Range", &format!("bytes {first}-{last}/{all}"));
                answer
            } else {
                let mut answer = Answer::new("416", Vec::new());
                answer.set("Content-Range", &format!("bytes */{all}"));
                answer
            }
        } else {
            Answer::new("200", body)
        };
        answer.set("ETag", &etag);
        answer.set("Last-Modified", MODIFIED);
        answer
    }
}

impl Request {
    fn read(stream: &mut impl BufRead) -> Option<Self> {
        let mut lines = stream.lines().map_while(Result::ok);
        let head = lines.next()?;
        let mut words = head.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let headers = lines.take_while(|line| !line.is_empty());
        let headers = headers.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Some(Self {
            method,
            target,
            headers: headers.collect(),
        })
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The answer to this request, and its headers, after `before` requests of its path.
    fn rule<'a>(&self, answers: &'a str, before: usize) -> (&'a str, Vec<&'a str>) {
        let mut rules: Vec<(&str, &str, Vec<&str>)> = Vec::new();
        for line in answers.lines() {
            if let Some(header) = line.strip_prefix("    ") {
                let rule = rules.last_mut().expect("an answer before its headers");
                rule.2.push(header);
            } else {
                let (target, answer) = pair(line);
                rules.push((target, answer, Vec::new()));
            }
        }
        rules.retain(|(target, ..)| self.is_meant(target));
        let last = rules.last().filter(|rule| rule.1.starts_with("always "));
        let rule = rules.get(before).or(last).cloned();
        let (_, answer, headers) = rule.unwrap_or(("", "file", Vec::new()));
        (answer.strip_prefix("always ").unwrap_or(answer), headers)
    }

    /// Whether an answer with this target is meant for this request.
    fn is_meant(&self, target: &str) -> bool {
        let (path, word) = target.split_once('?').unwrap_or((target, ""));
        let is_path = match path.strip_suffix('*') {
            Some(start) => self.path().starts_with(start),
            None => self.path() == path,
        };
        is_path && self.target[self.path().len()..].contains(word)
    }
}

impl Answer {
    fn new(status: &str, body: Vec<u8>) -> Self {
        let length = ("Content-Length".to_owned(), body.len().to_string());
        Self {
            status: status.to_owned(),
            headers: BTreeMap::from([length]),
            body,
        }
    }

    /// Sets a header, or removes it if it has no value.
    fn set(&mut self, name: &str, value: &str) {
        self.headers.remove(name);
        if !value.is_empty() {
            self.headers.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// The first word and the rest.
fn pair(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}
