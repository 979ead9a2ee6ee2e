#![doc = include_str!("../README.md")]

pub mod accounting;
pub mod container;
pub mod damage;
pub mod digest;
mod field_names;
pub mod header_fields;
pub mod http;
pub mod input;
pub mod lookup;
mod reader;
pub mod recovery;
pub mod sink;
pub mod split;
pub mod warc;

pub use reader::read_all;
