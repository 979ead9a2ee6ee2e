//! An HTTP server on the loopback that misbehaves on request.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use rcgen::CertifiedKey;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct ServedRequest {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    /// Headers, by their names in lower case.
    pub(crate) headers: HashMap<String, String>,
    /// When it came.
    pub(crate) at: Instant,
    /// How many requests for the path came before.
    pub(crate) before: usize,
}

impl ServedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// First byte of the range that is asked for.
    pub(crate) fn from(&self) -> Option<usize> {
        self.range()?.0.parse().ok()
    }

    /// Last byte of the range that is asked for, where it has one.
    pub(crate) fn last(&self) -> Option<usize> {
        self.range()?.1.parse().ok()
    }

    /// Bytes at the end of the file that are asked for.
    pub(crate) fn suffix(&self) -> Option<usize> {
        (self.range()?).0.is_empty().then(|| self.last())?
    }

    fn range(&self) -> Option<(&str, &str)> {
        self.header("range")?
            .strip_prefix("bytes=")?
            .split_once('-')
    }
}

/// An answer, and what goes wrong with it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// What Content-Length says, if not the truth.
    length: Option<usize>,
    /// Bytes of the body after which the connection is closed.
    cut: Option<usize>,
    /// Time before the answer.
    delay: Duration,
    /// Bytes of the body after which nothing more comes, on an open connection.
    stall: Option<usize>,
    /// The connection is closed without an answer.
    is_none: bool,
    framing: Framing,
}

/// How the end of a body is marked (RFC 9112 §6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Framing {
    #[default]
    Length,
    Chunked,
    /// By the end of the connection alone.
    Close,
}

impl Answer {
    pub(crate) fn new(status: u16, body: &[u8]) -> Self {
        Self {
            status,
            body: body.to_vec(),
            ..Self::default()
        }
    }

    /// No answer: the connection is closed, as by a server that dies.
    pub(crate) fn none() -> Self {
        Self {
            is_none: true,
            ..Self::default()
        }
    }

    /// A file, or what is asked for of it, as a server gives it that knows ranges.
    pub(crate) fn file(asked: &ServedRequest, body: &[u8], etag: &str) -> Self {
        let if_range = asked.header("if-range");
        let is_same = if_range.is_none_or(|it| it == etag || it == MODIFIED);
        let suffix = asked.suffix().map(|bytes| body.len().saturating_sub(bytes));
        let from = asked.from().or(suffix).filter(|_| is_same);
        let answer = match from {
            None => Self::new(200, body),
            Some(from) if from < body.len() => {
                let all = body.len();
                let last = asked.last().filter(|_| suffix.is_none());
                let last = last.unwrap_or(all).min(all - 1);
                Self::new(206, &body[from..=last])
                    .with("Content-Range", &format!("bytes {from}-{last}/{all}"))
            }
            Some(_) => {
                Self::new(416, b"").with("Content-Range", &format!("bytes */{}", body.len()))
            }
        };
        answer.with("ETag", etag).with("Last-Modified", MODIFIED)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With another value of a header, or without the header.
    pub(crate) fn replace(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(it, _)| it != name);
        if value.is_empty() {
            self
        } else {
            self.with(name, value)
        }
    }

    /// The connection is closed after this many bytes of the body.
    pub(crate) fn cut(self, bytes: usize) -> Self {
        Self {
            cut: Some(bytes),
            ..self
        }
    }

    /// Sent in chunks, without Content-Length.
    pub(crate) fn chunked(self) -> Self {
        Self {
            framing: Framing::Chunked,
            ..self
        }
    }

    /// Sent as HTTP/1.0 may send it: it ends where the connection does.
    pub(crate) fn until_closed(self) -> Self {
        Self {
            framing: Framing::Close,
            ..self
        }
    }

    /// Content-Length announces it.
    pub(crate) fn lie(self, length: usize) -> Self {
        Self {
            length: Some(length),
            ..self
        }
    }

    /// Nothing more comes after this many bytes of the body.
    pub(crate) fn stall(self, bytes: usize) -> Self {
        Self {
            stall: Some(bytes),
            ..self
        }
    }

    /// It comes later.
    pub(crate) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Sends it; returns whether the connection goes on.
    fn send(&self, stream: &mut impl Write, stopped: &AtomicBool) -> bool {
        thread::sleep(self.delay);
        if self.is_none {
            return false;
        }
        let version = u8::from(self.framing != Framing::Close);
        let mut head = format!("HTTP/1.{version} {} Status\r\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let length = self.length.unwrap_or(self.body.len());
        match self.framing {
            Framing::Length => head.extend(["Content-Length: ", &length.to_string(), "\r\n"]),
            Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
            Framing::Close => {}
        }
        head.push_str("\r\n");
        let sent = self.cut.or(self.stall).unwrap_or(self.body.len());
        let mut sent = self.body[..sent.min(self.body.len())].to_vec();
        if self.framing == Framing::Chunked {
            let mut chunks = format!("{:x}\r\n", sent.len()).into_bytes();
            chunks.extend_from_slice(&sent);
            let is_whole = self.cut.is_none();
            chunks.extend_from_slice(if is_whole { b"\r\n0\r\n\r\n" } else { b"\r\n" });
            sent = chunks;
        }
        let is_sent = (stream.write_all(head.as_bytes()))
            .and_then(|()| stream.write_all(&sent))
            .and_then(|()| stream.flush());
        while self.stall.is_some() && !stopped.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        let is_open = self.framing != Framing::Close;
        is_sent.is_ok()
            && is_open
            && self.cut.is_none()
            && self.length.is_none()
            && self.stall.is_none()
    }
}

/// The Last-Modified of every [file](Answer::file).
pub(crate) const MODIFIED: &str = "Sat, 01 Aug 2026 06:00:00 GMT";

type Handler = dyn Fn(&ServedRequest) -> Answer + Send + Sync;

/// A server, until it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    /// The certificate to trust.
    certificate: Option<(TempDir, PathBuf)>,
}

struct Shared {
    handler: Box<Handler>,
    asked: Mutex<Vec<ServedRequest>>,
    stopped: AtomicBool,
    tls: Option<Arc<ServerConfig>>,
}

impl Server {
    /// A server that answers as `handler` says.
    pub(crate) fn new(handler: impl Fn(&ServedRequest) -> Answer + Send + Sync + 'static) -> Self {
        Self::begin(Box::new(handler), None, None)
    }

    /// The same, with TLS.
    pub(crate) fn with_tls(
        handler: impl Fn(&ServedRequest) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let names = vec!["localhost".to_owned()];
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(names).expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let chain: Vec<CertificateDer<'static>> = vec![cert.der().clone()];
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a certificate and its key");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("certificate.pem");
        fs::write(&path, cert.pem()).expect("space");
        Self::begin(
            Box::new(handler),
            Some(Arc::new(config)),
            Some((folder, path)),
        )
    }

    fn begin(
        handler: Box<Handler>,
        tls: Option<Arc<ServerConfig>>,
        certificate: Option<(TempDir, PathBuf)>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            handler,
            asked: Mutex::default(),
            stopped: AtomicBool::new(false),
            tls,
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if accepting.stopped.load(Ordering::Relaxed) {
                    return;
                }
                let (Ok(stream), shared) = (stream, Arc::clone(&accepting)) else {
                    continue;
                };
                thread::spawn(move || shared.serve(stream));
            }
        });
        Self {
            address,
            shared,
            certificate,
        }
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        let port = self.address.port();
        match self.shared.tls {
            Some(_) => format!("https://localhost:{port}{path}"),
            None => format!("http://127.0.0.1:{port}{path}"),
        }
    }

    /// The file with the certificate to trust.
    pub(crate) fn certificate(&self) -> &PathBuf {
        &self.certificate.as_ref().expect("a server with TLS").1
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> MutexGuard<'_, Vec<ServedRequest>> {
        self.shared.asked.lock().expect("no panic")
    }

    /// How often a path was asked for.
    pub(crate) fn count(&self, target: &str) -> usize {
        self.asked().iter().filter(|it| it.target == target).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        // So that the thread that accepts looks.
        drop(TcpStream::connect(self.address));
    }
}

impl Shared {
    fn serve(&self, stream: TcpStream) {
        let close = stream.try_clone().expect("a handle");
        match &self.tls {
            Some(config) => {
                let connection = ServerConnection::new(Arc::clone(config)).expect("a connection");
                self.answer_all(StreamOwned::new(connection, stream));
            }
            None => self.answer_all(stream),
        }
        let _ = close.shutdown(Shutdown::Both);
    }

    fn answer_all(&self, stream: impl Read + Write) {
        let mut stream = BufReader::new(stream);
        while let Some(asked) = self.read(&mut stream) {
            let answer = (self.handler)(&asked);
            if !answer.send(stream.get_mut(), &self.stopped) {
                return;
            }
        }
    }

    fn read(&self, stream: &mut BufReader<impl Read>) -> Option<ServedRequest> {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let mut headers = HashMap::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok().filter(|read| *read > 0)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) => {
                    headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
                }
                None => break,
            }
        }
        let mut all = self.asked.lock().expect("no panic");
        let path = target.split('?').next();
        let is_same = |it: &&ServedRequest| it.target.split('?').next() == path;
        let asked = ServedRequest {
            before: all.iter().filter(is_same).count(),
            method,
            target,
            headers,
            at: Instant::now(),
        };
        all.push(asked.clone());
        Some(asked)
    }
}
