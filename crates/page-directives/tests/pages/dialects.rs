//! Verdicts without a page.

use page_directives::dialect::{AiUse, Dialect};
use page_directives::policy::Policy;

#[test]
fn a_policy_of_nothing_allows_everything() {
    for dialect in Dialect::ALL {
        let verdicts = dialect.judge(Policy::new(b""));
        assert_eq!(verdicts.len(), 1, "{}", dialect.name());
        assert_eq!(verdicts[0].0, b"*");
        let verdict = verdicts[0].1;
        assert_ne!(verdict.may_index, Some(false));
        assert_ne!(verdict.ai_use.map(AiUse::may_train), Some(false));
        assert!(!dialect.source().is_empty());
    }
}

#[test]
fn training_is_a_use_by_ai() {
    use AiUse::{Content, NoImages, None, Preview};
    let may_train = [Content, NoImages, Preview, None].map(AiUse::may_train);
    assert_eq!(may_train, [true, true, false, false]);
}
