//! A list of sites as people write it, and the names that are looked up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::error::Error;
use crate::url_parts::{Url, host_name};

/// Names of sites: hosts without `www.`, spelt as in an index.
pub type Sites = BTreeSet<String>;

/// The sites of the list at `path`, which is CSV with a column `domain`.
pub fn read(path: &Path) -> Result<Sites, Error> {
    let list = fs::read(path).map_err(Error::io(path))?;
    parse(&list).map_err(Error::io(path))
}

pub(crate) fn parse(list: &[u8]) -> io::Result<Sites> {
    let head = list.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = b",;\t".iter().find(|it| head.contains(it));
    let mut lines = csv::ReaderBuilder::new()
        .delimiter(*delimiter.unwrap_or(&b','))
        .flexible(true)
        .from_reader(list);
    let heads = lines.byte_headers()?.clone();
    let column = |name: &[u8]| {
        let is_named = |head: &[u8]| head.trim_ascii().eq_ignore_ascii_case(name);
        heads.iter().position(is_named)
    };
    let (stratum, weight) = (column(b"stratum"), column(b"weight"));
    let Some(domain) = column(b"domain") else {
        return Err(io::Error::other(
            "the list of sites has no column `domain`; its first line must name the columns, as \
             `domain` or `domain,stratum,weight`",
        ));
    };
    let mut sites = BTreeMap::new();
    for line in lines.byte_records() {
        let line = line?;
        let number = line.position().map_or(0, csv::Position::line);
        let wrong = |text: String| Err(io::Error::other(format!("line {number}: {text}")));
        let cell = |column: usize| {
            let cell = String::from_utf8_lossy(line.get(column).unwrap_or_default());
            crate::escape::line(cell.trim())
        };
        let name = cell(domain);
        let Some(site) = site(&name) else {
            return wrong(format!(
                "`{name}` is not the name of a site; write a name such as example.com, or remove \
                 the line"
            ));
        };
        let of_site = weight.map(|it| cell(it).parse().unwrap_or_default());
        if of_site.is_some_and(|it: f64| !it.is_finite() || it <= 0.0) {
            let cell = weight.map(cell).unwrap_or_default();
            return wrong(format!(
                "the weight of {site} is not a number above 0: `{cell}`"
            ));
        }
        let values = (stratum.map(cell), of_site);
        let (first, known) = sites
            .entry(site)
            .or_insert_with(|| (number, values.clone()));
        if *known != values {
            return wrong(format!(
                "`{name}` has another stratum or weight than in line {first}; remove one of the \
                 lines"
            ));
        }
    }
    if sites.is_empty() {
        let message = "the list of sites is empty; add a line for each site";
        return Err(io::Error::other(message));
    }
    Ok(sites.into_keys().collect())
}

/// The site that a cell names: a host, or a URL with or without its scheme.
pub(super) fn site(cell: &str) -> Option<String> {
    let cell = cell.split_once("://").map_or(cell, |it| it.1);
    let url = format!("https://{cell}");
    let url = Url::parse(&url).ok()?;
    let host = host_name(&url)?;
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.[]:".contains(&byte);
    // The URL parser reads a number as an IP address.
    if !host.bytes().all(is_in_name) || host.contains('.') != cell.contains('.') {
        return None;
    }
    let bare = host.strip_prefix("www.").filter(|it| it.contains('.'));
    Some(bare.unwrap_or(host).to_owned())
}
