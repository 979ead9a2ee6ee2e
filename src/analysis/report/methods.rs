//! How a report was made: sentences for a paper's methods section, inputs, and how to cite it.

use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::answer::Answer;
use super::crawl::Crawl;
use super::format::{count, list};
use super::{ReportOptions, session};
use crate::dataset::{Snapshot, order_note};
use crate::error::shown;

/// How a report was made.
#[derive(Debug)]
pub(super) struct Methods {
    /// Paragraphs: a title and its sentences.
    pub(super) paragraphs: Vec<(&'static str, String)>,
    /// One line each: name, bytes, digest, crawl, captures.
    pub(super) inputs: Vec<[String; 5]>,
    /// SHA-256 of the inputs' digests and the settings, in hexadecimal digits: equal for equal
    /// data.
    pub(super) digest: String,
    /// What the corpus is, in a line for the head of the page.
    pub(super) corpus: String,
    /// How to cite it.
    pub(super) citation: String,
    /// The same for BibTeX.
    pub(super) bibtex: String,
    /// The command that writes the report again.
    pub(super) command: String,
}

/// Column names of [`Methods::inputs`].
pub(super) const INPUT_COLUMNS: [&str; 5] = ["input", "bytes", "xxh3_128", "crawl", "captures"];

impl Methods {
    /// The methods of a report on a dataset.
    #[expect(clippy::too_many_lines, reason = "a text, paragraph after paragraph")]
    pub(super) fn of(
        snapshot: &Snapshot,
        directory: &Path,
        options: &ReportOptions,
        crawls: &[Crawl],
        corpus: &Answer,
        catalog: &str,
        before: Option<&str>,
    ) -> Self {
        let manifest = snapshot.manifest();
        let inputs: Vec<[String; 5]> = manifest
            .inputs()
            .into_iter()
            .map(|input| {
                [
                    input.name.clone(),
                    input.bytes.to_string(),
                    input.fingerprint.to_string(),
                    input.crawl.clone(),
                    input.captures.to_string(),
                ]
            })
            .collect();
        let commit = manifest.commits.last();
        let digest = digest(
            &inputs,
            &commit.map(|commit| (&commit.settings, commit.schema_version)),
        );
        let bytes: u64 = manifest.inputs().iter().map(|input| input.bytes).sum();
        let days = |column: &'static str| {
            let days = corpus.rows().map(move |row| row.text(column).into_owned());
            days.filter(|day| !day.is_empty())
        };
        let first = days("first_day").min().unwrap_or_default();
        let last = days("last_day").max().unwrap_or_default();
        let labels: Vec<String> = crawls.iter().map(|crawl| crawl.label.clone()).collect();
        let of_corpus = corpus.rows().next_back();
        let number = |column: &str| count(of_corpus.map_or(0.0, |row| row.count(column)));
        let crawled = match labels.as_slice() {
            [] => "no crawl".to_owned(),
            [one] => format!("the crawl {one}"),
            [first, .., last] => format!("{} crawls, {first} to {last}", labels.len()),
        };
        let corpus_line = format!(
            "{} captures of robots.txt from {} hosts, {crawled}; fetched {first} to {last}.{}",
            number("robotstxt_captures"),
            number("hosts"),
            order_note(&manifest.crawls()).map_or(String::new(), |note| format!(" Note: {note}."))
        );
        let writer = commit.map_or("", |commit| commit.robostat.as_str());
        let program = env!("CARGO_PKG_VERSION");
        let mut paragraphs = vec![
            (
                "Data",
                format!(
                    "The data are {corpus_line} They were read from {} input file{} of {} bytes by \
                     robostat {writer}; sizes and digests (XXH3-128) of all of them are below. {}",
                    count(to_float(inputs.len())),
                    if inputs.len() == 1 { "" } else { "s" },
                    super::format::grouped(&bytes.to_string()),
                    commit.map_or(String::new(), |commit| format!(
                        "The first {} bytes of each file were parsed.",
                        super::format::grouped(&commit.settings.limit.to_string())
                    ))
                ),
            ),
            (
                "Definitions",
                "A crawler is fully blocked (blocked, for short) where no path at all is allowed \
                 to it, partly where some path is not, and not where every path is: decided \
                 exactly from the merged rules under the matching of RFC 9309 §2.2, the file \
                 /robots.txt itself aside. By name means by a group that names the crawler's \
                 product token (RFC 9110 §5.6.2, in upper or lower case); otherwise the group of \
                 its documented fallback applies, else the one for every crawler (*). By any rule \
                 means by whichever of these applies. What a site asks for is not what crawlers \
                 do."
                .to_owned(),
            ),
            (
                "Populations",
                "A host counts once in a crawl, by the response that counts after at most five \
                 redirects. Hosts answered conclusively where they have a file or said that there \
                 is none (404 and the like); what the others allow is unknown: those with 401, \
                 403, 408, 425, 429, 5xx, or a redirect that leads out of the crawl. Shares name \
                 their population; of it, every host weighs the same unless a share \
                 says \u{201c}of registrable domains\u{201d}, where every registrable domain does, \
                 and its hosts share its weight. Of a part of a population (files with a \
                 platform's block, say), a host keeps the weight that it has in the whole: a \
                 domain counts there by the share of its hosts that are in the part, so that parts \
                 add up to the whole."
                    .to_owned(),
            ),
            (
                "Intervals",
                "Intervals are 95% confidence intervals. The model: the sites are a draw of \
                 independent clusters (registrable domains, or archives in a --sample) from a large \
                 population. Hosts of one domain are mostly one owner's decision and count as one \
                 piece of evidence; only disagreement that is seen within domains makes them more. \
                 Each interval is Wilson's score interval with Student's t for the number of \
                 independent hosts that would have the same variance (the linearised variance of a \
                 ratio, or that of clusters that decide together, whichever is larger) and a \
                 continuity correction on the side of the rarer answer. A share of none or all has \
                 a limit on one side, by Clopper and Pearson. Intervals of changes combine those of \
                 what was added and what is gone (Newcombe 1998, method 10). Simulated with few \
                 domains, unequal sizes and rare answers, the intervals hold the true share in 93% \
                 of samples or more. They do not cover how the crawl chose its hosts. Where \
                 one domain has many of the hosts, the interval by host is wide, and the share by \
                 registrable domain is more precise; where clusters are worth fewer than five of \
                 equal size, there is no interval. Numbers have the digits that their \
                 interval supports."
                    .to_owned(),
            ),
        ];
        let drawn: Vec<_> = manifest
            .inputs()
            .into_iter()
            .filter_map(|input| input.drawn)
            .collect();
        if let Some(draw) = drawn.first() {
            paragraphs.push((
                "Sample",
                format!(
                    "{} of the input files were drawn at random from a list of {} (seed {}). In \
                     such a crawl intervals take input files as clusters in place of registrable \
                     domains, except those of shares of registrable domains in the key figures, \
                     and have the finite-population correction: they are narrower by the square \
                     root of the part of the list that was not drawn.",
                    count(to_float(drawn.len())),
                    count(to_float(usize::try_from(draw.of).unwrap_or(usize::MAX))),
                    draw.seed
                ),
            ));
        }
        if let Some(before) = before {
            paragraphs.push((
                "Comparison",
                format!(
                    "The last crawl, {}, is compared with {before}: the crawl nearest to a year \
                     before it where the crawls go back far enough, else the first. The panel is \
                     the hosts that answered conclusively in both, and a change is one where its \
                     interval leaves out 0.",
                    labels.last().map_or("", String::as_str)
                ),
            ));
        }
        paragraphs.push((
            "Summary",
            "The claims that open the report were chosen by rule, not by hand: each section offers \
             the largest share, change or difference that it has, and differences only where the \
             intervals support them. The report takes those that rank highest by their subject and \
             by how far beyond their interval they are."
                .to_owned(),
        ));
        paragraphs.push((
            "Versions and settings",
            format!(
                "Report: robostat {program}. Tables: robostat {writer}. Registrable domains: \
                 Public Suffix List of {}. Kinds of crawlers and usual spellings: robostat's \
                 catalogue of {catalog}, as in the table agent_catalog. {}",
                commit.map_or("", |commit| commit.public_suffix_list.as_str()),
                settings(options)
            ),
        ));
        let name = shown(directory);
        let title = options
            .title
            .clone()
            .unwrap_or_else(|| "Who may crawl: a report on robots.txt".to_owned());
        let year = last.get(..4).unwrap_or("n.d.").to_owned();
        let short = digest[..16].to_owned();
        let citation = format!(
            "{title}. Report on the dataset {name} ({crawled}; captures of {first} to {last}; data \
             digest {short}). Made with robostat {program}, catalogue of crawlers of {catalog}."
        );
        let bibtex = format!(
            "@misc{{robostat-{short},\n  title        = {{{}}},\n  year         = {{{year}}},\n  \
             howpublished = {{Made with robostat {program}, catalogue of crawlers of {catalog}, \
             from the dataset {}}},\n  note         = {{{}; captures of {first} to {last}; data \
             digest {digest}}}\n}}",
            latex(&title),
            latex(&name),
            latex(&crawled)
        );
        Self {
            paragraphs,
            inputs,
            digest,
            corpus: corpus_line,
            citation,
            bibtex,
            command: command(directory, options),
        }
    }

    /// The inputs as CSV.
    pub(super) fn inputs_csv(&self) -> String {
        use crate::analysis::query::cell;
        let mut out = INPUT_COLUMNS.join(",") + "\n";
        for input in &self.inputs {
            let cells: Vec<_> = input.iter().map(|text| cell::csv(text, true)).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{}", cells.join(","));
        }
        out
    }
}

fn to_float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// What the user chose.
fn settings(options: &ReportOptions) -> String {
    let mut chosen = Vec::new();
    if !options.agents.is_empty() {
        chosen.push(format!("crawlers: {}", list(&options.agents)));
    }
    if let Some(ranks) = &options.ranks {
        chosen.push(format!("ranks: {}", shown(ranks)));
    }
    if let Some(baseline) = &options.baseline {
        chosen.push(format!("baseline: {}", shown(baseline)));
    }
    if !options.sections.is_empty() {
        chosen.push(format!("sections: {}", list(&options.sections)));
    }
    let naming = if options.names_hosts {
        "hosts are named"
    } else {
        "no host is named; host names in text are shown as (host)"
    };
    chosen.push(naming.to_owned());
    format!("Settings: {}.", chosen.join("; "))
}

/// The command that writes the report again.
fn command(directory: &Path, options: &ReportOptions) -> String {
    let mut command = format!("robostat report {}", session::quoted(&shown(directory)));
    let mut add = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = write!(command, " --{name} {}", session::quoted(value));
    };
    if let Some(title) = &options.title {
        add("title", title);
    }
    if let Some(ranks) = &options.ranks {
        add("ranks", &shown(ranks));
    }
    if let Some(baseline) = &options.baseline {
        add("baseline", &shown(baseline));
    }
    if !options.agents.is_empty() {
        add("agents", &options.agents.join(","));
    }
    if !options.sections.is_empty() {
        add("sections", &options.sections.join(","));
    }
    if let Some(crawl) = &options.crawl {
        add("crawl", crawl);
    }
    if options.names_hosts {
        command.push_str(" --name-hosts");
    }
    command
}

/// SHA-256 over the digests of all inputs, in hexadecimal digits. It does not depend on their
/// order.
fn digest(inputs: &[[String; 5]], settings: &dyn std::fmt::Debug) -> String {
    let mut lines: Vec<String> = inputs
        .iter()
        .map(|[_, bytes, fingerprint, crawl, captures]| {
            format!("{fingerprint} {bytes} {captures} {crawl}\n")
        })
        .collect();
    lines.sort();
    let text = format!("{}{settings:?}", lines.concat());
    hexadecimal(text.as_bytes())
}

/// SHA-256 in hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut out, byte| {
            // Writing to a String cannot fail.
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// Text within braces of BibTeX: nothing in it is a command.
fn latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_does_not_depend_on_order_or_name() {
        let input =
            |name: &str, digest: &str| [name, "12", digest, "2026-08", "3"].map(str::to_owned);
        let one = digest(&[input("a", "01"), input("b", "02")], &1);
        assert_eq!(one, digest(&[input("c", "02"), input("a", "01")], &1));
        assert_ne!(one, digest(&[input("a", "01")], &1));
        assert_ne!(one, digest(&[input("a", "01"), input("b", "02")], &2));
        assert_eq!(hexadecimal(b"")[..16], *"e3b0c44298fc1c14");
    }

    #[test]
    fn text_is_no_latex() {
        assert_eq!(latex("a_b & {c}\\d"), "a\\_b \\& \\{c\\}\\textbackslash{}d");
    }
}
