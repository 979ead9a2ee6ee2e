#![doc = include_str!("../README.md")]

pub mod accounting;
pub mod arc;
pub mod container;
pub mod damage;
pub mod digest;
pub mod header_fields;
pub mod http;
pub mod input;
pub mod lookup;
pub mod memory;
mod names;
mod reader;
pub mod recovery;
pub mod sink;
pub mod split;
mod syntax;
pub mod warc;

pub use reader::read_all;
pub use syntax::RecordSyntax;
