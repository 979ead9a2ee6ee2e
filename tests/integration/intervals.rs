//! Intervals of shares and changes: simulated coverage of the macros that a dataset has.

use serde_json::Value;

use crate::support::duckdb::number;
use crate::support::mini_warc::MiniWarc;

/// The rows of a statement, asked of a small dataset: only its macros matter.
#[track_caller]
fn ask(sql: &str) -> Vec<Value> {
    let dataset = MiniWarc::new().status("one.example", 404).ingest();
    dataset.rows(sql)
}

/// Macros for simulations: `uniform`, a number between 0 and 1 that its arguments decide, and
/// `covered`, which counts the samples whose interval holds the truth.
const DRAWS: &str = "
    CREATE TEMP MACRO uniform(one, two, three) AS (hash(one, two, three) % 1000003 + 0.5) / 1000003.0;
    CREATE TEMP MACRO covered(low, high, truth) AS
        avg((truth BETWEEN low - 1e-12 AND high + 1e-12)::INTEGER) FILTER (low IS NOT NULL);";

/// Samples of domains with Pareto sizes and policies of their own, with sums over domains. Large
/// domains, `large` of them, hold the part `held` of the hosts. Where `is_mixed`, the hosts of a
/// domain decide each for itself, and a domain of several has any part of them up to twice the
/// prevalence.
const SAMPLES: &str = "
    CREATE TEMP MACRO samples(domains, replicates, alpha, large, held, is_mixed) AS TABLE
        WITH sized AS (
            SELECT
                replicate,
                domain,
                CASE
                    WHEN alpha IS NULL THEN if(uniform(replicate, domain, 'size') < 0.005, 100, 1)
                    ELSE ceil(uniform(replicate, domain, 'size') ** (-1.0 / alpha))
                END AS w
            FROM range(replicates) AS r(replicate), range(domains - large) AS d(domain)
        ),
        rest AS (SELECT replicate, sum(w) AS w FROM sized GROUP BY replicate),
        complete AS (
            FROM sized
            UNION ALL
            SELECT replicate, -1 - domain, ceil(held / (1 - held) * w / large)
            FROM rest, range(large) AS d(domain)
        ),
        decided AS (
            SELECT
                *,
                w * if(
                    is_mixed AND w > 1,
                    2 * p * uniform(replicate, domain, p),
                    (uniform(replicate, domain, p) < p)::INTEGER
                ) AS y
            FROM complete, (VALUES (0.005), (0.05), (0.3)) AS prevalences(p)
        )
        SELECT
            replicate, p, sum(y) AS y, sum(y * y) AS yy, sum(y * w) AS yw, sum(w) AS w, sum(w * w) AS ww
        FROM decided
        GROUP BY ALL;";

/// Coverage and mean width by prevalence, where an interval is given.
fn coverage(samples: &str) -> Vec<(f64, f64, f64)> {
    let sql = format!(
        "{DRAWS}{SAMPLES}
         SELECT p, covered(found.low, found.high, p) AS coverage, avg(found.high - found.low) AS width
         FROM (SELECT p, share_interval(y, yy, yw, w, ww, 0) AS found FROM samples({samples}))
         GROUP BY p ORDER BY p"
    );
    let rows = ask(&sql);
    let figures = |row: &Value| {
        assert!(
            row["coverage"].is_number() || row["coverage"].is_null(),
            "{row}"
        );
        let of = |column: &str| row[column].as_f64().unwrap_or(1.0);
        (number(row, "p"), of("coverage"), of("width"))
    };
    rows.iter().map(figures).collect()
}

#[test]
fn intervals_cover_where_hosts_of_a_domain_decide_together() {
    for samples in [
        // Domains, samples, alpha, large domains, what they hold.
        "200, 2000, NULL, 0, 0.0, false",
        "200, 2000, 1.1, 0, 0.0, false",
        "300, 2000, 1.5, 0, 0.0, false",
        "300, 2000, 2.0, 0, 0.0, false",
        "300, 2000, 1.5, 1, 0.2, false",
        "300, 2000, 1.5, 1, 0.5, false",
        "300, 2000, 1.5, 5, 0.2, false",
        "200, 2000, 1.5, 5, 0.5, false",
        "200, 2000, 100, 0, 0.0, false",
        "3000, 1000, 1.1, 0, 0.0, false",
    ] {
        for (prevalence, coverage, _) in coverage(samples) {
            assert!(coverage >= 0.93, "{samples}: {coverage} at {prevalence}");
        }
    }
}

#[test]
fn intervals_are_narrow_where_hosts_decide_for_themselves() {
    for samples in ["300, 1000, 1.5, 0, 0.0", "300, 1000, 1.5, 5, 0.5"] {
        let together = coverage(&format!("{samples}, false"));
        let mixed = coverage(&format!("{samples}, true"));
        for ((prevalence, coverage, width), (_, _, wide)) in mixed.into_iter().zip(together) {
            assert!(coverage >= 0.93, "{samples}: {coverage} at {prevalence}");
            if prevalence > 0.1 {
                assert!(
                    width < 0.8 * wide,
                    "{samples} at {prevalence}: {width}, {wide}"
                );
            }
        }
    }
}

#[test]
fn intervals_of_medians_cover() {
    for (domains, alpha) in [(60, 100.0), (300, 1.5), (300, 2.5)] {
        let row = &ask(&format!(
            "{DRAWS}
             WITH hosts AS (
                 SELECT
                     replicate,
                     ceil(uniform(replicate, domain, 'size') ** (-1.0 / {alpha})) AS w,
                     uniform(replicate, domain, 'number') AS number
                 FROM range(1000) AS r(replicate), range({domains}) AS d(domain)
             ),
             halves AS (
                 SELECT replicate, half_interval(sum(w), sum(w * w), 0) AS half FROM hosts GROUP BY replicate
             ),
             ordered AS (
                 SELECT
                     *,
                     sum(w) OVER (PARTITION BY replicate ORDER BY number) / sum(w) OVER (PARTITION BY replicate)
                         AS up_to
                 FROM hosts
             ),
             medians AS (
                 SELECT
                     min(number) FILTER (up_to >= half.low) AS low,
                     min(number) FILTER (up_to >= half.high) AS high
                 FROM ordered
                 JOIN halves USING (replicate)
                 GROUP BY replicate
             )
             SELECT covered(low, high, 0.5) AS coverage FROM medians"
        ))[0];
        let coverage = number(row, "coverage");
        assert!(
            (0.93..0.995).contains(&coverage),
            "{domains} {alpha}: {coverage}"
        );
    }
}

/// Clopper and Pearson's limits in per cent, by R 4.4 binom.test, and the widest that an interval
/// may be in comparison.
#[test]
fn intervals_of_single_hosts_are_near_the_exact_ones() {
    for (counted, of, low, high) in [
        (1, 218, 0.012, 2.529),
        (2, 218, 0.111, 3.275),
        (5, 100, 1.643, 11.283),
        (50, 100, 39.832, 60.168),
        (150, 500, 26.013, 34.230),
        (217, 218, 97.471, 99.988),
    ] {
        let row = &ask(&format!(
            "SELECT pct_limit(found.low) AS low, pct_limit(found.high) AS high
             FROM (SELECT share_interval({counted}, {counted}, {counted}, {of}, {of}, 0) AS found)"
        ))[0];
        let (found_low, found_high) = (number(row, "low"), number(row, "high"));
        assert!(
            (found_low - low).abs() < 0.6 && (found_high - high).abs() < 0.6,
            "{row}, {low} to {high}"
        );
        assert!(found_low > 0.0 && found_high < 100.0, "{row}");
    }
}

#[test]
fn no_and_every_host_have_a_limit_on_one_side() {
    let rows = ask(
        "SELECT round(100 * found.low, 4) AS low, round(100 * found.high, 4) AS high
         FROM (
             SELECT share_interval(y, y, y, 218, 218, 0) AS found
             FROM (VALUES (0), (218), (NULL)) AS counts(y)
         )
         ORDER BY low",
    );
    let exact = 100.0 * (1.0 - 0.025_f64.powf(1.0 / 218.0));
    for (row, expected) in rows
        .iter()
        .zip([(0.0, exact), (0.0, exact), (100.0 - exact, 100.0)])
    {
        let found = (number(row, "low"), number(row, "high"));
        assert!(
            (found.0 - expected.0).abs() < 1e-3 && (found.1 - expected.1).abs() < 1e-3,
            "{row}, {expected:?}"
        );
    }
}

#[test]
fn no_share_and_no_limit_is_rounded_to_none_or_all() {
    let row = &ask("SELECT pct(2, 100_000) AS small, pct_limit(1e-12) AS tiny,
         pct(99_998, 100_000) AS large, pct(0, 7) AS none, pct_limit(1.0) AS every")[0];
    let near = |column: &str, value: f64| (number(row, column) - value).abs() < 1e-9;
    assert!(near("small", 0.002) && near("tiny", 1e-6), "{row}");
    assert!(near("large", 99.998), "{row}");
    assert!(near("none", 0.0) && near("every", 100.0), "{row}");
}

#[test]
fn too_few_clusters_have_no_interval_and_a_reason() {
    let row = &ask(
        "SELECT found.low, found.high, interval_note(found, 0) AS note
         FROM (SELECT share_interval(3, 9, 9, 6, 12, 0) AS found)",
    )[0];
    assert!(row["low"].is_null() && row["high"].is_null(), "{row}");
    assert_eq!(
        row["note"],
        "no interval: too few registrable domains count (3.0 of equal weight; 5 are needed)"
    );
}

/// The share of 1,000 known inputs, which 500 of them estimate: intervals hold it, and are narrower
/// than those without the correction by the square root of one half.
#[test]
fn a_sample_of_half_the_inputs_has_the_finite_correction() {
    let row = &ask(&format!(
        "{DRAWS}
         CREATE TEMP TABLE known AS
             SELECT input, 10 + input % 7 AS w, round((10 + input % 7) * uniform(input, 0, 0) ** 3) AS y
             FROM range(1000) AS r(input);
         WITH drawn AS (
             SELECT replicate, y, w
             FROM known, range(1000) AS r(replicate)
             QUALIFY row_number() OVER (PARTITION BY replicate ORDER BY uniform(replicate, input, 'draw')) <= 500
         ),
         sums AS (
             SELECT replicate, sum(y) AS y, sum(y * y) AS yy, sum(y * w) AS yw, sum(w) AS w, sum(w * w) AS ww
             FROM drawn
             GROUP BY replicate
         ),
         found AS (
             SELECT share_interval(y, yy, yw, w, ww, 0.5) AS half, share_interval(y, yy, yw, w, ww, 0) AS none
             FROM sums
         )
         SELECT
             covered(half.low, half.high, (SELECT sum(y) / sum(w) FROM known)) AS coverage,
             avg(half.high - half.low) / avg(none.high - none.low) AS ratio
         FROM found"
    ))[0];
    let coverage = number(row, "coverage");
    assert!((0.93..0.985).contains(&coverage), "{row}");
    assert!(
        (number(row, "ratio") - 0.5_f64.sqrt()).abs() < 1e-6,
        "{row}"
    );
}

/// Domains begin or stop to block together: what a panel prints holds the difference.
#[test]
fn intervals_of_changes_cover_and_are_never_empty() {
    for (domains, alpha, added, gone) in [
        (200, "100", 0.005, 0.0),
        (300, "1.5", 0.05, 0.01),
        (300, "1.5", 0.3, 0.3),
        (300, "1.1", 0.05, 0.0),
        (200, "1.5", 0.3, 0.05),
    ] {
        let row = &ask(&format!(
            "{DRAWS}
             WITH decided AS (
                 SELECT
                     replicate,
                     ceil(uniform(replicate, domain, 'size') ** (-1.0 / {alpha})) AS w,
                     uniform(replicate, domain, 'change') AS u
                 FROM range(2000) AS r(replicate), range({domains}) AS d(domain)
             ),
             sums AS (
                 SELECT
                     replicate,
                     sum(w) AS w,
                     sum(w * w) AS ww,
                     sum(w) FILTER (u < {added}) AS a,
                     sum(w * w) FILTER (u < {added}) AS aa,
                     sum(w) FILTER (u > 1 - {gone}) AS g,
                     sum(w * w) FILTER (u > 1 - {gone}) AS gg
                 FROM decided
                 GROUP BY replicate
             ),
             found AS (
                 SELECT change_interval(
                     share_interval(a, aa, aa, w, ww, 0),
                     share_interval(g, gg, gg, w, ww, 0)
                 ) AS found
                 FROM sums
             )
             SELECT
                 covered(found.low, found.high, {added} - {gone}) AS coverage,
                 min(found.high - found.low) AS narrowest,
                 min(found.low) >= -1 AND max(found.high) <= 1 AS is_possible
             FROM found"
        ))[0];
        assert!(
            number(row, "coverage") >= 0.93,
            "{domains}, {alpha}, {added}, {gone}: {row}"
        );
        assert!(
            number(row, "narrowest") > 0.0 && row["is_possible"] == true,
            "{row}"
        );
    }
}

/// Panels whose strata have other rates and weights: a few hosts of the last stratum may decide.
#[test]
fn intervals_of_changes_cover_in_a_thousand_stratified_panels() {
    let rows = ask(&format!(
        "{DRAWS}
         CREATE TEMP TABLE strata AS FROM (VALUES
             ('rare', 1, 200, 1, 0.1, 0.01), ('rare', 2, 200, 10, 0.05, 0.01),
             ('rare', 3, 200, 100, 0.02, 0.005), ('rare', 4, 200, 450, 0.01, 0.002),
             ('usual', 1, 500, 1, 0.2, 0.05), ('usual', 2, 500, 4.5, 0.1, 0.05),
             ('usual', 3, 500, 45, 0.05, 0.05), ('usual', 4, 500, 450, 0.02, 0.03),
             ('often', 1, 500, 1, 0.0, 0.02), ('often', 2, 500, 20, 0.05, 0.02),
             ('often', 3, 500, 200, 0.3, 0.1)
         ) AS strata(panel, number, hosts, weight, added, gone);
         WITH decided AS (
             SELECT strata.*, replicate, uniform(replicate, host + 100000 * number, panel) AS u
             FROM strata, range(1000) AS r(replicate), range(500) AS h(host)
             WHERE host < hosts
         ),
         sums AS (
             SELECT
                 panel, replicate, sum(weight) AS w, sum(weight * weight) AS ww,
                 sum(weight) FILTER (u < added) AS a,
                 sum(weight * weight) FILTER (u < added) AS aa,
                 sum(weight) FILTER (u > 1 - gone) AS g,
                 sum(weight * weight) FILTER (u > 1 - gone) AS gg
             FROM decided
             GROUP BY ALL
         ),
         truths AS (
             SELECT panel, sum(hosts * weight * (added - gone)) / sum(hosts * weight) AS truth
             FROM strata
             GROUP BY panel
         )
         SELECT panel, covered(found.low, found.high, truth) AS coverage
         FROM (
             SELECT panel, change_interval(
                 share_interval(a, aa, aa, w, ww, 0), share_interval(g, gg, gg, w, ww, 0)
             ) AS found
             FROM sums
         )
         JOIN truths USING (panel)
         GROUP BY ALL"
    ));
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert!(number(&row, "coverage") >= 0.93, "{row}");
    }
}
