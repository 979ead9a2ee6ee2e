//! When an input counts as read.

use super::{OF_BYTES, Progress, Tally, Watcher as _};

#[test]
fn an_input_from_the_network_counts_when_it_has_been_read() {
    let mut progress = Progress::new(true, OF_BYTES);
    progress.plan(1, None);
    progress.advance(&Tally::default());
    assert_eq!(progress.bar.position(), 0);
    progress.end();
    assert_eq!(progress.bar.position(), 1);
}
