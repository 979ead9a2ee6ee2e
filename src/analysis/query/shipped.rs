//! The shipped questions: every file of `queries/`, in the program itself.

/// A shipped question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// Its name: that of the file, without `.sql`.
    pub name: &'static str,
    /// The file: a head of comments, then SQL.
    pub sql: &'static str,
}

/// All of them, by name.
static ALL: &[Question] = include!(concat!(env!("OUT_DIR"), "/questions.rs"));

/// All shipped questions, by name.
#[must_use]
pub fn all() -> &'static [Question] {
    ALL
}

/// The question of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Question> {
    let name = name.strip_suffix(".sql").unwrap_or(name);
    ALL.iter().find(|question| question.name == name)
}

/// Names that somebody may have meant by `name`, the nearest first.
#[must_use]
pub fn near(name: &str) -> Vec<&'static str> {
    let mut near: Vec<(f64, &str)> = ALL
        .iter()
        .map(|question| {
            let contains = question.name.contains(name) || name.contains(question.name);
            let likeness = strsim::jaro_winkler(name, question.name);
            (if contains { 1.0 } else { likeness }, question.name)
        })
        .filter(|(likeness, _)| *likeness > 0.75)
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

impl Question {
    /// What is asked, as one line.
    #[must_use]
    pub fn question(&self) -> String {
        let lines = self.head().take_while(|line| !line.is_empty());
        join(lines)
    }

    /// What the head says under `Reproduces`, `Denominator` or `Parameters`, as one line; empty
    /// where it says nothing.
    #[must_use]
    pub fn part(&self, title: &str) -> String {
        let is_title = |line: &str| {
            line.strip_prefix(title)
                .is_some_and(|rest| rest.starts_with(':'))
        };
        let mut lines = self.head().skip_while(|line| !is_title(line));
        let first = lines
            .next()
            .map_or("", |line| line[title.len() + 1..].trim_start());
        // What belongs to a part is indented under it.
        let more = lines.take_while(|line| line.starts_with(' '));
        join(std::iter::once(first).chain(more))
    }

    /// The variables that the question reads, in the order of the alphabet.
    #[must_use]
    pub fn parameters(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self
            .sql
            .split("getvariable('")
            .skip(1)
            .filter_map(|rest| rest.split('\'').next())
            .filter(|name| *name != "dataset")
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The lines of the comment that the file begins with, without their `-- `.
    fn head(&self) -> impl Iterator<Item = &'static str> {
        self.sql
            .lines()
            .map_while(|line| line.strip_prefix("--"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

fn join<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_head_can_be_read() {
        for question in all() {
            assert!(question.question().contains('?'), "{}", question.name);
            for part in ["Reproduces", "Denominator", "Parameters"] {
                assert!(question.part(part).len() > 3, "{} {part}", question.name);
            }
        }
    }

    #[test]
    fn a_question_is_found_by_its_name_or_one_like_it() {
        assert_eq!(
            find("agent-adoption").map(|found| found.name),
            Some("agent-adoption")
        );
        assert!(find("agent-adoption.sql").is_some());
        assert!(find("agents-adoption").is_none());
        assert_eq!(near("agents-adoption")[0], "agent-adoption");
        assert!(near("adoption").contains(&"agent-adoption"));
        assert!(near("xyz").is_empty());
    }

    #[test]
    fn parameters_are_those_that_the_sql_reads() {
        let question = find("agent-adoption").expect("shipped");
        assert_eq!(question.parameters(), ["crawl", "top"]);
    }
}
