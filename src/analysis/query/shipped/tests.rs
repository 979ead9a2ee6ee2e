use super::search::stems;
use super::*;
use crate::tests::{check, optional};

/// Parameters that mean the same in every query, as do those that begin with `min_`;
/// `queries/README.md` explains them once.
const COMMON_PARAMETERS: [&str; 9] = [
    "agents",
    "by",
    "crawl",
    "labels",
    "population",
    "ranks",
    "top",
    "tops",
    "weights",
];

#[test]
fn every_file_is_a_macro_of_its_name_under_a_head() {
    for query in all() {
        assert!(query.summary().contains('?'), "{}", query.name);
        for part in ["Keywords", "Denominator"] {
            assert!(query.part(part).len() > 3, "{} {part}", query.name);
        }
        assert!(!query.topic().is_empty(), "{}", query.path);
        let create = format!("\n{CREATE}{}(", query.macro_name());
        assert_eq!(query.sql.matches(&create).count(), 1, "{}", query.name);
        assert!(query.sql.trim_end().ends_with(';'), "{}", query.name);
        // A variable set outside the macro would leak into the next query.
        assert!(!query.sql.contains("VARIABLE"), "{}", query.name);
        assert!(!query.sql.contains("getvariable"), "{}", query.name);
    }
}

#[test]
fn every_uncommon_parameter_is_explained_in_the_head() {
    for query in all() {
        let explained = query.part("Parameters");
        for parameter in query.parameters() {
            assert!(
                COMMON_PARAMETERS.contains(&parameter.name)
                    || parameter.name.starts_with("min_")
                    || explained.contains(parameter.name),
                "{} {parameter:?}",
                query.name
            );
        }
    }
}

#[test]
fn cases() {
    check(file!(), |question, [name, other, _]| {
        let found = || find(name).expect("shipped");
        match question {
            "find" => optional(find(name).map(|query| query.name)),
            "near" => near(name).join(" "),
            "is-misspelt" => is_misspelt(name).to_string(),
            "renamed" => optional(renamed(name)),
            "parameter" => optional(found().parameter(other).map(|it| {
                assert_eq!(it.name, other);
                format!("{} {}", it.sql_type, it.default)
            })),
            "near-parameters" => found().near_parameters(other).join(" "),
            _ => panic!("{question}"),
        }
    });
}

#[test]
fn old_names_lead_to_queries() {
    for (old, new) in &LISTS["renamed"] {
        let name = new.split(' ').next().unwrap_or_default();
        assert!(find(old).is_none() && find(name).is_some(), "{old} {new}");
        assert_eq!(renamed(&old.replace('-', "_")), Some(*new));
    }
}

#[test]
fn a_parameter_is_shown_with_a_value_that_it_takes() {
    for query in all() {
        for parameter in query.parameters() {
            let example = parameter.example();
            let (_, value) = example.split_once('=').expect("a value");
            assert_ne!(value, "NULL", "{} {example}", query.name);
            if !parameter.default.contains("infinity") {
                let typed = super::super::sql::typed(value, parameter.sql_type);
                assert!(typed.is_ok(), "{} {example}: {typed:?}", query.name);
            }
        }
    }
}

#[test]
fn a_call_names_its_arguments() {
    let query = find("agent-adoption").expect("shipped");
    let call = query.call([("top", "3")]);
    assert_eq!(call, "FROM agent_adoption(\"top\" := 3)");
}

#[test]
fn starters_are_queries() {
    assert_eq!(starters().count(), LISTS["starters"].len());
}

#[test]
fn searches() {
    check(
        "src/analysis/query/shipped/search",
        |question, [text, wanted, _]| {
            let names = || search(text).into_iter().map(|query| query.name);
            match question {
                "search" => {
                    let is_wanted = |name: &str| wanted.split(' ').any(|it| it == name);
                    if names().take(2).any(is_wanted) {
                        "found".to_owned()
                    } else {
                        names().collect::<Vec<_>>().join(" ")
                    }
                }
                "first-3" => names().take(3).collect::<Vec<_>>().join(" "),
                "stems" => {
                    let mut stems = stems(text);
                    stems.dedup();
                    stems.join(" ")
                }
                _ => panic!("{question}"),
            }
        },
    );
}
