#![doc = include_str!("../README.md")]
#![allow(
    clippy::struct_excessive_bools,
    reason = "facts about tags, and about clients with and without scripts, are independent"
)]

pub mod dialect;
pub mod header;
pub mod html;
mod kind;
mod list;
mod named;
pub mod names;
pub mod policy;
pub mod rule;
pub mod time;
