use super::*;
use crate::tests::{check, optional};

const AGENTS: &[u8] = b"# crawlers\nGPTBot # AI\r\n\n  CCBot\nGPTBot\n";

#[test]
fn comments_and_repeated_lines_are_left_out() {
    let paths = b"/\n# none\n/a#b\nhttps://e.example/x\n/\n";
    let plan = ProbePlan::read(AGENTS, paths, vec![Dialect::Rfc9309]).expect("a plan");
    assert_eq!(plan.agents, [&b"GPTBot"[..], b"CCBot"]);
    assert_eq!(plan.paths.len(), 3);
    assert_eq!(plan.paths[2].host.as_deref(), Some("e.example"));
    assert_eq!(plan.paths[1].path.bytes(), b"/a");
    let bad = ProbePlan::read(AGENTS, b"/a\na/b\n", Vec::new());
    assert_eq!(bad.err().map(|bad| bad.0), Some(2));
}

#[test]
fn targets() {
    check(
        "src/analysis/probe/target",
        |_, [written, ..]| match Target::read(written.as_bytes()) {
            Ok(target) => {
                let path = String::from_utf8_lossy(target.path.bytes());
                let (host, origin) = (optional(target.host), optional(target.origin));
                format!("{path}, {host}, {origin}")
            }
            Err(problem) => problem.to_string(),
        },
    );
}
