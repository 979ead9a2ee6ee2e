//! WARC records (ISO 28500) in the shape of Common Crawl's: a `warcinfo`, then a `request` and a
//! `response` per fetch.

use std::fmt::Write as _;

use sha1::{Digest, Sha1};

use super::exchange::{Exchange, Kind, Oddity};
use super::random::Random;
use super::time::Time;

const REQUEST: &str = "application/http; msgtype=request";
const RESPONSE: &str = "application/http; msgtype=response";

/// Turns exchanges into records and gives each its id.
#[derive(Clone)]
pub(crate) struct Recorder {
    ids: Random,
    warcinfo: String,
    last: Option<Reference>,
}

/// What a revisit says about the response that it repeats.
#[derive(Clone)]
struct Reference {
    id: String,
    url: String,
    date: String,
    payload_digest: String,
}

impl Recorder {
    /// A recorder whose ids follow from `ids`.
    pub(crate) fn new(mut ids: Random) -> Self {
        let warcinfo = urn(&mut ids);
        Self {
            ids,
            warcinfo,
            last: None,
        }
    }

    /// A recorder for one part of the same archive, whose ids are its own.
    pub(crate) fn fork(&self, part: u64) -> Self {
        Self {
            ids: self.ids.fork(part),
            warcinfo: self.warcinfo.clone(),
            last: None,
        }
    }

    /// The record that opens an archive, of this file name without its ending.
    pub(crate) fn warcinfo(&self, label: &str, file: &str, date: Time) -> Vec<u8> {
        let block = format!(
            "isPartOf: {label}\r\n\
             description: Made-up captures of robots.txt files\r\n\
             operator: make_crawl, an example of robostat\r\n\
             robots: checked, all of them invented\r\n\
             format: WARC File Format 1.0\r\n\
             conformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n"
        );
        let mut head = head("WARC/1.0", "warcinfo", &date.warc(""), &self.warcinfo);
        field(&mut head, "Content-Length", block.len());
        field(&mut head, "Content-Type", "application/warc-fields");
        field(&mut head, "WARC-Filename", format_args!("{file}.warc"));
        close(head, &[block.as_bytes()])
    }

    /// The records of a capture's exchanges: the capture, and its request and metadata records.
    pub(crate) fn capture(&mut self, exchanges: &[Exchange]) -> Vec<Vec<u8>> {
        let records = exchanges.iter().flat_map(|exchange| self.records(exchange));
        records.collect()
    }

    fn records(&mut self, exchange: &Exchange) -> Vec<Vec<u8>> {
        let with_request = matches!(
            exchange.kind,
            Kind::Response | Kind::Revisit | Kind::NotModified
        );
        let request = with_request.then(|| self.request(exchange));
        let (request_id, mut records) =
            request.map_or((None, Vec::new()), |(id, record)| (Some(id), vec![record]));
        let answer = match exchange.kind {
            Kind::Response | Kind::Lone => self.response(exchange, request_id.as_deref()),
            Kind::Resource => self.resource(exchange),
            Kind::Revisit | Kind::NotModified | Kind::RevisitElsewhere => {
                self.revisit(exchange, request_id.as_deref())
            }
            Kind::Metadata => self.metadata(exchange),
        };
        records.push(answer);
        records
    }

    fn request(&mut self, exchange: &Exchange) -> (String, Vec<u8>) {
        let id = urn(&mut self.ids);
        let block = format!(
            "GET {} HTTP/1.1\r\n\
             User-Agent: MadeUpBot/1.0 (+https://crawler.example/)\r\n\
             Accept: text/plain,text/html;q=0.9,*/*;q=0.8\r\n\
             Accept-Language: en-US,en;q=0.5\r\n\
             Accept-Encoding: br,gzip\r\n\
             Host: {}\r\n\
             Connection: Keep-Alive\r\n\r\n",
            exchange.path(),
            exchange.authority()
        );
        let mut head = head("WARC/1.0", "request", &exchange.fetched.warc(""), &id);
        field(&mut head, "Content-Length", block.len());
        field(&mut head, "Content-Type", REQUEST);
        self.common(&mut head, exchange);
        field(
            &mut head,
            "WARC-Block-Digest",
            sha1_base32(&[block.as_bytes()]),
        );
        (id, close(head, &[block.as_bytes()]))
    }

    fn response(&mut self, exchange: &Exchange, request: Option<&str>) -> Vec<u8> {
        let id = urn(&mut self.ids);
        let block = [exchange.head.as_slice(), exchange.payload.as_slice()];
        let (version, fraction) = match exchange.oddity {
            Oddity::Fraction => ("WARC/1.1", ".250725"),
            _ => ("WARC/1.0", ""),
        };
        let date = exchange.fetched.warc(fraction);
        let mut head = head(version, "response", &date, &id);
        field(&mut head, "Content-Length", block[0].len() + block[1].len());
        field(&mut head, "Content-Type", RESPONSE);
        self.common(&mut head, exchange);
        if let Some(request) = request {
            field(&mut head, "WARC-Concurrent-To", format_args!("<{request}>"));
        }
        for protocol in exchange.protocols {
            field(&mut head, "WARC-Protocol", protocol);
        }
        let payload_digest = sha1_base32(&block[1..]);
        match exchange.oddity {
            Oddity::NoDigests => {}
            Oddity::HexDigests => {
                field(&mut head, "WARC-Payload-Digest", sha1_hex(&block[1..]));
                field(&mut head, "WARC-Block-Digest", sha1_hex(&block));
            }
            oddity => {
                field(&mut head, "WARC-Payload-Digest", &payload_digest);
                if let Oddity::SecondDigest(digest) = oddity {
                    field(&mut head, "WARC-Payload-Digest", digest);
                }
                field(&mut head, "WARC-Block-Digest", sha1_base32(&block));
            }
        }
        if let Oddity::Truncated(reason) = exchange.oddity {
            field(&mut head, "WARC-Truncated", reason);
        }
        if exchange.oddity == Oddity::Folded {
            field(
                &mut head,
                "X-Archive-Note",
                "this field goes on\r\n\tin the next line",
            );
        }
        field(
            &mut head,
            "WARC-Identified-Payload-Type",
            exchange.identified,
        );
        if exchange.oddity == Oddity::LowerCase {
            head = lower_case_names(&head);
        }
        self.last = Some(Reference {
            id,
            url: exchange.url.clone(),
            date,
            payload_digest,
        });
        close(head, &block)
    }

    fn resource(&mut self, exchange: &Exchange) -> Vec<u8> {
        let id = urn(&mut self.ids);
        let mut head = head("WARC/1.0", "resource", &exchange.fetched.warc(""), &id);
        field(&mut head, "Content-Length", exchange.payload.len());
        field(&mut head, "Content-Type", exchange.identified);
        self.common(&mut head, exchange);
        let digest = sha1_base32(&[&exchange.payload]);
        field(&mut head, "WARC-Payload-Digest", &digest);
        field(&mut head, "WARC-Block-Digest", &digest);
        close(head, &[&exchange.payload])
    }

    fn revisit(&mut self, exchange: &Exchange, request: Option<&str>) -> Vec<u8> {
        let id = urn(&mut self.ids);
        let original = match (exchange.kind, self.last.take()) {
            (Kind::Revisit | Kind::NotModified, Some(last)) => last,
            _ => Reference {
                id: urn(&mut self.ids),
                url: exchange.url.clone(),
                date: Time::of_date(2019, 5, 4).warc(""),
                payload_digest: sha1_base32(&[b"a file that no capture here returned"]),
            },
        };
        let profile = match exchange.kind {
            Kind::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
            _ => "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
        };
        let mut head = head("WARC/1.1", "revisit", &exchange.fetched.warc(""), &id);
        field(&mut head, "Content-Length", exchange.head.len());
        field(&mut head, "Content-Type", RESPONSE);
        self.common(&mut head, exchange);
        if let Some(request) = request {
            field(&mut head, "WARC-Concurrent-To", format_args!("<{request}>"));
        }
        field(&mut head, "WARC-Profile", profile);
        field(
            &mut head,
            "WARC-Refers-To",
            format_args!("<{}>", original.id),
        );
        field(&mut head, "WARC-Refers-To-Target-URI", &original.url);
        field(&mut head, "WARC-Refers-To-Date", &original.date);
        // The status shows "not modified"; the payload's digest is for the other profile.
        if exchange.kind != Kind::NotModified {
            field(&mut head, "WARC-Payload-Digest", &original.payload_digest);
        }
        field(
            &mut head,
            "WARC-Block-Digest",
            sha1_base32(&[&exchange.head]),
        );
        field(&mut head, "WARC-Truncated", "length");
        self.last = Some(original);
        close(head, &[&exchange.head])
    }

    fn metadata(&mut self, exchange: &Exchange) -> Vec<u8> {
        let id = urn(&mut self.ids);
        let mut head = head("WARC/1.0", "metadata", &exchange.fetched.warc(""), &id);
        field(&mut head, "Content-Length", exchange.payload.len());
        field(&mut head, "Content-Type", "application/warc-fields");
        self.common(&mut head, exchange);
        if let Some(last) = &self.last {
            field(
                &mut head,
                "WARC-Concurrent-To",
                format_args!("<{}>", last.id),
            );
        }
        field(
            &mut head,
            "WARC-Block-Digest",
            sha1_base32(&[&exchange.payload]),
        );
        close(head, &[&exchange.payload])
    }

    fn common(&self, head: &mut String, exchange: &Exchange) {
        field(
            head,
            "WARC-Warcinfo-ID",
            format_args!("<{}>", self.warcinfo),
        );
        field(head, "WARC-IP-Address", &exchange.ip);
        match exchange.oddity {
            Oddity::Brackets => field(head, "WARC-Target-URI", format_args!("<{}>", exchange.url)),
            _ => field(head, "WARC-Target-URI", &exchange.url),
        }
    }
}

fn head(version: &str, kind: &str, date: &str, id: &str) -> String {
    format!("{version}\r\nWARC-Type: {kind}\r\nWARC-Date: {date}\r\nWARC-Record-ID: <{id}>\r\n")
}

fn field(head: &mut String, name: &str, value: impl std::fmt::Display) {
    let _ = write!(head, "{name}: {value}\r\n");
}

/// Head, empty line, block, and the two line ends that follow every record.
fn close(head: String, block: &[&[u8]]) -> Vec<u8> {
    let mut record = head.into_bytes();
    record.reserve_exact(6 + block.iter().map(|part| part.len()).sum::<usize>());
    record.extend_from_slice(b"\r\n");
    for part in block {
        record.extend_from_slice(part);
    }
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// Names are alike in any case (ISO 28500, 4), but some readers know these three in one spelling
/// only.
fn lower_case_names(head: &str) -> String {
    let lower = |line: &str| match line.split_once(": ") {
        Some(("WARC-Type" | "Content-Type" | "Content-Length", _)) | None => line.to_owned(),
        Some((name, value)) => format!("{}: {value}", name.to_ascii_lowercase()),
    };
    head.split("\r\n")
        .map(lower)
        .collect::<Vec<_>>()
        .join("\r\n")
}

/// A random UUID (RFC 9562, version 4) as a URN.
fn urn(ids: &mut Random) -> String {
    let high = ids.bits() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000;
    let low = ids.bits() >> 2 | 1 << 63;
    format!(
        "urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    )
}

fn sha1(parts: &[&[u8]]) -> [u8; 20] {
    let mut hash = Sha1::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

fn sha1_hex(parts: &[&[u8]]) -> String {
    let mut text = String::from("sha1:");
    for byte in sha1(parts) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// As archives write it: the digest's 160 bits as 32 characters of five bits each (RFC 4648 §6).
fn sha1_base32(parts: &[&[u8]]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::from("sha1:");
    for five in sha1(parts).chunks_exact(5) {
        let bits = five
            .iter()
            .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        for shift in (0..8).rev() {
            text.push(char::from(ALPHABET[(bits >> (5 * shift) & 31) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_fips_180() {
        assert_eq!(sha1_base32(&[]), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(
            sha1_hex(&[b"a", b"bc"]),
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d"
        );
    }

    #[test]
    fn ids_are_random_uuids() {
        let id = urn(&mut Random::new(1));
        assert_eq!((id.len(), &id[23..24]), (45, "4"), "{id}");
        assert!("89ab".contains(&id[28..29]), "{id}");
    }
}
