use super::sites::site;
use crate::cases::{check, optional};

#[test]
fn sites() {
    check("src/analysis/panel/sites", |_, [cell, ..]| {
        optional(site(cell))
    });
}
