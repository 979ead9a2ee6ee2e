//! Why an input that was read has no capture: a run that brings nothing must not look like success.

use super::Run;
use crate::dataset::tables::inputs::NoCaptures;
use crate::ingest::input::content::Content;
use crate::ingest::input::no_warc;
use crate::ingest::input::open::OpenInput;
use crate::ingest::page::Pages;

impl Run<'_> {
    /// Why the input under way has no captures, now that all of it has been read, and a sentence
    /// about that, unless it has been reported already.
    pub(super) fn no_captures(&self, open: &OpenInput) -> Option<(NoCaptures, Option<String>)> {
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
                said("no capture: what could be one is damaged"),
            ),
            Content::Corpus(corpus) => {
                let (reason, text) = corpus.without_captures(records);
                (reason, said(text))
            }
            Content::Archive(_) if pages == Pages::Only => (
                NoCaptures::NoPages,
                said("no page: it has no record of a response to another URL than a robots.txt"),
            ),
            Content::Archive(_) if pages == Pages::Also => (
                NoCaptures::NoResponses,
                said("no capture and no page: it has no record of a response"),
            ),
            Content::Archive(_) => match no_warc::without_captures(&open.identity.name) {
                Some(text) => (NoCaptures::NoResponses, Some(text)),
                None if tally.passed_over > 0 => (
                    NoCaptures::NoRobotstxt,
                    Some(format!(
                        "no capture: none of its {} responses is to a robots.txt; --pages reads \
                         pages",
                        tally.passed_over
                    )),
                ),
                None => (
                    NoCaptures::NoResponses,
                    Some(format!(
                        "no capture: none of its {records} records is a response"
                    )),
                ),
            },
        })
    }

    /// Warns of responses that were passed over in an input that is mostly captures: a robots.txt
    /// subset, whose other responses are where redirects of captures lead.
    pub(super) fn warn_of_redirects(&mut self, open: &OpenInput) {
        let tally = &self.tally;
        let is_asked = self.plan.subset.is_some() || self.plan.options.pages != Pages::No;
        if is_asked || tally.passed_over == 0 || tally.passed_over > tally.captures {
            return;
        }
        let note = format!(
            "{} of its {} responses are not to a robots.txt and were passed over. The input looks \
             like a robots.txt subset: --subset robotstxt also reads where redirects lead, \
             --subset mixed leaves this note out",
            tally.passed_over,
            tally.passed_over + tally.captures
        );
        self.watcher.note(&open.path, &note);
    }
}
