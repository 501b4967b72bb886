//! The result of a call that the thread of an engine gives.

use crate::dist::{Answer, Call, CommError, Numbers, Pending};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Where a result goes.
pub(super) struct Reply {
    result: SyncSender<Result<Numbers, CommError>>,
    done: Arc<AtomicBool>,
}

impl Reply {
    pub(super) fn give(self, result: Result<Numbers, CommError>) {
        // Who does not wait for it does not get it.
        let _ = self.result.send(result);
        self.done.store(true, Ordering::Release);
    }
}

/// Begins a call: `hand_over` gives it to the thread, and says whether that is still there.
pub(super) fn begin(
    engine: &'static str,
    size: usize,
    call: Call,
    hand_over: impl FnOnce(Call, Reply) -> bool,
) -> Pending {
    if let Err(error) = call.check(size) {
        return Pending::done(Err(error));
    }
    let (result, answer) = sync_channel(1);
    let done = Arc::new(AtomicBool::new(false));
    let waiting = Waiting {
        engine,
        call: call.to_string(),
        answer,
        done: Arc::clone(&done),
    };
    match hand_over(call, Reply { result, done }) {
        true => Pending::running(waiting),
        false => Pending::done(Err(waiting.ended())),
    }
}

struct Waiting {
    engine: &'static str,
    call: String,
    answer: Receiver<Result<Numbers, CommError>>,
    done: Arc<AtomicBool>,
}

impl Waiting {
    fn ended(&self) -> CommError {
        CommError::Engine {
            engine: self.engine,
            call: self.call.clone(),
            why: "its thread has ended".to_string(),
        }
    }
}

impl Answer for Waiting {
    fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    fn wait(self: Box<Self>) -> Result<Numbers, CommError> {
        self.answer.recv().unwrap_or_else(|_| Err(self.ended()))
    }
}
