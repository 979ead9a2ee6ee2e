"""A typical script of today: FastWARC reads, Protego parses, PyArrow writes captures and rules."""
import hashlib
import pathlib
import sys

import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator, WarcRecordType
from protego import Protego

out = pathlib.Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
captures = {"url": [], "time": [], "status": [], "file": []}
rules = {"file": [], "agent": [], "type": [], "path": []}
seen = set()
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
        url = record.headers["WARC-Target-URI"]
        if not url.endswith("/robots.txt"):
            continue
        record.parse_http()
        body = record.reader.read(512_000)
        status = record.http_headers.status_code
        file = hashlib.sha1(body).hexdigest() if status == 200 else None
        captures["url"].append(url)
        captures["time"].append(record.headers["WARC-Date"])
        captures["status"].append(status)
        captures["file"].append(file)
        if file is None or file in seen:
            continue
        seen.add(file)
        parsed = Protego.parse(body.decode("utf-8", "replace"))
        # Protego has no public list of rules.
        for agent, group in parsed._user_agents.items():
            for rule in group._rules:
                rules["file"].append(file)
                rules["agent"].append(agent)
                rules["type"].append(rule.field)
                rules["path"].append(str(rule.value.pattern if hasattr(rule.value, "pattern") else rule.value))
pq.write_table(pa.table(captures), out / "captures.parquet", compression="zstd")
pq.write_table(pa.table(rules), out / "rules.parquet", compression="zstd")
