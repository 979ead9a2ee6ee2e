//! A gzip file as a body, under a coding and without. `tests/cases/records.md` has more records as
//! archives in circulation have them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::Digest as _;

use crate::support::duckdb;
use crate::support::folder::Folder;
use crate::support::program;
use crate::support::warc::{Packing, gzip};

#[test]
fn a_gzip_file_under_the_coding_gzip_is_read() {
    let folder = Folder::new();
    let once = gzip(b"User-agent: *\nDisallow: /x\n");
    // The digest of the gzip file, which is the body without its coding.
    let digest = STANDARD.encode(sha1::Sha1::digest(&once));
    let record = |host: &str, coding: &str, body: &[u8]| {
        let http = format!("HTTP/1.1 200 OK\r\n{coding}\r\n");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{host}/robots.txt\r\n\
             WARC-Payload-Digest: sha1:{digest}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len() + body.len()
        );
        [head.as_bytes(), http.as_bytes(), body, b"\r\n\r\n"].concat()
    };
    let coding = "Content-Encoding: gzip\r\n";
    let records = [
        record("coded", coding, &once),
        record("file", "", &once),
        record("file-coded", coding, &gzip(&once)),
    ];
    for packing in [Packing::Plain, Packing::GzipWhole, Packing::ZstdThrees] {
        let input = folder.write("a.warc", &packing.pack(&records));
        let out = folder.path(&format!("{packing:?}"));
        program::ingest(&["--verify-digests"], &input, &out, 0);
        let sql = "SELECT url_host_name, content_class, content_issues, digest_valid
             FROM captures JOIN files USING (file_id) ORDER BY 1";
        let expected = [
            "coded|rules|NULL|true",
            "file|compressed|NULL|true",
            "file-coded|rules|bad_encoding|true",
        ];
        assert_eq!(duckdb::of(&out, sql), expected, "{packing:?}");
    }
}
