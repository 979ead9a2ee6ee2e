//! Files of a list, fetched ahead by a few threads and handed out in the order of the list.
//!
//! What is ahead is bounded in files and in bytes; the file that is waited for is always fetched. A
//! file that is to be tried again keeps no thread and no other file waiting: a list of which some
//! files can never be had takes as long as their tries side by side, not one after the other.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Remote;
use super::body::BodyCheck;
use super::cache::Cache;
use super::download::{Download, DownloadOutcome, PartialFile};
use super::failure::Failure;
use super::fetched::Fetched;
use super::options::CONNECTIONS;
use super::target::Target;
use crate::error::Error;
use crate::threads;

/// The number of files fetched ahead: as many files of 1 MiB as fit into the byte limit.
const AHEAD: usize = 1024;
/// Files that are to be tried again, above which no further file is begun: of a server that is gone
/// not much more is asked.
const MAX_DEFERRED: usize = 64;
/// Bytes ahead, above which no further file is begun.
const AHEAD_BYTES: i64 = 1 << 30;
/// How long a thread waits for something to do before it looks again.
const LOOK: Duration = Duration::from_millis(500);
/// Files that fail with no other fetched since they were begun, after which all would.
const MAX_FAILED: u32 = 10;

/// What became of a file.
#[derive(Debug)]
pub enum Arrival {
    /// It is not decided yet.
    Pending,
    /// It is there.
    Fetched(Fetched),
    /// It cannot be had, for this reason.
    Missing(String),
    /// Nothing more is fetched, for this reason.
    Ended(String),
}

/// Fetches files of a list.
pub struct Fetcher {
    shared: Arc<SharedState>,
    threads: Vec<JoinHandle<()>>,
}

struct SharedState {
    remote: Arc<Remote>,
    cache: Cache,
    targets: Vec<Target>,
    check: Box<dyn BodyCheck>,
    state: Mutex<State>,
    changed: Condvar,
    stop: AtomicBool,
    /// Bytes fetched and not yet taken.
    ahead: AtomicI64,
}

struct Task {
    index: usize,
    /// What earlier tries have left.
    partial: Option<PartialFile>,
    due: Instant,
    /// Files that had been fetched when it was begun.
    fetched_before: u64,
}

#[derive(Default)]
struct State {
    /// The next file to begin.
    next: usize,
    /// The next file to hand out.
    wanted: usize,
    /// What became of files that have not been handed out.
    decided: BTreeMap<usize, Result<Fetched, String>>,
    deferred: Vec<Task>,
    /// Whether the last file that was begun was one of them.
    took_due: bool,
    fetched: u64,
    /// Files that failed in a row, and between whose beginning and end none was fetched.
    failed: u32,
    ended: Option<String>,
    /// What happened, and to which file.
    notes: Vec<(Target, String)>,
}

impl Fetcher {
    /// Begins to fetch `targets`, into the cache or else into the directory `aside`, which goes at
    /// the end of a complete run. A body that `check` refuses is requested again.
    ///
    /// # Errors
    ///
    /// The cache cannot be used, the system gives no threads, or this program was built without a
    /// client.
    pub fn begin(
        remote: &Arc<Remote>,
        targets: Vec<Target>,
        aside: &Path,
        check: Box<dyn BodyCheck>,
    ) -> Result<Self, Error> {
        let cache = Cache::of(&remote.options, aside)?;
        remote.client()?;
        let connections = CONNECTIONS.clamp(1, targets.len().max(1));
        let shared = Arc::new(SharedState {
            remote: Arc::clone(remote),
            cache,
            targets,
            check,
            state: Mutex::default(),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            ahead: AtomicI64::new(0),
        });
        let mut fetcher = Self {
            threads: Vec::new(),
            shared,
        };
        for _ in 0..connections {
            let shared = Arc::clone(&fetcher.shared);
            fetcher.threads.push(threads::spawn(move || shared.work())?);
        }
        Ok(fetcher)
    }

    /// What became of the next file of the list, after `patience` at most. A file that is decided
    /// is handed out once.
    #[must_use]
    pub fn next(&mut self, patience: Duration) -> Arrival {
        let state = self.shared.state();
        let is_undecided =
            |state: &mut State| !state.decided.contains_key(&state.wanted) && state.ended.is_none();
        let changed = (self.shared.changed).wait_timeout_while(state, patience, is_undecided);
        let (mut state, _) = changed.unwrap_or_else(PoisonError::into_inner);
        let wanted = state.wanted;
        match state.decided.remove(&wanted) {
            Some(result) => {
                state.wanted += 1;
                drop(state);
                self.shared.changed.notify_all();
                match result {
                    Ok(fetched) => {
                        let bytes = i64::try_from(fetched.received).unwrap_or(i64::MAX);
                        self.shared.ahead.fetch_sub(bytes, Ordering::Relaxed);
                        Arrival::Fetched(fetched)
                    }
                    Err(message) => Arrival::Missing(message),
                }
            }
            None if state.ended.is_none() && self.threads.iter().all(JoinHandle::is_finished) => {
                // Decided since the look above, or never.
                let is_decided = state.decided.contains_key(&wanted);
                let bug = "a thread that fetches panicked; this is a bug, please report it";
                if is_decided {
                    Arrival::Pending
                } else {
                    Arrival::Ended(bug.to_owned())
                }
            }
            None => state.ended.clone().map_or(Arrival::Pending, Arrival::Ended),
        }
    }

    /// What happened since the last call, with the file that it happened to.
    #[must_use]
    pub fn notes(&self) -> Vec<(Target, String)> {
        std::mem::take(&mut self.shared.state().notes)
    }

    /// Lets go of a file that was handed out: its rows are safe.
    pub fn release(&self, target: &Target) {
        self.shared.cache.release(&target.key());
    }

    /// Ends a run that has used every file.
    pub fn complete(&self) {
        self.shared.cache.clear();
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that waits for a server may take as long as that.
            if thread.is_finished() {
                let _ = thread.join();
            }
        }
    }
}

impl SharedState {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn work(&self) {
        while let Some(mut task) = self.take() {
            let target = &self.targets[task.index];
            let partial = task.partial.take();
            let result = match self.remote.client() {
                Ok(client) => Download::new(client, &self.cache, target, &*self.check)
                    .watched(
                        || self.is_stopped(),
                        |note| self.state().notes.push((target.clone(), note)),
                        |bytes| {
                            self.ahead.fetch_add(bytes, Ordering::Relaxed);
                        },
                    )
                    .run(partial),
                Err(error) => Err(Failure::GivenUp(error.to_string())),
            };
            match result {
                Ok(DownloadOutcome::Later(delay, partial)) => {
                    task.due = Instant::now() + delay;
                    task.partial = Some(partial);
                    self.state().deferred.push(task);
                }
                Ok(DownloadOutcome::Whole(fetched)) => self.decide(&task, Ok(fetched)),
                Err(failure) => self.decide(&task, Err(failure)),
            }
        }
    }

    /// The next file to fetch, once there is room for it: a retry that is due, or a new file.
    fn take(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if self.is_stopped() || state.ended.is_some() {
                return None;
            }
            let now = Instant::now();
            let due = (0..state.deferred.len()).filter(|&place| state.deferred[place].due <= now);
            let due = due.min_by_key(|&place| state.deferred[place].index);
            let is_left = state.next < self.targets.len();
            let has_room = state.next < state.wanted + AHEAD
                && state.deferred.len() < MAX_DEFERRED
                && self.ahead.load(Ordering::Relaxed) < AHEAD_BYTES;
            let is_new = is_left && (has_room || state.next == state.wanted);
            // Retries and new files alternate, so that neither waits for all of the others.
            if let Some(place) = due
                && !(is_new && state.took_due)
            {
                state.took_due = true;
                return Some(state.deferred.swap_remove(place));
            }
            if is_new {
                state.took_due = false;
                state.next += 1;
                return Some(Task {
                    index: state.next - 1,
                    partial: None,
                    due: now,
                    fetched_before: state.fetched,
                });
            }
            let due = state.deferred.iter().map(|task| task.due).min();
            if !is_left && due.is_none() {
                return None;
            }
            let patience = due.map_or(LOOK, |due| due.saturating_duration_since(now).min(LOOK));
            let woken = self.changed.wait_timeout(state, patience);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn decide(&self, task: &Task, result: Result<Fetched, Failure>) {
        let mut state = self.state();
        let decided = match result {
            Ok(arrived) => {
                state.fetched += 1;
                state.failed = 0;
                Some(Ok(arrived))
            }
            Err(Failure::Final(message)) => Some(Err(message)),
            Err(Failure::GivenUp(message)) => {
                state.ended.get_or_insert(message);
                None
            }
            Err(
                failure @ (Failure::Transient(_)
                | Failure::Untrusted(_)
                | Failure::Throttled { .. }),
            ) => {
                // Where another was fetched meanwhile, it is the file.
                state.failed += u32::from(state.fetched == task.fetched_before);
                if state.failed >= MAX_FAILED {
                    state.ended.get_or_insert(format!(
                        "{failure}; {MAX_FAILED} files in a row could not be fetched, the network \
                         or the server may be down; what was fetched stays, the same command goes \
                         on from there"
                    ));
                }
                Some(Err(failure.to_string()))
            }
            Err(Failure::Stopped) => None,
        };
        if let Some(decided) = decided {
            state.decided.insert(task.index, decided);
        }
        drop(state);
        self.changed.notify_all();
    }
}
