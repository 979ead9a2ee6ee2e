//! robots.txt bodies: lines, groups, canonical form, dialects.

use robots_dialects::agent::product_token;
use robots_dialects::dialect::{Dialect, Verdict};
use robots_dialects::document::Document;
use robots_dialects::limit;
use robots_dialects::line::{Line, LineEnding, LineKind, MAX_LINE_BYTES, read_lines};
use robots_dialects::path::UrlPath;
use robots_dialects::remark::{MAX_REMARK_TEXT, MAX_REMARKS};
use robots_dialects::root::root_verdicts;

use super::{first_line, lies_within};

/// Lines and their endings add up to the body; keys and values are slices of their lines; and a
/// limit keeps whole lines of the body.
pub fn lines_add_up_to_the_body(data: &[u8]) {
    let (mut joined, mut number) = (Vec::new(), 0);
    read_lines(data, |line: &Line<'_>| {
        number += 1;
        assert_eq!(line.number, number);
        assert!(lies_within(line.text, data));
        joined.extend_from_slice(line.text);
        joined.extend_from_slice(match line.ending {
            LineEnding::Lf => b"\n",
            LineEnding::Crlf => b"\r\n",
            LineEnding::Cr => b"\r",
            LineEnding::None => b"",
        });
        assert!(line.key.len() + line.value.len() <= MAX_LINE_BYTES);
        let is_directive = !matches!(
            line.kind,
            LineKind::Empty | LineKind::Comment | LineKind::Invalid
        );
        assert_eq!(is_directive, !line.key.is_empty());
        if is_directive {
            assert!(lies_within(line.key, line.text) && lies_within(line.value, line.text));
            assert!(!line.key.contains(&b'#') && !line.value.contains(&b'#'));
            assert!(!line.key.contains(&0) && !line.value.contains(&0));
        }
    });
    assert!(data.ends_with(&joined) && data.len() - joined.len() <= 3);

    let limit = data.len() / 2;
    let kept = limit::cut(data, limit);
    assert!(data.starts_with(kept) && kept.len() <= limit);
    assert!(kept.is_empty() || matches!(kept.last(), Some(b'\n' | b'\r')));
    assert!(
        !data[kept.len()..limit]
            .iter()
            .any(|byte| matches!(byte, b'\n' | b'\r'))
    );
}

/// Reading the canonical form gives the same rule set and the same canonical form, and the counts
/// of a document add up.
pub fn canonical_form_says_the_same(data: &[u8]) {
    let document = Document::read(data, 3);
    let canonical = document.canonical_form();
    let second = Document::read(&canonical, 3);
    assert_eq!(
        canonical.escape_ascii().to_string(),
        second.canonical_form().escape_ascii().to_string(),
        "the canonical form of the canonical form"
    );
    assert_eq!(second.counts.orphan_rules, 0);
    assert_eq!(second.counts.invalid_lines, 0);

    let agents = |document: &Document<'_>| -> Vec<Vec<u8>> {
        let lines = document.user_agents.iter();
        lines.map(|line| line.value.to_vec()).collect()
    };
    assert_eq!(agents(&document), agents(&second));
    let rules = |document: &Document<'_>| -> Vec<_> {
        let rules = document.rules.iter();
        rules
            .map(|rule| {
                let path = rule.path.to_vec();
                (rule.rule_type, rule.path_raw.to_vec(), path, rule.is_typo)
            })
            .collect()
    };
    assert_eq!(rules(&document), rules(&second));
    assert_eq!(document.groups.len(), second.groups.len());
    for (one, other) in document.groups.iter().zip(&second.groups) {
        assert_eq!(one.rules, other.rules);
        assert_eq!(one.user_agents, other.user_agents);
        assert_eq!(one.crawl_delay, other.crawl_delay);
    }
    assert_eq!(document.directives.len(), second.directives.len());

    let counts = &document.counts;
    assert_eq!(
        document.rules.len(),
        (counts.allow + counts.disallow - counts.orphan_rules) as usize
    );
    assert_eq!(document.user_agents.len(), counts.user_agent_lines as usize);
    assert_eq!(
        counts.lines,
        counts.blank_lines
            + counts.comment_lines
            + counts.invalid_lines
            + counts.user_agent_lines
            + counts.allow
            + counts.disallow
            + counts.crawl_delay
            + counts.sitemaps
            + counts.other_directives
            + counts.unknown_directives
    );
    assert!(document.sitemaps.len() <= 3);
    assert!(document.remarks.len() <= MAX_REMARKS);
    for remark in &document.remarks {
        assert!(remark.text.len() <= MAX_REMARK_TEXT);
    }
}

/// Every dialect gives the same verdict from the canonical form as from the body. Agents get the
/// same verdicts in a batch as alone, also on the root.
///
/// The data's first line is an agent, the second a path, the rest a body.
pub fn dialects_agree_on_canonical_form(data: &[u8]) {
    let (agent, rest) = first_line(data);
    let (path, body) = first_line(rest);
    let path = [b"/", path].concat();
    let path = UrlPath::new(&path);
    let document = Document::read(body, 0);
    let canonical = document.canonical_form();
    let lines = body.split(|byte| matches!(byte, b'\n' | b'\r')).count();

    // The root verdicts are for the token alone of a longer name, because dialects read longer
    // names in different ways.
    let names = document.user_agents.iter().map(|line| line.product_token);
    let tokens: Vec<Vec<u8>> = names
        .chain([product_token(agent)])
        .filter(|token| !token.is_empty())
        .map(<[u8]>::to_ascii_lowercase)
        .collect();
    let tokens: Vec<&[u8]> = tokens.iter().map(Vec::as_slice).collect();
    let root = UrlPath::new(b"/");
    let at_root = root_verdicts(&document, &tokens);
    for (index, dialect) in Dialect::ALL.into_iter().enumerate() {
        let (of_body, of_canonical) = (dialect.compile(body), dialect.compile(&canonical));
        let verdict = of_body.verdict(agent, &path);
        let same = Verdict {
            line: verdict.line,
            group: verdict.group,
            ..of_canonical.verdict(agent, &path)
        };
        assert_eq!(verdict, same, "{dialect}");
        assert!(verdict.line.is_none_or(|line| line as usize <= lines));
        assert!(verdict.group.is_none_or(|group| group < of_body.n_groups()));
        assert_eq!(verdict.line.is_some(), verdict.rule.is_some());
        assert!(verdict.allowed || verdict.rule.is_some());

        let asked: Vec<&[u8]> = tokens.iter().copied().chain([agent]).collect();
        let alone = asked.iter().map(|it| of_body.verdict(it, &path).allowed);
        assert!(
            alone.eq(of_body.allowed_for_each(&asked, &path)),
            "{dialect}"
        );
        for (token, verdicts) in tokens.iter().zip(&at_root) {
            let alone = of_body.verdict(token, &root).allowed;
            assert_eq!(verdicts[index], alone, "{dialect} at the root");
        }
    }
}
