#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`html`] finds the meta tags of a page that address robots, and the place of each;
//! - [`names`] recognises the names of crawlers;
//! - [`policy`] is the canonical form of a page's headers and meta tags;
//! - [`rule`] splits a value into rules, [`header`] the values of X-Robots-Tag and Robots-Tag, and
//!   [`time`] reads the dates of `unavailable_after`;
//! - [`dialect`] defines the meaning of the rules to a crawler, one file for each source.

#![allow(
    clippy::struct_excessive_bools,
    reason = "what a tag has, and what clients with and without scripts see, is independent"
)]

pub mod dialect;
pub mod header;
pub mod html;
mod list;
mod named;
pub mod names;
pub mod policy;
pub mod rule;
pub mod time;
