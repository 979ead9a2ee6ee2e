use super::super::Commit;
use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |_, directories| {
        let mut commit = Commit::default();
        for mut parts in directories.map(str::split_whitespace) {
            let directory = parts.next().unwrap_or_default();
            let part = |part: &str| {
                let (commits, mib) = part.split_once(':').expect("commits and a size");
                Part {
                    table: directory.split('/').next().unwrap_or_default().to_owned(),
                    path: format!("{directory}/part-{commits}.parquet"),
                    bytes: mib.parse::<u64>().expect("a size") * 1024 * 1024,
                    ..Part::default()
                }
            };
            commit.added.extend(parts.map(part));
        }
        let commits = vec![commit];
        let runs = plan(&Manifest { commits }).into_iter();
        let merged: Vec<String> = runs.map(|parts| merged_path(&parts)).collect();
        merged.join(" ")
    });
}
