use super::*;

#[test]
fn texts_of_a_run_fit_into_the_memory() {
    let change = |before, after| ([Answer::Policy(before), Answer::Policy(after)], Vec::new());
    let changes = [
        change(1, 2),
        change(1, 3),
        change(4, 5),
        change(5, 6),
        change(7, 8),
    ];
    let lengths = (1..=8)
        .map(|id| (id, if id == 7 { 99 } else { 10 }))
        .collect();
    let runs = within_memory(&changes, &lengths, 30);
    let runs: Vec<usize> = runs.iter().map(|run| run.len()).collect();
    assert_eq!(runs, [2, 2, 1]);
}
