//! Going on with what is there of a file, or beginning again.

use std::io::{self, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use super::super::cache::Validators;
use super::super::failure::Failure;
use super::super::target::WantedBytes;
use super::Download;
use super::part::{PartialFile, Plan};

impl Download<'_> {
    /// Opens the part that an earlier try, or run, has left.
    pub(super) fn open(&self) -> io::Result<PartialFile> {
        let mut file = self.cache.open_part(&self.key)?;
        let validators = (self.cache.validators(&self.key)).filter(|validators| {
            validators.url == self.key
                && validators.bytes.is_none()
                && validators.validator().is_some()
        });
        if validators.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        let wanted = |run: &Range<u64>| run.end.min(bytes).saturating_sub(run.start);
        let plan = self.plan();
        let there = match &plan {
            Plan::Whole => bytes,
            Plan::End => 0,
            Plan::Ranges { runs, .. } => runs.iter().map(wanted).sum(),
        };
        let counted = i64::try_from(there).unwrap_or(i64::MAX);
        (self.progress)(counted);
        Ok(PartialFile {
            plan,
            file,
            bytes,
            counted,
            complete: None,
            unmarked_end: None,
            validators: validators.unwrap_or_default(),
            tries: 0,
            most: bytes,
            refusals: 0,
            successes: None,
            is_alone: false,
        })
    }

    /// What is requested of a file of which nothing is there.
    fn plan(&self) -> Plan {
        match (&self.target.wanted, self.target.runs()) {
            (WantedBytes::ByEnd(_), _) => Plan::End,
            (_, Some(runs)) => Plan::Ranges {
                runs,
                end: Vec::new(),
            },
            _ => Plan::Whole,
        }
    }

    /// The next bytes to request, after the bytes that are there. `None` if the file is complete.
    pub(super) fn wanted(&self, part: &PartialFile) -> io::Result<Option<Range<u64>>> {
        let Plan::Ranges { runs, .. } = &part.plan else {
            return Ok(Some(part.bytes..u64::MAX));
        };
        if part.complete.is_some_and(|complete| complete <= part.bytes) {
            return Ok(None);
        }
        let mut start = [0; 8];
        let start = match usize::try_from(part.bytes) {
            Ok(bytes) if bytes < start.len() => &mut start[..0],
            _ => &mut start[..],
        };
        part.file.read_exact_at(start, 0)?;
        let head = match &self.target.wanted {
            WantedBytes::Ranges(ranges) => ranges.head_bytes(start),
            _ => 0,
        };
        if (1..head).contains(&part.bytes) {
            return Ok(Some(part.bytes..head));
        }
        let run = runs.iter().find(|run| run.end > part.bytes);
        Ok(run.map(|run| run.start.max(part.bytes)..run.end))
    }

    /// Drops what is there of the file, and fails for this reason.
    pub(super) fn discard<T>(&self, part: &mut PartialFile, why: Failure) -> Result<T, Failure> {
        self.restart(part, Validators::default())?;
        Err(why)
    }

    /// Begins the file again, now with these validators.
    pub(super) fn restart(
        &self,
        part: &mut PartialFile,
        validators: Validators,
    ) -> Result<(), Failure> {
        (self.progress)(-part.counted);
        part.file.set_len(0)?;
        part.file.rewind()?;
        self.cache.note(&self.key, &validators)?;
        (part.bytes, part.validators) = (0, validators);
        (part.counted, part.complete) = (0, None);
        part.plan = self.plan();
        Ok(())
    }
}
