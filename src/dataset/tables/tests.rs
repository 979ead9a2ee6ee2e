use super::describe::{columns, sql_name};
use super::*;

#[test]
fn every_column_says_what_it_means() {
    for table in all() {
        assert!(table.comment.len() > 20, "{}", table.name);
        for field in table.schema.fields() {
            let comment = field.metadata().get("comment").map_or("", String::as_str);
            assert!(comment.len() > 5, "{}.{}", table.name, field.name());
        }
    }
}

#[test]
fn every_table_that_commits_extend_has_a_key_among_its_columns() {
    for table in all() {
        let key = table
            .key
            .unwrap_or_else(|| panic!("{} has no key", table.name));
        assert!(
            table.schema.field_with_name(key.column()).is_ok(),
            "{}.{}",
            table.name,
            key.column()
        );
    }
}

#[test]
fn every_column_has_a_type_that_duckdb_knows() {
    for table in documented() {
        assert!(columns(table).all(|column| !sql_name(&column.data_type).is_empty()));
    }
}

#[test]
fn words_are_those_of_text_columns() {
    let mut with_words = 0;
    for column in documented().flat_map(columns) {
        if let Some(words) = column.words {
            with_words += 1;
            assert_eq!(column.data_type, arrow_schema::DataType::Utf8);
            assert!(words.len() > 1, "{}", column.name);
        }
    }
    assert!(with_words >= 51, "a column has lost its words");
}
