use super::sites::site;
use crate::tests::{check, optional};

#[test]
fn sites() {
    check("src/analysis/panel/sites", |_, [cell, ..]| {
        optional(site(cell))
    });
}
