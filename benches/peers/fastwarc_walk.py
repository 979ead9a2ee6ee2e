"""Walks the responses of a WARC file and reads their bodies, nothing else: the least that any user of FastWARC does."""
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType

bytes = 0
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
        bytes += len(record.reader.read())
print(bytes)
