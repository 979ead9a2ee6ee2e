//! Lines and rows that cannot be read.

use crate::support::program::number;

use super::{Folder, damage, fetches, gzip, hosts, json_lines, zstd};

#[test]
fn bad_lines_of_json_are_damage_and_no_other_line_is() {
    let folder = Folder::new();
    let good = |host: &str| format!("{{\"host\": \"{host}.example\", \"body\": \"x\"}}\n");
    let first = good("a");
    let lines = format!(
        "\u{feff}{first}\n{{\"host\": \"b.example\", \"body\": 5}}\n{}\u{1}\n\
         {}{{\"body\": \"x\"}}\n{}{}",
        good("c"),
        good("d"),
        "[1]\n",
        good("e").trim_end(),
    );
    let (summary, out) = folder.ingest_file("a.jsonl", lines.as_bytes(), &[], 3);
    assert_eq!(hosts(&out), "a c d e");
    assert_eq!(number(&summary, "records"), 4);
    let start = 3 + first.len() + 1;
    let found = damage(&out);
    let expected = format!("not_a_record|{start}|33|line 3: invalid type: integer `5`");
    assert!(found[0].starts_with(&expected), "{found:?}");
    assert!(
        found[1].contains("|2|line 5: expected value at byte 1"),
        "{found:?}"
    );
    assert!(found[2].starts_with("no_target_uri"), "{found:?}");
    assert!(
        found[3].contains("line 8: invalid type: sequence, expected an object"),
        "{found:?}"
    );
    assert_eq!(found.len(), 4);
    // The same in a compressed file: offsets count decompressed bytes.
    let (_, out) = folder.ingest_file("b.jsonl.gz", &gzip(lines.as_bytes()), &[], 3);
    assert_eq!(hosts(&out), "a c d e");
    let found = damage(&out);
    assert_eq!(found.len(), 4);
    assert!(
        found.iter().all(|it| it.contains("|0|0|line ")),
        "{found:?}"
    );
}

#[test]
fn bad_rows_of_csv_are_damage_and_no_other_row_is() {
    let folder = Folder::new();
    let table = "host,body\n\
        a.example,\"User-agent: *\nDisallow: /,\"\"x\"\"\"\n\
        b.example,\"not closed\n\
        c.example,\"closed\"\n\
        d.example,one,too many\n\
        only one\n\
        e.example,\"closed\" and more\n\
        f.example,\r\n\
        \n\
        g.example,\"not closed at the end\n";
    let (_, out) = folder.ingest_file("a.csv", table.as_bytes(), &[], 3);
    assert_eq!(hosts(&out), "a c f");
    let found = damage(&out);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].contains("|22|line 4: text follows a closing quote"),
        "{found:?}"
    );
    assert!(
        found[1].contains("lines 6 to 8: 3 fields, where 2 are named; and more"),
        "{found:?}"
    );
    assert!(
        found[2].contains("line 11: a quote that is not closed"),
        "{found:?}"
    );
}

#[test]
fn lines_and_rows_over_the_limit_are_damage_in_bounded_memory() {
    let folder = Folder::new();
    let giant = "x".repeat(40 << 20);
    let lines = format!(
        "{{\"host\": \"a.example\", \"body\": \"\"}}\n\
         {{\"host\": \"b.example\", \"body\": \"{giant}\"}}\n\
         {{\"host\": \"c.example\", \"body\": \"\"}}\n"
    );
    let rows =
        format!("host,body\na.example,\nb.example,{giant}\nb.example,\"{giant}\n\"\nc.example,\n");
    for (name, bytes, n_damaged) in [
        ("a.jsonl", lines.clone().into_bytes(), 1),
        ("a.jsonl.gz", gzip(lines.as_bytes()), 1),
        // Of a long quoted row what follows its first line is not a row either.
        ("a.csv", rows.into_bytes(), 3),
    ] {
        let (_, out) = folder.ingest_file(name, &bytes, &[], 3);
        assert_eq!(hosts(&out), "a c", "{name}");
        let found = damage(&out);
        assert!(found[0].contains(": longer than 32 MiB"), "{found:?}");
        assert_eq!(found.len(), n_damaged, "{found:?}");
    }
}

#[test]
fn packed_tables_that_are_cut_give_the_rows_before() {
    let folder = Folder::new();
    let fetches = fetches();
    for (name, packed) in [
        ("a.jsonl.gz", gzip(&json_lines(&fetches, false))),
        (
            "a.csv.zst",
            [zstd(b"host,body\na.example,x\n"), zstd(b"b.example,y\n")].concat(),
        ),
        (
            "b.csv.gz",
            [gzip(b"host,body\na.example,x\nb.exam"), b"garbage".to_vec()].concat(),
        ),
    ] {
        let cut = &packed[..packed.len() - 3];
        let (summary, out) = folder.ingest_file(name, cut, &[], 3);
        assert!(number(&summary, "captures") > 0, "{name}");
        let found = damage(&out);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("; lost: line "), "{found:?}");
    }
}

#[test]
fn lines_of_csv_may_end_with_cr_alone() {
    let folder = Folder::new();
    let lines = "url,status,body\n\
        a.example,200,\"User-agent: *\nDisallow: /\"\n\
        too,many,fields,here\n\
        b.example,200,y\n";
    // LF stays within the quotes.
    let table = lines
        .replace('\n', "\r")
        .replace("*\rDisallow", "*\nDisallow");
    let (summary, out) = folder.ingest_file("a.csv", table.as_bytes(), &[], 3);
    assert_eq!(hosts(&out), "a b");
    assert_eq!(number(&summary, "records"), 2);
    let found = damage(&out);
    assert!(
        found.len() == 1 && found[0].contains("line 3: 4 fields, where 3 are named"),
        "{found:?}"
    );
    // The last line need not end, and the file may be packed.
    let table = table.replace("too,many,fields,here\r", "");
    let (_, out) = folder.ingest_file("b.csv.gz", &gzip(table.trim_end().as_bytes()), &[], 0);
    assert_eq!(hosts(&out), "a b");
}
