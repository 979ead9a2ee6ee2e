//! Zenodo: `.zenodo.json` describes a deposit; `CITATION.cff` and a [README](super::readme) follow.
//!
//! Source: <https://developers.zenodo.org/#representation> for the fields of the deposit, and
//! <https://citation-file-format.github.io/> 1.2.0.

use askama::Template;
use serde_json::{Value, json};

use super::{Card, quoted, rendered, without_nulls};

pub const DEPOSIT: &str = ".zenodo.json";
pub const CITATION: &str = "CITATION.cff";

pub fn deposit(card: &Card) -> Value {
    // Zenodo accepts only identifiers of licences.
    let is_url = card.details.has_license_url();
    let related =
        |url| json!([{ "identifier": url, "relation": "isDocumentedBy", "scheme": "url" }]);
    without_nulls(json!({
        "title": card.details.title(),
        "upload_type": "dataset",
        "description": card.description(),
        "creators": card.details.creators(|name| json!({ "name": name })),
        "access_right": "open",
        "publication_date": card.published(),
        "keywords": super::KEYWORDS,
        "notes": is_url.then(|| format!("Licence: {}", card.details.license())),
        "license": (!is_url).then(|| card.details.license().to_ascii_lowercase()),
        "version": card.details.dataset_version,
        "related_identifiers": card.details.url.as_ref().map(related),
    }))
}

#[derive(Template)]
#[template(path = "citation.cff.jinja", escape = "none")]
struct Citation<'c> {
    card: &'c Card,
}

pub fn citation(card: &Card) -> String {
    rendered(&Citation { card })
}
