//! A browser for tests, where one is installed.

use std::fs::{self, File};
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

/// What `script` returns of `page`, a file in `folder`, in a frame of that width: a window of a
/// browser does not get as narrow as a phone.
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
    let told = told.unwrap_or_else(|| panic!("{}: {text}", output.status));
    told.0.to_owned()
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

/// axe-core, the accessibility checker: where `ROBOSTAT_AXE` says, or installed once into the
/// target directory by npm, or from the Python Package Index.
///
/// # Errors
/// Where it can be had nowhere: a machine that is offline.
pub(crate) fn axe() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("ROBOSTAT_AXE").map(PathBuf::from) {
        let is_there = path.exists();
        return is_there
            .then_some(path)
            .ok_or_else(|| "ROBOSTAT_AXE names no file".to_owned());
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe-core");
    let places = [
        directory.join("node_modules/axe-core/axe.min.js"),
        directory.join("axe_core_python/axe.min.js"),
    ];
    let installed = || places.iter().find(|path| path.exists()).cloned();
    let lock_path = directory.with_extension("lock");
    // One process at a time; the others wait and find it done.
    let lock = fs::create_dir_all(&directory)
        .and_then(|()| File::create(&lock_path))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("{}: {error}", lock_path.display()))?;
    if let Some(path) = installed() {
        return Ok(path);
    }
    let install = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        // Whether it has worked, the file tells.
        let _ = command.output();
        installed()
    };
    let target = directory.to_string_lossy().into_owned();
    let npm = [
        "install",
        "--no-audit",
        "--no-fund",
        "--no-save",
        "--prefix",
        &target,
        "axe-core@4",
    ];
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        &target,
        "axe-core-python",
    ];
    let path = install("npm", &npm).or_else(|| install("python3", &pip));
    drop(lock);
    path.ok_or_else(|| {
        "neither npm nor pip can install axe-core; ROBOSTAT_AXE may name its axe.min.js".to_owned()
    })
}

/// What the checker finds on a page whose folded parts are open: the rules that are violated or
/// that it cannot decide, or `none`. Contrast of text in drawings, and of what is scrolled out of
/// sight in tables, it can never decide; a test of the colours does (`contrast` in
/// src/analysis/report/html).
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
