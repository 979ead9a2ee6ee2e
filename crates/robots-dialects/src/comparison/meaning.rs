//! What the rules of a whole file mean by RFC 9309: to each crawler, and together.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_128;

use super::decision_list::DecisionList;
use super::prefixes;
use super::result::Class;
use super::step_budget::StepBudget;
use crate::agent::rfc9309_token;
use crate::dialect::{Crawler, CrawlerGroups, Dialect, RuleType, RulesetBuilder};
use crate::document::Document;
use crate::identity::Id;

/// Steps for the id of a list of rules.
const ID_STEPS: usize = 1 << 17;

/// Steps to find its rules that decide nothing.
const DEAD_STEPS: usize = 1 << 22;

/// Steps for a comparison of two lists.
const PAIR_STEPS: usize = 1 << 20;

/// Steps for all lists of rules of a document, some 0.1 s.
const DOCUMENT_STEPS: usize = 1 << 26;

/// Lists and pairs of lists that are remembered.
const MAX_KNOWN: usize = 1 << 14;

/// Reads what documents mean, one after the other. Many documents have lists of rules in common, so
/// it remembers what it found for each list.
#[derive(Debug, Default)]
pub struct MeaningReader {
    /// By a hash of the rules.
    lists: HashMap<u128, ListMeaning>,
    /// By the hashes of a crawler's rules and of the rules of `*`.
    versus: HashMap<[u128; 2], (Class, usize)>,
}

/// What a list of rules means by itself; at first nothing is known.
#[derive(Clone, Debug, Default)]
struct ListMeaning {
    id: Option<Id>,
    /// The lines that decide no path, counted from 0 among those of the rules; none if unknown.
    dead: Option<Box<[u32]>>,
    /// Steps that it took to find out.
    work: usize,
}

/// What a document means by RFC 9309. Lines that this dialect does not know, such as misspelt ones,
/// mean nothing.
#[derive(Clone, Debug)]
pub struct Meaning {
    id: Option<Id>,
    /// By product token as RFC 9309 takes it, lower case.
    versus: HashMap<Vec<u8>, Class>,
    /// Lines of rules that decide a path for some crawler, in order.
    live_lines: Vec<u32>,
    /// Whether all such lines are known.
    knows_live_lines: bool,
}

impl Meaning {
    /// An id of the paths that each crawler may fetch: two documents have the same just when they
    /// allow the same paths to every crawler, hash collisions aside. A crawler with a group of its
    /// own that means the same as the group for `*` is as one without. None if a work limit
    /// was reached.
    #[must_use]
    pub fn id(&self) -> Option<Id> {
        self.id
    }

    /// How the paths that the crawler of this name may fetch compare with those that crawlers
    /// without a group may: [`Class::Stricter`] if it may fetch less.
    #[must_use]
    pub fn versus_wildcard(&self, name: &[u8]) -> Class {
        let token = rfc9309_token(name).to_ascii_lowercase();
        self.versus.get(&token).copied().unwrap_or(Class::Equal)
    }

    /// Whether the rule on this line, from 1, decides no path for any crawler; `None` if a work
    /// limit was reached before that was known.
    #[must_use]
    pub fn is_dead(&self, line: u32) -> Option<bool> {
        if self.live_lines.binary_search(&line).is_ok() {
            Some(false)
        } else {
            self.knows_live_lines.then_some(true)
        }
    }
}

/// The rules of a crawler.
struct List {
    key: u128,
    groups: Vec<usize>,
    meaning: ListMeaning,
}

impl MeaningReader {
    /// What `document` means. Linear in the document but for rules with many stars and large
    /// files, on which the work is limited.
    ///
    /// ```
    /// use robots_dialects::comparison::{Class, MeaningReader};
    /// use robots_dialects::document::Document;
    ///
    /// let mut reader = MeaningReader::default();
    /// let mut meaning = |body: &[u8]| reader.read(&Document::read(body, 0, &mut Vec::new()));
    /// let one = meaning(b"User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /x\nDisallow: /y\n");
    /// assert_eq!(one.versus_wildcard(b"a"), Class::Looser);
    /// let other = meaning(
    ///     b"User-agent: *\nDisallow: /y*\nAllow: /y\nDisallow: /x\n\nUser-agent: A\nDisallow: /x*\n",
    /// );
    /// assert_eq!(one.id(), other.id());
    /// assert_eq!(other.is_dead(3), Some(true)); // `Disallow: /y*` is longer
    /// ```
    pub fn read(&mut self, document: &Document<'_>) -> Meaning {
        let ruleset = RulesetBuilder::of_lines(Dialect::Rfc9309, document.policy_lines());
        if self.lists.len() > MAX_KNOWN || self.versus.len() > MAX_KNOWN {
            self.lists.clear();
            self.versus.clear();
        }
        let groups = CrawlerGroups::new(&ruleset);
        let mut work = DOCUMENT_STEPS;
        let chosen = groups.of(Crawler::Other);
        let wildcard = self.list(&groups, &chosen, &mut work);
        let of_wildcard = OnceCell::new();
        let mut lists: Vec<List> = Vec::new();
        let mut list_of: HashMap<&[usize], usize> = HashMap::new();
        // In the order of tokens, so that a limit is reached at the same one each time.
        let mut tokens: Vec<(&[u8], &[usize])> = groups.tokens().collect();
        tokens.sort_unstable();
        let mut versus = HashMap::with_capacity(tokens.len());
        let mut classes: Vec<Class> = Vec::new();
        let mut hashed = Vec::new();
        let mut id = wildcard.meaning.id;
        hashed.extend(wildcard.meaning.id.map(bytes_of).unwrap_or_default());
        for (token, chosen) in tokens {
            let index = *list_of.entry(chosen).or_insert_with(|| {
                let list = self.list(&groups, chosen, &mut work);
                classes.push(self.versus(&groups, &list, &wildcard, &of_wildcard, &mut work));
                lists.push(list);
                lists.len() - 1
            });
            versus.insert(token.to_vec(), classes[index]);
            match lists[index].meaning.id {
                Some(own) if Some(own) != wildcard.meaning.id => {
                    hashed.extend_from_slice(token);
                    hashed.push(b'\n');
                    hashed.extend(bytes_of(own));
                }
                Some(_) => {}
                None => id = None,
            }
        }
        lists.push(wildcard);
        let mut live_lines = Vec::new();
        for list in &lists {
            let Some(dead) = &list.meaning.dead else {
                continue;
            };
            let mut dead = dead.iter().peekable();
            let lines = (0u32..).zip(groups.rules(&list.groups).map(|rule| rule.line));
            let live = lines.filter(|(index, _)| dead.next_if_eq(&index).is_none());
            live_lines.extend(live.map(|(_, line)| line));
        }
        live_lines.sort_unstable();
        live_lines.dedup();
        Meaning {
            id: id.map(|_| Id::of(&hashed)),
            versus,
            live_lines,
            knows_live_lines: lists.iter().all(|list| list.meaning.dead.is_some()),
        }
    }

    /// The rules of some groups, with what they mean.
    fn list(&mut self, groups: &CrawlerGroups<'_>, chosen: &[usize], work: &mut usize) -> List {
        let mut key = Vec::new();
        for rule in groups.rules(chosen) {
            // Not its effect: an empty `Disallow` allows, but an empty `Allow` decides before it.
            let is_allow = rule.rule.rule_type == RuleType::Allow;
            key.push(u8::from(is_allow));
            // A pattern is no longer than its file.
            for number in [rule.weight, rule.pattern.len()] {
                key.extend_from_slice(&number.to_le_bytes());
            }
            key.extend_from_slice(rule.pattern);
        }
        let key = xxh3_128(&key);
        let meaning = self.lists.entry(key).or_insert_with(|| {
            match prefixes::meaning(groups.rules(chosen)) {
                Some((id, dead)) => ListMeaning {
                    id: Some(id),
                    work: dead.len(),
                    dead: Some(dead),
                },
                None => ListMeaning::of(&DecisionList::of_groups(groups, chosen)),
            }
        });
        let has_work = *work >= meaning.work;
        *work = work.saturating_sub(meaning.work);
        List {
            key,
            groups: chosen.to_vec(),
            meaning: if has_work {
                meaning.clone()
            } else {
                ListMeaning::default()
            },
        }
    }

    /// How the rules of a crawler compare with those of `*`, whose list is made once.
    fn versus<'r>(
        &mut self,
        groups: &CrawlerGroups<'r>,
        own: &List,
        wildcard: &List,
        of_wildcard: &OnceCell<DecisionList<'r>>,
        work: &mut usize,
    ) -> Class {
        let ids = [own, wildcard].map(|list| list.meaning.id);
        let [open, shut] = extremes();
        match ids {
            [Some(own), Some(wildcard)] if own == wildcard => return Class::Equal,
            [Some(own), Some(_)] if own == open => return Class::Looser,
            [Some(own), Some(_)] if own == shut => return Class::Stricter,
            [Some(_), Some(wildcard)] if wildcard == open => return Class::Stricter,
            [Some(_), Some(wildcard)] if wildcard == shut => return Class::Looser,
            _ => {}
        }
        let compare = || {
            let of = |list: &List| DecisionList::of_groups(groups, &list.groups);
            let of_wildcard = of_wildcard.get_or_init(|| of(wildcard));
            let comparison = of_wildcard.compare_within(&of(own), PAIR_STEPS, 0);
            (comparison.class, comparison.work)
        };
        let known = self.versus.entry([own.key, wildcard.key]);
        let (class, taken) = *known.or_insert_with(compare);
        let has_work = *work >= taken;
        *work = work.saturating_sub(taken);
        if has_work { class } else { Class::Undecided }
    }
}

impl ListMeaning {
    fn of(list: &DecisionList<'_>) -> Self {
        let mut work = StepBudget::new(DEAD_STEPS);
        let mut id_work = StepBudget::new(ID_STEPS);
        let decides = list.deciding(&mut work).ok();
        let id = decides
            .as_ref()
            .and_then(|decides| list.meaning_of(decides, &mut id_work).ok());
        // A list has no more lines than its file.
        let numbers = |positions: &Vec<bool>| {
            let dead = list.dead_of(positions);
            dead.map(|position| u32::try_from(position).unwrap_or(u32::MAX))
                .collect()
        };
        let dead = decides.as_ref().map(numbers);
        Self {
            id,
            dead,
            work: DEAD_STEPS - work.left() + ID_STEPS - id_work.left(),
        }
    }
}

/// The meanings of lists that allow, and disallow, every path.
fn extremes() -> [Id; 2] {
    // Neither reaches a limit.
    static EXTREMES: LazyLock<[Id; 2]> = LazyLock::new(|| {
        let lists = [
            DecisionList::allow_all(Dialect::Rfc9309),
            DecisionList::disallow_all(Dialect::Rfc9309),
        ];
        lists.map(|list| list.meaning().expect("a list of one entry"))
    });
    *EXTREMES
}

fn bytes_of(id: Id) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&id.low.to_le_bytes());
    bytes[8..].copy_from_slice(&id.high.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;
    use crate::dialect::Ruleset;

    fn meaning(body: &str) -> Meaning {
        let document = Document::read(body.as_bytes(), 0, &mut Vec::new());
        MeaningReader::default().read(&document)
    }

    #[test]
    fn a_reader_says_the_same_whatever_it_has_read() {
        let bodies = ["Allow", "Disallow"].map(|one| {
            ["Allow", "Disallow"].map(|other| format!("User-agent: *\n{one}:\n{other}:\n"))
        });
        let bodies = bodies.as_flattened();
        for first in bodies {
            let mut reader = MeaningReader::default();
            for body in [first].into_iter().chain(bodies) {
                let read = reader.read(&Document::read(body.as_bytes(), 0, &mut Vec::new()));
                let dead = [2, 3].map(|line| read.is_dead(line));
                assert_eq!(
                    dead,
                    [2, 3].map(|line| meaning(body).is_dead(line)),
                    "{first}{body}"
                );
            }
        }
    }

    /// Hostile files stop at the limit, and then claim nothing.
    #[test]
    fn what_takes_too_long_is_unknown() {
        let mut rules = String::new();
        for number in 0..9_000 {
            let _ = write!(
                rules,
                "Disallow: /*a*b*c{number}*d\nAllow: /*{number}*a*b\n"
            );
        }
        let body = format!("User-agent: *\n{rules}\nUser-agent: x\nDisallow: /\n");
        let start = crate::thread_time::ThreadTime::now();
        let meaning = meaning(&body);
        assert!(
            start.elapsed() < std::time::Duration::from_secs(4),
            "{:?}",
            start.elapsed()
        );
        assert_eq!(meaning.id(), None);
        assert_eq!(meaning.is_dead(2), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// What is remembered changes nothing, and every answer is the one of the comparison.
        #[test]
        fn equals_the_comparison(
            files in prop::collection::vec(
                "(User-agent: ([abc]|\\*)\n((Allow|Disallow): [/*]{1,2}[ab*]{0,2}\\$?\n){0,3}){0,4}",
                2,
            ),
        ) {
            let mut reader = MeaningReader::default();
            let meanings: Vec<Meaning> = files.iter().map(|body| {
                reader.read(&Document::read(body.as_bytes(), 0, &mut Vec::new()))
            }).collect();
            let rulesets: Vec<Ruleset> =
                files.iter().map(|body| Dialect::Rfc9309.compile(body.as_bytes())).collect();
            let crawlers: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
            let list = |ruleset, name| DecisionList::new(ruleset, Crawler::Named(name));
            let is_same = crawlers.iter().all(|name| {
                list(&rulesets[0], name).compare(&list(&rulesets[1], name)).class == Class::Equal
            });
            prop_assert_eq!(meanings[0].id() == meanings[1].id(), is_same);
            for (meaning, ruleset) in meanings.iter().zip(&rulesets) {
                for name in crawlers {
                    let wildcard = DecisionList::new(ruleset, Crawler::Other);
                    let class = wildcard.compare(&list(ruleset, name)).class;
                    prop_assert_eq!(meaning.versus_wildcard(name), class);
                }
            }
            for (body, meaning) in files.iter().zip(&meanings) {
                prop_assert_eq!(meaning.id(), super::tests::meaning(body).id());
            }
        }
    }
}
