//! A list of sites as people write it, and the names that are looked up.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::error::Error;
use crate::url_parts::UrlParts;

/// Names of sites: hosts without `www.`, in the form that an index has them.
pub type Sites = BTreeSet<String>;

/// The sites of the list at `path`, which is CSV with a column `domain`.
///
/// # Errors
///
/// The list cannot be read, has no such column, or a line without the name of a site.
pub fn read(path: &Path) -> Result<Sites, Error> {
    let list = fs::read(path).map_err(Error::io(path))?;
    parse(&list).map_err(Error::io(path))
}

/// The sites of the list with this content.
pub(crate) fn parse(list: &[u8]) -> io::Result<Sites> {
    let head = list.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = b",;\t".iter().find(|it| head.contains(it));
    let mut lines = csv::ReaderBuilder::new()
        .delimiter(*delimiter.unwrap_or(&b','))
        .flexible(true)
        .from_reader(list);
    let is_domain = |head: &[u8]| head.trim_ascii().eq_ignore_ascii_case(b"domain");
    let Some(column) = lines.byte_headers()?.iter().position(is_domain) else {
        return Err(io::Error::other(
            "the list of sites has no column `domain`; its first line must name the columns, as \
             `domain` or `domain,stratum,weight`",
        ));
    };
    let mut sites = Sites::new();
    for line in lines.byte_records() {
        let line = line?;
        let cell = String::from_utf8_lossy(line.get(column).unwrap_or_default());
        let Some(site) = site(cell.trim()) else {
            let number = line.position().map_or(0, csv::Position::line);
            let cell = crate::escape::line(&cell);
            return Err(io::Error::other(format!(
                "line {number}: `{cell}` is not the name of a site; write a name such as \
                 example.com, or remove the line"
            )));
        };
        sites.insert(site);
    }
    if sites.is_empty() {
        let message = "the list of sites is empty; add a line for each site";
        return Err(io::Error::other(message));
    }
    Ok(sites)
}

/// The site that a cell names: a host, or a URL of it with or without its scheme.
fn site(cell: &str) -> Option<String> {
    let cell = cell.split_once("://").map_or(cell, |it| it.1);
    let url = format!("https://{cell}");
    let url = UrlParts::parse(&url)?;
    let host = url.host_name()?;
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.[]:".contains(&byte);
    // A number would be the address of a machine.
    if !host.bytes().all(is_in_name) || host.contains('.') != cell.contains('.') {
        return None;
    }
    let bare = host.strip_prefix("www.").filter(|it| it.contains('.'));
    Some(bare.unwrap_or(host).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_hosts_however_they_are_written() {
        for (cell, expected) in [
            ("example.com", Some("example.com")),
            ("https://www.Example.com/x?y=z.w", Some("example.com")),
            ("//example.com:8080", Some("example.com")),
            ("WWW.example.com.", Some("example.com")),
            ("www.com", Some("www.com")),
            ("Bücher.de", Some("xn--bcher-kva.de")),
            ("com", Some("com")),
            ("192.0.2.7", Some("192.0.2.7")),
            ("7", None),
            ("", None),
            (".", None),
            ("two words.com", None),
            ("*.example.com", None),
        ] {
            assert_eq!(site(cell).as_deref(), expected, "{cell}");
        }
    }
}
