-- 95% intervals of shares. Sites are treated as a draw of independent clusters from a large
-- population: registrable domains, or the inputs of a sample. Clusters may have any size, and their
-- hosts may decide together or separately. tests/cases/intervals.md simulates both.
--
-- A share and its interval take six sums over clusters: y of the counted weights, w of all weights, yy, yw and ww of
-- their squares and products; and drawn, the part of all known clusters that the sample holds.

-- A share in per cent, to two decimals. A share above 0 is never rounded to 0, nor one below 100 to 100.
CREATE OR REPLACE MACRO rounded_pct(pct) AS
    CASE
        WHEN pct > 0 AND pct < 0.005 THEN greatest(round(pct, 6), 1e-6)
        -- Sums of weights differ from their total by rounding.
        WHEN pct < 100 - 1e-9 AND pct > 99.995 THEN least(round(pct, 6), 100 - 1e-6)
        ELSE round(pct, 2) + 0.0
    END;

-- A share in per cent, rounded (null if the total is 0); a limit of an interval; and, as an aggregate, the share of the
-- weights for which a condition holds.
CREATE OR REPLACE MACRO pct(part, whole) AS rounded_pct(100.0 * part / nullif(whole, 0));
CREATE OR REPLACE MACRO pct_limit(part) AS rounded_pct(100 * part);
CREATE OR REPLACE MACRO pct_where(condition, weight) AS pct(sum(if(condition, weight, 0)), sum(weight));

-- The number of clusters of equal size that are worth as much as clusters of these weights (Kish 1965). Below
-- least_clusters, an interval would span most of 0 to 100%, so none is given.
CREATE OR REPLACE MACRO effective_clusters(w, ww) AS w * w / nullif(ww, 0);
CREATE OR REPLACE MACRO least_clusters() AS 5;

-- The 97.5% quantile of Student's t: the series of Cornish and Fisher, accurate to 0.001 from 4 degrees of freedom on.
CREATE OR REPLACE MACRO t_quantile(degrees) AS
    1.959964 + 2.372271 / degrees + 2.822503 / degrees ** 2 + 2.555852 / degrees ** 3 + 1.589536 / degrees ** 4;

-- The lower limit of a share p of n independent hosts: Wilson's score limit with the quantile t; null for too few
-- clusters.
CREATE OR REPLACE MACRO wilson_limit(counted, n, t) AS
    (counted + t * t / 2 - t * sqrt(greatest(0, counted * (n - counted) / n) + t * t / 4)) / (n + t * t);
CREATE OR REPLACE MACRO lower_limit(p, n, t, clusters, spread) AS
    CASE
        WHEN clusters < least_clusters() THEN NULL
        WHEN p = 0 THEN 0.0
        WHEN p = 1 THEN 1 - spread * (1 - 0.025 ** (1 / clusters))
        ELSE p - spread * (p - wilson_limit(p * n - if(p <= 0.5, least(0.5, p * n / 2), 0), n, t))
    END;

-- The interval of a share, between 0 and 1: low and high (null if too few clusters count), the share between them, and
-- the effective number of clusters. The interval is Wilson's for the number of independent hosts with the same variance
-- (n), with Student's t. The variance is the larger of two estimates. One is the linearised variance of a ratio
-- (Cochran 1977, §2.11), which is too small if no large cluster is counted. The other assumes that the hosts of a
-- cluster decide together, less the disagreement observed within clusters (mixed). A few counted clusters show little
-- about disagreement, so the estimate is drawn towards full agreement by min(1, 2 / k^2), where k is the effective
-- number of counted or of other clusters, whichever is less. The limit on the side of the rarer answer has half a host
-- less (continuity correction), so that it holds for small counts and never reaches 0. If no host is counted, or every
-- host, one side has the limit of Clopper and Pearson.
CREATE OR REPLACE MACRO share_interval(y, yy, yw, w, ww, drawn) AS
    list_transform(list_transform(list_transform(list_transform(
        [{
            'y': CASE WHEN y > 1e-9 * w THEN least(y, w) ELSE 0.0 END::DOUBLE,
            'yy': yy::DOUBLE, 'yw': yw::DOUBLE, 'w': w::DOUBLE, 'ww': ww::DOUBLE,
            'clusters': coalesce(effective_clusters(w::DOUBLE, ww::DOUBLE), 0),
            -- The finite-population correction.
            'spread': sqrt(1 - coalesce(drawn, 0.0))
        }],
        lambda s: struct_insert(
            s,
            p := if(s.w - s.y <= 1e-9 * s.w, 1.0, s.y / s.w),
            linear := greatest(0, s.yy - 2 * s.y / s.w * s.yw + (s.y / s.w) ** 2 * s.ww) / s.w ** 2
                * s.clusters / (s.clusters - 1),
            mixed := greatest(0, s.yw - s.yy) / s.w ** 2,
            informative := least(effective_clusters(s.y, s.yy), effective_clusters(s.w - s.y, s.ww - 2 * s.yw + s.yy))
        )),
        -- The reciprocal of n, from the variance.
        lambda s: struct_insert(s, seen := if(
            s.p IN (0, 1),
            1 / s.clusters,
            greatest(s.linear, s.p * (1 - s.p) / s.clusters - s.mixed) / (s.p * (1 - s.p))
        ))),
        lambda s: struct_insert(
            s,
            n := 1 / (s.seen + coalesce(least(1, 2 / s.informative ** 2), 1) * greatest(0, 1 / s.clusters - s.seen)),
            t := t_quantile(s.clusters - 1)
        )),
        lambda s: {
            'low': lower_limit(s.p, s.n, s.t, s.clusters, s.spread),
            'high': 1 - lower_limit(1 - s.p, s.n, s.t, s.clusters, s.spread),
            'share': s.p, 'clusters': s.clusters
        })[1];

-- The interval of one half, if the hosts of a cluster are alike. The quantiles at its limits are
-- the limits of the interval of a median (Woodruff 1952).
CREATE OR REPLACE MACRO half_interval(w, ww, drawn) AS share_interval(w / 2, ww / 2, ww / 2, w, ww, drawn);

-- The interval of a change, between -1 and 1, from the intervals of two shares that exclude each other, added and gone:
-- Newcombe 1998, method 10, with the correlation of exclusive answers.
CREATE OR REPLACE MACRO distance_of(one, other, together) AS sqrt(one ** 2 + 2 * together * one * other + other ** 2);
CREATE OR REPLACE MACRO change_interval(added, gone) AS
    list_transform(list_transform(
        [{'added': added, 'gone': gone}],
        lambda s: struct_insert(s, together := coalesce(
            sqrt(s.added.share * s.gone.share / nullif((1 - s.added.share) * (1 - s.gone.share), 0)), 0
        ))),
        lambda s: {
            'low': greatest(-1, s.added.share - s.gone.share
                - distance_of(s.added.share - s.added.low, s.gone.high - s.gone.share, s.together)),
            'high': least(1, s.added.share - s.gone.share
                + distance_of(s.added.high - s.added.share, s.gone.share - s.gone.low, s.together))
        })[1];

-- Why a share has no interval; null if it has one, or if the population is empty.
CREATE OR REPLACE MACRO interval_note(found, drawn) AS
    CASE WHEN found.low IS NULL AND found.clusters > 0
        THEN 'no interval: too few ' || if(drawn > 0, 'inputs', 'registrable domains') || ' count ('
            || round(found.clusters, 1) || ' of equal weight; ' || least_clusters() || ' are needed)' END;

-- The shares for the rows of a CTE or view with the sums of share_sums or of a summary:
--   weight, total_weight      of the rows that count, and of the population
--   share, pct_low, pct_high  the share of the weight and the limits of its interval, rounded, per cent
--   exact, note               share_interval; the reason for a missing interval
CREATE OR REPLACE MACRO shares_of_sums(sums) AS TABLE
    SELECT
        * EXCLUDE (y, yy, yw, w, ww),
        y AS weight, w AS total_weight,
        pct(y, w) AS share, pct_limit(exact.low) AS pct_low, pct_limit(exact.high) AS pct_high,
        interval_note(exact, drawn) AS note
    FROM (SELECT *, share_interval(y, yy, yw, w, ww, drawn) AS exact FROM query_table(sums));
