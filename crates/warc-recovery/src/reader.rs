//! Reading a whole file, from its first byte to its last, on the calling thread.

use std::io;

use crate::accounting::Accounting;
use crate::container::{Boundary, Container, UnitDecoder};
use crate::damage::{Damage, DamageKind};
use crate::input::Input;
use crate::recovery::Recovery;
use crate::sink::RecordSink;
use crate::split;

/// Hands every record and all damage of `input` to `sink`, in file order. Returns the accounting of
/// the bytes, which add up to the file's length.
///
/// A file that is neither WARC nor ARC is reported to [`RecordSink::damage`] as a whole.
///
/// # Errors
///
/// Fails if the file cannot be read, or has been cut short since it was opened. Damage in the
/// archive is not an error.
pub fn read_all<S: RecordSink>(input: &Input, sink: &mut S) -> io::Result<Accounting> {
    let container = match Container::detect(input)? {
        Ok(container) => container,
        Err(message) => {
            sink.damage(&Damage {
                offset: input.start(),
                length: input.len() - input.start(),
                kind: DamageKind::NotWarc,
                message,
            });
            return Ok(Accounting {
                damaged_records: 1,
                damaged_bytes: input.len() - input.start(),
                ..Accounting::default()
            });
        }
    };
    let mut decoder = UnitDecoder::default();
    let mut accounting = Accounting::default();
    let mut at = Boundary::at(input.start());
    while at.offset < input.len() {
        let split = split::plan(&container, at)?;
        let progress = split::read(&container, split, &mut decoder, sink, None)?;
        accounting += progress.accounting;
        at = progress.end;
        if progress.is_stopped {
            let mut recovery = Recovery::new(&container, at)?;
            while let Some(batch) = recovery.next_batch()? {
                accounting += batch.accounting;
                batch.deliver(sink);
            }
            at = recovery.end();
        }
    }
    Ok(accounting)
}
