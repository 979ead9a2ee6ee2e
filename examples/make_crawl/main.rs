//! Makes crawls of robots.txt files: WARC records in the shape of Common Crawl's robots.txt subset,
//! all of it invented.
//!
//! ```text
//! cargo run --release --example make_crawl -- --captures 100000 big.warc.gz
//! cargo run --release --example make_crawl -- --captures 1000000 --months 12 --split-size 1048576 crawls/
//! ```
//!
//! A fixed tour of everything that such captures can be comes first, each stop named by its host;
//! then follows a crawl of a made-up web with the frequencies of the real one. The same arguments
//! give the same records, whatever the encoding.

mod crawl;
mod output;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use self::crawl::Plan;
use self::output::{Encoding, Target};

/// Makes crawls of robots.txt files, all of it invented, for trying out and measuring robostat.
#[derive(Parser)]
#[command(name = "make_crawl")]
struct Arguments {
    /// Captures of each crawl; the fixed tour that comes first is never cut.
    #[arg(long, default_value_t = 1_000)]
    captures: u64,
    /// What the random captures follow from. Crawls of one seed meet the same hosts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// HTML pages after each random capture, for a mixed crawl.
    #[arg(long, default_value_t = 0)]
    pages: u32,
    /// Share of the fetches that go to a host again.
    #[arg(long, default_value_t = 0.35, value_parser = share)]
    repeat: f64,
    /// What the random captures are drawn from.
    #[arg(long, value_enum, default_value_t = Population::Web)]
    population: Population,
    /// Train a dictionary on the first records and store it in the first frame (zstd only).
    #[arg(long)]
    dictionary: bool,
    /// Name of the crawl; -YEAR-WEEK at its end says when it took place.
    #[arg(long, default_value = "MADE-UP")]
    crawl: String,
    /// So many crawls, four weeks apart, the first named by --crawl. OUT is a folder.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=600))]
    months: u64,
    /// End a file when it has this many bytes, and begin the next. OUT is a folder.
    #[arg(long, value_name = "BYTES")]
    split_size: Option<u64>,
    /// How the files in a folder are packed; a single file's name says it.
    #[arg(long, value_enum, default_value_t = Packing::Gzip)]
    packing: Packing,
    /// File to write (.warc, .warc.gz or .warc.zst says how), or folder:
    /// CRAWL/robotstxt/CRAWL-00000.warc.gz and so on.
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Population {
    /// A web with hosts, domains, files and redirects as often and as large as real ones.
    Web,
    /// Every kind of trouble often enough to be met in a few hundred captures.
    Sample,
}

#[derive(Clone, Copy, ValueEnum)]
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err("not between 0 and 1".to_owned())
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("make_crawl: {}: {message}", arguments.out.display());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let of_name = Encoding::of(&arguments.out);
    let is_folder = arguments.months > 1 || arguments.split_size.is_some() || of_name.is_none();
    if is_folder && of_name.is_some() {
        return Err("several files need a folder, not a file".to_owned());
    }
    let encoding = of_name.unwrap_or(match arguments.packing {
        Packing::Plain => Encoding::Plain,
        Packing::Gzip => Encoding::Gzip,
        Packing::Zstd => Encoding::Zstd,
    });
    if arguments.dictionary && encoding != Encoding::Zstd {
        return Err("only zstd can have a dictionary".to_owned());
    }
    let target = if is_folder {
        Target::Folder(&arguments.out, arguments.split_size.unwrap_or(u64::MAX))
    } else {
        Target::File(&arguments.out)
    };
    let plan = Plan {
        captures: arguments.captures,
        seed: arguments.seed,
        pages: arguments.pages,
        repeat: arguments.repeat,
        label: arguments.crawl.clone(),
        population: match arguments.population {
            Population::Web => crawl::Population::Web,
            Population::Sample => crawl::Population::Sample,
        },
    };
    for month in 0..arguments.months {
        let plan = match month {
            0 => plan.clone(),
            _ => plan
                .later(month)
                .ok_or("the name of the first of several crawls must end in -YEAR-WEEK")?,
        };
        let written = output::write(&plan, &target, encoding, arguments.dictionary)
            .map_err(|error| error.to_string())?;
        println!(
            "{}: {}: {} records in {} files, {} bytes before packing",
            arguments.out.display(),
            plan.label,
            written.records,
            written.files,
            written.bytes
        );
    }
    Ok(())
}
