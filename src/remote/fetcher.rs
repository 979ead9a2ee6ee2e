//! Fetches the files of a list ahead, over a few connections, and hands them out in order.
//!
//! Files fetched ahead are bounded in number and in bytes; the file that the caller waits for is
//! always fetched. A file that waits to be retried keeps its thread, but no connection, so listed
//! files that can never be fetched are tried side by side, not one after the other.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Remote;
use super::cache::{Cache, Fetched};
use super::download::{Caller, Download};
use super::failure::Failure;
use super::options::CONNECTIONS;
use super::target::{BodyCheck, Target};
use crate::error::Error;
use crate::threads;

/// The number of files fetched ahead: as many files of 1 MiB as fit into the byte limit.
const AHEAD: usize = 1024;
/// Above this number of files that wait to be retried, no further file is begun, so that a server
/// that is down gets few more requests.
const MAX_DEFERRED: usize = 64;
/// Above this number of bytes fetched ahead, no further file is begun.
const AHEAD_BYTES: u64 = 1 << 30;
/// The run gives up after this number of failed files in a row, if no other file was fetched
/// meanwhile.
const MAX_FAILED: u32 = 10;

#[derive(Debug)]
pub enum Arrival {
    Pending,
    Fetched(Fetched),
    Missing(String),
    /// Nothing more is fetched, for this reason.
    Ended(String),
}

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
}

#[derive(Default)]
struct State {
    /// The next file to begin.
    next: usize,
    /// The next file to hand out.
    wanted: usize,
    /// Outcomes of files that have not been handed out.
    decided: BTreeMap<usize, Arrival>,
    /// Received bytes of the fetched files in `decided`.
    ahead: u64,
    connections: usize,
    /// Files that wait to be retried.
    deferred: usize,
    /// Deferred files whose wait is over.
    due: usize,
    /// Whether the last file that took a connection was due.
    took_due: bool,
    fetched: u64,
    /// Files that failed in a row, with none fetched between the beginning and end of each.
    failed: u32,
    ended: Option<String>,
    /// Events, each with its file.
    notes: Vec<(Target, String)>,
}

impl Fetcher {
    /// Begins to fetch `targets`, into the cache or else into the directory `aside`, which is
    /// deleted at the end of a complete run. A body that `check` refuses is requested again.
    pub fn begin(
        remote: &Arc<Remote>,
        targets: Vec<Target>,
        aside: &Path,
        check: Box<dyn BodyCheck>,
    ) -> Result<Self, Error> {
        let cache = Cache::of(remote.options.cache.as_deref(), aside)?;
        remote.client()?;
        let number = targets.len().min(CONNECTIONS + MAX_DEFERRED);
        let shared = Arc::new(SharedState {
            remote: Arc::clone(remote),
            cache,
            targets,
            check,
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let mut fetcher = Self {
            threads: Vec::new(),
            shared,
        };
        for _ in 0..number {
            let shared = Arc::clone(&fetcher.shared);
            fetcher.threads.push(threads::spawn(move || shared.work())?);
        }
        Ok(fetcher)
    }

    /// The outcome of the next file of the list, once per file, after `patience` at most.
    pub fn next(&mut self, patience: Duration) -> Arrival {
        let state = self.shared.state();
        let is_undecided =
            |state: &mut State| !state.decided.contains_key(&state.wanted) && state.ended.is_none();
        let changed = (self.shared.changed).wait_timeout_while(state, patience, is_undecided);
        let (mut state, _) = changed.unwrap_or_else(PoisonError::into_inner);
        let wanted = state.wanted;
        match state.decided.remove(&wanted) {
            Some(arrival) => {
                state.wanted += 1;
                if let Arrival::Fetched(Fetched { received, .. }) = &arrival {
                    state.ahead -= *received;
                }
                self.shared.changed.notify_all();
                arrival
            }
            None if state.ended.is_none() && self.threads.iter().all(JoinHandle::is_finished) => {
                let bug = "a thread that fetches panicked; this is a bug, please report it";
                Arrival::Ended(bug.to_owned())
            }
            None => state.ended.clone().map_or(Arrival::Pending, Arrival::Ended),
        }
    }

    pub fn notes(&self) -> Vec<(Target, String)> {
        std::mem::take(&mut self.shared.state().notes)
    }

    /// Releases a file that was handed out: its rows are committed.
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
        self.shared.state().ended.get_or_insert_default();
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            // Do not wait for threads that wait for a server.
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

    fn work(&self) {
        let client = self.remote.client().expect("it was made before");
        while let Some((index, fetched_before)) = self.take() {
            let target = &self.targets[index];
            let result = Download::of(client, &self.cache, target, &*self.check, self);
            self.decide(index, fetched_before, result);
        }
    }

    fn has_room(&self, state: &State) -> bool {
        let is_near = state.next < state.wanted + AHEAD
            && state.deferred < MAX_DEFERRED
            && state.ahead < AHEAD_BYTES;
        state.next < self.targets.len() && (is_near || state.next == state.wanted)
    }

    /// The next file to begin, once there is room, and the number of files fetched before.
    fn take(&self) -> Option<(usize, u64)> {
        let is_waiting = |state: &mut State| {
            let is_turn = state.due == 0 || state.took_due;
            let may_begin = state.connections < CONNECTIONS && is_turn && self.has_room(state);
            state.ended.is_none() && state.next < self.targets.len() && !may_begin
        };
        let waited = self.changed.wait_while(self.state(), is_waiting);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.ended.is_some() || state.next == self.targets.len() {
            return None;
        }
        state.took_due = false;
        state.connections += 1;
        state.next += 1;
        self.changed.notify_all();
        Some((state.next - 1, state.fetched))
    }

    fn decide(&self, index: usize, fetched_before: u64, result: Result<Fetched, Failure>) {
        let mut state = self.state();
        state.connections -= 1;
        let decided = match result {
            Ok(fetched) => {
                state.fetched += 1;
                state.failed = 0;
                state.ahead += fetched.received;
                Some(Arrival::Fetched(fetched))
            }
            Err(Failure::Stopped) => None,
            Err(Failure::Final(message)) => Some(Arrival::Missing(message)),
            Err(Failure::GivenUp(message)) => {
                state.ended.get_or_insert(message);
                None
            }
            Err(failure) => {
                // If another file was fetched meanwhile, only this file is at fault.
                state.failed += u32::from(state.fetched == fetched_before);
                if state.failed >= MAX_FAILED {
                    state.ended.get_or_insert(format!(
                        "{failure}; {MAX_FAILED} files in a row could not be fetched, the network \
                         or the server may be down; fetched files are kept, and the same command \
                         continues from there"
                    ));
                }
                Some(Arrival::Missing(failure.to_string()))
            }
        };
        if let Some(decided) = decided {
            state.decided.insert(index, decided);
        }
        drop(state);
        self.changed.notify_all();
    }
}

impl Caller for SharedState {
    fn is_stopped(&self) -> bool {
        self.state().ended.is_some()
    }

    fn note(&self, target: &Target, note: String) {
        self.state().notes.push((target.clone(), note));
    }

    /// Frees the connection for other files meanwhile. Retries and new files alternate, so that
    /// neither kind waits until the other is done.
    fn wait(&self, delay: Duration) {
        let mut state = self.state();
        state.connections -= 1;
        state.deferred += 1;
        self.changed.notify_all();
        let is_running = |state: &mut State| state.ended.is_none();
        let rested = self.changed.wait_timeout_while(state, delay, is_running);
        let (mut state, _) = rested.unwrap_or_else(PoisonError::into_inner);
        state.due += 1;
        let is_waiting = |state: &mut State| {
            let is_turn = !(state.took_due && self.has_room(state));
            state.ended.is_none() && !(state.connections < CONNECTIONS && is_turn)
        };
        let turn = self.changed.wait_while(state, is_waiting);
        let mut state = turn.unwrap_or_else(PoisonError::into_inner);
        state.due -= 1;
        state.deferred -= 1;
        state.took_due = true;
        state.connections += 1;
        self.changed.notify_all();
    }
}
