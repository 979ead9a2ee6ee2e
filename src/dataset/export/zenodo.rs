//! Zenodo: `.zenodo.json`, which describes a deposit, and `CITATION.cff`. A [README](super::readme)
//! goes with them.
//!
//! Source: <https://developers.zenodo.org/#representation> for the fields of the deposit, and
//! <https://citation-file-format.github.io/> 1.2.0.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Contents, Details, without_nulls};

/// Names of the files, within the dataset.
pub const DEPOSIT: &str = ".zenodo.json";
/// The same for the citation.
pub const CITATION: &str = "CITATION.cff";

/// The description of the deposit.
pub fn deposit(contents: &Contents, details: &Details) -> Value {
    // Zenodo takes identifiers of licences only.
    let is_url = details.license.contains("://");
    let related =
        |url| json!([{ "identifier": url, "relation": "isDocumentedBy", "scheme": "url" }]);
    without_nulls(json!({
        "title": details.title(),
        "upload_type": "dataset",
        "description": contents.description(details),
        "creators": details.creators(|name| json!({ "name": name })),
        "access_right": "open",
        "publication_date": contents.published(details),
        "keywords": super::KEYWORDS,
        "notes": is_url.then(|| format!("Licence: {}", details.license)),
        "license": (!is_url).then(|| details.license.to_ascii_lowercase()),
        "version": details.version,
        "related_identifiers": details.url.as_ref().map(related),
    }))
}

/// The citation, in YAML.
pub fn citation(contents: &Contents, details: &Details) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let mut text = format!(
        "cff-version: 1.2.0\nmessage: Please cite this dataset as below.\ntype: dataset\n\
         title: {}\nabstract: {}\ndate-released: {}\nauthors:\n",
        quoted(details.title()),
        quoted(&contents.description(details)),
        quoted(&contents.published(details))
    );
    // Writing to a String cannot fail, here and below.
    for name in &details.creators {
        let _ = writeln!(text, "- name: {}", quoted(name));
    }
    let licence = if details.license.contains("://") {
        ("license-url", &details.license)
    } else {
        ("license", &details.license)
    };
    let rest = [
        Some(licence),
        details.version.as_ref().map(|it| ("version", it)),
        details.url.as_ref().map(|it| ("url", it)),
    ];
    for (key, value) in rest.into_iter().flatten() {
        let _ = writeln!(text, "{key}: {}", quoted(value));
    }
    text
}
