//! Programs that tests need, installed into the target directory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Looks with `find` in a directory of this name in the target directory. If the program is not
/// there, `commands` run until it is; each takes the directory as its last argument. One process
/// installs the program; others wait.
///
/// # Errors
/// If no command installs the program, for example on a machine that is offline.
pub(crate) fn install(
    name: &str,
    commands: &[&[&str]],
    find: impl Fn(&Path) -> Option<PathBuf>,
) -> Result<PathBuf, String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let lock_path = directory.with_extension("lock");
    let _lock = fs::create_dir_all(&directory)
        .and_then(|()| File::create(&lock_path))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("{}: {error}", lock_path.display()))?;
    let mut failures = Vec::new();
    for command in [&[][..]].iter().chain(commands) {
        if let [program, arguments @ ..] = command {
            let mut command = Command::new(program);
            let command = command.args(arguments).arg(&directory).stdin(Stdio::null());
            failures.push(match command.output() {
                Ok(output) => {
                    let errors = String::from_utf8_lossy(&output.stderr);
                    let last = errors.trim().lines().last().unwrap_or_default();
                    format!("{program}: {}, {last}", output.status)
                }
                Err(error) => format!("{program}: {error}"),
            });
        }
        if let Some(path) = find(&directory) {
            return Ok(path);
        }
    }
    Err(failures.join("; "))
}
