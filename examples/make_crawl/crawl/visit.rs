//! The random part of a sample: which URL comes next, and what its server answers. Visits know what
//! came before, so they come one after another; the web of a large crawl ([`super::web`]) is made
//! by the number.

use std::collections::VecDeque;
use std::rc::Rc;

use super::exchange::{Exchange, authority_of};
use super::host;
use super::page;
use super::random::{MILLION, Random};
use super::response;
use super::robots::{self, Setting};
use super::time::Time;

/// How many sites are remembered to be visited again.
const REMEMBERED: usize = 4_096;

/// A site that answered with a file.
struct Site {
    authority: String,
    is_https: bool,
    file: Rc<[u8]>,
}

/// What the crawler will fetch next.
struct Target {
    url: String,
    is_robotstxt: bool,
}

/// One visit after another.
pub(crate) struct Visits {
    random: Random,
    /// Share of the files that repeat an earlier visit.
    repeat: f64,
    sites: Vec<Site>,
    /// Targets of redirects, which a crawler fetches right after.
    pending: VecDeque<Target>,
}

impl Visits {
    /// Visits that follow from `random`.
    pub(crate) fn new(random: Random, repeat: f64) -> Self {
        Self {
            random,
            repeat,
            sites: Vec::new(),
            pending: VecDeque::new(),
        }
    }

    /// The next visit, made at this time.
    pub(crate) fn next(&mut self, time: Time) -> Exchange {
        let (status, reason) = self.random.weighted(&response::STATUSES);
        let target = self.pending.pop_front();
        match status {
            200 => match target {
                Some(target) if target.is_robotstxt => self.file_at(target.url, time),
                Some(target) => self.page(target.url, time),
                None => self.file(time),
            },
            301..=308 => {
                let url = self.url(target);
                self.redirect(url, time, status, reason)
            }
            _ => {
                let url = self.url(target);
                let body = if status == 204 {
                    Vec::new()
                } else {
                    page::error(&mut self.random, status, reason)
                };
                let mime = response::error_type(&body);
                let head =
                    response::head(&mut self.random, time, (status, reason), mime, body.len());
                self.exchange(url, time, head, body, mime)
            }
        }
    }

    /// An HTML page of the site whose robots.txt was fetched last, for a mixed crawl.
    pub(crate) fn article(&mut self, robotstxt: &str, number: u32, time: Time) -> Exchange {
        response::article(&mut self.random, robotstxt, number, time)
    }

    /// A robots.txt, of a new site or of a site that is visited again.
    fn file(&mut self, time: Time) -> Exchange {
        if !self.sites.is_empty() && self.random.share(self.repeat) {
            let at = self.random.index(self.sites.len());
            let (url, file) = (self.sites[at].url(), Rc::clone(&self.sites[at].file));
            return self.success(url, time, &file);
        }
        if !self.sites.is_empty() && self.random.percent(8) {
            let at = self.random.index(self.sites.len());
            let site = &mut self.sites[at];
            let setting = Setting {
                host: &site.authority,
                time,
                habits: &robots::SAMPLE,
            };
            site.file = robots::revised(&mut self.random, &site.file, setting);
            let (url, file) = (site.url(), Rc::clone(&site.file));
            return self.success(url, time, &file);
        }
        let url = self.url(None);
        self.file_at(url, time)
    }

    /// A new site's robots.txt.
    fn file_at(&mut self, url: String, time: Time) -> Exchange {
        let authority = authority_of(&url).to_owned();
        let file = robots::file(
            &mut self.random,
            Setting {
                host: &authority,
                time,
                habits: &robots::SAMPLE,
            },
        );
        let site = Site {
            authority,
            is_https: url.starts_with("https:"),
            file: Rc::clone(&file),
        };
        if self.sites.len() < REMEMBERED {
            self.sites.push(site);
        } else {
            let at = self.random.index(REMEMBERED);
            self.sites[at] = site;
        }
        self.success(url, time, &file)
    }

    fn success(&mut self, url: String, time: Time, file: &[u8]) -> Exchange {
        let mime = response::file_type(&mut self.random, file);
        let head = response::head(&mut self.random, time, (200, "OK"), mime, file.len());
        self.exchange(url, time, head, file.to_vec(), mime)
    }

    fn page(&mut self, url: String, time: Time) -> Exchange {
        let body = page::home(&mut self.random, authority_of(&url));
        let mime = "text/html; charset=UTF-8";
        let head = response::head(&mut self.random, time, (200, "OK"), mime, body.len());
        self.exchange(url, time, head, body, mime)
    }

    fn redirect(&mut self, url: String, time: Time, status: u16, reason: &str) -> Exchange {
        let (location, target) = self.location(&url);
        let body = page::error(&mut self.random, status, reason);
        let mime = response::error_type(&body);
        let head = response::redirect(
            &mut self.random,
            time,
            (status, reason),
            mime,
            body.len(),
            &location,
        );
        if let Some(target) = target.filter(|_| self.random.percent(80)) {
            self.pending.push_back(target);
        }
        self.exchange(url, time, head, body, mime)
    }

    /// Where a redirect points, and what the crawler fetches for it.
    fn location(&mut self, url: &str) -> (String, Option<Target>) {
        let authority = authority_of(url);
        let absolute = |url: String| {
            let is_robotstxt = url.ends_with("/robots.txt");
            (url.clone(), Some(Target { url, is_robotstxt }))
        };
        let relative = |location: String, url: String| {
            (
                location,
                Some(Target {
                    url,
                    is_robotstxt: false,
                }),
            )
        };
        match self.random.below(100) {
            _ if url.starts_with("http:") && self.random.percent(80) => {
                absolute(format!("https://{authority}/robots.txt"))
            }
            0..55 => match authority.strip_prefix("www.") {
                Some(bare) => absolute(format!("https://{bare}/robots.txt")),
                None => absolute(format!("https://www.{authority}/robots.txt")),
            },
            55..70 => absolute(format!(
                "https://www.{}/robots.txt",
                host::domain(&mut self.random)
            )),
            70..76 => absolute(format!("https://{}/", host::domain(&mut self.random))),
            76..82 => absolute(format!("https://{authority}/")),
            82..87 => relative("/".to_owned(), format!("https://{authority}/")),
            87..91 => relative(
                "/en/robots.txt".to_owned(),
                format!("https://{authority}/en/robots.txt"),
            ),
            91..95 => relative(
                "/login?next=%2Frobots.txt".to_owned(),
                format!("https://{authority}/login?next=%2Frobots.txt"),
            ),
            95..97 => (format!("//{authority}/404.html"), None),
            // Loops: a crawler that keeps what it has seen does not fetch them again.
            97..99 => (url.to_owned(), None),
            _ => (String::new(), None),
        }
    }

    /// The URL of the pending target, else of a known site, else of a new one.
    fn url(&mut self, target: Option<Target>) -> String {
        if let Some(target) = target {
            return target.url;
        }
        if !self.sites.is_empty() && self.random.share(self.repeat / 4.0) {
            return self.sites[self.random.index(self.sites.len())].url();
        }
        let authority = host::authority(&mut self.random);
        let scheme = if self.random.chance(MILLION / 8) {
            "http"
        } else {
            "https"
        };
        format!("{scheme}://{authority}/robots.txt")
    }

    fn exchange(
        &mut self,
        url: String,
        fetched: Time,
        head: Vec<u8>,
        payload: Vec<u8>,
        mime: &'static str,
    ) -> Exchange {
        response::exchange(&mut self.random, url, fetched, (head, mime), payload)
    }
}

impl Site {
    fn url(&self) -> String {
        let scheme = if self.is_https { "https" } else { "http" };
        format!("{scheme}://{}/robots.txt", self.authority)
    }
}
