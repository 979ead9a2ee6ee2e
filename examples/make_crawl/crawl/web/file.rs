//! A site's file at some time: written once, changed now and then, rewritten after some changes.

use std::rc::Rc;

use super::super::random::Random;
use super::super::robots::{self, Setting, WEB};
use super::super::time::{DAY, Time};
use super::site::{Site, Sites};

/// The day from which changes are counted, some months sooner for each site.
const FIRST_VERSION: Time = Time::of_date(2019, 1, 1);

/// After this many versions a file is rewritten: else it would grow for ever.
const VERSIONS: u64 = 6;

/// Days between changes of what a platform serves for all its sites.
const PLATFORM_CHANGES: u64 = 420;

/// Share of a platform's sites, in percent, whose owner wrote the file.
const OWN_FILE: u32 = 4;

/// What the site serves at this time.
pub(super) fn file(sites: &Sites, site: &Site, time: Time) -> Rc<[u8]> {
    let mut random = sites.files.fork(site.number);
    match site.platform {
        Some(platform) if !random.percent(OWN_FILE) => of_platform(sites, site, platform, time),
        _ => own(&random, site, time),
    }
}

fn of_platform(sites: &Sites, site: &Site, platform: u64, time: Time) -> Rc<[u8]> {
    let (version, written) = version(PLATFORM_CHANGES, 17 * platform, time);
    let mut random = sites.platforms.fork(platform).fork(version);
    robots::of_platform(&mut random, setting(site, written))
}

fn own(random: &Random, site: &Site, time: Time) -> Rc<[u8]> {
    let phase = u64::from(random.clone().below(2_200));
    if site.changes_every == 0 {
        let written = Time(FIRST_VERSION.0 - phase * DAY);
        return robots::file(&mut random.fork(0), setting(site, written));
    }
    let every = u64::from(site.changes_every);
    let (last, _) = version(every, phase, time);
    let first = last - last % VERSIONS;
    let written = |version: u64| Time(FIRST_VERSION.0 + version * every * DAY - phase * DAY);
    let made = robots::file(&mut random.fork(first), setting(site, written(first)));
    (first + 1..=last).fold(made, |file, version| {
        let random = &mut random.fork(version);
        robots::revised(random, &file, setting(site, written(version)))
    })
}

/// The number of the version at this time, and when it was written.
fn version(every: u64, phase: u64, time: Time) -> (u64, Time) {
    let days = time.0.saturating_sub(FIRST_VERSION.0) / DAY + phase;
    let version = days / every;
    let written = FIRST_VERSION.0 + version * every * DAY - phase * DAY;
    (version, Time(written))
}

fn setting(site: &Site, time: Time) -> Setting<'_> {
    Setting {
        host: &site.host,
        time,
        habits: &WEB,
    }
}
