//! The beginning and end of an input in a run: commits, which come between inputs, and the rows of
//! the input itself.

use warc_recovery::accounting::Accounting;
use warc_recovery::container::Boundary;
use warc_recovery::damage::{Damage, DamageKind};

use super::Run;
use crate::dataset::tables::inputs::{InputRow, InputsBuilder, NoCaptures};
use crate::dataset::tables::{Builders, to_bigint};
use crate::dataset::{CommittedInput, Digest};
use crate::error::Error;
use crate::ingest::input::content::Content;
use crate::ingest::input::no_warc;
use crate::ingest::input::open::OpenInput;
use crate::ingest::input::subset::Subset;
use crate::ingest::page::Pages;
use crate::ingest::rows::push_damage;
use crate::ingest::tally::Tally;

/// The most zeros at the end of an archive that count as padding, as on tapes.
const MAX_PADDING: u64 = 1 << 20;
const STEP_BYTES: u64 = 1 << 16;

impl Run<'_> {
    /// Begins an input, after a commit if one is due. The last commit is due when there is no
    /// further input.
    pub(super) fn begin(&mut self, open: &OpenInput) -> Result<(), Error> {
        // A run whose inputs are all unusable leaves nothing behind.
        if self.dataset.next_bytes >= self.plan.commit_bytes && self.has_usable_input() {
            self.commit(false)?;
        }
        (self.tally, self.frontier) = (Tally::default(), Boundary::default());
        for note in &open.new.notes {
            self.watcher.note(&open.path, note);
        }
        for replaced in &open.new.replaces {
            self.replace(open, replaced);
        }
        // Names as in Common Crawl have the directory however the path is given.
        let is_of_path = open.subset != Subset::from_path(&open.identity.name);
        let is_input = matches!(open.content, Content::Archive(_) | Content::Corpus(_));
        if self.plan.subset.is_none() && is_of_path && is_input && !self.is_subset_noted {
            self.is_subset_noted = true;
            let note = "every response becomes a capture, because its path has a directory \
                        robotstxt; --subset robotstxt omits this note, --subset mixed reads \
                        robots.txt URLs only";
            self.watcher.note(&open.path, note);
        }
        Ok(())
    }

    pub(super) fn end(&mut self, open: &OpenInput) -> Result<(), Error> {
        let (accounting, mut damage) = self.unread(open)?;
        let mut unread = Tally {
            accounting,
            ..Tally::default()
        };
        if let Content::Archive(archive) = &open.content {
            unread.unread_files.other_name = archive.other_members();
        }
        self.watcher.advance(&unread);
        self.tally += &unread;
        if let Some(zeros) = self.zeros_at_the_end(open)? {
            let accounting = &mut self.tally.accounting;
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
        let (accounted, bytes) = (self.tally.accounting.bytes(), open.identity.bytes);
        if accounted != bytes {
            let message = format!(
                "{accounted} of {bytes} bytes are accounted for; no rows of this input were kept. \
                 This is a bug, please report it with the file"
            );
            return Err(Error::unusable(&open.path, message));
        }
        if self.tally.invalid_statuses > 0 {
            let note = format!(
                "rows with a status that is not an HTTP code: {}; they are read as rows without a \
                 status",
                self.tally.invalid_statuses
            );
            self.watcher.note(&open.path, &note);
        }
        let no_captures = self.no_captures(open);
        if let Some((reason, Some(message))) = &no_captures {
            self.totals.without_captures += 1;
            self.note_reason(&open.path, message);
            self.watcher.no_captures(*reason, &open.path, message);
        }
        self.warn_of_redirects(open);
        let reason = no_captures.map(|(reason, _)| reason);
        push_input(&mut builders.inputs, open, &self.tally, reason);
        self.push(&open.identity.crawl, &builders.finish())?;
        let is_missing = matches!(open.content, Content::Missing(_));
        let is_other = matches!(open.content, Content::Unknown(_) | Content::Index(_));
        self.totals.unreadable += u64::from(is_missing);
        self.totals.inputs += u64::from(!is_missing);
        self.totals.not_warc += u64::from(is_other);
        self.totals.bytes_in += bytes;
        self.totals.tally += &self.tally;
        let is_damaged = self.tally.accounting.damaged_records > 0 && !is_missing;
        let input = CommittedInput {
            captures: self.tally.captures,
            digest: self.digest(open, is_damaged)?,
            is_damaged,
            ..open.identity.clone()
        };
        self.known.end(&input);
        self.dataset.add_input(input);
        self.network.used.extend(open.planned.target());
        self.watcher.end();
        Ok(())
    }

    /// The bytes of an input that no split read, and the damage in them. Notes the reason if the
    /// input cannot be read.
    fn unread(&mut self, open: &OpenInput) -> Result<(Accounting, Vec<Damage>), Error> {
        let bytes = open.identity.bytes;
        // An input that could not be read is one damaged range, even if it is empty.
        let whole = |kind: DamageKind, message: &String| Damage {
            offset: open.planned.indexed.as_ref().map_or(0, |it| it.first()),
            length: bytes,
            kind,
            message: message.clone(),
        };
        let damage = match &open.content {
            Content::Corpus(_) => return Ok((Accounting::default(), Vec::new())),
            Content::Archive(archive) => {
                let mut damage = archive.lost.clone();
                let mut accounting = archive.accounting(bytes);
                if self.plan.options.verify_digests {
                    let wrong = archive.verify(&open.input, self.stop)?;
                    accounting.damaged_records += wrong.len() as u64;
                    damage.extend(wrong);
                }
                return Ok((accounting, damage));
            }
            Content::Unknown(message) => vec![whole(DamageKind::NotWarc, message)],
            Content::Missing(message) => vec![whole(DamageKind::NotFetched, message)],
            // Only the unusable rows of an index are damaged.
            Content::Index(unusable) => unusable.to_vec(),
        };
        if let Some(first) = damage.first() {
            self.note_reason(&open.path, &first.message);
        }
        let damaged_bytes = damage.iter().map(|it| it.length).sum::<u64>().min(bytes);
        let accounting = Accounting {
            damaged_bytes,
            damaged_records: damage.len() as u64,
            skipped_bytes: bytes - damaged_bytes,
            ..Accounting::default()
        };
        Ok((accounting, damage))
    }

    fn zeros_at_the_end(&self, open: &OpenInput) -> Result<Option<Damage>, Error> {
        let input = &open.input;
        // Bytes outside of records.
        let most = self.tally.accounting.skipped_bytes;
        let is_whole_archive =
            matches!(open.content, Content::Archive(_)) && open.identity.bytes == input.len();
        if !is_whole_archive || most <= MAX_PADDING {
            return Ok(None);
        }
        let mut zeros = 0;
        while zeros < most {
            let length = (most - zeros).min(STEP_BYTES);
            let at = input.len() - zeros - length;
            let bytes = input.read(at, usize::try_from(length).unwrap_or(usize::MAX));
            let bytes = bytes.map_err(Error::io(&open.path))?;
            let found = bytes.iter().rev().take_while(|byte| **byte == 0).count();
            zeros += found as u64;
            if found < bytes.len() {
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

    /// Why the current input, which has been read to its end, has no captures, and a message,
    /// unless the reason has been reported already: a run that adds nothing must not look like
    /// success.
    fn no_captures(&self, open: &OpenInput) -> Option<(NoCaptures, Option<String>)> {
        let tally = &self.tally;
        let (records, damaged) = (tally.accounting.records, tally.accounting.damaged_records);
        if tally.captures + tally.pages > 0 {
            return None;
        }
        let pages = self.plan.options.pages.of(open.subset);
        let said = |text: &str| Some(text.to_owned());
        Some(match &open.content {
            Content::Unknown(_) if open.input.is_empty() => (NoCaptures::Empty, None),
            Content::Unknown(_) => (NoCaptures::NotRead, None),
            Content::Missing(_) => (NoCaptures::NotFetched, None),
            Content::Index(_) => (NoCaptures::Index, None),
            _ if damaged > 0 && tally.passed_over == 0 => (
                NoCaptures::Damaged,
                said("no capture: the possible captures are damaged"),
            ),
            Content::Corpus(corpus) => {
                let (reason, text) = corpus.without_captures(records);
                (reason, said(text))
            }
            Content::Archive(_) if pages == Pages::Only => (
                NoCaptures::NoPages,
                said("no page: it has no response record for a URL other than a robots.txt"),
            ),
            Content::Archive(_) if pages == Pages::Also => (
                NoCaptures::NoResponses,
                said("no capture and no page: it has no response record"),
            ),
            Content::Archive(_) => match no_warc::without_captures(&open.identity.name) {
                Some(text) => (NoCaptures::NoResponses, Some(text)),
                None if tally.passed_over > 0 => (
                    NoCaptures::NoRobotstxt,
                    Some(format!(
                        "no capture: none of its responses ({}) is for a robots.txt; --pages reads \
                         pages",
                        tally.passed_over
                    )),
                ),
                None => (
                    NoCaptures::NoResponses,
                    Some(format!(
                        "no capture: none of its records ({records}) is a response"
                    )),
                ),
            },
        })
    }

    /// Warns of skipped responses in an input that is mostly captures: it may be a robots.txt
    /// subset, whose other responses are the targets of redirects.
    fn warn_of_redirects(&mut self, open: &OpenInput) {
        let tally = &self.tally;
        let is_asked = self.plan.subset.is_some() || self.plan.options.pages != Pages::No;
        if is_asked || tally.passed_over == 0 || tally.passed_over > tally.captures {
            return;
        }
        let note = format!(
            "{} of its {} responses are not for a robots.txt and were skipped. The input looks \
             like a robots.txt subset: --subset robotstxt also reads redirect targets, \
             --subset mixed omits this note",
            tally.passed_over,
            tally.passed_over + tally.captures
        );
        self.watcher.note(&open.path, &note);
    }

    fn replace_repeated(&mut self, open: &OpenInput) {
        let is_intact = self.tally.accounting.damaged_records == 0;
        let may_repeat = &open.new.may_repeat;
        let copy = (!is_intact).then(|| self.known.intact_copy(&open.identity));
        let copy = copy.flatten().filter(|it| !may_repeat.contains(it));
        for repeated in may_repeat.iter().chain(&copy) {
            if is_intact && self.tally.captures >= repeated.captures {
                self.known.remove(repeated.fingerprint);
                self.replace(open, repeated);
            } else {
                let note = format!(
                    "it seems to be another copy of {} in the dataset, but is less complete or also \
                     damaged: both are kept, and captures in both count twice",
                    repeated.name
                );
                self.watcher.note(&open.path, &note);
            }
        }
    }

    /// Drops the rows of an input from an earlier run.
    fn replace(&mut self, open: &OpenInput, replaced: &CommittedInput) {
        self.dataset.next.replaced_inputs.push(replaced.fingerprint);
        let CommittedInput { name, captures, .. } = replaced;
        self.totals.captures_replaced += captures;
        // A missing input had no rows to count.
        if !replaced.is_missing() {
            self.totals.replaced += 1;
            let note = format!("replaces the rows of {name}; captures removed: {captures}");
            self.watcher.note(&open.path, &note);
        }
    }

    /// The digest of an input that has been read, if its fingerprint covers only samples. A plain
    /// archive that is mostly skipped pages gets no digest, unless it is damaged: a repaired copy
    /// is compared with it.
    fn digest(&self, open: &OpenInput, is_damaged: bool) -> Result<Option<Digest>, Error> {
        let known = self.known.digest(open.identity.fingerprint);
        let is_unread = open.is_plain_archive()
            && self.tally.passed_over_bytes > open.identity.bytes / 2
            && !is_damaged;
        if known.is_some() || !open.is_sampled || is_unread {
            return Ok(known);
        }
        let digest = Digest::of(&open.input);
        digest.map(Some).map_err(Error::io(&open.path))
    }

    /// Commits the rows; the last commit of a run also makes the derived tables.
    pub(super) fn commit(&mut self, is_last: bool) -> Result<(), Error> {
        let count = self.dataset.next.inputs.len();
        self.dataset.commit(is_last.then_some(self.stop))?;
        if let Some(fetcher) = &self.network.fetcher {
            (self.network.used.drain(..)).for_each(|target| fetcher.release(&target));
        }
        self.watcher.commit(count);
        Ok(())
    }
}

fn push_input(
    rows: &mut InputsBuilder,
    open: &OpenInput,
    tally: &Tally,
    no_captures: Option<NoCaptures>,
) {
    let first = open.parts().first();
    let dictionary_id = first.and_then(|part| part.container.dictionary_id);
    let identity = &open.identity;
    let (origin, drawn) = (identity.origin.as_ref(), identity.drawn);
    let accounting = &tally.accounting;
    rows.push(InputRow {
        input_id: identity.fingerprint.input_id(),
        fingerprint: identity.fingerprint.to_string().as_bytes(),
        path: identity.name.as_bytes(),
        bytes: to_bigint(open.identity.bytes),
        crawl: identity.crawl.as_bytes(),
        container: open.content.name().name(),
        dictionary_id: dictionary_id.map(i64::from),
        records: to_bigint(accounting.records),
        captures: to_bigint(tally.captures),
        no_captures_reason: no_captures.map(NoCaptures::name),
        damaged_records: to_bigint(accounting.damaged_records),
        record_bytes: to_bigint(accounting.record_bytes),
        damaged_bytes: to_bigint(accounting.damaged_bytes),
        skipped_bytes: to_bigint(accounting.skipped_bytes),
        source_url: origin.map(|origin| origin.url.as_bytes()),
        etag: origin.and_then(|origin| Some(origin.etag.as_deref()?.as_bytes())),
        last_modified: origin.and_then(|origin| origin.last_modified),
        sample_of: drawn.map(|drawn| to_bigint(drawn.of)),
        sample_seed: drawn.map(|drawn| to_bigint(drawn.seed)),
    });
}
