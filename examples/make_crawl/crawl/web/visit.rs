//! A crawler's visit of a site: the redirects on the way, and the answer at their end.

use super::super::exchange::Exchange;
use super::super::page;
use super::super::random::Random;
use super::super::response::{self, Status};
use super::super::time::Time;
use super::file;
use super::site::{Site, Sites, WayIn};

/// What a server answers now and then in place of the usual.
const PASSING: [(u32, (u16, &str)); 5] = [
    (30, (429, "Too Many Requests")),
    (20, (500, "Internal Server Error")),
    (15, (502, "Bad Gateway")),
    (30, (503, "Service Unavailable")),
    (5, (504, "Gateway Timeout")),
];

const PERMANENT: Status = (301, "Moved Permanently");

/// Statuses of redirects, out of a hundred.
const REDIRECTS: [(u32, Status); 4] = [
    (68, PERMANENT),
    (26, (302, "Found")),
    (2, (307, "Temporary Redirect")),
    (4, (308, "Permanent Redirect")),
];

/// Share of redirects, in percent, whose target is fetched in the same crawl.
const FOLLOWED: u32 = 85;

/// The exchanges of one visit, a second apart. Who comes again may know the way.
pub(super) fn exchanges(
    sites: &Sites,
    site: &Site,
    again: bool,
    random: &mut Random,
    time: Time,
) -> Vec<Exchange> {
    let mut visit = Visit {
        random,
        time,
        exchanges: Vec::with_capacity(3),
    };
    let knows_the_way = again && visit.random.percent(50);
    match site.way_in {
        _ if knows_the_way => visit.answer(sites, site),
        WayIn::Direct => visit.answer(sites, site),
        WayIn::Moved => visit.moved(sites, site),
        WayIn::Page => visit.page(site),
        WayIn::Nowhere => visit.nowhere(site),
        WayIn::Https | WayIn::Www | WayIn::HttpsAndWww => visit.home(sites, site),
    }
    visit.exchanges
}

struct Visit<'v> {
    random: &'v mut Random,
    time: Time,
    exchanges: Vec<Exchange>,
}

impl Visit<'_> {
    /// From where the crawler looks first to where the site is.
    fn home(&mut self, sites: &Sites, site: &Site) {
        let host = match site.way_in {
            WayIn::Https => site.host.clone(),
            _ => site.other_host(),
        };
        let mut url = match site.way_in {
            WayIn::Www => format!("{}://{host}/robots.txt", site.scheme()),
            _ => format!("http://{host}/robots.txt"),
        };
        let middle = format!("https://{host}/robots.txt");
        if site.way_in == WayIn::HttpsAndWww && middle != site.url() {
            self.redirect(url, &middle, PERMANENT);
            url = middle;
        }
        let target = site.url();
        // A site without https has nothing to redirect to it.
        if url == target {
            return self.answer(sites, site);
        }
        let status = self.random.weighted(&REDIRECTS);
        self.redirect(url, &target, status);
        if self.random.percent(FOLLOWED) {
            self.answer(sites, site);
        }
    }

    /// To another site, which may itself have moved: a crawler follows both.
    fn moved(&mut self, sites: &Sites, site: &Site) {
        let other = sites.site(site.moved_to);
        let status = self.random.weighted(&REDIRECTS);
        self.redirect(site.url(), &other.url(), status);
        if other.number == site.number || !self.random.percent(FOLLOWED) {
            return;
        }
        if other.way_in == WayIn::Moved {
            let last = sites.site(other.moved_to);
            self.redirect(other.url(), &last.url(), PERMANENT);
            if last.number != other.number {
                self.answer(sites, &last);
            }
        } else {
            self.answer(sites, &other);
        }
    }

    /// To a page that is not a robots.txt.
    fn page(&mut self, site: &Site) {
        let host = &site.host;
        let root = format!("https://{host}/");
        let (location, target) = match site.number % 10 {
            0..4 => (root.clone(), root),
            4..6 => ("/".to_owned(), format!("{}://{host}/", site.scheme())),
            6..8 => (
                "/en/robots.txt".to_owned(),
                format!("{}://{host}/en/robots.txt", site.scheme()),
            ),
            _ => (
                "/login?next=%2Frobots.txt".to_owned(),
                format!("{}://{host}/login?next=%2Frobots.txt", site.scheme()),
            ),
        };
        let status = self.random.weighted(&REDIRECTS);
        self.redirect(site.url(), &location, status);
        if self.random.percent(FOLLOWED) {
            let body = page::large(self.random, host);
            self.respond(target, (200, "OK"), "text/html; charset=UTF-8", body);
        }
    }

    /// To itself, to nothing, or to what is never fetched.
    fn nowhere(&mut self, site: &Site) {
        let location = match site.number % 3 {
            0 => site.url(),
            1 => String::new(),
            _ => format!("//{}/404.html", site.host),
        };
        let status = self.random.weighted(&REDIRECTS);
        self.redirect(site.url(), &location, status);
    }

    /// The file, or the error in its place.
    fn answer(&mut self, sites: &Sites, site: &Site) {
        let status = if self.random.percent(2) {
            self.random.weighted(&PASSING)
        } else {
            site.answer
        };
        match status.0 {
            200 => {
                let file = file::file(sites, site, self.time);
                let mime = response::file_type(self.random, &file);
                self.respond(site.url(), status, mime, file.to_vec());
            }
            204 => self.respond(site.url(), status, "", Vec::new()),
            _ => {
                let body = page::error(self.random, status.0, status.1);
                let mime = response::error_type(&body);
                self.respond(site.url(), status, mime, body);
            }
        }
    }

    fn redirect(&mut self, url: String, location: &str, status: Status) {
        let body = page::error(self.random, status.0, status.1);
        let mime = response::error_type(&body);
        let (length, time) = (body.len(), self.time);
        let head = response::redirect(self.random, time, status, mime, length, location);
        self.push(url, (head, mime), body);
    }

    fn respond(&mut self, url: String, status: Status, mime: &'static str, body: Vec<u8>) {
        let head = response::head(self.random, self.time, status, mime, body.len());
        self.push(url, (head, mime), body);
    }

    fn push(&mut self, url: String, head: (Vec<u8>, &'static str), body: Vec<u8>) {
        let exchange = response::exchange(self.random, url, self.time, head, body);
        self.exchanges.push(exchange);
        self.time = self.time.plus(1);
    }
}
