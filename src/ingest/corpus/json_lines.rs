//! JSON Lines: an object a line, a fetch each.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::atomic::AtomicBool;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::batch::{Batch, MAX_ROW_BYTES, RowLocation, RowReader, too_long};
use super::columns::{Column, Columns, Rank};
use super::fetch::{Cell, Cells, Fetch, Problem};
use super::headers::HeadersVisitor;
use super::window::Window;

pub(crate) struct JsonLinesReader {
    window: Window,
    columns: Columns,
    /// Number of the next line, from 1.
    line: u64,
}

impl JsonLinesReader {
    pub(super) fn new(window: Window, columns: Columns) -> Self {
        Self {
            window,
            columns,
            line: 1,
        }
    }
}

impl RowReader for JsonLinesReader {
    fn read_on(&mut self, batch: &mut Batch, _: &AtomicBool) -> io::Result<bool> {
        let end = self.window.line(b'\n', MAX_ROW_BYTES)?;
        let (start, is_plain) = (self.window.start(), self.window.is_plain());
        let line = &self.window.bytes()[..end.unwrap_or(self.window.bytes().len())];
        let length = line.len();
        let found = if end.is_some() || self.window.is_ended() && !self.window.is_damaged() {
            fetch(line, &self.columns).transpose()
        } else {
            Some(Err(too_long()))
        };
        self.window.advance(length);
        if end.is_none() {
            self.window.skip_line(b'\n')?;
        }
        batch.accounting.record_bytes += self.window.take_read();
        if end.is_none()
            && let Some(damage) = self.window.take_damage()
        {
            // What is held of its last line is cut.
            batch.lose_rest(&damage, &format!("line {} and all after it", self.line));
            return Ok(false);
        }
        let length = self.window.start() - start;
        let place = RowLocation::new(start, length, is_plain, format!("line {}", self.line));
        match found {
            Some(fetch) => batch.push(place, fetch),
            None => batch.skip(&place),
        }
        self.line += 1;
        Ok(length > 0)
    }
}

/// The fetch in a line; none in a line of white space.
fn fetch(line: &[u8], columns: &Columns) -> Result<Option<Fetch>, Problem> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let cells = RowSeed(columns).deserialize(&mut deserializer);
    let cells = cells.and_then(|cells| deserializer.end().map(|()| cells));
    match cells {
        Ok(cells) => Fetch::from_cells(cells).map(Some),
        Err(error) => {
            // Of the line in hand, which is not the first of the file.
            let message = error.to_string().replace(" at line 1 column ", " at byte ");
            Err(Problem::unreadable(message))
        }
    }
}

/// The names in a line, in order; none where it is not a JSON object.
pub(super) fn names(line: &[u8]) -> Option<Vec<String>> {
    struct Names;

    impl<'de> Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut names = Vec::new();
            while let Some(name) = map.next_key()? {
                map.next_value::<IgnoredAny>()?;
                names.push(name);
            }
            Ok(names)
        }
    }

    let mut deserializer = serde_json::Deserializer::from_slice(line);
    let names = deserializer.deserialize_map(Names).ok()?;
    deserializer.end().ok()?;
    Some(names)
}

/// Reads an object into cells; of columns that may hold the same the surest.
struct RowSeed<'c>(&'c Columns);

impl<'de> DeserializeSeed<'de> for RowSeed<'_> {
    type Value = Cells<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_> {
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
                    cells[column as usize] = map.next_value_seed(CellSeed(column))?;
                    ranks[column as usize] = rank;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(cells)
    }
}

struct CellSeed(Column);

impl CellSeed {
    fn is_body(&self) -> bool {
        matches!(self.0, Column::Body | Column::BodyBase64)
    }
}

impl<'de> DeserializeSeed<'de> for CellSeed {
    type Value = Cell<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if self.is_body() {
            deserializer.deserialize_option(self)
        } else {
            deserializer.deserialize_any(self)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{check, optional};

    #[test]
    fn cases() {
        check(file!(), |_, [line, ..]| {
            match fetch(line.as_bytes(), &Columns::default()) {
                Ok(fetch) => optional(fetch).trim_end().to_owned(),
                Err(problem) => problem.message,
            }
        });
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_kept() {
        let raw = b"{\"host\": \"a.example\", \"body\": \"caf\xe9\"}";
        let found = fetch(raw, &Columns::default()).expect("a fetch");
        let body = found.expect("a line").body;
        assert_eq!(body.as_deref(), Some(&b"caf\xe9"[..]));
    }
}
