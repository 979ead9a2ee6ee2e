#![no_main]
#[path = "../src/statements.rs"]
mod statements;
libfuzzer_sys::fuzz_target!(|data: &[u8]| statements::run(data));
