//! Where an input begins and ends in a run: commits, which fall between inputs, and the rows of an
//! input itself.

use warc_recovery::damage::{Damage, DamageKind};

use super::{Progress, Run, input_rows};
use crate::dataset::tables::Builders;
use crate::dataset::{CommittedInput, Digest};
use crate::error::Error;
use crate::ingest::input::content::Content;
use crate::ingest::input::open::{OpenInput, note_of_replacement};
use crate::ingest::rows::push_damage;
use crate::ingest::tally::Tally;

/// Zeros at the end of an archive that are padding, as tapes need it.
const MAX_PADDING: u64 = 1 << 20;
const STEP_BYTES: u64 = 1 << 16;

impl Run<'_> {
    /// Begins an input, after a commit where one is due. The last commit is due when there is no
    /// further input.
    pub(super) fn begin(&mut self, open: &OpenInput) -> Result<(), Error> {
        // A run that is given nothing but what is not a WARC leaves nothing behind.
        if self.uncommitted_bytes >= self.plan.commit_bytes && self.has_usable_input() {
            self.commit(false)?;
        }
        self.current = Progress::default();
        for replaced in &open.replaces {
            self.replace(replaced);
        }
        self.watcher.begin(&open.path, open.bytes());
        for note in &open.notes {
            self.watcher.note(&open.path, note);
        }
        Ok(())
    }

    /// Ends an input: its row.
    pub(super) fn end(&mut self, open: &OpenInput) -> Result<(), Error> {
        let (tally, mut damage) = self.remainder(open)?;
        self.watcher.advance(&tally);
        self.current.tally += &tally;
        if let Some(zeros) = self.zeros_at_the_end(open)? {
            let accounting = &mut self.current.tally.accounting;
            accounting.skipped_bytes -= zeros.length;
            accounting.damaged_bytes += zeros.length;
            accounting.damaged_records += 1;
            damage.push(zeros);
        }
        let mut builders = Builders::default();
        for damage in &damage {
            self.watcher.damage(&open.path, damage);
            push_damage(&mut builders.damage, open.name(), damage);
        }
        self.replace_repeated(open);
        let accounting = self.current.tally.accounting;
        let (accounted, bytes) = (accounting.bytes(), open.bytes());
        if accounted != bytes {
            let message = format!(
                "{accounted} of {bytes} bytes are accounted for; no rows of this input were kept. \
                 This is a bug, please report it with the file"
            );
            return Err(Error::unusable(&open.path, message));
        }
        if self.current.tally.invalid_statuses > 0 {
            let note = format!(
                "rows with a status that is not an HTTP code: {}; they are read as rows without a \
                 status",
                self.current.tally.invalid_statuses
            );
            self.watcher.note(&open.path, &note);
        }
        let no_captures = self.no_captures(open);
        if let Some((reason, message)) = &no_captures {
            self.totals.without_captures += u64::from(message.is_some());
            if let Some(message) = message {
                self.note_reason(&open.path, message);
                self.watcher.no_captures(*reason, &open.path, message);
            }
        }
        self.warn_of_redirects(open);
        let reason = no_captures.map(|(reason, _)| reason);
        input_rows::push_input(&mut builders.inputs, open, &self.current.tally, reason);
        self.push(&open.identity.crawl, builders.finish())?;
        let is_missing = matches!(open.content, Content::Missing(_));
        self.totals.inputs += u64::from(!is_missing);
        self.totals.bytes_in += open.bytes();
        self.totals.tally += &self.current.tally;
        let is_damaged = self.current.tally.accounting.damaged_records > 0 && !is_missing;
        let input = CommittedInput {
            captures: self.current.tally.captures,
            digest: self.digest(open, is_damaged)?,
            is_damaged,
            ..open.identity.clone()
        };
        self.known.end(&input);
        self.uncommitted.push(input);
        self.uncommitted_bytes += open.bytes();
        self.network.keep(open.target.clone());
        Ok(())
    }

    /// The bytes of an input that no split read, and the damage in them.
    fn remainder(&mut self, open: &OpenInput) -> Result<(Tally, Vec<Damage>), Error> {
        Ok(match &open.content {
            Content::Corpus(_) => (Tally::default(), Vec::new()),
            Content::Archive(archive) => {
                let mut damage = archive.lost.clone();
                let mut accounting = archive.accounting(&open.input);
                if self.plan.options.verify_digests {
                    let wrong = archive.verify(&open.input, self.stop)?;
                    accounting.damaged_records += wrong.len() as u64;
                    damage.extend(wrong);
                }
                (Tally::of(accounting), damage)
            }
            Content::Unknown(message) => {
                self.note_reason(&open.path, message);
                self.totals.not_warc += 1;
                input_rows::not_read(open.first, open.bytes(), DamageKind::NotWarc, message)
            }
            Content::Missing(message) => {
                self.note_reason(&open.path, message);
                self.totals.unreadable += 1;
                input_rows::not_read(open.first, 0, DamageKind::NotFetched, message)
            }
            Content::Index(unusable) => {
                self.totals.not_warc += 1;
                if let Some(first) = unusable.first() {
                    self.note_reason(&open.path, &first.message);
                }
                (
                    input_rows::of_index(open.bytes(), unusable),
                    unusable.to_vec(),
                )
            }
        })
    }

    /// The zeros at the end of an archive, where they are more than padding.
    fn zeros_at_the_end(&self, open: &OpenInput) -> Result<Option<Damage>, Error> {
        let input = &open.input;
        // What is in no record.
        let most = self.current.tally.accounting.skipped_bytes;
        let is_whole_archive =
            matches!(open.content, Content::Archive(_)) && open.bytes() == input.len();
        if !is_whole_archive || most <= MAX_PADDING {
            return Ok(None);
        }
        let mut zeros = 0;
        while zeros < most {
            let length = (most - zeros).min(STEP_BYTES);
            let at = input.len() - zeros - length;
            let bytes = input.read(at, usize::try_from(length).unwrap_or(usize::MAX));
            let bytes = bytes.map_err(Error::io(&open.path))?;
            let others = bytes.iter().rev().position(|byte| *byte != 0);
            zeros += others.map_or(length, |zeros| zeros as u64);
            if others.is_some() {
                break;
            }
        }
        Ok((zeros > MAX_PADDING).then(|| Damage {
            offset: input.len() - zeros,
            length: zeros,
            kind: DamageKind::Truncated,
            message: "zeros up to the end of the file, as an unfinished download leaves them"
                .to_owned(),
        }))
    }

    /// Drops the rows of inputs that the input under way may repeat, if it is intact.
    fn replace_repeated(&mut self, open: &OpenInput) {
        let is_intact = self.current.tally.accounting.damaged_records == 0;
        for repeated in &open.may_repeat {
            if !is_intact || self.current.tally.captures < repeated.captures {
                let note = format!(
                    "it seems to be another copy of {} in the dataset, and has less of it or is \
                     damaged too: both are kept, and captures that both have count twice",
                    repeated.name
                );
                self.watcher.note(&open.path, &note);
                continue;
            }
            self.known.remove(repeated);
            self.replace(repeated);
            if let Some(note) = note_of_replacement(repeated) {
                self.watcher.note(&open.path, &note);
            }
        }
    }

    /// Drops the rows that an earlier run has of an input.
    fn replace(&mut self, replaced: &CommittedInput) {
        self.dataset.replace(replaced.fingerprint);
        // What was missing had no rows that anybody counts.
        self.totals.replaced += u64::from(!replaced.is_missing());
        self.totals.captures_replaced += replaced.captures;
    }

    /// The digest of an input that has been read, if its fingerprint covers only samples. A plain
    /// archive that is mostly skipped pages gets no digest, unless it is damaged: a repaired copy
    /// is compared with it.
    fn digest(&self, open: &OpenInput, is_damaged: bool) -> Result<Option<Digest>, Error> {
        let known = self.known.digest(open.identity.fingerprint);
        let is_unread = open.is_plain_archive()
            && self.current.tally.passed_over_bytes > open.bytes() / 2
            && !is_damaged;
        if known.is_some() || !open.is_sampled || is_unread {
            return Ok(known);
        }
        let digest = Digest::of(&open.input);
        digest.map(Some).map_err(Error::io(&open.path))
    }

    /// Commits what was read since the last commit; the last time with the derived tables.
    pub(super) fn commit(&mut self, is_last: bool) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        let count = inputs.len();
        if is_last {
            self.dataset.commit_last(inputs, self.stop)?;
        } else {
            self.dataset.commit(inputs)?;
        }
        self.network.release();
        self.watcher.commit(count);
        Ok(())
    }
}
