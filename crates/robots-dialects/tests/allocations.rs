//! Verdicts do not allocate, whatever the dialect, the rules and the path; nor do rewrites that
//! change nothing.

#![expect(unsafe_code, reason = "only an allocator can count allocations")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;
use robots_dialects::percent::{google_escape, rfc9309_normalise};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are the system's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn verdicts_allocate_nothing() {
    let segment = "abcdefghij".repeat(20);
    let rules = format!(
        "Disallow: /%7Ea/\u{30c4}*%2F$\nAllow: /x/index.html\nDisallow: /*{segment}*{segment}b$\n\
         Disallow: {}b\nDisallow: /[!a-z]?\\*[*a\nAllow: /a$b\nDisallow: /p\n",
        "*a".repeat(500),
    );
    let body = format!(
        "User-agent: FooBot/1.0\nRobot-version: 2.0\n{rules}\nUser-agent: *\nDisallow: /q\n\
         {rules}\n\
         User-agent: foobot\nUser-agent: bar\nDisallow: /r\n{rules}"
    );
    let long = format!("/{}", segment.repeat(50));
    let paths: Vec<UrlPath> = [
        "/",
        "/robots.txt",
        "/p",
        "/q/\u{30c4}",
        "/%7ea*$?b=c",
        &long,
    ]
    .map(|path| UrlPath::new(path.as_bytes()))
    .into();
    for dialect in Dialect::ALL {
        let ruleset = dialect.compile(body.as_bytes());
        let count = |is_allowed: &dyn Fn(&[u8], &UrlPath) -> bool| {
            let before = ALLOCATIONS.get();
            let mut n_allowed = 0;
            for agent in ["foobot", "FooBot/1.0", "bar", "other", ""] {
                for path in &paths {
                    n_allowed += usize::from(is_allowed(agent.as_bytes(), path));
                }
            }
            (n_allowed, ALLOCATIONS.get() - before)
        };
        let (n_allowed, allocations) = count(&|agent, path| ruleset.allows(agent, path));
        assert_eq!(allocations, 0, "{dialect}");
        // The first verdict makes the unescaped forms of the rules and the path.
        let verdict = |agent: &[u8], path: &UrlPath| ruleset.verdict(agent, path).allowed;
        assert_eq!(count(&verdict).0, n_allowed, "{dialect}");
        assert_eq!(count(&verdict), (n_allowed, 0), "{dialect}");
        assert!(
            (1..5 * paths.len()).contains(&n_allowed),
            "{dialect} {n_allowed}"
        );
    }
    // Allocations are counted.
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(ALLOCATIONS.get(), before + 1);
}

#[test]
fn nothing_is_copied_where_nothing_changes() {
    let mut scratch = Vec::new();
    let value = b"/a%2Fb*c$";
    assert_eq!(google_escape(value, &mut scratch).as_ptr(), value.as_ptr());
    assert_eq!(
        rfc9309_normalise(value, &mut scratch).as_ptr(),
        value.as_ptr()
    );
    assert!(scratch.is_empty());
    let path = UrlPath::new(b"/a?b");
    assert_eq!(path.normalised().as_ptr(), path.bytes().as_ptr());
}
