//! JSON Lines: one object per line, each a fetch.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::batch::{Batch, RowReader};
use super::columns::{Column, Columns, Rank};
use super::fetch::{Cell, Cells, Fetch};
use super::headers::HeadersVisitor;
use super::problem::{MAX_ROW_BYTES, Problem};
use super::window::Window;
use crate::byte_order_mark::without_bom;
use crate::ingest::pairs::Pairs;

pub(super) struct JsonLinesReader {
    pub(super) window: Window,
    pub(super) columns: Columns,
    pub(super) lines: u64,
}

impl RowReader for JsonLinesReader {
    fn read_on(&mut self, batch: &mut Batch, _: &AtomicBool) -> io::Result<bool> {
        self.lines += 1;
        let name = format!("line {}", self.lines);
        let start = self.window.start;
        let end = self.window.line(b'\n', MAX_ROW_BYTES)?;
        let line = &self.window.bytes()[..end.unwrap_or(self.window.bytes().len())];
        let found = if end.is_some() || self.window.is_ended {
            fetch(line, &self.columns)
        } else {
            Err(Problem::too_long())
        };
        self.window.skip_line(b'\n')?;
        batch.accounting.record_bytes += self.window.take_read();
        if end.is_none()
            && let Some(damage) = self.window.damage.take()
        {
            // Its last line is incomplete.
            batch.lose_rest(damage, &format!("{name} and all after it"));
            return Ok(false);
        }
        batch.push(self.window.location(start, name), found);
        Ok(self.window.start > start)
    }
}

/// The fetch in a line; `None` in a line of white space.
pub(super) fn fetch(line: &[u8], columns: &Columns) -> Result<Option<Fetch>, Problem> {
    let line = without_bom(line).trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let cells = deserializer.deserialize_map(RowVisitor(columns));
    let cells = cells.and_then(|cells| deserializer.end().map(|()| cells));
    let cells = cells.map_err(|error| {
        // The error counts lines within this line, which is not the first of the file.
        Problem::unreadable(error.to_string().replace(" at line 1 column ", " at byte "))
    })?;
    Fetch::from_cells(cells).map(Some)
}

/// The names in a line, in order; `None` if it is not a JSON object.
pub(super) fn names(line: &[u8]) -> Option<Vec<String>> {
    let Pairs(pairs) = serde_json::from_slice::<Pairs<String, IgnoredAny>>(line).ok()?;
    Some(pairs.into_iter().map(|(name, _)| name).collect())
}

/// Reads an object into cells; among columns that may have the same content, the surest that is not
/// null counts.
struct RowVisitor<'c>(&'c Columns);

impl<'de> Visitor<'de> for RowVisitor<'_> {
    type Value = Cells<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut cells = Cells::default();
        let mut ranks = [Rank::MAX; Column::COUNT];
        while let Some(name) = map.next_key::<String>()? {
            match self.0.of_name(&name) {
                Some((column, rank)) if rank == ranks[column as usize] => {
                    return Err(de::Error::custom(format!("`{name}` occurs twice")));
                }
                Some((column, rank)) if rank < ranks[column as usize] => {
                    let (at, cell) = (column as usize, map.next_value_seed(CellSeed(column))?);
                    if cell != Cell::Null {
                        (cells[at], ranks[at]) = (cell, rank);
                    } else if cells[at] == Cell::Absent {
                        cells[at] = cell;
                    }
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(cells)
    }
}

struct CellSeed(Column);

impl<'de> DeserializeSeed<'de> for CellSeed {
    type Value = Cell<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.0 {
            Column::Body | Column::BodyBase64 => deserializer.deserialize_option(self),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for CellSeed {
    type Value = Cell<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.0 {
            Column::Headers => "headers as text, an object, or a list of pairs",
            Column::Time | Column::Status => "text or a number",
            _ => "text",
        };
        write!(formatter, "{what} as {}", self.0.name())
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Cell::Null)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(Cell::Null)
    }

    /// A body need not be valid UTF-8: neither raw bytes nor escaped surrogates.
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<Self::Value, E> {
        Ok(Cell::Text(Cow::Owned(value.to_vec())))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
        self.visit_bytes(value.as_bytes())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Cell::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Cell::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Cell::Real(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        match self.0 {
            Column::Headers => HeadersVisitor.visit_map(map).map(Cell::Headers),
            _ => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        match self.0 {
            Column::Headers => HeadersVisitor.visit_seq(seq).map(Cell::Headers),
            _ => Err(de::Error::invalid_type(de::Unexpected::Seq, &self)),
        }
    }
}
