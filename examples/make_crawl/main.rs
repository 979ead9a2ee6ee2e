//! Makes a crawl of robots.txt files: WARC records in the shape of Common Crawl's robots.txt subset, all of it invented.
//!
//! ```text
//! cargo run --release --example make_crawl -- --captures 100000 big.warc.gz
//! ```
//!
//! A fixed tour of everything that such captures can be comes first, each stop named by its host; then follow random
//! captures with the frequencies of real ones. The same arguments give the same records, whatever the encoding.

mod crawl;
mod output;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use self::crawl::Plan;
use self::output::Encoding;

/// Makes a crawl of robots.txt files, all of it invented, for trying out and measuring robostat.
#[derive(Parser)]
#[command(name = "make_crawl")]
struct Arguments {
    /// Captures in all; the fixed tour that comes first is never cut.
    #[arg(long, default_value_t = 1_000)]
    captures: u64,
    /// What the random captures follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// HTML pages after each random capture, for a mixed crawl.
    #[arg(long, default_value_t = 0)]
    pages: u32,
    /// Share of the successful captures that repeat an earlier host and body.
    #[arg(long, default_value_t = 0.35, value_parser = share)]
    repeat: f64,
    /// Train a dictionary on the first records and store it in the first frame (.warc.zst only).
    #[arg(long)]
    dictionary: bool,
    /// Name of the crawl; -YEAR-WEEK at its end says when it took place.
    #[arg(long, default_value = "MADE-UP")]
    crawl: String,
    /// File to write; .warc, .warc.gz or .warc.zst says how.
    out: PathBuf,
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
    let encoding =
        Encoding::of(&arguments.out).ok_or("the name must end in .warc, .warc.gz or .warc.zst")?;
    if arguments.dictionary && encoding != Encoding::Zstd {
        return Err("only a .warc.zst can have a dictionary".to_owned());
    }
    let plan = Plan {
        captures: arguments.captures,
        seed: arguments.seed,
        pages: arguments.pages,
        repeat: arguments.repeat,
        label: arguments.crawl.clone(),
    };
    let written = output::write(
        &arguments.out,
        encoding,
        arguments.dictionary,
        crawl::records(&plan),
    )
    .map_err(|error| error.to_string())?;
    println!(
        "{}: {} records, {} bytes before packing",
        arguments.out.display(),
        written.records,
        written.bytes
    );
    Ok(())
}
