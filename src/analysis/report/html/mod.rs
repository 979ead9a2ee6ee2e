//! The report as one HTML page: everything without script, more with it, nothing from the network.
//!
//! Text of archives is escaped wherever it stands; the content security policy of the page allows
//! its own style and script by their digests and nothing else.

mod article;
#[cfg(test)]
mod contrast;
mod lede;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use super::finding::{Report, WrittenChapter};
use super::terms::{Term, TermSet};
use super::words;
use crate::analysis::query::cell::html as escape;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub fn html(report: &Report) -> String {
    let mut out = String::with_capacity(512 * 1024);
    let mut known = TermSet::default();
    write_head(&mut out, report, &mut known);
    out.push_str("<main id=\"main\">\n");
    if let Some(text) = &report.lede {
        lede::write(&mut out, text);
    }
    write_front(&mut out, report, &mut known);
    for chapter in report
        .chapters
        .iter()
        .filter(|it| it.chapter.id != "summary")
    {
        // What is folded may not have been read: other chapters explain it again.
        write_chapter(&mut out, report, chapter, &mut known.clone());
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

fn write_head(out: &mut String, report: &Report, known: &mut TermSet) {
    let title = escape(&report.title);
    // What is shown where somebody shares the page.
    let finding = report.summary().next();
    let finding = finding.map_or(String::new(), |it| format!("{}. ", it.statement.headline));
    let description = finding.clone() + &report.methods.corpus;
    let description = escape(&description);
    let card = match &report.card {
        Some(address) => format!(
            "<meta property=\"og:image\" content=\"{}\">\n\
             <meta property=\"og:image:alt\" content=\"{}\">\n\
             <meta name=\"twitter:card\" content=\"summary_large_image\">\n",
            escape(address),
            escape(if finding.is_empty() {
                &report.title
            } else {
                finding.trim_end()
            })
        ),
        None => "<meta name=\"twitter:card\" content=\"summary\">\n".to_owned(),
    };
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; script-src {}; \
         img-src blob: data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"description\" content=\"{description}\">\n\
         <meta property=\"og:type\" content=\"article\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{description}\">\n{card}\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the findings</a>\n<header>\n\
         <h1>{title}</h1>\n<p>{}</p>\n<p class=\"note\">{}</p>\n</header>\n",
        source_of(STYLE),
        source_of(SCRIPT),
        escape(&report.methods.corpus),
        explained(known, &report.methods.corpus).trim_start()
    );
}

/// The first page: what was found, and the picture of the first finding.
fn write_front(out: &mut String, report: &Report, known: &mut TermSet) {
    let mut front = report
        .chapters
        .iter()
        .filter(|it| it.chapter.id == "summary");
    let front = front.next();
    if front.is_none() && report.summary.is_empty() {
        return;
    }
    out.push_str("<section id=\"summary\">\n<h2>Summary</h2>\n");
    let note = words::text("front", "note");
    let mut said = String::new();
    if !report.summary.is_empty() {
        out.push_str("<ol class=\"claims\">\n");
        for finding in report.summary() {
            let _ = write!(said, "{}; ", finding.claim());
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\">{}</a> <span>{}</span></li>",
                finding.section.id,
                escape(&finding.statement.headline),
                escape(&finding.statement.below)
            );
        }
        out.push_str("</ol>\n");
    }
    let _ = writeln!(
        out,
        "<p class=\"note\">{}{}</p>",
        marked(note),
        explained(known, &(said + note))
    );
    for finding in front.into_iter().flat_map(|written| &written.findings) {
        article::write(out, report, finding, known);
    }
    out.push_str("</section>\n");
}

/// A chapter, folded. Its first finding is seen all the same.
fn write_chapter(out: &mut String, report: &Report, written: &WrittenChapter, known: &mut TermSet) {
    let WrittenChapter { chapter, findings } = written;
    let first = findings.first();
    let first = first.map_or("", |finding| &finding.statement.headline);
    let _ = writeln!(
        out,
        "<section id=\"{}\">\n<details class=\"chapter\">\n\
         <summary><h2>{}</h2> <span>{}</span></summary>\n<p class=\"about\">{}{}</p>\n<div class=\"articles\">",
        chapter.id,
        escape(chapter.title),
        escape(first),
        marked(chapter.about),
        explained(known, &[chapter.title, first, chapter.about].join("; "))
    );
    for finding in findings {
        article::write(out, report, finding, known);
    }
    out.push_str("</div>\n</details>\n</section>\n");
}

fn write_methods(out: &mut String, report: &Report) {
    let methods = &report.methods;
    let _ = writeln!(
        out,
        "<section id=\"methods\">\n<details class=\"chapter\">\n\
         <summary><h2>Methods</h2> <span>{}</span></summary>",
        words::text("front", "methods")
    );
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
                escape(left_out.section.title),
                left_out.section.id,
                escape(&left_out.reason)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</details>\n</section>\n");
}

/// Text of several lines for HTML.
fn escape_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escape).collect();
    lines.join("\n")
}

/// Content within the page's own address.
fn data_url(media_type: &str, content: &str) -> String {
    format!(
        "data:{media_type};charset=utf-8;base64,{}",
        BASE64_STANDARD.encode(content)
    )
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

/// Explanations of the terms that a text is the first to use, as sentences to follow it.
fn explained(known: &mut TermSet, text: &str) -> String {
    let sentence =
        |term: &&Term| format!(" <dfn>{}</dfn>: {}.", term.name(), marked(term.explanation));
    known.meet(text).iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
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
