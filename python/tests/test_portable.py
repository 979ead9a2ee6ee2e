"""queries/portable: the same rows in Spark and DuckDB, the numbers of the shipped queries, and SQL
that Trino, Athena and BigQuery read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT

import robostat

FOLDER = PROJECT / "queries" / "portable"
QUERIES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.sql"))}
# The columns of a query, and the same from the shipped query of the same question.
SHIPPED = {
    "named": ("product_token, hosts, n", "agent_adoption(top := 100000)"),
    "blocked-by-name": (
        "product_token, hosts, n",
        "(SELECT product_token, hosts_full_by_name AS hosts, n FROM agents_at_a_glance(top := 100000))",
    ),
    "blocked-by-any-rule": (
        "product_token, hosts, n",
        "(SELECT product_token, hosts_full AS hosts, n FROM ai_agents_most_blocked(top := 100000)"
        " SEMI JOIN (FROM agent_catalog WHERE fallback_token IS NULL AND obeys_wildcard) USING (product_token))",
    ),
    "status-classes": (
        "response_class, hosts, n",
        "(SELECT response_class, sum(hosts) AS hosts, any_value(n) AS n FROM status_classes() GROUP BY ALL)",
    ),
    "sizes": (
        "n, median, p90, largest",
        "(SELECT n, median, p90, max AS largest FROM size_quantiles() WHERE measure = 'bytes')",
    ),
    "sitemaps": (
        "n, sitemaps, most, hosts",
        "(SELECT any_value(n) AS n, sum(sitemap_lines) AS sitemaps, max(most_in_a_file) AS most,"
        " sum(hosts) FILTER (sitemaps_in_file <> '0') AS hosts FROM sitemaps_per_file())",
    ),
    "crawl-delays": ("seconds, delays, hosts, n", "crawl_delays(top := 100000)"),
    "wildcard": (
        "restriction, hosts",
        '(UNPIVOT (SELECT "none", "partial", "full" FROM agent_definitions_by_name(agents := \'*\'))'
        " ON COLUMNS(*) INTO NAME restriction VALUE hosts)",
    ),
    "ai-agents-per-host": (
        "agents_blocked, hosts, n",
        "(SELECT ai_agents_blocked AS agents_blocked, hosts, n FROM ai_agents_per_host())",
    ),
    "content-signals": (
        "vocabulary, preference, allows, hosts, n",
        "(SELECT *, CASE answer WHEN 'allowed' THEN true WHEN 'denied' THEN false END AS allows"
        " FROM content_signals() WHERE answer IN ('allowed', 'denied'))",
    ),
    "common-policies": ("policy_id, hosts, n, n_agents, n_rules", "common_policies()"),
    "misspellings": (
        "written, kind, hosts, n",
        "(SELECT *, if(fate = 'lost', 'misspelling', 'tolerated_spelling') AS kind"
        " FROM misspellings(top := 100000) WHERE written NOT LIKE '% (no colon)')",
    ),
}


@pytest.fixture(scope="module")
def spark(cluster: Any, dataset: Path) -> Iterator[Any]:
    session = cluster.session()
    definitions = (FOLDER / "tables" / "spark.sql").read_text(encoding="utf-8")
    for statement in definitions.replace("DATASET", str(dataset)).split(";\n"):
        if statement.strip():
            session.sql(statement)
    yield session
    session.stop()


def comparable(rows: list[Any]) -> list[str]:
    """Rows of either engine, in one order; sums are decimals in one and integers in the other."""
    plain = [
        [int(value) if isinstance(value, Decimal) else value for value in row] for row in rows
    ]
    return sorted(map(repr, plain))


@pytest.mark.parametrize("name", QUERIES)
def test_spark_gives_the_rows_of_duckdb(spark: Any, dataset: Path, name: str) -> None:
    expected = robostat.connect(dataset).execute(QUERIES[name]).fetchall()
    assert expected
    assert comparable(spark.sql(QUERIES[name]).collect()) == comparable(expected)


@pytest.mark.parametrize("name", QUERIES)
def test_the_shipped_query_gives_the_same_numbers(dataset: Path, name: str) -> None:
    columns, shipped = SHIPPED[name]
    connection = robostat.connect(dataset)
    both = f"FROM ({QUERIES[name]}) AS portable SEMI JOIN {shipped} AS shipped USING ({columns})"
    wanted = f"FROM {shipped} AS shipped WHERE hosts > 0" if "hosts" in columns else f"FROM {shipped}"
    found = connection.execute(f"SELECT DISTINCT {columns} {both}").fetchall()
    expected = connection.execute(f"SELECT DISTINCT {columns} {wanted}").fetchall()
    assert len(expected) >= (1 if name in ("sizes", "sitemaps") else 2)
    assert comparable(found) == comparable(expected)


@pytest.mark.parametrize("dialect", ["spark", "trino", "athena", "bigquery", "duckdb"])
def test_other_engines_read_the_sql(dialect: str) -> None:
    sqlglot = pytest.importorskip("sqlglot")
    for sql in QUERIES.values():
        tree = sqlglot.parse_one(sql, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
        # sqlglot knows every function in the dialect.
        assert not list(tree.find_all(sqlglot.exp.Anonymous))
    definitions = FOLDER / "tables" / f"{dialect}.sql"
    if definitions.exists():
        sqlglot.parse(definitions.read_text(), read=dialect, error_level=sqlglot.ErrorLevel.RAISE)


def test_the_tables_for_athena_have_the_columns_of_the_schema() -> None:
    types = {"string": "VARCHAR", "bigint": "BIGINT", "int": "INTEGER", "double": "DOUBLE", "boolean": "BOOLEAN"}
    tables = {table["name"]: table["columns"] for table in json.loads(robostat.run(["schema", "--json"]).stdout)}
    text = (FOLDER / "tables" / "athena.sql").read_text(encoding="utf-8")
    found = re.findall(r"CREATE EXTERNAL TABLE (\w+) \(([^)]*)\)", text)
    assert len(found) == 7
    for name, columns in found:
        expected = {column["name"]: column["type"] for column in tables[name]}
        for column in columns.split(","):
            column_name, column_type = column.split()
            assert expected[column_name] == types[column_type], f"{name}.{column_name}"
