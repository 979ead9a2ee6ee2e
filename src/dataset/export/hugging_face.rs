//! A dataset card of the Hugging Face Hub: `README.md` whose head, in YAML, has a configuration for
//! each table.
//!
//! Source: <https://huggingface.co/docs/hub/datasets-cards> and
//! <https://huggingface.co/docs/hub/datasets-manual-configuration>.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Contents, Details, readme};

/// Licences that the Hub has under another name than their SPDX identifier in lower case.
const RENAMED: [(&str, &str); 3] = [
    ("odc-by-1.0", "odc-by"),
    ("odbl-1.0", "odbl"),
    ("pddl-1.0", "pddl"),
];
/// Licences that it has under their SPDX identifier in lower case.
const KNOWN: &str = "apache-2.0 bsd-2-clause bsd-3-clause cc-by-2.0 cc-by-3.0 cc-by-4.0 cc-by-nc-4.0 \
    cc-by-nc-nd-4.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 \
    cdla-permissive-2.0 mit unlicense";
/// The table that the viewer shows first.
const FIRST: &str = "hosts";

/// The card.
pub fn card(contents: &Contents, details: &Details) -> String {
    let license = details.license.to_ascii_lowercase();
    let renamed = RENAMED.iter().find(|(spdx, _)| *spdx == license);
    let known = renamed.map(|(_, name)| *name);
    let known = known.or_else(|| KNOWN.split(' ').find(|it| *it == license));
    let mut head = format!("---\npretty_name: {}\n", quoted(details.title()));
    // Writing to a String cannot fail, here and below.
    let _ = match known {
        Some(license) => writeln!(head, "license: {license}"),
        None => writeln!(
            head,
            "license: other\nlicense_name: {}\nlicense_link: {}",
            quoted(&details.license),
            quoted(&details.license_url())
        ),
    };
    head.push_str("tags:\n- robots.txt\n- web-crawlers\n- opt-out\n- web-archive\nconfigs:\n");
    for described in &contents.tables {
        let name = described.table.name;
        let _ = writeln!(head, "- config_name: {name}");
        if name == FIRST {
            head.push_str("  default: true\n");
        }
        head.push_str("  data_files:\n  - split: train\n    path:\n");
        for file in &described.files {
            let _ = writeln!(head, "    - {}", quoted(&file.path));
        }
    }
    format!("{head}---\n\n{}", readme::text(contents, details))
}

/// Text in quotes: JSON is YAML.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
