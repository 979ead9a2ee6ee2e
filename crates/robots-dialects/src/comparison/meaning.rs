//! What the rules of a whole file mean under RFC 9309: for each crawler, and as a whole.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::decision_list::DecisionList;
use super::result::Class;
use super::spend;
use crate::agent::rfc9309_token;
use crate::dialect::{Crawler, CrawlerGroups, Dialect, Ruleset, RulesetBuilder};
use crate::document::Document;
use crate::identity::Id;

/// Steps for all lists of rules of a document, some 0.1 s.
const DOCUMENT_STEPS: usize = 1 << 26;
const ID_STEPS: usize = 1 << 17;
/// Steps to find the rules of a list that decide nothing.
const DEAD_STEPS: usize = 1 << 22;
/// Steps to compare a list with the list for other crawlers.
const PAIR_STEPS: usize = 1 << 20;
/// Steps to put a rule into a list.
const RULE_STEPS: usize = 64;
/// Steps per rule to look up whether another crawler has the same rules.
const LOOK_UP_STEPS: usize = 8;

/// The meaning of a document under RFC 9309. Lines that this dialect does not recognise, such as
/// misspelt keys, are ignored.
#[derive(Clone, Debug)]
pub struct Meaning {
    id: Option<Id>,
    /// By RFC 9309's product token, in lower case.
    versus: HashMap<Vec<u8>, Class>,
    /// Lines of rules that decide a path for some crawler, in order.
    live_lines: Vec<u32>,
    knows_live_lines: bool,
}

impl Meaning {
    /// The meaning of `document`. Linear in the document; the work on rules with many stars and on
    /// large files is limited.
    ///
    /// ```
    /// use robots_dialects::comparison::{Class, Meaning};
    /// use robots_dialects::document::Document;
    ///
    /// let meaning = |body: &[u8]| Meaning::of(&Document::read(body, 0));
    /// let one = meaning(b"User-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /x\nDisallow: /y\n");
    /// assert_eq!(one.versus_wildcard(b"a"), Class::Looser);
    /// let other = meaning(
    ///     b"User-agent: *\nDisallow: /y*\nAllow: /y\nDisallow: /x\n\nUser-agent: A\nDisallow: /x*\n",
    /// );
    /// assert_eq!(one.id(), other.id());
    /// assert_eq!(other.is_dead(3), Some(true)); // `Disallow: /y*` is longer
    /// ```
    #[must_use]
    pub fn of(document: &Document<'_>) -> Self {
        let ruleset = RulesetBuilder::of_lines(Dialect::Rfc9309, &document.policy);
        let groups = CrawlerGroups::new(&ruleset);
        let mut work = DOCUMENT_STEPS;
        let of_others = groups.of(Crawler::Other);
        let wildcard = List::new(&ruleset, &of_others, ID_STEPS, &mut work);
        let mut meaning = Self {
            id: wildcard.as_ref().and_then(|list| list.id),
            versus: HashMap::new(),
            live_lines: Vec::new(),
            knows_live_lines: true,
        };
        let deciding = wildcard.as_ref().and_then(|list| list.deciding.as_deref());
        meaning.add_live_lines(&ruleset, &of_others, deciding);
        // Sorted, so that a work limit is reached at the same token each time.
        let mut tokens: Vec<(&[u8], &[usize])> = groups.tokens().collect();
        tokens.sort_unstable();
        let mut known: HashMap<&[usize], (Option<Id>, Class)> = HashMap::new();
        // Many files repeat the same rules in a separate group for each crawler.
        let mut known_rules: HashMap<Id, OwnRules> = HashMap::new();
        let of_wildcard = meaning.id;
        // Other ids are needed only if the wildcard has one: they are compared with it, and the id
        // of the whole needs it.
        let id_steps = of_wildcard.map_or(0, |_| ID_STEPS);
        let mut hashed: Vec<u8> = of_wildcard.map(bytes_of).into_iter().flatten().collect();
        for (token, chosen) in tokens {
            let (own, class) = *known.entry(chosen).or_insert_with(|| {
                let Some(rules) = id_of_rules(&ruleset, chosen, &mut work) else {
                    meaning.knows_live_lines = false;
                    return (None, Class::Undecided);
                };
                let (id, class, deciding) = known_rules.entry(rules).or_insert_with(|| {
                    let Some(list) = List::new(&ruleset, chosen, id_steps, &mut work) else {
                        return (None, Class::Undecided, None);
                    };
                    let wildcard = wildcard.as_ref();
                    let class = wildcard.and_then(|wildcard| list.versus(wildcard, &mut work));
                    (list.id, class.unwrap_or(Class::Undecided), list.deciding)
                });
                meaning.add_live_lines(&ruleset, chosen, deciding.as_deref());
                (*id, *class)
            });
            meaning.versus.insert(token.to_vec(), class);
            match own {
                Some(own) if Some(own) != of_wildcard => {
                    hashed.extend_from_slice(token);
                    hashed.push(b'\n');
                    hashed.extend(bytes_of(own));
                }
                Some(_) => {}
                None => meaning.id = None,
            }
        }
        meaning.id = meaning.id.map(|_| Id::of(&hashed));
        meaning.live_lines.sort_unstable();
        meaning.live_lines.dedup();
        meaning
    }

    /// Records the lines of the groups' rules at the positions `deciding`.
    fn add_live_lines(&mut self, ruleset: &Ruleset, chosen: &[usize], deciding: Option<&[usize]>) {
        let Some(deciding) = deciding else {
            self.knows_live_lines = false;
            return;
        };
        let lines: Vec<u32> = ruleset.rules_of(chosen).map(|rule| rule.line).collect();
        let live = deciding.iter().map(|position| lines[*position]);
        self.live_lines.extend(live);
    }

    /// An id of the paths that each crawler may fetch: documents have the same id exactly when they
    /// allow every crawler the same paths, hash collisions aside. A group that means the same as
    /// the group for `*` counts as no group. `None` if a work limit was reached.
    #[must_use]
    pub fn id(&self) -> Option<Id> {
        self.id
    }

    /// How the paths that the crawler `name` may fetch compare with the paths that crawlers without
    /// a group may fetch: [`Class::Stricter`] if `name` may fetch less.
    #[must_use]
    pub fn versus_wildcard(&self, name: &[u8]) -> Class {
        let token = rfc9309_token(name).to_ascii_lowercase();
        self.versus.get(&token).copied().unwrap_or(Class::Equal)
    }

    /// Whether the rule on `line` (from 1) decides no path for any crawler; `None` if a work limit
    /// was reached first. The line must have a rule.
    #[must_use]
    pub fn is_dead(&self, line: u32) -> Option<bool> {
        if self.live_lines.binary_search(&line).is_ok() {
            Some(false)
        } else {
            self.knows_live_lines.then_some(true)
        }
    }
}

/// The meaning of a crawler's rules: their id, how they compare with the group for `*`, and the
/// positions of the rules that decide a path.
type OwnRules = (Option<Id>, Class, Option<Vec<usize>>);

struct List<'r> {
    rules: DecisionList<'r>,
    /// `None` if a limit was reached.
    id: Option<Id>,
    /// Positions of the rules that decide a path; `None` if a limit was reached.
    deciding: Option<Vec<usize>>,
}

impl<'r> List<'r> {
    fn new(
        ruleset: &'r Ruleset,
        chosen: &[usize],
        id_steps: usize,
        work: &mut usize,
    ) -> Option<Self> {
        spend(work, RULE_STEPS * ruleset.rules_of(chosen).count())?;
        let rules = DecisionList::of_groups(ruleset, chosen);
        let (mut dead_left, mut id_left) = (DEAD_STEPS, id_steps);
        let decides = rules.deciding(&mut dead_left);
        let id = decides
            .as_ref()
            .and_then(|decides| rules.meaning_of(decides, &mut id_left));
        spend(work, DEAD_STEPS - dead_left + id_steps - id_left)?;
        let position = |line: u32| rules.lines.binary_search(&line).ok();
        let deciding =
            decides.map(|decides| rules.live_lines(&decides).filter_map(position).collect());
        Some(Self {
            rules,
            id,
            deciding,
        })
    }

    fn versus(&self, wildcard: &Self, work: &mut usize) -> Option<Class> {
        let [open, shut] = *EXTREMES;
        Some(match (self.id, wildcard.id) {
            (Some(own), Some(wildcard)) if own == wildcard => Class::Equal,
            (Some(own), Some(_)) if own == open => Class::Looser,
            (Some(own), Some(_)) if own == shut => Class::Stricter,
            (Some(_), Some(wildcard)) if wildcard == open => Class::Stricter,
            (Some(_), Some(wildcard)) if wildcard == shut => Class::Looser,
            _ => {
                let compared = wildcard.rules.compare_within(&self.rules, PAIR_STEPS, 0);
                spend(work, compared.work)?;
                compared.class
            }
        })
    }
}

/// An id of the rules of some groups as written, whatever their line numbers.
fn id_of_rules(ruleset: &Ruleset, chosen: &[usize], work: &mut usize) -> Option<Id> {
    let mut text = Vec::new();
    for rule in ruleset.rules_of(chosen) {
        spend(work, LOOK_UP_STEPS)?;
        text.extend_from_slice(rule.rule.rule_type.name().as_bytes());
        text.extend_from_slice(rule.rule.value);
        text.push(b'\n');
    }
    Some(Id::of(&text))
}

/// The ids of the lists that allow and disallow every path; neither reaches a limit.
static EXTREMES: LazyLock<[Id; 2]> = LazyLock::new(|| {
    let lists = [
        DecisionList::allow_all(Dialect::Rfc9309),
        DecisionList::disallow_all(Dialect::Rfc9309),
    ];
    lists.map(|list| list.meaning().expect("a list of one entry"))
});

fn bytes_of(id: Id) -> impl Iterator<Item = u8> {
    [id.low, id.high].into_iter().flat_map(i64::to_le_bytes)
}
