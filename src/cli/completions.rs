//! `robostat completions`: completion scripts for shells.

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;

use super::outcome::{Result, print};
use crate::analysis::query::shipped;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/completions.txt"))]
pub(super) struct CompletionsArguments {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

pub(super) fn run(arguments: &CompletionsArguments, program: Command) -> Result<()> {
    let queries = PossibleValuesParser::new(shipped::all().iter().map(|query| query.name));
    let mut program = program.mut_subcommands(|command| match command.get_name() {
        // Any other words are accepted too.
        "query" => command.mut_arg("paths", |paths| paths.value_parser(queries.clone())),
        _ => command,
    });
    // The generator panics if it cannot write, for example to a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "robostat", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    match arguments.shell {
        Shell::Fish => script += &queries_for_fish(),
        Shell::Bash => script = script.replace(BASH_SET.0, BASH_SET.1) + &parameters(),
        // The first completion in a shell runs the whole script, which ends with the call of the
        // completion.
        Shell::Zsh => {
            let functions = parameters() + ZSH_FUNCTION + ZSH_CALL;
            script = script.replace(ZSH_SET.0, ZSH_SET.1);
            script = script.replace(ZSH_CALL, &functions);
        }
        _ => {}
    }
    Ok(print(&script)?)
}

/// The completion of `--set` of `robostat query` as generated for bash, and its replacement, which
/// completes the parameters of the query.
const BASH_SET: (&str, &str) = (
    "--set)\n                    COMPREPLY=($(compgen -f \"${cur}\"))",
    "--set)\n                    compopt -o nospace\n                    \
     COMPREPLY=($(compgen -W \"$(_robostat_parameters \"${COMP_WORDS[@]}\")\" -- \"${cur}\"))",
);
const ZSH_SET: (&str, &str) = (":NAME=VALUE:_default'", ":NAME=VALUE:_robostat_set'");
/// The beginning of the end of the script as generated.
const ZSH_CALL: &str = "\nif [ \"$funcstack[1]\" = ";
const ZSH_FUNCTION: &str = "
_robostat_set() {
    compadd -S '' -- $(_robostat_parameters \"${words[@]}\")
}
";

/// A function for bash and zsh that prints the parameters of the query among its arguments.
fn parameters() -> String {
    let cases = shipped::all().iter().map(|query| {
        let parameters = query.parameters();
        let names = parameters.iter().map(|it| format!("{}=", it.name));
        let names = names.collect::<Vec<_>>().join(" ");
        format!("            {}) echo \"{names}\" ;;\n", query.name)
    });
    let cases: String = cases.collect();
    format!(
        "
_robostat_parameters() {{
    local word
    for word in \"$@\"; do
        case \"$word\" in
{cases}        esac
    done
}}
"
    )
}

/// Queries and their parameters, which the generator for fish leaves out.
fn queries_for_fish() -> String {
    const QUERY: &str = "complete -c robostat -n \"__fish_robostat_using_subcommand query";
    let lines = shipped::all().iter().map(|query| {
        let summary = query.summary().replace('\\', "\\\\").replace('\'', "\\'");
        let (name, parameters) = (query.name, query.parameters());
        let parameters = parameters.iter().map(|it| {
            format!(
                "{QUERY}; and contains -- {name} (commandline -opc)\" -l set -x -a \"{}=\"\n",
                it.name
            )
        });
        let parameters: String = parameters.collect();
        format!("{QUERY}\" -a \"{name}\" -d '{summary}'\n{parameters}")
    });
    lines.collect()
}
