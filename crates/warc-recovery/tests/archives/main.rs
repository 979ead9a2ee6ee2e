//! Whole archives, intact and damaged, read through the public interface.

mod damage;
mod dictionaries;
#[allow(dead_code, reason = "the integration tests of robostat use the rest")]
mod packing;
mod read;
