//! How a report was made: sentences for a paper's methods section, inputs, and how to cite it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::answer::Answer;
use super::context::ReportContext;
use super::format::{list, units};
use super::options::ReportOptions;
use super::template::{self, Value};
use super::words;
use crate::analysis::query::cell;
use crate::dataset::{Snapshot, order_note, sha256_digits};
use crate::error::shown;
use crate::escape;

#[derive(Debug)]
pub(super) struct Methods {
    pub(super) paragraphs: Vec<(&'static str, String)>,
    /// A row for each input: name, bytes, digest, crawl, captures.
    pub(super) inputs: Vec<[String; 5]>,
    /// SHA-256 of the inputs' digests and the settings: equal for equal data.
    pub(super) digest: String,
    /// A line about the corpus, for the head of the page.
    pub(super) corpus: String,
    pub(super) citation: String,
    pub(super) bibtex: String,
    pub(super) command: String,
}

pub(super) const INPUT_COLUMNS: [&str; 5] = ["input", "bytes", "xxh3_128", "crawl", "captures"];

impl Methods {
    #[expect(clippy::too_many_lines, reason = "one value after another")]
    pub(super) fn of(
        snapshot: &Snapshot,
        directories: &[PathBuf],
        corpus: &Answer,
        report: &ReportContext<'_>,
    ) -> Self {
        let (options, crawls, catalog) = (report.options, report.crawls, &report.agents.version);
        let manifest = &snapshot.manifest;
        let read = manifest.inputs();
        let inputs = read.iter().map(|input| {
            [
                input.name.clone(),
                input.bytes.to_string(),
                input.fingerprint.to_string(),
                input.crawl.clone(),
                input.captures.to_string(),
            ]
        });
        let inputs: Vec<[String; 5]> = inputs.collect();
        let commit = manifest.commits.last();
        let panel = manifest.panel();
        let draw = panel.and_then(|panel| panel.draw.as_ref());
        let has_strata = draw.is_some_and(|draw| draw.strata.len() > 1);
        let settings_of = commit.map(|commit| (&commit.settings, commit.schema_version));
        let digest = digest(&inputs, &settings_of);
        let bytes: u64 = read.iter().map(|input| input.bytes).sum();
        let days = |column: &'static str| {
            let days = corpus.rows().map(move |row| row.text(column).into_owned());
            days.filter(|day| !day.is_empty())
        };
        let first = days("first_day").min().unwrap_or_default();
        let last = days("last_day").max().unwrap_or_default();
        let of_corpus = corpus.rows().next_back();
        let crawled = match crawls {
            [] => "no crawl".to_owned(),
            [one] => format!("the crawl {}", one.label),
            [first, .., last] => {
                format!("{} crawls, {} to {}", crawls.len(), first.label, last.label)
            }
        };
        let pages: u64 = manifest.parts_of("pages").map(|part| part.rows).sum();
        let note = order_note(&manifest.crawls());
        let (samples, mut draws) = (manifest.drawn_parts(), manifest.draws());
        draws.retain(|(crawl, _), _| samples.contains_key(crawl));
        let n_drawn: u64 = draws.values().map(|[taken, _]| taken).sum();
        let listed: u64 = draws.keys().map(|(_, draw)| draw.of).sum();
        let seeds: BTreeSet<u64> = draws.keys().map(|(_, draw)| draw.seed).collect();
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        let program = env!("CARGO_PKG_VERSION");
        let grouped = |number: u64| Some(Value::Text(super::format::grouped(&number.to_string())));
        let text = |text: &str| (!text.is_empty()).then(|| Value::Text(text.to_owned()));
        let number = |number: usize| Some(Value::Number(units(number)));
        let of_corpus = |column: &str| {
            let count = of_corpus.map_or(0.0, |row| row.count(column));
            Some(Value::Number(count))
        };
        let value = |name: &str| match name {
            "captures" => of_corpus("robotstxt_captures"),
            "hosts" => of_corpus("hosts"),
            "damaged" => of_corpus("damaged_records").filter(|it| *it != Value::Number(0.0)),
            "pages" => number(usize::try_from(pages).ok()?).filter(|_| pages > 0),
            "damaged_inputs" => of_corpus("damaged_inputs"),
            "crawled" => text(&crawled),
            "first" => text(&first),
            "last" => text(&last).filter(|_| first != last),
            "order" => text(note.as_deref().unwrap_or_default()),
            "inputs" => number(inputs.len()),
            "sites" => number(usize::try_from(panel?.sites).ok()?),
            "panel" => text(&panel?.description()),
            "strata" => number(draw?.strata.len()).filter(|_| has_strata),
            "bytes" => grouped(bytes),
            "limit" => grouped(commit?.settings.limit as u64),
            "drawn" => grouped(n_drawn).filter(|_| n_drawn > 0),
            "listed" => grouped(listed),
            "seeds" => number(seeds.len()),
            "seed" => text(&list(&seeds)),
            "crawl" => text(&crawls.last()?.label),
            "before" => text(report.before),
            "program" => text(program),
            "writer" => text(&commit?.robostat),
            "suffixes" => text(&commit?.public_suffix_list),
            "catalogue" => text(catalog),
            "agents" => text(&list(&options.agents)),
            "ranks" => text(&path(options.ranks.as_ref())?),
            "list_of_sites" => text(&path(options.sites.as_ref())?),
            "baseline" => text(&path(options.baseline.as_ref())?),
            "sections" => text(&list(&options.sections)),
            "naming" if options.names_hosts => text("hosts are named"),
            "naming" => text("no host is named; host names in text are shown as (host)"),
            _ => None,
        };
        let fill = |template| template::fill(template, &value, &|_, text| text.to_owned());
        let corpus_line = fill(words::text("front", "corpus")).unwrap_or_default();
        let paragraphs = words::texts("methods").iter();
        let paragraphs = paragraphs.filter_map(|(title, text)| Some((*title, fill(text)?)));
        let names: Vec<String> = directories.iter().map(|it| shown(it)).collect();
        let name = names.join(", ");
        let title = options.title();
        let year = last.get(..4).unwrap_or("n.d.").to_owned();
        let captured = match last.as_str() {
            "" => String::new(),
            last if last == first => format!("fetch times {last}; "),
            last => format!("fetch times {first} to {last}; "),
        };
        let short = digest[..16].to_owned();
        let citation = format!(
            "{title}. Report on the dataset {name} ({crawled}; {captured}data digest {short}). \
             Made with robostat {program}, catalogue of crawlers of {catalog}."
        );
        let bibtex = format!(
            "@misc{{robostat-{short},\n  title        = {{{}}},\n  year         = {{{year}}},\n  \
             howpublished = {{Made with robostat {program}, catalogue of crawlers of {catalog}, \
             from the dataset {}}},\n  note         = {{{}; {captured}data digest {digest}}}\n}}",
            cell::latex(title),
            cell::latex(&name),
            cell::latex(&crawled)
        );
        Self {
            paragraphs: paragraphs.collect(),
            inputs,
            digest,
            corpus: corpus_line,
            citation,
            bibtex,
            command: command(directories, options),
        }
    }

    pub(super) fn inputs_csv(&self) -> String {
        let inputs = self.inputs.iter();
        let inputs =
            inputs.map(|input| cell::csv_line(input.iter().map(|it| (it.as_str().into(), true))));
        INPUT_COLUMNS.join(",") + "\n" + &inputs.collect::<String>()
    }
}

fn path(path: Option<&PathBuf>) -> Option<String> {
    path.map(|path| shown(path))
}

pub(super) fn quoted_all(directories: &[PathBuf]) -> String {
    let words = directories.iter().map(|it| {
        // A name that begins with a dash would be read as an option.
        let here = if shown(it).starts_with('-') { "./" } else { "" };
        escape::shell_word(&format!("{here}{}", shown(it)))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The command that makes the same report, without its output file.
pub(super) fn command(directories: &[PathBuf], options: &ReportOptions) -> String {
    let ReportOptions {
        title,
        sections,
        agents,
        crawl,
        ranks,
        sites,
        baseline,
        lede,
        card,
        names_hosts,
    } = options;
    let joined = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
    let given = [
        ("title", title.clone()),
        ("ranks", path(ranks.as_ref())),
        ("sites", path(sites.as_ref())),
        ("baseline", path(baseline.as_ref())),
        ("agents", joined(agents)),
        ("sections", joined(sections)),
        ("crawl", crawl.clone()),
        ("lede", path(lede.as_ref())),
        ("card", card.clone()),
    ];
    let datasets = quoted_all(directories);
    let mut command = format!("robostat report {datasets}");
    for (name, value) in given {
        let word = value.map(|value| format!(" --{name} {}", escape::shell_word(&value)));
        command += &word.unwrap_or_default();
    }
    command + if *names_hosts { " --name-hosts" } else { "" }
}

/// The digest of inputs and settings, which does not depend on the order of the inputs.
pub(super) fn digest(inputs: &[[String; 5]], settings: &impl Serialize) -> String {
    let line = |[_, bytes, fingerprint, crawl, captures]: &[String; 5]| {
        format!("{fingerprint} {bytes} {captures} {crawl}\n")
    };
    let mut lines: Vec<String> = inputs.iter().map(line).collect();
    lines.sort();
    let settings = serde_json::to_string(settings).expect("members with names");
    let text = lines.concat() + &settings;
    hexadecimal(text.as_bytes())
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    sha256_digits(Sha256::new_with_prefix(bytes))
}
