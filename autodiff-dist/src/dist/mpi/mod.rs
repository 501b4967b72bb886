//! Ranks that are processes, by the MPI library of the system.
//!
//! One thread starts MPI and makes all its calls (`raw`); the computation hands it what to do and goes on. So calls run beside the
//! computation, and MPI need not support several threads. The thread also knows what it waits for: a call that does not end in time
//! is an error that names the rank that is missing (`control`).

mod control;
mod raw;
mod running;
mod wire;

use crate::dist::launch::{LaunchError, Place, limit};
use crate::dist::{Call, Collective, Pending, reply};
use running::Command;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, JoinHandle};

/// The name of the engine in errors.
const MPI: &str = "MPI";

/// Ranks that are processes. A program has them once; [`init`](crate::dist::init) gives them out.
pub struct Mpi {
    rank: usize,
    size: usize,
    commands: Sender<Command>,
}

/// What ends with the process.
struct Running {
    commands: Sender<Command>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

static RUNNING: OnceLock<Running> = OnceLock::new();

unsafe extern "C" {
    fn atexit(call: extern "C" fn()) -> core::ffi::c_int;
}

/// Ends MPI when the process ends, whether `main` returned or failed: a rank that left without it would look like a crash.
extern "C" fn leave() {
    let Some(running) = RUNNING.get() else { return };
    // A thread that is gone has nothing to end.
    let _ = running.commands.send(Command::Leave);
    let thread = running.thread.lock().ok().and_then(|mut t| t.take());
    let _ = thread.map(JoinHandle::join);
}

impl Mpi {
    /// Starts MPI.
    ///
    /// # Errors
    /// If it cannot be started, was started before, or sees other processes than the launcher started.
    pub fn start(place: Option<Place>) -> Result<Self, LaunchError> {
        let limit = limit()?;
        let (commands, todo) = channel();
        let (started, begun) = sync_channel(1);
        let thread = thread::Builder::new()
            .name("mpi".to_string())
            .spawn(move || running::run(limit, &started, &todo))
            .map_err(|e| LaunchError::Engine { why: e.to_string() })?;
        let ended = || LaunchError::Engine {
            why: "its thread ended".to_string(),
        };
        let (rank, size) = begun
            .recv()
            .map_err(|_| ended())?
            .map_err(|why| LaunchError::Engine { why })?;
        let running = Running {
            commands: commands.clone(),
            thread: Mutex::new(Some(thread)),
        };
        let _ = RUNNING.set(running);
        // SAFETY: the function is called once, when the process ends, and touches only what lives as long.
        unsafe { atexit(leave) };
        match place {
            Some(place) if place.size != size => Err(LaunchError::Size {
                launcher: place.launcher,
                expected: place.size,
                found: size,
            }),
            _ => Ok(Mpi {
                rank,
                size,
                commands,
            }),
        }
    }
}

impl Collective for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn start(&self, call: Call) -> Pending {
        reply::begin(MPI, self.size, call, |call, reply| {
            self.commands.send(Command::Call(call, reply)).is_ok()
        })
    }

    fn abort(&self, why: &str) {
        // Without a thread the others know already.
        let _ = self.commands.send(Command::Fail(why.to_string()));
    }
}
