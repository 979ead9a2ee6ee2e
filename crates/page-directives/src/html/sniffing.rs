//! Sniffing: whether bytes without a media type are HTML.

/// Whether `body` begins as HTML does (WHATWG MIME Sniffing §7.1), in UTF-8 or another encoding
/// that agrees with ASCII.
///
/// ```
/// use page_directives::html::begins_as_html;
///
/// assert!(begins_as_html(b"\n<!DOCTYPE html><title>404</title>"));
/// assert!(!begins_as_html(b"User-agent: *\n"));
/// ```
#[must_use]
pub fn begins_as_html(body: &[u8]) -> bool {
    const PATTERNS: [&[u8]; 17] = [
        b"<!doctype html",
        b"<html",
        b"<head",
        b"<script",
        b"<iframe",
        b"<h1",
        b"<div",
        b"<font",
        b"<table",
        b"<a",
        b"<style",
        b"<title",
        b"<b",
        b"<body",
        b"<br",
        b"<p",
        b"<!--",
    ];
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let body = body.trim_ascii_start();
    PATTERNS.iter().any(|pattern| {
        let (Some(start), end) = (body.get(..pattern.len()), body.get(pattern.len())) else {
            return false;
        };
        let is_comment = *pattern == b"<!--";
        start.eq_ignore_ascii_case(pattern) && (is_comment || matches!(end, Some(b' ' | b'>')))
    })
}
