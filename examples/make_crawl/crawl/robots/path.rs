//! Paths and patterns such as rules name.

use std::fmt::Write as _;

use super::super::random::Random;

const SEGMENTS: [&str; 64] = [
    "about",
    "account",
    "admin",
    "ajax",
    "api",
    "archive",
    "assets",
    "author",
    "backup",
    "basket",
    "bin",
    "blog",
    "cache",
    "calendar",
    "cart",
    "category",
    "cgi-bin",
    "checkout",
    "comments",
    "compare",
    "config",
    "content",
    "customer",
    "data",
    "download",
    "drafts",
    "events",
    "export",
    "feed",
    "files",
    "forum",
    "go",
    "images",
    "includes",
    "index.php",
    "internal",
    "javascript",
    "language",
    "lib",
    "login",
    "logs",
    "mail",
    "media",
    "members",
    "misc",
    "modules",
    "news",
    "orders",
    "out",
    "plugins",
    "print",
    "private",
    "products",
    "profile",
    "register",
    "results",
    "search",
    "session",
    "static",
    "tag",
    "templates",
    "tmp",
    "user",
    "wishlist",
];

const PARAMETERS: [&str; 20] = [
    "sort",
    "order",
    "page",
    "sessionid",
    "utm_source",
    "print",
    "q",
    "filter",
    "ref",
    "view",
    "lang",
    "color",
    "size",
    "dir",
    "limit",
    "mode",
    "add-to-cart",
    "replytocom",
    "PHPSESSID",
    "price_max",
];

const EXTENSIONS: [&str; 14] = [
    "php", "html", "pdf", "js", "css", "aspx", "cgi", "xls", "doc", "zip", "json", "xml", "inc",
    "swf",
];

/// One path encoded, the other as it is, for rules with letters beyond ASCII.
const NON_ASCII: [&str; 12] = [
    "/größe/",
    "/gr%C3%B6%C3%9Fe/",
    "/catégorie/été",
    "/cat%C3%A9gorie/",
    "/поиск",
    "/%D0%BF%D0%BE%D0%B8%D1%81%D0%BA",
    "/検索/",
    "/%e6%a4%9c%e7%b4%a2/",
    "/búsqueda?q=",
    "/b%FAsqueda",
    "/产品/*",
    "/łódź$",
];

#[derive(Clone, Copy)]
enum Shape {
    Directory,
    TwoDirectories,
    File,
    Query,
    AnyQuery,
    Inside,
    Extension,
    Prefix,
    Number,
    Encoded,
    NonAscii,
    Root,
}

const SHAPES: [(u32, Shape); 12] = [
    (430, Shape::Directory),
    (170, Shape::TwoDirectories),
    (90, Shape::File),
    (40, Shape::Query),
    (60, Shape::AnyQuery),
    (50, Shape::Inside),
    (45, Shape::Extension),
    (30, Shape::Prefix),
    (60, Shape::Number),
    (8, Shape::Encoded),
    (7, Shape::NonAscii),
    (10, Shape::Root),
];

/// Appends a path or pattern.
pub(super) fn push(random: &mut Random, out: &mut String) {
    let (a, b) = (random.pick(&SEGMENTS), random.pick(&SEGMENTS));
    let (parameter, extension) = (random.pick(&PARAMETERS), random.pick(&EXTENSIONS));
    let number = random.below(100_000);
    // Writing to a string cannot fail.
    let _ = match random.weighted(&SHAPES) {
        Shape::Directory => write!(out, "/{a}/"),
        Shape::TwoDirectories => write!(out, "/{a}/{b}/"),
        Shape::File => write!(out, "/{a}/{b}.{extension}"),
        Shape::Query => write!(out, "/{a}?{parameter}="),
        Shape::AnyQuery => write!(out, "/*?*{parameter}="),
        Shape::Inside => write!(out, "/*/{a}/"),
        Shape::Extension => write!(out, "/*.{extension}$"),
        Shape::Prefix => write!(out, "/{a}*"),
        Shape::Number => write!(out, "/{a}/{b}-{number}"),
        Shape::Encoded => write!(out, "/%7E{a}/{b}%2F{parameter}%3a{number}"),
        Shape::NonAscii => write!(out, "{}", random.pick(&NON_ASCII)),
        Shape::Root => write!(out, "/"),
    };
}

/// Appends one of the many paths of a long list: nearly always another one.
pub(super) fn push_listed(random: &mut Random, out: &mut String) {
    let (a, b) = (random.pick(&SEGMENTS), random.pick(&SEGMENTS));
    let number = random.below(10_000_000);
    let _ = match random.below(4) {
        0 => write!(out, "/{a}/{number}/"),
        1 => write!(out, "/{a}/{b}-{number}.html"),
        2 => write!(out, "/{a}?id={number}"),
        _ => write!(out, "/{a}/{b}/{number}"),
    };
}

/// Appends folders that a path begins with.
pub(super) fn push_folders(random: &mut Random, out: &mut String) {
    for _ in 0..random.quantile(&[(0, 1), (500_000, 2), (800_000, 3), (1_000_000, 7)]) {
        out.push('/');
        out.push_str(random.pick(&SEGMENTS));
    }
}

/// Appends what some owners write in place of a path.
pub(super) fn push_careless(random: &mut Random, host: &str, out: &mut String) {
    let (a, b) = (random.pick(&SEGMENTS), random.pick(&SEGMENTS));
    let _ = match random.below(6) {
        0 | 1 => write!(out, "https://{host}/{a}/"),
        2 => write!(out, "{a}/{b}/"),
        3 => write!(out, "/{a}/, /{b}/"),
        4 => write!(out, "/{a}/ {b}"),
        _ => write!(out, "?{a}={b}"),
    };
}
