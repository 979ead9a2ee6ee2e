use super::known::{PLATFORMS, Sign};
use super::template::templates;
use super::*;
use crate::document::Document;
use crate::identity::Id;

/// Platform, version, lines and groups of each part; and the owner's lines, joined by `|`.
fn authors(body: &str) -> (Vec<String>, Option<String>) {
    let mut canonical = Vec::new();
    let document = Document::read(body.as_bytes(), 0, &mut canonical);
    let authors = Authors::of(body.as_bytes(), &document, Id::of(&canonical));
    let parts = authors.parts.iter().map(|part| {
        format!(
            "{} {} {}-{} {:?}",
            part.platform,
            part.version.unwrap_or("-"),
            part.line_start,
            part.line_end,
            part.groups
        )
    });
    let owner = authors.owner_body().map(|body| {
        let text = String::from_utf8_lossy(body);
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("|")
    });
    (parts.collect(), owner)
}

#[track_caller]
fn assert_authors(body: &str, parts: &[&str], owner: Option<&str>) {
    let found = authors(body);
    assert_eq!(found.0, parts, "{body}");
    assert_eq!(found.1.as_deref(), owner, "{body}");
}

#[test]
fn a_managed_block_is_the_platforms_and_what_follows_the_owners() {
    let block = |signal: &str| {
        format!(
            "# BEGIN Cloudflare Managed content\n\nUser-Agent: *\n{signal}Allow: /\n\n\
             User-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n"
        )
    };
    for (signal, version) in [
        ("", "rules"),
        ("Content-Signal: search=yes,ai-train=no\n", "content-signal"),
        (
            "Content-signal: search=yes, ai-train=no, use=reference\n",
            "content-signal-use",
        ),
    ] {
        let body = format!("{}User-agent: *\nDisallow: /cart\n", block(signal));
        let end = if signal.is_empty() { 9 } else { 10 };
        assert_authors(
            &body,
            &[&format!("cloudflare {version} 1-{end} 0..2")],
            Some("User-agent: *|Disallow: /cart"),
        );
    }
    assert_authors(&block(""), &["cloudflare rules 1-9 0..2"], Some(""));
}

#[test]
fn an_owner_who_blocks_what_the_platform_blocks_too_keeps_his_group() {
    assert_authors(
        "User-agent: gptbot\nDisallow: /\n\
         # BEGIN Cloudflare Managed content\nUser-agent: GPTBot\nDisallow: /\n\
         # END Cloudflare Managed Content\n",
        &["cloudflare rules 3-6 1..2"],
        Some("User-agent: gptbot|Disallow: /"),
    );
}

#[test]
fn rules_after_a_block_keep_the_user_agent_lines_that_they_belong_to() {
    assert_authors(
        "# START YOAST BLOCK\nUser-agent: *\nDisallow:\nSitemap: https://h.example/s.xml\n\
         # END YOAST BLOCK\nDisallow: /private\n",
        &["yoast - 1-5 0..0"],
        Some("User-agent: *|Sitemap: https://h.example/s.xml|Disallow: /private"),
    );
}

#[test]
fn a_block_without_an_end_takes_no_line() {
    assert_authors(
        "# BEGIN Cloudflare Managed content\nUser-agent: gptbot\nDisallow: /\n",
        &["cloudflare - 1-1 0..0"],
        None,
    );
    assert_authors(
        "# END Cloudflare Managed content\nUser-agent: gptbot\nDisallow: /\n",
        &[],
        None,
    );
    // The end of another platform's block does not end this one.
    assert_authors(
        "# START YOAST BLOCK\nUser-agent: a\nDisallow: /\n# END WPFORMS BLOCK\n",
        &["yoast - 1-1 0..0"],
        None,
    );
}

#[test]
fn a_comment_must_begin_with_the_mark() {
    assert_authors("  ## start yoast block", &["yoast - 1-1 0..0"], None);
    for body in [
        "# Cloudflare\nDisallow: /",
        "# no START YOAST BLOCK\n",
        "<p>START YOAST BLOCK is what # their files say</p>",
        "User-agent: * # START YOAST BLOCK\nDisallow: /\n",
    ] {
        assert_authors(body, &[], None);
    }
}

#[test]
fn a_platforms_text_alone_has_no_lines() {
    let text = "# As a condition of accessing this website, you agree to abide by the following\n\
                # content signals:\n";
    assert_authors(
        &format!("{text}User-agent: x\nDisallow: /\n"),
        &["cloudflare policy-text 1-1 0..0"],
        None,
    );
    assert_authors(
        &format!("{text}User-agent: *\nDisallow: /wp-admin/\n"),
        &["cloudflare policy-text 1-1 0..0", "wordpress - 3-4 0..1"],
        Some(""),
    );
    assert_authors(
        &format!(
            "{text}# BEGIN Cloudflare Managed content\nUser-agent: x\nDisallow: /\n\
             # END Cloudflare Managed content\n"
        ),
        &["cloudflare rules 3-6 0..1"],
        Some(""),
    );
}

#[test]
fn groups_of_a_template_are_the_platforms_and_changed_ones_the_owners() {
    let wix = "User-agent: *\nAllow: /\n\nUser-agent: PetalBot\nDisallow: /\n\n\
               User-agent: dotbot\nCrawl-delay: 10\nUser-agent: AhrefsBot\nCrawl-delay: 10\n\
               # Auto generated, go to SEO Tools > Robots.txt Editor to change this\n";
    assert_authors(wix, &["wix - 1-10 0..3"], Some(""));
    // `Disallow: /` is the template's for PetalBot and for no other crawler.
    assert_authors(
        &wix.replace("Allow: /\n", "Disallow: /\n"),
        &["wix - 4-10 1..3"],
        Some("User-agent: *|Disallow: /"),
    );
    assert_authors(
        &format!("{wix}User-agent: gptbot\nDisallow: /\n"),
        &["wix - 1-5 0..2"],
        Some(
            "User-agent: dotbot|Crawl-delay: 10|User-agent: AhrefsBot|Crawl-delay: 10\
             |User-agent: gptbot|Disallow: /",
        ),
    );
    assert_authors(
        &wix.replace(
            "User-agent: PetalBot",
            "User-agent: PetalBot\nUser-agent: gptbot",
        ),
        &["wix - 1-2 0..1", "wix - 8-11 2..3"],
        Some("User-agent: PetalBot|User-agent: gptbot|Disallow: /"),
    );
    let shopify = "# we use Shopify as our ecommerce platform\nUser-agent: *\nDisallow: /cart\n\
                   Disallow: /4882858054/checkouts\n";
    assert_authors(shopify, &["shopify - 2-4 0..1"], Some(""));
    assert_authors(
        &shopify.replace("/4882858054/checkouts", "/4882858054/sale"),
        &["shopify - 1-1 0..0"],
        None,
    );
}

#[test]
fn the_first_comment_about_the_file_counts() {
    assert_authors(
        "# robots.txt automaticaly generated by PrestaShop e-commerce open-source solution\n\
         # This file is to prevent the crawling and indexing of certain parts\n\
         User-agent: *\nDisallow: /admin/\n",
        &["prestashop - 1-1 0..0"],
        None,
    );
}

#[test]
fn versions_are_told_apart_by_their_lines() {
    let drupal = "# This file is to prevent the crawling and indexing of certain parts\n";
    for (rules, version) in [
        ("Disallow: /core/\nDisallow: /admin/\n", "8"),
        ("Disallow: /misc/\nDisallow: /INSTALL.sqlite.txt\n", "7"),
        ("Disallow: /misc/\nDisallow: /admin/\n", "5"),
        ("Disallow: /admin/\nDisallow: /node/add/\n", "-"),
    ] {
        assert_authors(
            &format!("{drupal}User-agent: *\n{rules}"),
            &[&format!("drupal {version} 2-4 0..1")],
            Some(""),
        );
    }
}

#[test]
fn a_default_is_known_by_its_policy() {
    let wordpress = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n";
    assert_authors(
        &format!("# ours\n{wordpress}\nSitemap: https://h.example/wp-sitemap.xml\n"),
        &["wordpress 4.4 2-4 0..1"],
        Some(""),
    );
    assert_authors(
        &wordpress.replace("/wp-admin", "/blog/wp-admin"),
        &["wordpress 4.4 1-3 0..1"],
        Some(""),
    );
    assert_authors(&format!("{wordpress}Disallow: /x\n"), &[], None);
    assert_authors("User-agent: *\nDisallow:\n", &[], None);
    assert_authors("", &[], None);
    // Under a block, too.
    assert_authors(
        &format!(
            "# BEGIN Cloudflare Managed content\nUser-agent: a\nDisallow: /\n\
             # END Cloudflare Managed content\n{wordpress}\
             # START YOAST BLOCK\n# END YOAST BLOCK\n"
        ),
        &[
            "cloudflare rules 1-4 0..1",
            "wordpress 4.4 5-7 1..2",
            "yoast - 8-9 2..2",
        ],
        Some(""),
    );
}

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
