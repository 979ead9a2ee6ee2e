use super::Text;

table! {
    /// One row per sitemap line of a file, up to `--max-sitemaps`; `files.n_sitemaps` is exact.
    "sitemaps", SitemapRow, SitemapsBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// Line, from 1.
        line_number: i32 [Rising],
        /// Value, as written.
        sitemap_url: Text,
        /// Host of an absolute URL, lower case, IDN in punycode.
        sitemap_host: Option<Text>,
        /// Whether the value is an absolute http or https URL.
        is_absolute: bool,
    }
}
