//! `robostat man`: the manual, made from what `--help` says.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use super::exit::{COMPLETE, EXIT_CODES, Result};
use super::terminal;
use crate::error::Error;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/man.txt"))]
pub(super) struct ManArguments {
    /// Write robostat.1 and one page per subcommand into this directory.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Writes the pages of `program`.
pub(super) fn run(arguments: &ManArguments, program: Command) -> Result<u8> {
    // The subcommand `help` needs no page.
    let mut program = program.disable_help_subcommand(true);
    // Only a built command gives its subcommands their full names.
    program.build();
    let nested = program.get_subcommands().flat_map(Command::get_subcommands);
    let pages = std::iter::once(&program).chain(program.get_subcommands());
    let pages = pages.chain(nested.filter(|it| it.get_name() != "help"));
    if let Some(directory) = &arguments.output {
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
        for command in pages {
            let path = directory.join(format!("{}.1", full_name(command)));
            fs::write(&path, page(command)?).map_err(Error::io(&path))?;
        }
    } else {
        terminal::print(|out| {
            for command in pages {
                out.write_all(&page(command)?)?;
            }
            Ok(())
        })?;
    }
    Ok(COMPLETE)
}

fn full_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// A command's page, in the format of man(7).
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone()).manual("robostat manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let help = command
        .get_after_long_help()
        .or_else(|| command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    // What follows the options in the help: prose, the exit codes, then examples.
    let (mut prose, mut codes, mut examples) = (Vec::new(), EXIT_CODES, None);
    for part in help.split("\n\n") {
        if part.starts_with("Exit codes:\n") {
            codes = part;
        } else if let Some(lines) = part.strip_prefix("Examples:\n") {
            examples = Some(lines);
        } else if !part.is_empty() {
            prose.push(part);
        }
    }
    if !prose.is_empty() {
        page.extend_from_slice(b".SH NOTES\n");
    }
    for paragraph in prose {
        page.extend_from_slice(b".PP\n");
        verbatim(&mut page, paragraph);
    }
    exit_status(&mut page, codes);
    if let Some(examples) = examples {
        page.extend_from_slice(b".SH EXAMPLES\n.nf\n");
        verbatim(&mut page, examples);
        page.extend_from_slice(b".fi\n");
    }
    Ok(page)
}

/// The exit codes as a section: lines of a code and its meaning, which further lines continue.
fn exit_status(page: &mut Vec<u8>, codes: &str) {
    page.extend_from_slice(b".SH EXIT STATUS\n");
    for line in codes.lines().skip(1) {
        let is_code = !line.starts_with("   ");
        let line = line.trim();
        match line.split_once("  ").filter(|_| is_code) {
            Some((code, meaning)) => {
                page.extend_from_slice(b".TP\n");
                verbatim(page, code);
                verbatim(page, meaning.trim());
            }
            None => verbatim(page, line),
        }
    }
}

/// Lines of text, freed of what roff(7) takes for its own.
fn verbatim(page: &mut Vec<u8>, text: &str) {
    for line in text.lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) {
            page.extend_from_slice(b"\\&");
        }
        page.extend_from_slice(line.as_bytes());
        page.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |question, [text, ..]| {
            let mut page = Vec::new();
            match question {
                "verbatim" => verbatim(&mut page, text),
                "exit-status" => exit_status(&mut page, text),
                _ => panic!("{question}"),
            }
            String::from_utf8(page).expect("text")
        });
    }
}
