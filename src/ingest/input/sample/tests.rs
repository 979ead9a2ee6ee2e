//! Samples of a list.

use super::*;

fn lines() -> Vec<String> {
    (0..1000)
        .map(|number| format!("crawl-data/{number}.warc.gz"))
        .collect()
}

fn draw(lines: &[String], size: u64, seed: u64) -> Vec<&str> {
    let mut drawn: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    Sample { size, seed }.draw(&mut drawn);
    drawn
        .iter()
        .map(|line| std::str::from_utf8(line).expect("UTF-8"))
        .collect()
}

#[test]
fn samples_of_a_seed_are_nested_and_keep_the_order() {
    let lines = lines();
    let mut smaller = Vec::new();
    for size in [1, 2, 10, 500, 999, 1000, 5000] {
        let drawn = draw(&lines, size, 7);
        assert_eq!(drawn.len() as u64, size.min(1000));
        assert!(smaller.iter().all(|line| drawn.contains(line)), "{size}");
        let places = drawn
            .iter()
            .map(|line| lines.iter().position(|it| it == line));
        assert!(places.collect::<Vec<_>>().is_sorted());
        smaller = drawn;
    }
    let mut reversed = lines.clone();
    reversed.reverse();
    let mut backwards = draw(&reversed, 10, 7);
    backwards.reverse();
    assert_eq!(draw(&lines, 10, 7), backwards);
}

#[test]
fn every_line_is_as_likely_as_the_others() {
    let lines = lines();
    let mut counts = vec![0_u32; lines.len()];
    for seed in 0..2000 {
        for line in draw(&lines, 100, seed) {
            let digits = line.trim_matches(|letter: char| !letter.is_ascii_digit());
            counts[digits.parse::<usize>().expect("a number")] += 1;
        }
    }
    // 200 expected, with a standard deviation of 13.4: these are six of them.
    assert!(
        counts.iter().all(|count| (120..=280).contains(count)),
        "{counts:?}"
    );
}
