#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`Robots`] answers a crawler's questions, one call each; the modules are its parts;
//! - [`limit`] cuts a body to the part that is parsed; [`content`] classifies it;
//! - [`mod@line`] reads lines as tolerantly as Google's parser and flags each tolerance, [`key`]
//!   classifies their keys, [`spelling`] recognises misspelt keys;
//! - [`agent`] takes names and product tokens out of user-agent values;
//! - [`document`] puts lines into groups, [`agents`] judges them for each crawler; [`rule`] and
//!   [`remark`] are parts of a document;
//! - [`percent`] brings rules and URL paths into the forms that are compared; [`pattern`] matches
//!   `*` and `$`, [`glob`] the shell patterns of 1996; [`path`] takes the part of a URL that rules
//!   are matched against;
//! - [`comparison`] finds the paths that two rule sets treat differently, with the rules that
//!   decide them, rules that decide nothing, and files that mean the same; [`shadow`] finds rules
//!   that a first-match crawler never reaches;
//! - [`restriction`] measures how much a rule set restricts, [`published`] as published studies
//!   define it;
//! - [`dialect`] has the dialects of the protocol, one file each, [`root`] their verdicts on the
//!   path `/`; [`visit`] reads the values of `Robot-version`, `Visit-time` and `Request-rate`;
//! - [`platform`] separates the lines that the owner wrote from the lines that a platform wrote;
//! - [`preferences`] reads statements about the use of fetched content;
//! - [`access`] interprets the response to a robots.txt request, and computes how long it may be
//!   kept ([`http_date`]).

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
