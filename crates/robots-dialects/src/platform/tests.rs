use super::known::{PLATFORMS, Sign};
use super::template::templates;
use super::*;
use crate::document::Document;
use crate::identity::Id;

#[test]
fn templates_are_read_whole() {
    for platform in &PLATFORMS {
        let Sign::File { template, .. } = platform.sign else {
            continue;
        };
        let document = Document::read(template.as_bytes(), 0, &mut Vec::new());
        let counts = &document.counts;
        assert_eq!(
            (
                counts.invalid_lines,
                counts.unknown_directives,
                counts.typos,
                counts.orphan_rules
            ),
            (0, 0, 0, 0),
            "{}",
            platform.name
        );
        // Numbers of shops other than the template's.
        let text = template.replace("{id}", "1234567");
        let document = Document::read(text.as_bytes(), 0, &mut Vec::new());
        for index in 0..document.groups.len() {
            let has_group = templates()
                .get(platform.name)
                .is_some_and(|it| it.has_group(&document, index));
            assert!(has_group, "{} {index}", platform.name);
        }
    }
}

#[test]
fn names_are_unique_and_marks_do_not_hide_each_other() {
    let mut comments: Vec<&str> = Vec::new();
    for platform in &PLATFORMS {
        match platform.sign {
            Sign::Block { begin, end, text } => {
                comments.extend([begin, end].into_iter().chain(text));
            }
            Sign::File { comments: of, .. } => comments.extend(of),
        }
    }
    for (at, one) in comments.iter().enumerate() {
        for other in &comments[at + 1..] {
            assert!(
                !one.starts_with(other) && !other.starts_with(one),
                "{one} {other}"
            );
        }
    }
    let names: std::collections::HashSet<_> = PLATFORMS.iter().map(|it| it.name).collect();
    assert_eq!(names.len(), PLATFORMS.len());
}

proptest::proptest! {
    /// The owner's part of any file is a part of it, line by line.
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
        let mut canonical = Vec::new();
        let document = Document::read(body.as_bytes(), 0, &mut canonical);
        let authors = Authors::of(body.as_bytes(), &document, Id::of(&canonical));
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
            let rest = Document::read(owner, 0, &mut canonical);
            assert!(rest.rules.len() <= document.rules.len());
            assert!(rest.groups.len() <= document.groups.len());
        }
    }
}
