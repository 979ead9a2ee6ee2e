//! `robostat schema`: the tables and their columns, with meanings.

use std::fmt::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use super::layout::{self, OTHER, STRONG};
use super::outcome::{Result, print, print_json};
use crate::dataset::tables::describe::{Column, columns, sql_name};
use crate::dataset::tables::values::Word;
use crate::dataset::tables::{self, Table};

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("help/schema.txt"))]
pub(super) struct SchemaArguments {
    /// Print this table only.
    #[arg(value_name = "TABLE", value_parser = PossibleValuesParser::new(tables::documented().map(|table| table.name)))]
    table: Option<String>,
    /// Print one JSON array of tables.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &SchemaArguments) -> Result<()> {
    let wanted = arguments.table.as_deref();
    let tables = tables::documented().filter(|table| wanted.is_none_or(|name| name == table.name));
    if arguments.json {
        return print_json(&tables.map(json).collect::<Value>());
    }
    let tables: Vec<String> = tables.map(|table| text(table, layout::width())).collect();
    Ok(print(&tables.join("\n"))?)
}

fn text(table: &Table, width: usize) -> String {
    let comment = layout::wrap(&table.comment, 0, width);
    let mut out = format!("{}\n{comment}\n", STRONG.apply_to(table.name));
    let name_width = columns(table).map(|column| column.name.len()).max();
    let name_width = name_width.unwrap_or(0);
    for column in columns(table) {
        let not_null = if column.is_nullable { "" } else { " NOT NULL" };
        let name = OTHER.apply_to(column.name);
        let kind = format!("{}{not_null}", sql_name(&column.data_type));
        let kind = layout::wrap(&kind, name_width + 4, width);
        let meaning = layout::wrap(column.meaning, 6, width);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "\n  {name:<name_width$}  {kind}\n      {meaning}");
        for word in column.words.iter().flatten() {
            if let Some(meaning) = &word.meaning {
                let word = format!("{}: {meaning}", word.name);
                let _ = writeln!(out, "        {}", layout::wrap(&word, 10, width));
            }
        }
    }
    out
}

fn json(table: &Table) -> Value {
    let word = |word: &Word| json!({ "value": word.name, "comment": word.meaning });
    let column = |column: Column<'_>| {
        json!({
            "name": column.name,
            "type": sql_name(&column.data_type),
            "nullable": column.is_nullable,
            "partition": column.is_partition,
            "comment": column.meaning,
            "values": column.words.map(|words| words.iter().map(word).collect::<Value>()),
        })
    };
    let columns: Value = columns(table).map(column).collect();
    json!({ "name": table.name, "comment": table.comment, "columns": columns })
}
