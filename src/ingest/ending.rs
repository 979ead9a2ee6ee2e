//! Where an input begins and ends in a run: commits, which fall between inputs, and the rows of an
//! input itself.

use super::content::Content;
use super::open::Open;
use super::page::Pages;
use super::tally::Tally;
use super::{Run, input_rows, no_warc};
use crate::dataset::CommittedInput;
use crate::dataset::tables::Builders;
use crate::error::Error;

impl Run<'_> {
    /// Begins an input, after a commit where one is due. The last commit is due when there is no
    /// further input.
    pub(super) fn begin(&mut self, open: &Open) -> Result<(), Error> {
        // A run that is given nothing but what is not a WARC leaves nothing behind.
        if self.uncommitted_bytes >= self.plan.commit_bytes && self.has_usable_input() {
            self.commit()?;
        }
        self.current = Tally::default();
        // No archive has this number: the first split begins one.
        self.part = usize::MAX;
        for replaced in &open.replaces {
            self.dataset.replace(replaced.fingerprint);
            // What was missing had no rows that anybody counts.
            self.totals.replaced += u64::from(!replaced.is_missing());
            self.totals.captures_replaced += replaced.captures;
        }
        self.watcher.begin(open.path(), open.bytes);
        for note in &open.notes {
            self.watcher.note(open.path(), note);
        }
        Ok(())
    }

    /// Ends an input: its row.
    pub(super) fn end(&mut self, open: &Open) -> Result<(), Error> {
        let input = &open.input;
        let mut builders = Builders::default();
        if let Content::Unknown(message) = &open.content {
            let (damage, tally) = input_rows::no_warc(open.first, open.bytes, message);
            self.watcher.damage(open.path(), &damage);
            self.note_reason(open.path(), message);
            self.watcher.advance(&tally);
            self.current += &tally;
            self.totals.not_warc += 1;
            input_rows::push_damage(&mut builders.damage, open.name(), &damage);
        }
        if let Content::Missing(message) = &open.content {
            let (damage, tally) = input_rows::not_fetched(open.first, message);
            self.watcher.damage(open.path(), &damage);
            self.note_reason(open.path(), message);
            self.current += &tally;
            self.totals.unreadable += 1;
            input_rows::push_damage(&mut builders.damage, open.name(), &damage);
        }
        if let Content::Index(lost) = &open.content {
            let tally = input_rows::of_index(open.bytes, lost);
            self.watcher.advance(&tally);
            self.current += &tally;
            self.totals.not_warc += 1;
            if let Some(first) = lost.first() {
                self.note_reason(open.path(), &first.message);
            }
            for damage in &**lost {
                self.watcher.damage(open.path(), damage);
                input_rows::push_damage(&mut builders.damage, open.name(), damage);
            }
        }
        if let Content::Archive(archive) = &open.content {
            let mut wrong = Vec::new();
            if self.plan.options.verify_digests {
                wrong = archive.verify(input, || self.check_stop())?;
            }
            let mut tally = Tally {
                accounting: archive.accounting(input),
                ..Tally::default()
            };
            tally.accounting.damaged_records += wrong.len() as u64;
            self.watcher.advance(&tally);
            self.current += &tally;
            for damage in archive.lost.iter().chain(&wrong) {
                self.watcher.damage(open.path(), damage);
                input_rows::push_damage(&mut builders.damage, open.name(), damage);
            }
        }
        let accounting = self.current.accounting;
        let accounted = accounting.bytes();
        if accounted != open.bytes {
            return Err(Error::Unaccounted {
                input: open.path().to_owned(),
                bytes: open.bytes,
                accounted,
            });
        }
        if let Content::Corpus(corpus) = &open.content
            && self.current.captures + accounting.damaged_records == 0
        {
            self.watcher
                .note(open.path(), corpus.without_captures(accounting.records));
        }
        if self.current.odd_statuses > 0 {
            let note = format!(
                "rows whose status is no code, such as a word: {}; they are taken as rows without \
                 a status",
                self.current.odd_statuses
            );
            self.watcher.note(open.path(), &note);
        }
        if let Content::Archive(_) = &open.content
            && self.current.captures == 0
        {
            let note = match self.plan.options.pages.of(open.subset) {
                Pages::No => no_warc::without_captures(&open.identity.name),
                Pages::Also | Pages::Only if self.current.pages > 0 => None,
                Pages::Also => Some("no capture and no page: it has no record of a response"),
                Pages::Only => {
                    Some("no page: it has no record of a response to another URL than a robots.txt")
                }
            };
            if let Some(note) = note {
                self.watcher.note(open.path(), note);
            }
        }
        input_rows::push_input(&mut builders.inputs, open, &self.current);
        self.push(&open.identity.crawl, builders.finish())?;
        self.totals.inputs += u64::from(!matches!(open.content, Content::Missing(_)));
        self.totals.bytes_in += open.bytes;
        self.totals.tally += &self.current;
        self.uncommitted.push(CommittedInput {
            captures: self.current.captures,
            ..open.identity.clone()
        });
        self.uncommitted_bytes += open.bytes;
        self.used.extend(open.target.clone());
        Ok(())
    }

    pub(super) fn commit(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        let count = inputs.len();
        self.dataset.commit(inputs)?;
        self.release();
        self.watcher.commit(count);
        Ok(())
    }

    /// Commits what is left, with the derived tables.
    pub(super) fn commit_last(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        let count = inputs.len();
        self.dataset.commit_last(inputs, self.stop)?;
        self.release();
        self.watcher.commit(count);
        Ok(())
    }
}
