//! `robostat man`: the manual, made from the texts of `--help`.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use super::outcome::{EXIT_CODES, Result, print};
use crate::error::Error;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/man.txt"))]
pub(super) struct ManArguments {
    /// Write robostat.1 and one page per subcommand into this directory.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(super) fn run(arguments: &ManArguments, program: Command) -> Result<()> {
    // The subcommand `help` needs no page.
    let mut program = program.disable_help_subcommand(true);
    // Only a built command gives its subcommands their full names.
    program.build();
    let nested = program.get_subcommands().flat_map(Command::get_subcommands);
    let pages = std::iter::once(&program).chain(program.get_subcommands());
    let pages = pages.chain(nested.filter(|it| it.get_name() != "help"));
    let Some(directory) = &arguments.output else {
        let pages: io::Result<String> = pages.map(page).collect();
        return Ok(print(&pages?)?);
    };
    fs::create_dir_all(directory).map_err(Error::io(directory))?;
    for command in pages {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = directory.join(format!("{name}.1"));
        fs::write(&path, page(command)?).map_err(Error::io(&path))?;
    }
    Ok(())
}

fn page(command: &Command) -> io::Result<String> {
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
    let page = String::from_utf8_lossy(&page).into_owned();
    let help = command.get_after_long_help().or(command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    // The help after the options: prose, the exit codes, then examples.
    let (mut notes, mut codes, mut examples) = (String::new(), EXIT_CODES, String::new());
    for part in help.trim_end().split("\n\n") {
        if part.starts_with("Exit codes:\n") {
            codes = part;
        } else if let Some(lines) = part.strip_prefix("Examples:\n") {
            examples = format!(".SH EXAMPLES\n.nf\n{}.fi\n", verbatim(lines));
        } else if !part.is_empty() {
            let heading = if notes.is_empty() { ".SH NOTES\n" } else { "" };
            notes += heading;
            notes += ".PP\n";
            notes += &verbatim(part);
        }
    }
    Ok(page + &notes + &exit_status(codes) + &examples)
}

/// The exit codes as a section, from lines of a code and its meaning, which further lines continue.
pub(super) fn exit_status(codes: &str) -> String {
    let lines = codes.lines().skip(1).map(|line| {
        let is_code = !line.starts_with("   ");
        let line = line.trim();
        match line.split_once("  ").filter(|_| is_code) {
            Some((code, meaning)) => {
                format!(".TP\n{}{}", verbatim(code), verbatim(meaning.trim()))
            }
            None => verbatim(line),
        }
    });
    ".SH EXIT STATUS\n".to_owned() + &lines.collect::<String>()
}

/// Lines of text, escaped for roff(7).
pub(super) fn verbatim(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let is_request = line.starts_with(['.', '\'']);
        let mark = if is_request { "\\&" } else { "" };
        format!("{mark}{line}\n")
    });
    lines.collect()
}
