#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`Robots`] answers the questions of a crawler, one line each; the modules are its parts;
//! - [`limit`] cuts a body to what is parsed; [`content`] says what kind of thing it is;
//! - [`mod@line`] reads lines as tolerantly as Google's parser and flags each tolerance, [`key`]
//!   says which kind each is, [`spelling`] what unknown ones may mean;
//! - [`agent`] takes names and product tokens out of user-agent values;
//! - [`document`] puts lines into groups for the tables, [`agents`] judges what they say to each
//!   crawler; [`rule`] and [`remark`] are parts of a document;
//! - [`percent`] brings rules and URL paths into the forms that are compared; [`pattern`] matches
//!   `*` and `$`, [`glob`] the shell patterns of 1996; [`path`] takes the part of a URL that rules
//!   are matched against;
//! - [`comparison`] says which paths two rule sets treat differently, and by which rules, which
//!   rules decide nothing, and whether two files mean the same; [`shadow`] says which rules the
//!   first match never reaches;
//! - [`restriction`] says how much a rule set restricts, [`published`] what studies would have
//!   said;
//! - [`dialect`] has the dialects of the protocol, one file each, [`root`] their verdicts on
//!   the path `/`; [`visit`] the values of `Robot-version`, `Visit-time` and `Request-rate`;
//! - [`platform`] says which lines of a file its owner wrote, and which a platform wrote;
//! - [`preferences`] are about what is done with content once it is fetched;
//! - [`access`] says what the response to a robots.txt request means and how long it is good for
//!   ([`http_date`]).

#![allow(
    clippy::struct_excessive_bools,
    reason = "facts about lines, and choices of standards, are independent"
)]

pub mod access;
pub mod agent;
pub mod agents;
mod canonical;
pub mod comparison;
pub mod content;
pub mod dialect;
pub mod document;
pub mod glob;
pub mod http_date;
pub mod identity;
pub mod key;
pub mod limit;
pub mod line;
mod named;
pub mod path;
pub mod pattern;
pub mod percent;
pub mod platform;
pub mod preferences;
pub mod published;
pub mod remark;
pub mod restriction;
mod robots;
pub mod root;
pub mod rule;
#[cfg(feature = "serde")]
mod serde;
pub mod shadow;
pub mod spelling;
pub mod visit;

pub use robots::Robots;

#[cfg(test)]
#[path = "../tests/support/thread_time.rs"]
mod thread_time;
