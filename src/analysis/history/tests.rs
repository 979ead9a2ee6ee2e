use super::Site;
use crate::tests::{check, optional};

#[test]
fn sites() {
    check(
        "src/analysis/history/site",
        |question, [typed, other, port]| {
            let is_wide = question == "site-with-www-and-subdomains";
            let Some(site) = Site::parse(typed, is_wide, is_wide) else {
                return "none".to_owned();
            };
            match question {
                "has" => site.has(other, port.parse().ok()).to_string(),
                "is-related" => site.is_related(other).to_string(),
                _ => {
                    let end = |is_beginning| if is_beginning { "*" } else { "" };
                    let hosts = site.hosts().into_iter();
                    let hosts = hosts.map(|it| it.text + end(it.is_beginning) + " ");
                    hosts.collect::<String>() + &optional(site.origin.as_ref())
                }
            }
        },
    );
}
