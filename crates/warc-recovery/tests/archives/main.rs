//! Archives and their parts, intact and damaged, read through the public interface.

mod arc;
mod bodies;
mod cases;
mod damage;
mod dictionaries;
mod gzip_heads;
mod heads;
mod input;
mod names;
mod notation;
#[allow(dead_code, reason = "the integration tests of robostat use the rest")]
mod packing;
mod padding;
mod read;
mod wanted;
