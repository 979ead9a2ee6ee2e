#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! - [`html`] finds the meta tags of a page that speak to robots, and where each stands;
//! - [`names`] says which names are those of crawlers;
//! - [`policy`] is the canonical form of what a page says, from headers and meta tags;
//! - [`rule`] takes a value apart into rules: [`header`] that of X-Robots-Tag and Robots-Tag,
//!   [`time`] the dates of `unavailable_after`;
//! - [`dialect`] says what the rules mean to a crawler, one file for each source.

pub mod dialect;
pub mod header;
pub mod html;
mod list;
pub mod names;
pub mod policy;
pub mod rule;
pub mod time;
