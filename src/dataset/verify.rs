//! Verification: written next.
