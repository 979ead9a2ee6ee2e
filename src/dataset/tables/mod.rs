//! The tables: one file per table, each with its columns, their types and their meaning.
//!
//! Sixth stage of the flow. A table is declared once, by the `table!` macro: row type, builder
//! and Arrow schema come from the same lines. `robostat schema` prints them, and the comments are
//! in every Parquet file's Arrow metadata.

mod column;
pub mod describe;
mod list;
mod table;
pub mod values;
mod word_enum;

use arrow_array::RecordBatch;

pub use column::{
    Bytes, ColumnType, Day, Kind, Micros, Str, Text, Texts, Values, to_bigint, to_int,
};
pub use list::{HeldPreference, List, ReasonValue};
pub use table::{Key, Mark, SCHEMA_VERSION, Table};
pub(super) use values::tidy;
pub(crate) use word_enum::word_enum;

use table::column_field;

/// Declares a table: its row type, its builder, its schema, its [`Key`], and whether its parts are
/// in a directory per crawl (`by crawl`). Each [`Mark`] of a column is after its kind, in brackets.
/// After `=` is the list of words, if the column holds only words of a list.
macro_rules! table {
    (
        $(#[doc = $table_doc:literal])+
        $table:literal, $row:ident, $builder:ident
        $(, key: $key:ident($key_column:ident))? $(, by $partition:ident)? {
            $(
                $(#[doc = $column_doc:literal])+
                $column:ident: $kind:ty $([$($mark:ident),+])? $(= $words:expr)?,
            )+
        }
    ) => {
        $(#[doc = $table_doc])+
        #[derive(Default)]
        pub struct $row<'a> {
            $( $(#[doc = $column_doc])+ pub $column: <$kind as $crate::dataset::tables::ColumnType>::Value<'a>, )+
        }

        #[derive(Default)]
        pub struct $builder {
            rows_collected: usize,
            $( $column: $crate::dataset::tables::Values<$kind>, )+
        }

        impl $builder {
            #[inline]
            pub fn push(&mut self, row: $row<'_>) {
                self.rows_collected += 1;
                $( self.$column.push(row.$column); )+
            }

            pub fn rows(&self) -> usize {
                self.rows_collected
            }

            pub fn finish(&mut self) -> arrow_array::RecordBatch {
                self.rows_collected = 0;
                let columns = vec![ $( self.$column.finish(), )+ ];
                arrow_array::RecordBatch::try_new(std::sync::Arc::clone(&table().schema), columns)
                    .expect("columns and schema come from one declaration")
            }
        }

        pub fn table() -> &'static $crate::dataset::tables::Table {
            static TABLE: std::sync::LazyLock<$crate::dataset::tables::Table> = std::sync::LazyLock::new(|| {
                let columns = vec![ $(
                    $crate::dataset::tables::column_field::<$kind>(stringify!($column), concat!($($column_doc, "\n"),+)),
                )+ ];
                #[allow(unused_mut, reason = "not every table has a key or partitions")]
                let mut table = $crate::dataset::tables::Table::new($table, concat!($($table_doc, "\n"),+), columns);
                table.marks = vec![ $( &[ $( $( $crate::dataset::tables::Mark::$mark ),+ )? ][..], )+ ];
                table.words = vec![ $(
                    [ $( Some((|| $crate::dataset::tables::values::words($words)) as fn() -> _), )? None ][0],
                )+ ];
                $( table.key = Some($crate::dataset::tables::Key::$key(stringify!($key_column))); )?
                $( table.partition = Some(stringify!($partition)); )?
                table
            });
            &TABLE
        }
    };
}

macro_rules! tables {
    ($($module:ident, $builder:ident;)+) => {
        $( pub mod $module; )+

        /// The tables that an ingest fills: a policy comes after its rules, a file after its
        /// policy, and a capture after its file.
        pub fn ingested() -> Vec<&'static Table> {
            vec![ $( $module::table(), )+ ]
        }

        /// One value for each table that an ingest fills.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct PerTable<T> {
            $( pub $module: T, )+
        }

        impl<T> PerTable<T> {
            /// The values with their tables, in the order of [`ingested`].
            pub fn iter(&self) -> impl Iterator<Item = (&'static Table, &T)> {
                [ $( ($module::table(), &self.$module), )+ ].into_iter()
            }

            pub fn iter_mut(&mut self) -> impl Iterator<Item = (&'static Table, &mut T)> {
                [ $( ($module::table(), &mut self.$module), )+ ].into_iter()
            }

            pub fn map<U>(&self, convert: impl Fn(&T) -> U) -> PerTable<U> {
                PerTable { $( $module: convert(&self.$module), )+ }
            }
        }

        #[derive(Default)]
        pub struct Builders {
            $( pub $module: $module::$builder, )+
        }

        impl Builders {
            pub fn finish(&mut self) -> Batches {
                PerTable { $( $module: self.$module.finish(), )+ }
            }
        }
    };
}

tables! {
    groups, GroupsBuilder;
    rules, RulesBuilder;
    agents, AgentsBuilder;
    directives, DirectivesBuilder;
    preferences, PreferencesBuilder;
    effective_preferences, EffectivePreferencesBuilder;
    policies, PoliciesBuilder;
    sitemaps, SitemapsBuilder;
    grouping_errors, GroupingErrorsBuilder;
    remarks, RemarksBuilder;
    platforms, PlatformsBuilder;
    files, FilesBuilder;
    captures, CapturesBuilder;
    page_rules, PageRulesBuilder;
    page_agents, PageAgentsBuilder;
    page_preferences, PagePreferencesBuilder;
    page_policies, PagePoliciesBuilder;
    pages, PagesBuilder;
    damage, DamageBuilder;
    inputs, InputsBuilder;
}

pub type Batches = PerTable<RecordBatch>;

#[macro_use]
pub(crate) mod resolution;
pub mod hosts;
pub mod origins;
pub mod resolved;

pub fn derived() -> [&'static Table; 3] {
    [resolved::table(), origins::table(), hosts::table()]
}

/// Every table with parts, in the order in which a commit makes them visible, so that readers find
/// the file and policy of every capture with all their rows. Derived tables come last.
pub fn all() -> impl Iterator<Item = &'static Table> {
    ingested().into_iter().chain(derived())
}

pub fn named(name: &str) -> Option<&'static Table> {
    all().find(|table| table.name == name)
}

// In addition to the tables that commits extend: each of these is written as a whole.
pub mod agent_catalog;
pub mod policy_diffs;
pub mod probes;

/// The tables of [`all`], then the tables that are written as a whole.
pub fn documented() -> impl Iterator<Item = &'static Table> {
    all().chain([
        agent_catalog::table(),
        policy_diffs::table(),
        probes::table(),
    ])
}

#[cfg(test)]
mod tests;
