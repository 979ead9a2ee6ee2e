"""Tables of a dataset in pandas, joined by ids without losing any.

    python pandas_ids.py out/

`captures.policy_id` is null if a response had no robots.txt. By default pandas makes such a column
of integers a float, which has 53 bits for an id of 64 bits: most ids change, and a join on them
silently loses their rows. `dtype_backend` keeps the ids exact.
"""

import sys
from pathlib import Path

import pandas


def main(out: Path) -> None:
    columns = ["url_host_name", "policy_id"]
    rounded = pandas.read_parquet(out / "captures", columns=columns)
    exact = pandas.read_parquet(out / "captures", columns=columns, dtype_backend="numpy_nullable")
    print(f"policy_id is {rounded['policy_id'].dtype} by default, {exact['policy_id'].dtype} here")

    agents = pandas.read_parquet(
        out / "agents",
        columns=["policy_id", "product_token", "restriction"],
        dtype_backend="numpy_nullable",
    )
    gptbot = agents[agents["product_token"] == "gptbot"]
    changed = sum(int(float(number)) != number for number in gptbot["policy_id"])
    print(f"policies that name GPTBot: {len(gptbot)}; a float would change the ids of {changed}")

    joined = exact.merge(gptbot, on="policy_id")
    print("hosts by what they allow GPTBot:")
    print(joined.groupby("restriction")["url_host_name"].nunique().to_string())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
