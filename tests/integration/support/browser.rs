//! A browser for tests, where one is installed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::install::install;

/// Measurements of a page in a window.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Width of the window, in CSS pixels.
    pub(crate) window: u32,
    /// Width of the page.
    pub(crate) page: u32,
    /// Elements that reach beyond the window, except those in boxes that scroll.
    pub(crate) wide: String,
    /// Charts that are drawn.
    pub(crate) charts: u32,
}

/// A browser that runs without a screen.
pub(crate) fn find() -> Option<String> {
    ["chromium", "chromium-browser", "google-chrome", "chrome"]
        .into_iter()
        .find(|name| {
            let mut version = Command::new(name);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        })
        .map(str::to_owned)
}

/// A run of the browser that opens the file `page`, with a profile of its own.
fn run(browser: &str, page: &Path, options: &[&str]) -> Output {
    let profile = tempfile::tempdir().expect("a folder");
    Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(options)
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("a run")
}

/// The text that scripts leave in the last `<output>` of a page.
#[track_caller]
fn output(browser: &str, page: &Path, options: &[&str]) -> String {
    let dump = ["--allow-file-access-from-files", "--dump-dom"];
    let run = run(browser, page, &[&dump, options].concat());
    let text = String::from_utf8_lossy(&run.stdout);
    let found = text
        .rsplit_once("<output>")
        .and_then(|(_, rest)| rest.split_once("</output>"));
    let found = found.unwrap_or_else(|| panic!("{}: {text}", run.status));
    found.0.to_owned()
}

/// Measures `page`, a file in `folder`, at that width.
#[track_caller]
pub(crate) fn measure(browser: &str, folder: &Path, page: &str, width: u32) -> Measured {
    let script = "for (const chapter of page.querySelectorAll('details')) chapter.open = true;\
        const root = page.documentElement;\
        const wide = [...page.querySelectorAll('body *')].filter(one =>\
            one.getBoundingClientRect().right > root.clientWidth + 1 && !one.closest('.table'));\
        const charts = [...page.querySelectorAll('svg')].filter(one => one.getBoundingClientRect().height > 50);\
        return [root.clientWidth, root.scrollWidth,\
            charts.length, wide.map(one => one.tagName).join(' ')].join(';');";
    let told = in_frame(browser, folder, page, width, script);
    let parts: Vec<&str> = told.split(';').collect();
    let number = |place: usize| parts[place].parse().unwrap_or_else(|_| panic!("{told}"));
    Measured {
        window: number(0),
        page: number(1),
        charts: number(2),
        wide: parts[3].to_owned(),
    }
}

/// The result of `script` for `page`, a file in `folder`, in a frame of that width: a browser's
/// window cannot be as narrow as a phone.
#[track_caller]
pub(crate) fn in_frame(
    browser: &str,
    folder: &Path,
    page: &str,
    width: u32,
    script: &str,
) -> String {
    let frame = folder.join(format!("frame-{width}.html"));
    let html = format!(
        "<!DOCTYPE html><iframe src=\"{page}\" style=\"width:{width}px;height:800px;border:0\"></iframe>\
         <output></output><script>addEventListener('load', () => {{\
         const page = document.querySelector('iframe').contentDocument;\
         document.querySelector('output').textContent = (() => {{ {script} }})(); }});</script>"
    );
    fs::write(&frame, html).expect("a file");
    let size = format!("--window-size={},900", width.max(500) + 40);
    output(browser, &frame, &[&size])
}

/// Prints `page` to `pdf`.
#[track_caller]
pub(crate) fn print(browser: &str, page: &Path, pdf: &Path) {
    let to_pdf = format!("--print-to-pdf={}", pdf.display());
    let status = run(browser, page, &["--no-pdf-header-footer", &to_pdf]).status;
    assert!(status.success(), "{status}");
}

/// axe-core, the accessibility checker: the file that `ROBOSTAT_AXE` names, or installed once by
/// npm, or from the Python Package Index.
///
/// # Errors
/// If it cannot be installed.
pub(crate) fn axe() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("ROBOSTAT_AXE").map(PathBuf::from) {
        let is_there = path.exists();
        return is_there
            .then_some(path)
            .ok_or_else(|| "ROBOSTAT_AXE names no file".to_owned());
    }
    let npm = [
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--no-save",
        "axe-core@4",
        "--prefix",
    ];
    let pip = [
        "python3",
        "-m",
        "pip",
        "install",
        "--no-deps",
        "axe-core-python",
        "--target",
    ];
    install("axe-core", &[&npm, &pip], |directory| {
        let places = [
            "node_modules/axe-core/axe.min.js",
            "axe_core_python/axe.min.js",
        ];
        let mut paths = places.iter().map(|place| directory.join(place));
        paths.find(|path| path.exists())
    })
}

/// The rules that a page with open chapters violates or that the checker cannot decide, or `none`.
/// The checker can never decide the contrast of text in drawings, or in parts of tables that are
/// scrolled out of sight; a test of the colours does (`contrast` in src/analysis/report/html).
#[track_caller]
pub(crate) fn violations(
    browser: &str,
    axe: &Path,
    folder: &Path,
    page: &str,
    is_dark: bool,
) -> String {
    // The page's policy would not let the checker run.
    let (before, after) = page
        .split_once("<meta http-equiv=\"Content-Security-Policy\"")
        .expect("a policy");
    let (_, after) = after.split_once('>').expect("its end");
    let check = "for (const one of document.querySelectorAll('details')) one.open = true;\
        axe.run(document, {resultTypes: ['violations', 'incomplete']}).then(found => {\
        const output = document.createElement('output');\
        const isHidden = node => document.querySelector(node.target[0])?.closest('svg, .table') !== null;\
        const open = found.incomplete.map(one => ({id: 'undecided ' + one.id, nodes: one.id === 'color-contrast' ?\
            one.nodes.filter(node => !isHidden(node)) : one.nodes})).filter(one => one.nodes.length > 0);\
        output.textContent = [...found.violations, ...open].map(one => one.id + ': ' +\
            one.nodes.map(node => node.html).join(' ')).join('; ') || 'none';\
        document.body.append(output); });";
    let checker = format!(
        "<script src=\"file://{}\"></script><script>{check}</script></body>",
        axe.canonicalize().expect("a path").display()
    );
    let page = format!("{before}{}", after.replace("</body>", &checker));
    let path = folder.join("checked.html");
    fs::write(&path, page).expect("a file");
    let mut options = vec!["--virtual-time-budget=60000"];
    if is_dark {
        options.push("--blink-settings=preferredColorScheme=0");
    }
    output(browser, &path, &options)
}
