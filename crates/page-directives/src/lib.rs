#![doc = include_str!("../README.md")]
#![allow(
    clippy::struct_excessive_bools,
    reason = "what a tag has, and what clients with and without scripts see, is independent"
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
