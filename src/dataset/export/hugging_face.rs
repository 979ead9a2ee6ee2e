//! A card of the Hugging Face Hub: `README.md` whose YAML head has a configuration of each table.
//!
//! Source: <https://huggingface.co/docs/hub/datasets-cards> and
//! <https://huggingface.co/docs/hub/datasets-manual-configuration>.

use askama::Template;

use super::{Card, quoted, readme, rendered};

/// Licences whose name on the Hub is not their SPDX identifier in lower case.
const RENAMED: [(&str, &str); 3] = [
    ("odc-by-1.0", "odc-by"),
    ("odbl-1.0", "odbl"),
    ("pddl-1.0", "pddl"),
];
/// Licences whose name on the Hub is their SPDX identifier in lower case.
const KNOWN: &str = "apache-2.0 bsd-2-clause bsd-3-clause cc-by-2.0 cc-by-3.0 cc-by-4.0 cc-by-nc-4.0 \
    cc-by-nc-nd-4.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 \
    cdla-permissive-2.0 mit unlicense";
const FIRST: &str = "hosts";

#[derive(Template)]
#[template(path = "hugging_face.md.jinja", escape = "none")]
struct HubCard<'c> {
    card: &'c Card,
    /// The Hub's name of the licence, if it knows the licence.
    license: Option<&'c str>,
    readme: &'c str,
}

pub fn text(card: &Card) -> String {
    let license = card.details.license().to_ascii_lowercase();
    let renamed = RENAMED.iter().find(|(spdx, _)| *spdx == license);
    let known = KNOWN.split(' ').find(|it| *it == license);
    rendered(&HubCard {
        card,
        license: renamed.map(|(_, name)| *name).or(known),
        readme: &readme::text(card),
    })
}
