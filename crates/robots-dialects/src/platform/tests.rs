use super::known::COMMENTS;
use super::templates::{TEMPLATES, TEXTS, default, defaults};
use super::*;
use crate::document::Document;
use crate::identity::Id;

#[test]
fn templates_are_read_whole() {
    for (name, text) in TEXTS {
        let document = Document::read(text.as_bytes(), 0);
        let counts = &document.counts;
        let wrong = [
            counts.invalid_lines,
            counts.unknown_directives,
            counts.typos,
            counts.orphan_rules,
        ];
        assert_eq!(wrong, [0; 4], "{name}");
        // Numbers of shops other than the template's.
        let text = text.replace("{id}", "1234567");
        let document = Document::read(text.as_bytes(), 0);
        for index in 0..document.groups.len() {
            assert!(
                TEMPLATES[name].has_group(&document, index),
                "{name} {index}"
            );
        }
    }
}

#[test]
fn comments_do_not_hide_each_other_and_belong_to_platforms() {
    for (at, (platform, kind, one)) in COMMENTS.iter().enumerate() {
        for (.., other) in &COMMENTS[at + 1..] {
            assert!(
                !one.starts_with(other) && !other.starts_with(one),
                "{one} {other}"
            );
        }
        let is_template = TEMPLATES.contains_key(platform) || *platform == "prestashop";
        assert_eq!(is_template, *kind == known::MarkKind::File, "{platform}");
    }
}

#[test]
fn defaults_differ_and_are_found() {
    let all: Vec<_> = defaults().collect();
    for (at, (version, text)) in all.iter().enumerate() {
        let filled = text.replace("{folder}", "/wp");
        let canonical = Document::read(filled.as_bytes(), 0).canonical_form();
        assert_eq!(default(Id::of(&canonical)), Some(*version), "{text}");
        assert!(all[..at].iter().all(|(_, other)| other != text), "{text}");
    }
}

proptest::proptest! {
    /// Each line of the owner's part is empty or the same as in the file.
    #[test]
    fn the_owners_lines_are_lines_of_the_file(
        lines in proptest::collection::vec(proptest::sample::select(vec![
            "# BEGIN Cloudflare Managed content", "# END Cloudflare Managed content",
            "# START YOAST BLOCK", "# END YOAST BLOCK", "",
            "# Auto generated, go to SEO Tools > Robots.txt Editor", "User-agent: *",
            "User-agent: PetalBot", "Disallow: /", "Allow: /", "Disallow:", "Crawl-delay: 10",
            "Host: h.example", "Disallow: /wp-admin/", "Sitemap: https://h.example/s.xml",
        ]), 0..24),
        ending in proptest::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let body = lines.join(ending);
        let document = Document::read(body.as_bytes(), 0);
        let policy = Id::of(&document.canonical_form());
        let authors = Authors::of(body.as_bytes(), &document, policy);
        for part in &authors.parts {
            assert!(part.groups.end <= document.groups.len());
            assert!(part.line_start <= part.line_end);
        }
        assert!(authors.n_platform_groups() <= document.groups.len());
        if let Some(owner) = authors.owner_body() {
            let text = String::from_utf8_lossy(owner);
            for (kept, line) in text.lines().zip(&lines) {
                assert!(kept.is_empty() || kept == *line);
            }
            let rest = Document::read(owner, 0);
            assert!(rest.rules.len() <= document.rules.len());
            assert!(rest.groups.len() <= document.groups.len());
        }
    }
}
