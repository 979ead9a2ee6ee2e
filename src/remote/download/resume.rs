//! Going on with what is there of a file, or beginning again.

use std::io::{self, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::Ordering;

use super::super::body::BodyCheck;
use super::super::cache::{Cache, Fetched, Validators};
use super::super::client::Client;
use super::super::failure::Failure;
use super::super::target::{Target, WantedBytes};
use super::{Caller, Download, Plan};

impl<'d> Download<'d> {
    /// The file as the cache has it, else as it is fetched.
    pub(in crate::remote) fn of(
        client: &'d Client,
        cache: &'d Cache,
        target: &'d Target,
        check: &'d dyn BodyCheck,
        caller: &'d dyn Caller,
    ) -> Result<Fetched, Failure> {
        let key = target.key();
        // A cache that has the whole file has its ranges.
        let whole = cache.find(target.address.text());
        let kept = whole.filter(|_| cache.is_kept());
        // An earlier version may have kept an error page.
        let is_file = |it: &Fetched| matches!(check.mistake(target, &it.path), Ok(None));
        if let Some(fetched) = kept.or_else(|| cache.find(&key)).filter(is_file) {
            let received = caller.received();
            received.fetch_add(fetched.received, Ordering::Relaxed);
            return Ok(fetched);
        }
        // The part that an earlier run has left.
        let mut file = cache.open_part(&key)?;
        let validators = cache.validators(&key).filter(|validators| {
            validators.url == key && validators.bytes.is_none() && validators.validator().is_some()
        });
        if validators.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        let plan = Plan::of(target);
        let wanted = |run: &Range<u64>| run.end.min(bytes).saturating_sub(run.start);
        let there = match &plan {
            Plan::Whole => bytes,
            Plan::End => 0,
            Plan::Ranges { runs, .. } => runs.iter().map(wanted).sum(),
        };
        let mut download = Self {
            client,
            cache,
            target,
            check,
            caller,
            key,
            plan,
            file,
            bytes,
            received: 0,
            complete: None,
            unmarked_end: None,
            validators: validators.unwrap_or_default(),
        };
        download.count(there.cast_signed());
        download.run()
    }

    /// Whether an answer has come, whose validators hold for the next ones.
    pub(super) fn is_begun(&self) -> bool {
        let has_end = matches!(&self.plan, Plan::Ranges { end, .. } if !end.is_empty());
        self.bytes > 0 || has_end
    }

    /// The next bytes to request, after the bytes that are there. `None` if the file is complete.
    pub(super) fn wanted(&self) -> io::Result<Option<Range<u64>>> {
        let Plan::Ranges { runs, .. } = &self.plan else {
            return Ok(Some(self.bytes..u64::MAX));
        };
        if self.complete.is_some_and(|complete| complete <= self.bytes) {
            return Ok(None);
        }
        let mut start = [0; 8];
        let start = match usize::try_from(self.bytes) {
            Ok(bytes) if bytes < start.len() => &mut start[..0],
            _ => &mut start[..],
        };
        self.file.read_exact_at(start, 0)?;
        let head = match &self.target.wanted {
            WantedBytes::Ranges(ranges) => ranges.head_bytes(start),
            _ => 0,
        };
        if (1..head).contains(&self.bytes) {
            return Ok(Some(self.bytes..head));
        }
        let run = runs.iter().find(|run| run.end > self.bytes);
        Ok(run.map(|run| run.start.max(self.bytes)..run.end))
    }

    /// Drops what is there of the file, and fails for this reason.
    pub(super) fn discard<T>(&mut self, why: Failure) -> Result<T, Failure> {
        self.restart(Validators::default())?;
        Err(why)
    }

    /// Begins the file again, now with these validators.
    pub(super) fn restart(&mut self, validators: Validators) -> Result<(), Failure> {
        self.count(-self.received.cast_signed());
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.cache.note(&self.key, &validators)?;
        (self.bytes, self.validators, self.complete) = (0, validators, None);
        self.plan = Plan::of(self.target);
        Ok(())
    }
}

impl Plan {
    /// What is requested of a file of which nothing is there.
    fn of(target: &Target) -> Self {
        let ranges = target.runs().map(|runs| Self::Ranges {
            runs,
            end: Vec::new(),
        });
        match target.wanted {
            WantedBytes::ByEnd(_) => Self::End,
            _ => ranges.unwrap_or(Self::Whole),
        }
    }
}
