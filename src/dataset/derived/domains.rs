//! Numbers of the registrable domains that have several hosts in a crawl.
//!
//! Intervals take domains as clusters. Most domains have one host; only the hosts of the others
//! must be brought together, which takes a fraction of the time with a number instead of a name.

/// Numbers domains, whose hosts come in order of their reversed names.
#[derive(Debug, Default)]
pub(super) struct Domains {
    /// Domains that may have further hosts, each beginning with the one before it: the hosts of
    /// `com.example-1` sort between the hosts of `com.example`.
    open: Vec<OpenDomain>,
    last: i64,
    /// The numbers of the hosts since the last [`Domains::finish`].
    numbers: Vec<Option<i64>>,
}

#[derive(Debug)]
struct OpenDomain {
    reversed: String,
    /// None as long as it has one host.
    number: Option<i64>,
    /// The place of its first host among `numbers`.
    first: usize,
}

impl Domains {
    /// Adds a host of a domain, given in reverse, or a host that is a domain of its own.
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

    /// Takes the numbers of the hosts since the last call. Domains that may have further hosts get
    /// one now, because their first hosts cannot be given it later.
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
