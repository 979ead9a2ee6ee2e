//! A browser for tests, where one is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a page takes in a window.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Width of the window, in CSS pixels.
    pub(crate) window: u32,
    /// Width of the page.
    pub(crate) page: u32,
    /// Elements that reach beyond the window, those in boxes that scroll left out.
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

fn headless(browser: &str, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command
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
        .arg(format!("--user-data-dir={}", profile.display()))
        .stderr(Stdio::null());
    command
}

/// Measures `page`, a file in `folder`, in a frame of that width: a window of a browser does not
/// get as narrow as a phone.
#[track_caller]
pub(crate) fn measure(browser: &str, folder: &Path, page: &str, width: u32) -> Measured {
    let frame = folder.join(format!("frame-{width}.html"));
    let script = "addEventListener('load', () => {\
        const page = document.querySelector('iframe').contentDocument;\
        const root = page.documentElement;\
        const wide = [...page.querySelectorAll('body *')].filter(one =>\
            one.getBoundingClientRect().right > root.clientWidth + 1 && !one.closest('.table'));\
        const charts = [...page.querySelectorAll('svg')].filter(one => one.getBoundingClientRect().height > 50);\
        document.querySelector('output').textContent = [root.clientWidth, root.scrollWidth,\
            charts.length, wide.map(one => one.tagName).join(' ')].join(';');\
        });";
    let html = format!(
        "<!DOCTYPE html><iframe src=\"{page}\" style=\"width:{width}px;height:800px;border:0\"></iframe>\
         <output></output><script>{script}</script>"
    );
    std::fs::write(&frame, html).expect("a file");
    let profile = tempfile::tempdir().expect("a folder");
    let output = headless(browser, profile.path())
        .args(["--allow-file-access-from-files", "--dump-dom"])
        .arg(format!("--window-size={},900", width.max(500) + 40))
        .arg(format!("file://{}", frame.display()))
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = text
        .split_once("<output>")
        .and_then(|(_, rest)| rest.split_once("</output>"));
    let told = told
        .unwrap_or_else(|| panic!("{}: {text}", output.status))
        .0;
    let parts: Vec<&str> = told.split(';').collect();
    let number = |place: usize| parts[place].parse().unwrap_or_else(|_| panic!("{told}"));
    Measured {
        window: number(0),
        page: number(1),
        charts: number(2),
        wide: parts[3].to_owned(),
    }
}

/// Prints `page` to `pdf`.
#[track_caller]
pub(crate) fn print(browser: &str, page: &Path, pdf: &Path) {
    let profile = tempfile::tempdir().expect("a folder");
    let status = headless(browser, profile.path())
        .arg("--no-pdf-header-footer")
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::null())
        .status()
        .expect("a run");
    assert!(status.success(), "{status}");
}

/// axe-core, the accessibility checker: where `ROBOSTAT_AXE` says, or in the project's node_modules.
pub(crate) fn axe() -> Option<PathBuf> {
    let named = std::env::var_os("ROBOSTAT_AXE").map(PathBuf::from);
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/axe-core/axe.min.js");
    named
        .into_iter()
        .chain([project])
        .find(|path| path.exists())
}

/// What the checker finds on a page whose folded parts are open: the rules that are violated, or
/// `none`.
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
        axe.run(document, {resultTypes: ['violations']}).then(found => {\
        const output = document.createElement('output');\
        output.textContent = found.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html).join(' '))\
            .join('; ') || 'none';\
        document.body.append(output); });";
    let checker = format!(
        "<script src=\"file://{}\"></script><script>{check}</script></body>",
        axe.canonicalize().expect("a path").display()
    );
    let page = format!("{before}{}", after.replace("</body>", &checker));
    let path = folder.join("checked.html");
    std::fs::write(&path, page).expect("a file");
    let profile = tempfile::tempdir().expect("a folder");
    let mut command = headless(browser, profile.path());
    command.args([
        "--allow-file-access-from-files",
        "--virtual-time-budget=60000",
        "--dump-dom",
    ]);
    if is_dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    let output = command
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = text
        .rsplit_once("<output>")
        .and_then(|(_, rest)| rest.split_once("</output>"));
    told.unwrap_or_else(|| panic!("{}: {text}", output.status))
        .0
        .to_owned()
}
