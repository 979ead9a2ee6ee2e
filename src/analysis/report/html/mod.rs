//! The report as one HTML page: everything without script, more with it, nothing from the network.
//!
//! Text of archives is escaped wherever it stands; the content security policy of the page allows
//! its own style and script by their digests and nothing else.

mod article;
#[cfg(test)]
mod contrast;

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::{Report, WrittenChapter};
use crate::escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The report.
#[must_use]
pub fn html(report: &Report) -> String {
    let mut out = String::with_capacity(512 * 1024);
    write_head(&mut out, report);
    write_contents(&mut out, report);
    out.push_str("<main>\n");
    write_front(&mut out, report);
    for chapter in report
        .chapters
        .iter()
        .filter(|chapter| chapter.id != "summary")
    {
        write_chapter(&mut out, chapter);
    }
    write_methods(&mut out, report);
    out.push_str("</main>\n");
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        out,
        "<footer>\n<p>Made with robostat {} by <code>{}</code></p>\n</footer>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&report.methods.command)
    );
    out
}

/// A source of a content security policy: the digest of an inline script or style.
fn source_of(text: &str) -> String {
    format!(
        "'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

fn write_head(out: &mut String, report: &Report) {
    let title = escape(&report.title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; \
         img-src blob: data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1>{title}</h1>\n<p>{}</p>\n</header>\n",
        source_of(STYLE),
        source_of(SCRIPT),
        escape(&report.methods.corpus)
    );
}

fn write_contents(out: &mut String, report: &Report) {
    out.push_str("<nav aria-label=\"Contents\">\n<ul class=\"chapters\">\n");
    for chapter in &report.chapters {
        let _ = writeln!(
            out,
            "<li><a href=\"#{}\">{}</a></li>",
            chapter.id,
            escape(chapter.title)
        );
    }
    out.push_str(
        "<li><a href=\"#methods\">Methods</a></li>\n</ul>\n<details>\n\
         <summary>All sections</summary>\n<ol>\n",
    );
    for chapter in &report.chapters {
        let _ = write!(
            out,
            "<li><a href=\"#{}\">{}</a>\n<ul>\n",
            chapter.id,
            escape(chapter.title)
        );
        for finding in &chapter.findings {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\">{}</a></li>",
                finding.id,
                escape(finding.title)
            );
        }
        out.push_str("</ul>\n</li>\n");
    }
    out.push_str("<li><a href=\"#methods\">Methods</a></li>\n</ol>\n</details>\n</nav>\n");
}

/// The first page: what was found, the picture, the populations.
fn write_front(out: &mut String, report: &Report) {
    let front = report
        .chapters
        .iter()
        .find(|chapter| chapter.id == "summary");
    if front.is_none() && report.summary.is_empty() {
        return;
    }
    out.push_str("<section id=\"summary\">\n<h2>Summary</h2>\n");
    if !report.summary.is_empty() {
        out.push_str("<ol class=\"claims\">\n");
        for (text, section) in &report.summary {
            let titles = report.chapters.iter().flat_map(|chapter| &chapter.findings);
            let title = titles
                .filter(|it| it.id == section)
                .map(|it| it.title)
                .next()
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "<li>{} <a href=\"#{section}\">{}</a></li>",
                escape(text),
                escape(title)
            );
        }
        out.push_str("</ol>\n");
    }
    out.push_str(
        "<p class=\"note\"><b>How sure is this?</b> Brackets hold 95% confidence intervals, with \
         registrable domains as clusters. A difference is called one only where it is larger than \
         its interval. A wide interval by host means that few domains have many of the hosts: read \
         the share by registrable domain. <a href=\"#methods\">Methods</a> has definitions, \
         populations and limits.</p>\n",
    );
    if let Some(front) = front {
        out.push_str("<div class=\"front\">\n");
        for finding in &front.findings {
            article::write(out, finding);
        }
        out.push_str("</div>\n");
    }
    out.push_str("</section>\n");
}

fn write_chapter(out: &mut String, chapter: &WrittenChapter) {
    let class = if chapter.is_appendix {
        " class=\"appendix\""
    } else {
        ""
    };
    let _ = writeln!(out, "<section id=\"{}\"{class}>", chapter.id);
    write_heading(out, 2, chapter.id, chapter.title);
    let _ = writeln!(out, "<p class=\"about\">{}</p>", marked(chapter.about));
    for finding in &chapter.findings {
        article::write(out, finding);
    }
    out.push_str("</section>\n");
}

/// A heading with a link to itself.
fn write_heading(out: &mut String, level: u8, id: &str, title: &str) {
    let title = escape(title);
    let _ = writeln!(
        out,
        "<div class=\"head\"><h{level}>{title}</h{level}><a class=\"permalink\" href=\"#{id}\">#<span class=\"vh\"> link to {title}</span></a></div>"
    );
}

fn write_methods(out: &mut String, report: &Report) {
    let methods = &report.methods;
    out.push_str("<section id=\"methods\">\n");
    write_heading(out, 2, "methods", "Methods");
    for (title, text) in &methods.paragraphs {
        let _ = writeln!(out, "<p><b>{title}.</b> {}</p>", escape(text));
    }
    let _ = writeln!(
        out,
        "<p>Inputs with sizes and digests: <a download=\"inputs.csv\" href=\"{}\">CSV, {} rows</a>. Digest of the data and \
         settings (SHA-256): <code>{}</code></p>",
        data_url("text/csv", &methods.inputs_csv()),
        methods.inputs.len(),
        methods.digest
    );
    let _ = write!(
        out,
        "<h3>Cite as</h3>\n<p>{}</p>\n\
         <pre tabindex=\"0\" role=\"group\" aria-label=\"BibTeX entry\">{}</pre>\n",
        escape(&methods.citation),
        // Its line ends are ours; nothing else of it is left to be obeyed.
        escape_lines(&methods.bibtex)
    );
    if !report.left_out.is_empty() {
        out.push_str("<h3>Left out</h3>\n<ul>\n");
        for left_out in &report.left_out {
            let _ = writeln!(
                out,
                "<li>{} (<code>{}</code>): {}.</li>",
                escape(left_out.title),
                left_out.id,
                escape(&left_out.reason)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

/// Text of several lines for HTML.
fn escape_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.lines().map(escape).collect();
    lines.join("\n")
}

/// Content within the page's own address.
fn data_url(media_type: &str, content: &str) -> String {
    format!(
        "data:{media_type};charset=utf-8;base64,{}",
        BASE64_STANDARD.encode(content)
    )
}

/// Text for HTML: nothing in it is markup, and what is not seen is shown.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let text = escape::text(text);
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// The project's own text, where backquotes mark code.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (place, piece) in text.split('`').enumerate() {
        let piece = escape(piece);
        let _ = match place % 2 {
            0 => write!(out, "{piece}"),
            _ => write!(out, "<code>{piece}</code>"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(
            escape("<a href='x\">&\u{202e}"),
            "&lt;a href=&#39;x&quot;&gt;&amp;\\u{202e}"
        );
        assert_eq!(marked("a `b<c` d"), "a <code>b&lt;c</code> d");
        assert_eq!(escape_lines("a\n<b>"), "a\n&lt;b&gt;");
    }

    #[test]
    fn style_and_script_cannot_end_early() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</"));
        for text in [STYLE, SCRIPT] {
            // Nothing that would go to the network, and no way to run text as code.
            for word in [
                "http:",
                "https:",
                "//fonts",
                "eval(",
                "innerHTML",
                "document.write",
                "fetch(",
            ] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
