//! Archives whose records are packed one by one.

use crate::support::warc::gzip;

/// What packs a record.
type Pack = fn(&[u8]) -> Vec<u8>;

/// The ways to pack records, with a name for messages.
pub(super) const PACKINGS: [(&str, Pack); 3] =
    [("gz", gzip), ("zst", zstd), ("plain", <[u8]>::to_vec)];

/// An archive in the making, each record packed by itself.
pub(super) struct Archive {
    pack: Pack,
    pub(super) bytes: Vec<u8>,
    /// URL, offset and length of each record.
    pub(super) records: Vec<(String, usize, usize)>,
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("memory")
}

fn record(kind: &str, url: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2026-08-01T06:00:00Z\r\n\
         WARC-Record-ID: <urn:x:{kind}-{url}>\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

impl Archive {
    pub(super) fn new(pack: Pack) -> Self {
        let info = b"isPartOf: CHOSEN\r\n";
        let bytes = pack(&record("warcinfo", "x:y", "application/warc-fields", info));
        Self {
            pack,
            bytes,
            records: Vec::new(),
        }
    }

    /// Adds a response, and before it `filler` bytes of a page that cannot be compressed.
    pub(super) fn with(self, url: &str, body: &str, filler: usize) -> Self {
        self.answer(url, 200, body, filler)
    }

    /// The same with another status.
    pub(super) fn answer(mut self, url: &str, status: u16, body: &str, filler: usize) -> Self {
        let pack = self.pack;
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let page: Vec<u8> = (0..filler).map(|_| noise()).collect();
        self.bytes
            .extend(pack(&record("metadata", url, "x/y", &page)));
        let is_page = body.starts_with("<html>");
        let content_type = if is_page { "text/html" } else { "text/plain" };
        let http =
            format!("HTTP/1.1 {status} Status\r\nContent-Type: {content_type}\r\n\r\n{body}");
        let kind = "application/http; msgtype=response";
        let packed = pack(&record("response", url, kind, http.as_bytes()));
        self.records
            .push((url.to_owned(), self.bytes.len(), packed.len()));
        self.bytes.extend(packed);
        self
    }

    /// An archive of captures of this many hosts.
    pub(super) fn of(pack: Pack, number: usize, filler: usize) -> Self {
        (0..number).fold(Self::new(pack), |archive, host| {
            let body = format!("User-agent: *\nDisallow: /{}\n", host % 7);
            let url = format!("https://{host}.example/robots.txt");
            archive.with(&url, &body, filler)
        })
    }
}
