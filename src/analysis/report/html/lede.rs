//! The author's introduction: plain text or simple Markdown. Any other markup in it is text.

use crate::analysis::query::cell::html as escape;

/// The introduction as HTML: paragraphs between blank lines, `##` headings, lists of `-`.
pub(super) fn html(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let blocks = text.split("\n\n").map(str::trim);
    let blocks = blocks.filter(|block| !block.is_empty()).map(|block| {
        if let Some(heading) = block.strip_prefix('#') {
            let heading = inline(heading.trim_start_matches('#').trim());
            format!("<h2>{heading}</h2>\n")
        } else if block.lines().all(|line| line.starts_with("- ")) {
            let items = block.lines();
            let items = items.map(|line| format!("<li>{}</li>", inline(&line[2..])));
            format!("<ul>{}</ul>\n", items.collect::<String>())
        } else {
            let lines = block.lines().map(inline);
            format!("<p>{}</p>\n", lines.collect::<Vec<_>>().join(" "))
        }
    });
    blocks.collect()
}

/// A line: `**strong**`, `*emphasis*`, `` `code` `` and `[text](https://…)`.
pub(super) fn inline(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['*', '`', '[']) {
        out.push_str(&escape(&rest[..at]));
        rest = &rest[at..];
        let spans = [("**", "strong"), ("*", "em"), ("`", "code")];
        let span = spans.iter().find_map(|(mark, element)| {
            let (inner, after) = rest.strip_prefix(mark)?.split_once(mark)?;
            let inner = escape(inner);
            (!inner.is_empty()).then(|| (format!("<{element}>{inner}</{element}>"), after))
        });
        let (written, after) = span.or_else(|| link(rest)).unwrap_or_else(|| {
            let (sign, after) = rest.split_at(1);
            (sign.to_owned(), after)
        });
        out.push_str(&written);
        rest = after;
    }
    out + &escape(rest)
}

fn link(text: &str) -> Option<(String, &str)> {
    let (inner, after) = text.strip_prefix('[')?.split_once("](")?;
    let (target, after) = after.split_once(')')?;
    let is_web = target.starts_with("https://") || target.starts_with("http://");
    let link = || format!("<a href=\"{}\">{}</a>", escape(target), escape(inner));
    is_web.then(|| (link(), after))
}
