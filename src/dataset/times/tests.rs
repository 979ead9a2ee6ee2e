use super::*;

fn times(days: impl IntoIterator<Item = i64>) -> Times {
    let days: Vec<i64> = days.into_iter().collect();
    let mut times = Times {
        first: days.iter().min().expect("a day") * MICROS_PER_DAY,
        last: days.iter().max().expect("a day") * MICROS_PER_DAY,
        days_each: 1,
        counts: BTreeMap::new(),
    };
    for day in days {
        times.add(day, 1);
    }
    times
}

#[test]
fn one_wrong_clock_does_not_move_a_crawl() {
    let crawl = |label: &str, days: &[i64]| Crawl {
        label: label.to_owned(),
        captures: days.len() as u64,
        times: (!days.is_empty()).then(|| times(days.iter().copied())),
    };
    let july = crawl("july", &[0, 20_000, 20_001, 20_400]);
    let august = crawl("august", &[20_031, 20_032, 20_033]);
    let unknown = crawl("unknown", &[]);
    assert!(july.place() < august.place());
    assert!(unknown.place() < july.place());
    assert!(july.overlaps(&august));
    assert!(!unknown.overlaps(&august));
}

#[test]
fn parts_together_have_the_median_of_all_captures() {
    let mut all = Some(times([1, 2, 3]));
    Times::merge(&mut all, Some(&times([9, 9, 9, 9])));
    Times::merge(&mut all, None);
    let all = all.expect("times");
    assert_eq!(all, times([1, 2, 3, 9, 9, 9, 9]));
    assert_eq!(all.median_day(), 9);
}

#[test]
fn days_of_broken_clocks_do_not_fill_the_manifest() {
    let times = times((-40_000..60_000).step_by(2));
    assert!(times.counts.len() <= MAX_COUNTS);
    assert!((times.median_day() - 10_000).abs() <= times.days_each);
}
