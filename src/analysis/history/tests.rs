use super::Site;
use crate::tests::{check, optional};

#[test]
fn sites() {
    check(
        "src/analysis/history/site",
        |question, [typed, other, port]| {
            let is_wide = question.ends_with("-with-www-and-subdomains");
            let Some(site) = Site::parse(typed, is_wide, is_wide) else {
                return "none".to_owned();
            };
            match question {
                "has" | "has-with-www-and-subdomains" => {
                    site.has(other, port.parse().ok()).to_string()
                }
                "is-related" => site.is_related(other).to_string(),
                _ => {
                    let end = |is_beginning| if is_beginning { "*" } else { "" };
                    let hosts = site.hosts().into_iter();
                    let hosts = hosts.map(|it| it.text + end(it.is_beginning) + " ");
                    let [scheme, port] = [optional(site.scheme.as_ref()), optional(site.port)];
                    format!("{}{scheme} {port}", hosts.collect::<String>())
                }
            }
        },
    );
}
