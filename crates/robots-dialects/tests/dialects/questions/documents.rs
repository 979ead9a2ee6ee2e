//! Questions about the groups, lines and authors of a robots.txt.

use robots_dialects::Robots;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::path::UrlPath;
use robots_dialects::platform::Authors;
use robots_dialects::preferences::{crawler_preferences, effective};
use robots_dialects::shadow::shadowed;

use super::values::allows;
use super::{joined, or_dash, shown, text};

pub(super) fn answer(question: &str, body: &[u8], cells: &[&[u8]]) -> Option<String> {
    let document = Document::read(body, 0);
    let canonical = document.canonical_form();
    Some(match (question, cells) {
        ("canonical", []) => shown(&canonical),
        ("groups", []) => groups(&document),
        ("blocks", []) => blocks(&document),
        ("rules", []) => rules(&document),
        ("directives", []) => directives(&document),
        ("remarks", []) => {
            let remarks = document.remarks.iter();
            let remarks = remarks.map(|it| format!("{}: {}", it.line_number, it.kind.name()));
            joined(remarks, ", ")
        }
        ("shadowed", []) => {
            let rules = document.rules.iter().zip(shadowed(&document.rules));
            let rules = rules.filter(|(_, is_shadowed)| *is_shadowed);
            joined(rules.map(|(rule, _)| shown(&rule.path)), " ")
        }
        ("scripts", []) => scripts(body),
        ("authors", []) => authors(body, &document, Id::of(&canonical)),
        ("agents", []) => joined(Robots::new(body).agents().into_iter().map(shown), " "),
        ("directives-for", [agent]) => directives_for(&Robots::new(body), agent),
        ("preference", [url, category]) => {
            let preference = Robots::new(body).preference("x", url, text(category));
            or_dash(preference.map(|preference| preference.line))
        }
        ("effective", [agent, path]) => effective_preferences(body, agent, path),
        ("crawler-preferences", []) => {
            let preferences = crawler_preferences(&document).into_iter().map(|it| {
                let path = it.path.map(|path| format!(" {}", shown(path)));
                let preference = it.preference;
                format!(
                    "{}{} {}={} line {}",
                    shown(&it.product_token),
                    path.unwrap_or_default(),
                    shown(&preference.category),
                    allows(preference.allows),
                    preference.line
                )
            });
            joined(preferences, ", ")
        }
        _ => return None,
    })
}

/// The product tokens of each group, its number of rules and its crawl-delay.
fn groups(document: &Document<'_>) -> String {
    let groups = document.groups.iter().map(|group| {
        let agents = &document.user_agents[group.user_agents.clone()];
        let tokens = joined(agents.iter().map(|line| shown(line.product_token)), ",");
        let delay = group.crawl_delay.map(|delay| format!(" delay {delay}"));
        format!(
            "({tokens}) {}{}",
            group.rules.len(),
            delay.unwrap_or_default()
        )
    });
    joined(groups, ", ")
}

/// The crawl-delay of each block of user-agent lines.
fn blocks(document: &Document<'_>) -> String {
    let blocks = document.blocks.iter().map(|block| {
        let conflict = if block.has_crawl_delay_conflict {
            "!"
        } else {
            ""
        };
        or_dash(block.crawl_delay) + conflict
    });
    joined(blocks, ", ")
}

fn rules(document: &Document<'_>) -> String {
    let rules = document.rules.iter().map(|rule| {
        let typo = if rule.is_typo { " typo" } else { "" };
        let no_colon = if rule.is_missing_colon {
            " no-colon"
        } else {
            ""
        };
        format!(
            "{} {}{typo}{no_colon}",
            rule.rule_type.name(),
            shown(&rule.path)
        )
    });
    joined(rules, ", ")
}

/// The line of each directive, its group, and the user-agent lines of the group to which it
/// applies.
fn directives(document: &Document<'_>) -> String {
    let directives = document.directives.iter().map(|line| {
        let agents = document.user_agents_of(line);
        let agents = agents.map(|lines| format!(" for {lines:?}"));
        let typo = if line.is_typo { " typo" } else { "" };
        let (key, group) = (shown(line.key), or_dash(line.group));
        format!(
            "{} {key} in {group}{}{typo}",
            line.line_number,
            agents.unwrap_or_default()
        )
    });
    joined(directives, ", ")
}

/// The crawl-delay of an agent, and the lines of its directives; without an agent, the lines about
/// the whole site.
fn directives_for(robots: &Robots, agent: &[u8]) -> String {
    let directives = if agent.is_empty() {
        robots.site_directives()
    } else {
        robots.directives(agent)
    };
    let lines = joined(
        directives.iter().map(|line| line.line_number.to_string()),
        " ",
    );
    format!("{} | {lines}", or_dash(robots.crawl_delay(agent)))
}

/// The number of user-agent lines of each group, and how many of them Common Crawl, the Data
/// Provenance Initiative and HTTP Archive keep. `a`, `b` and `c` are user-agent lines, `/` is a
/// rule.
fn scripts(short: &[u8]) -> String {
    let lines = text(short).lines().map(|line| match line {
        "a" | "b" | "c" => format!("User-agent: {line}\n"),
        "/" => "Disallow: /\n".to_owned(),
        other => format!("{other}\n"),
    });
    let body: String = lines.collect();
    let document = Document::read(body.as_bytes(), 0);
    let groups = document.groups.iter().map(|group| {
        let kept = group.kept_by_scripts.expect("a rule");
        let kept = [kept.common_crawl, kept.data_provenance, kept.http_archive];
        format!(
            "{}:{}{}{}",
            group.user_agents.len(),
            kept[0],
            kept[1],
            kept[2]
        )
    });
    joined(groups, " ")
}

/// The platform, version, lines and groups of each part; and the owner's lines.
fn authors(body: &[u8], document: &Document<'_>, policy: Id) -> String {
    let authors = Authors::of(body, document, policy);
    let parts = authors.parts.iter().map(|part| {
        let (version, groups) = (part.version.unwrap_or("-"), &part.groups);
        let lines = format!("{}-{}", part.line_start, part.line_end);
        format!("{} {version} {lines} {groups:?}", part.platform)
    });
    let owner = authors.owner_body().map(|body| {
        let lines = text(body).lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        joined(lines.map(str::to_owned), "; ")
    });
    format!("{} | {}", joined(parts, ", "), or_dash(owner))
}

/// The preferences for an agent and a path, with the line that decides.
fn effective_preferences(body: &[u8], agent: &[u8], path: &[u8]) -> String {
    let Some(found) = effective(body, agent, &UrlPath::new(path)) else {
        return "disallowed".to_owned();
    };
    let answers = found.iter().map(|it| {
        let (category, answer) = (shown(&it.category), allows(it.allows));
        format!("{category}={answer} line {}", it.line)
    });
    joined(answers, ", ")
}
