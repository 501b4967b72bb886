//! Graphs: the work that a stream recorded.

use crate::device::{Code, Handle, INVALID, INVALID_HANDLE, OK, lock, next};
use crate::streams::{Work, end_capture, enqueue};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

static GRAPHS: LazyLock<Mutex<HashMap<usize, Arc<Vec<Work>>>>> = LazyLock::new(Default::default);

pub fn live() -> u64 {
    lock(&GRAPHS).len() as u64
}

fn insert(work: Arc<Vec<Work>>) -> Handle {
    let id = next();
    lock(&GRAPHS).insert(id, work);
    id as Handle
}
fn remove(graph: Handle) -> Code {
    lock(&GRAPHS)
        .remove(&(graph as usize))
        .map_or(INVALID_HANDLE, |_| OK)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuStreamEndCapture(stream: Handle, graph: *mut Handle) -> Code {
    let (handle, code) = match end_capture(stream) {
        Ok(work) => (insert(Arc::new(work)), OK),
        Err(code) => (std::ptr::null_mut(), code),
    };
    // SAFETY: the caller passes a handle to write to, here and below.
    unsafe { *graph = handle };
    code
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGraphInstantiateWithFlags(
    executable: *mut Handle,
    graph: Handle,
    _: u64,
) -> Code {
    let Some(work) = lock(&GRAPHS).get(&(graph as usize)).cloned() else {
        return INVALID;
    };
    // SAFETY: see above.
    unsafe { *executable = insert(work) };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuGraphLaunch(executable: Handle, stream: Handle) -> Code {
    let Some(work) = lock(&GRAPHS).get(&(executable as usize)).cloned() else {
        return INVALID;
    };
    enqueue(
        stream,
        Arc::new(move || work.iter().for_each(|work| work())),
    )
}
#[unsafe(no_mangle)]
extern "C" fn cuGraphExecDestroy(executable: Handle) -> Code {
    remove(executable)
}
#[unsafe(no_mangle)]
extern "C" fn cuGraphDestroy(graph: Handle) -> Code {
    remove(graph)
}
