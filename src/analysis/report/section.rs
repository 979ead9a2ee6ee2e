//! What a section of the report is: an entry that names a query, says how to read the answer,
//! and picks what is shown of it. To add a section is to add an entry to a chapter.

/// Sections on one subject.
#[derive(Debug)]
pub(super) struct Chapter {
    /// Its heading.
    pub(super) title: &'static str,
    /// What it is about, in a sentence or two.
    pub(super) about: &'static str,
    /// Its sections.
    pub(super) sections: &'static [Section],
}

/// A finding: a query, its answer, and what the answer says.
#[derive(Debug)]
pub(super) struct Section {
    /// Name of the shipped query.
    pub(super) query: &'static str,
    /// Tells apart sections that put one query twice; part of the section's address.
    pub(super) suffix: &'static str,
    /// Parameters and their values, as one would type them.
    pub(super) set: &'static [(&'static str, &'static str)],
    /// The heading.
    pub(super) title: &'static str,
    /// The main findings: sentences with places that the answer fills (see [`mod@super::finding`]).
    /// One that cannot be filled is left out.
    pub(super) finding: &'static [&'static str],
    /// How to read it, and what it does not say.
    pub(super) says: &'static str,
    /// The columns of the table; all columns are in the CSV.
    pub(super) columns: &'static [&'static str],
    /// Rows of the table; all rows are in the CSV.
    pub(super) rows: usize,
    /// Rows that hold this in this column are left out of table and chart.
    pub(super) without: Option<(&'static str, &'static str)>,
    /// The chart.
    pub(super) chart: Chart,
    /// What the section cannot do without.
    pub(super) needs: Needs,
    /// Columns whose values may name hosts: left out unless the report may name them.
    pub(super) naming: &'static [&'static str],
    /// With a baseline: the columns by which rows are the same, and the one that is compared.
    pub(super) compare: Option<(&'static [&'static str], &'static str)>,
}

/// What a section has where an entry says nothing.
pub(super) const PLAIN: Section = Section {
    query: "",
    suffix: "",
    set: &[],
    title: "",
    finding: &[],
    says: "",
    columns: &[],
    rows: 12,
    without: None,
    chart: Chart::None,
    needs: Needs::Nothing,
    naming: &[],
    compare: None,
};

/// How an answer is drawn. Columns are named as the query names them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chart {
    /// Not at all: the table says it better.
    None,
    /// A bar for each row.
    Bars {
        /// The columns that name the row.
        label: &'static [&'static str],
        /// The length of its bar.
        value: &'static str,
    },
    /// A bar for each row, in parts.
    Stack {
        /// The columns that name the row.
        label: &'static [&'static str],
        /// Column, name and colour of each part.
        parts: &'static [(&'static str, &'static str, Colour)],
    },
    /// A line for each value of a column.
    Lines {
        /// What goes from left to right: crawls, months.
        x: &'static str,
        /// The height.
        y: &'static [&'static str],
        /// The column whose values have a line each; none where each of `y` is a line.
        series: Option<&'static str>,
    },
}

/// Colours by meaning, of the palette of Okabe and Ito, which everybody can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    /// What is closed, or lost.
    Full,
    /// What is closed in part.
    Partial,
    /// What is open.
    None,
    /// What nothing is known of, or nothing said.
    Silent,
    /// Further ones.
    Other,
}

/// What a section cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// It can always be told.
    Nothing,
    /// A corpus of more than one crawl.
    SeveralCrawls,
    /// A list of ranks.
    Ranks,
}

impl Section {
    /// The section's address on the page.
    #[must_use]
    pub(super) fn id(&self) -> String {
        if self.suffix.is_empty() {
            self.query.to_owned()
        } else {
            format!("{}-{}", self.query, self.suffix)
        }
    }
}
