#!/usr/bin/env python3
"""The peer of --pages: FastWARC walks the responses, an HTML parser builds a tree of each page, and the rules for robots in
headers and meta tags are counted.

    fastwarc_metas.py crawl.warc.gz FOLDER resiliparse|lxml
"""
import collections
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType

LIMIT = 2 * 1024 * 1024


def resiliparse(body):
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(body, "utf-8")
    for meta in tree.document.query_selector_all("meta[name]"):
        yield meta.getattr("name"), meta.getattr("content")


def lxml(body):
    import lxml.html

    if body.strip():
        for meta in lxml.html.document_fromstring(body).iter("meta"):
            yield meta.get("name"), meta.get("content")


metas = {"resiliparse": resiliparse, "lxml": lxml}[sys.argv[3]]
said = collections.Counter()
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
        said["header", record.http_headers.get("X-Robots-Tag")] += 1
        if "html" in (record.http_content_type or ""):
            for name, content in metas(record.reader.read(LIMIT)):
                if name and "bot" in name.lower():
                    said[name.lower(), content] += 1
print(sum(said.values()))
