use super::values::InputKind;
use super::{Micros, Str, Text, word_enum};

table! {
    /// One row per input file. `record_bytes + damaged_bytes + skipped_bytes = bytes`.
    "inputs", InputRow, InputsBuilder, key: Input(input_id) {
        /// Identifies its content: the low 64 bits of `fingerprint`. `captures.input_id` and
        /// `damage.input_id` refer to it.
        input_id: i64,
        /// XXH3-128 of its size and bytes; of a file over 16 MiB, the bytes are its first and last
        /// MiB and 224 blocks of 64 KiB between; 32 hexadecimal digits.
        fingerprint: Text,
        /// Its name: its path from a component `crawl-data` on, as in Common Crawl's index; without
        /// such a component, its path below the argument that it was found under (its file name if
        /// it is the argument). Bytes that are not UTF-8, and backslashes, are written as `\xHH`.
        /// The name of a stream is `stream-` and a hash. Different inputs may have the same name.
        path: Text [Unique],
        /// Size in bytes; for a folder, the size of the tar file made of it.
        bytes: i64,
        /// The crawl that its captures belong to.
        crawl: Text,
        /// What it is: WARC that is plain, gzip or zstd; ARC (arc, arc.gz, arc.zst); archives in a
        /// zip file (wacz, or zip); rows of fetches (jsonl, csv, tsv, with .gz or .zst if
        /// compressed, parquet); files of hosts (folder, zip, tar, tar.gz, tar.zst); or none if it
        /// is not read.
        container: Str = InputKind::ALL.map(InputKind::name),
        /// Id of the zstd dictionary; 0 for a dictionary without an id, null without a dictionary.
        dictionary_id: Option<i64>,
        /// Records read, of every type, or rows, or files.
        records: i64,
        /// Rows in `captures`.
        captures: i64,
        /// Why it has neither captures nor pages; null if it has any. It is empty, not read
        /// (neither archive nor table), not fetched, an index, or damaged; it has no rows, no files
        /// named after hosts, no responses, no response to a robots.txt, or with `--pages=only` no
        /// pages.
        no_captures_reason: Option<Str> = NoCaptures::ALL.map(NoCaptures::name),
        /// Rows in `damage`.
        damaged_records: i64,
        /// Bytes of records.
        record_bytes: i64,
        /// Bytes of damaged ranges.
        damaged_bytes: i64,
        /// Bytes that belong to no record: dictionary and other skippable frames, empty members,
        /// padding, and files in a zip file that are neither archives nor files of hosts.
        skipped_bytes: i64,
        /// Where it was fetched from; null for local files.
        source_url: Option<Text>,
        /// The ETag that its server gave it.
        etag: Option<Text>,
        /// The Last-Modified that its server gave it.
        last_modified: Option<Micros>,
        /// Number of inputs in the list that it was drawn from at random (`--sample`); null if it
        /// was not drawn.
        sample_of: Option<i64>,
        /// The seed of the draw (`--seed`).
        sample_seed: Option<i64>,
    }
}

word_enum! {
    /// Why an input has neither captures nor pages: `inputs.no_captures_reason`.
    pub NoCaptures {
        Empty = "empty",
        /// It is neither an archive, a table of fetches nor files of hosts.
        NotRead = "not_read",
        /// It could not be fetched, or was not there.
        NotFetched = "not_fetched",
        /// It is an index with rows that cannot be used.
        Index = "index",
        /// All that could be a capture is damaged.
        Damaged = "damaged",
        NoRows = "no_rows",
        NoHostFiles = "no_host_files",
        NoResponses = "no_responses",
        NoRobotstxt = "no_robotstxt",
        /// With `--pages=only`: no response in it is a page.
        NoPages = "no_pages",
    }
}
