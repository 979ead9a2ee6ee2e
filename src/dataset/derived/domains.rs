//! Numbers for the registrable domains that have several hosts in a crawl.
//!
//! Intervals use domains as clusters. Most domains have one host; only the hosts of the other
//! domains must be grouped, which takes a fraction of the time by number instead of by name.

/// Numbers domains. Hosts are pushed in the order of their reversed names.
#[derive(Debug, Default)]
pub(super) struct Domains {
    /// Domains that may have further hosts. Each name begins with the name before it: the hosts of
    /// `com.example-1` sort between the hosts of `com.example`.
    open: Vec<OpenDomain>,
    last: i64,
    /// The numbers of the hosts since the last [`Domains::finish`].
    numbers: Vec<Option<i64>>,
}

#[derive(Debug)]
struct OpenDomain {
    reversed: String,
    /// `None` while only one host is known.
    number: Option<i64>,
    /// The index of its first host in `numbers`.
    first: usize,
}

impl Domains {
    /// Adds a host of `domain` (a reversed name), or a host without a registrable domain.
    pub(super) fn push(&mut self, domain: Option<&str>) {
        let place = self.numbers.len();
        self.numbers.push(None);
        let Some(domain) = domain else {
            return;
        };
        while let Some(open) = self.open.last() {
            if domain.starts_with(&open.reversed) {
                break;
            }
            self.open.pop();
        }
        match self.open.last_mut() {
            Some(open) if open.reversed == domain => {
                self.numbers[place] = Some(open.number(&mut self.last, &mut self.numbers));
            }
            _ => self.open.push(OpenDomain {
                reversed: domain.to_owned(),
                number: None,
                first: place,
            }),
        }
    }

    /// Takes the numbers of the hosts since the last call. Domains that may have further hosts are
    /// numbered now, because their first hosts cannot be given a number later.
    pub(super) fn finish(&mut self) -> Vec<Option<i64>> {
        for open in &mut self.open {
            open.number(&mut self.last, &mut self.numbers);
        }
        std::mem::take(&mut self.numbers)
    }
}

impl OpenDomain {
    /// The number of the domain. A new one is given to its first host, too.
    fn number(&mut self, last: &mut i64, numbers: &mut [Option<i64>]) -> i64 {
        *self.number.get_or_insert_with(|| {
            *last += 1;
            numbers[self.first] = Some(*last);
            *last
        })
    }
}
