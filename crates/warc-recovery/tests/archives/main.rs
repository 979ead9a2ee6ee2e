//! Whole archives, intact and damaged, read through the public interface.

mod arc;
mod damage;
mod dictionaries;
mod gzip_heads;
#[allow(dead_code, reason = "the integration tests of robostat use the rest")]
mod packing;
mod padding;
mod read;
mod wanted;
