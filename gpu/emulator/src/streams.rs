//! Streams, events and capture. Work waits in its stream until something waits for it.

use crate::device::{
    CAPTURE_INVALIDATED, CAPTURE_UNSUPPORTED, Code, Handle, INVALID_HANDLE, NOT_READY, OK, code,
    current, failed, lock, next,
};
use crate::settings::SETTINGS;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError};

/// Work of a stream. Graphs run it again.
pub type Work = Arc<dyn Fn() + Send + Sync>;

/// What a stream records in the place of running it.
#[derive(Default)]
pub struct Capture {
    pub work: Vec<Work>,
    lost: bool,
}

pub struct Stream {
    pub device: usize,
    queue: Mutex<VecDeque<Work>>,
    /// Whether a thread runs the queue.
    busy: Mutex<bool>,
    /// Something was done, or the thread that ran the queue ended.
    moved: Condvar,
    pushed: AtomicU64,
    done: AtomicU64,
    capture: Mutex<Option<Capture>>,
}

/// The turn of a thread that runs the queue of a stream, which ends when it is dropped.
struct Turn<'a>(&'a Stream);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(&self.0.busy) = false;
        self.0.moved.notify_all();
    }
}

/// The place in a stream at which an event was recorded.
type Place = Option<(Arc<Stream>, u64)>;

static STREAMS: LazyLock<Mutex<HashMap<usize, Arc<Stream>>>> = LazyLock::new(Default::default);
static EVENTS: LazyLock<Mutex<HashMap<usize, Place>>> = LazyLock::new(Default::default);

const RELAXED: u32 = 2;
thread_local! {
    /// Streams that this thread captures.
    static CAPTURING: RefCell<Vec<Arc<Stream>>> = const { RefCell::new(Vec::new()) };
    static MODE: Cell<u32> = const { Cell::new(0) };
}

pub fn live() -> (u64, u64) {
    (lock(&STREAMS).len() as u64, lock(&EVENTS).len() as u64)
}

pub fn find(stream: Handle) -> Result<Arc<Stream>, Code> {
    lock(&STREAMS)
        .get(&(stream as usize))
        .cloned()
        .ok_or(INVALID_HANDLE)
}

impl Stream {
    fn new(device: usize) -> Self {
        Stream {
            device,
            queue: Mutex::default(),
            busy: Mutex::default(),
            moved: Condvar::new(),
            pushed: AtomicU64::new(0),
            done: AtomicU64::new(0),
            capture: Mutex::default(),
        }
    }

    /// Runs what was queued, up to a number of operations in all.
    fn run_to(&self, count: u64) {
        if !self.begin(count) {
            return;
        }
        let _turn = Turn(self);
        while self.done.load(SeqCst) < count {
            let Some(work) = lock(&self.queue).pop_front() else {
                return;
            };
            // After a failure nothing runs any more.
            if failed(self.device) == OK {
                work();
            }
            let busy = lock(&self.busy);
            self.done.fetch_add(1, SeqCst);
            self.moved.notify_all();
            drop(busy);
        }
    }

    /// Waits until nobody runs the queue and takes the turn, or until so much is done: then the answer is `false`. Who has the
    /// turn may wait for a stream that this thread runs, after it has done here what this thread asks for.
    fn begin(&self, count: u64) -> bool {
        let mut busy = lock(&self.busy);
        loop {
            if self.done.load(SeqCst) >= count {
                return false;
            }
            if !*busy {
                *busy = true;
                return true;
            }
            busy = self
                .moved
                .wait(busy)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub fn drain(&self) {
        self.run_to(self.pushed.load(SeqCst));
    }

    pub fn capturing(&self) -> bool {
        lock(&self.capture).is_some()
    }

    /// Ends a capture in failure, as calls do that wait.
    pub fn lose_capture(&self) -> Code {
        if let Some(capture) = &mut *lock(&self.capture) {
            capture.lost = true;
        }
        CAPTURE_UNSUPPORTED
    }

    pub fn enqueue(&self, work: Work) -> Result<(), Code> {
        if failed(self.device) != OK {
            return Err(failed(self.device));
        }
        if let Some(capture) = &mut *lock(&self.capture) {
            capture.work.push(work);
            return if capture.lost {
                Err(CAPTURE_INVALIDATED)
            } else {
                Ok(())
            };
        }
        lock(&self.queue).push_back(work);
        self.pushed.fetch_add(1, SeqCst);
        if SETTINGS.eager {
            self.drain();
        }
        Ok(())
    }
}

/// Puts work on a stream, or into the graph that it records.
pub fn enqueue(stream: Handle, work: Work) -> Code {
    code(find(stream).and_then(|stream| stream.enqueue(work)))
}

/// Refuses calls that a capture of this thread forbids, unless the thread has relaxed its mode.
pub fn forbidden_in_capture() -> Result<(), Code> {
    // A thread that ends captures no more.
    let checked = CAPTURING.try_with(|streams| {
        let streams = streams.borrow();
        if streams.is_empty() || MODE.get() == RELAXED {
            return Ok(());
        }
        streams.iter().for_each(|stream| {
            stream.lose_capture();
        });
        Err(CAPTURE_UNSUPPORTED)
    });
    checked.unwrap_or(Ok(()))
}

fn of_device() -> Result<(usize, Vec<Arc<Stream>>), Code> {
    let device = current()?;
    let all = lock(&STREAMS);
    let of_device = all.values().filter(|stream| stream.device == device);
    Ok((device, of_device.cloned().collect()))
}

/// Ends all captures of the device in failure; an error if there are any.
pub fn lose_captures() -> Result<(), Code> {
    let (_, all) = of_device()?;
    let mut capturing = all.iter().filter(|stream| stream.capturing()).peekable();
    match capturing.peek() {
        None => Ok(()),
        Some(_) => {
            capturing.for_each(|stream| {
                stream.lose_capture();
            });
            Err(CAPTURE_UNSUPPORTED)
        }
    }
}

pub fn synchronize_device() -> Result<(), Code> {
    forbidden_in_capture()?;
    let (device, all) = of_device()?;
    all.iter()
        .filter(|stream| !stream.capturing())
        .for_each(|stream| stream.drain());
    match failed(device) {
        OK => Ok(()),
        code => Err(code),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuStreamCreate(stream: *mut Handle, _: u32) -> Code {
    let device = match current() {
        Ok(device) => device,
        Err(code) => return code,
    };
    let id = next();
    lock(&STREAMS).insert(id, Arc::new(Stream::new(device)));
    // SAFETY: the caller passes a handle to write to, here and below.
    unsafe { *stream = id as Handle };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuStreamDestroy_v2(stream: Handle) -> Code {
    code(find(stream).map(|found| {
        found.drain();
        lock(&STREAMS).remove(&(stream as usize));
    }))
}
#[unsafe(no_mangle)]
extern "C" fn cuStreamSynchronize(stream: Handle) -> Code {
    let stream = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    if stream.capturing() {
        return stream.lose_capture();
    }
    if let Err(code) = forbidden_in_capture() {
        return code;
    }
    stream.drain();
    failed(stream.device)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cuEventCreate(event: *mut Handle, _: u32) -> Code {
    let id = next();
    lock(&EVENTS).insert(id, None);
    // SAFETY: see above.
    unsafe { *event = id as Handle };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cuEventDestroy_v2(event: Handle) -> Code {
    lock(&EVENTS)
        .remove(&(event as usize))
        .map_or(INVALID_HANDLE, |_| OK)
}
#[unsafe(no_mangle)]
extern "C" fn cuEventRecord(event: Handle, stream: Handle) -> Code {
    let stream = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    if stream.capturing() {
        return stream.lose_capture();
    }
    let place = stream.pushed.load(SeqCst);
    lock(&EVENTS).insert(event as usize, Some((stream, place)));
    OK
}
fn place(event: Handle) -> Place {
    lock(&EVENTS).get(&(event as usize)).cloned().flatten()
}
#[unsafe(no_mangle)]
extern "C" fn cuStreamWaitEvent(stream: Handle, event: Handle, _: u32) -> Code {
    let stream = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    match place(event) {
        Some((other, _)) if Arc::ptr_eq(&other, &stream) => OK,
        Some((other, count)) => code(stream.enqueue(Arc::new(move || other.run_to(count)))),
        None => OK,
    }
}
#[unsafe(no_mangle)]
extern "C" fn cuEventSynchronize(event: Handle) -> Code {
    if let Err(code) = forbidden_in_capture() {
        return code;
    }
    match place(event) {
        Some((stream, count)) => {
            stream.run_to(count);
            failed(stream.device)
        }
        None => OK,
    }
}
/// Says whether the work before the event is done. If it is not, it is done after this, so that a program that asks again
/// and again goes on.
#[unsafe(no_mangle)]
extern "C" fn cuEventQuery(event: Handle) -> Code {
    match place(event) {
        Some((stream, count)) if stream.done.load(SeqCst) < count => {
            stream.run_to(count);
            NOT_READY
        }
        _ => OK,
    }
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamBeginCapture_v2(stream: Handle, _: u32) -> Code {
    let stream = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    *lock(&stream.capture) = Some(Capture::default());
    CAPTURING.with_borrow_mut(|streams| streams.push(stream));
    OK
}
/// The work that a stream has recorded.
pub fn end_capture(stream: Handle) -> Result<Vec<Work>, Code> {
    let stream = find(stream)?;
    CAPTURING.with_borrow_mut(|streams| streams.retain(|other| !Arc::ptr_eq(other, &stream)));
    let capture = lock(&stream.capture).take().ok_or(crate::device::INVALID)?;
    if capture.lost {
        Err(CAPTURE_INVALIDATED)
    } else {
        Ok(capture.work)
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cuThreadExchangeStreamCaptureMode(mode: *mut u32) -> Code {
    // SAFETY: the caller passes the new mode, and gets the old one there.
    unsafe { *mode = MODE.replace(*mode) };
    OK
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{channel, sync_channel};
    use std::thread;
    use std::time::Duration;

    /// One thread runs a stream and waits for the first work of the other; the thread that runs the other goes on to work that
    /// waits for the first stream.
    #[test]
    fn streams_wait_for_each_other_on_two_threads() {
        let (a, b) = (Arc::new(Stream::new(0)), Arc::new(Stream::new(0)));
        let (asked, asks) = sync_channel(0);
        let asks = Mutex::new(asks);
        let (there, back) = (Arc::clone(&b), Arc::clone(&a));
        a.enqueue(Arc::new(move || {
            asked.send(()).unwrap();
            there.run_to(1);
        }))
        .unwrap();
        b.enqueue(Arc::new(move || {
            lock(&asks).recv().unwrap();
            // By now the other thread waits.
            thread::sleep(Duration::from_millis(50));
        }))
        .unwrap();
        b.enqueue(Arc::new(move || back.run_to(1))).unwrap();
        let (ended, ends) = channel();
        for stream in [b, a] {
            let ended = ended.clone();
            thread::spawn(move || {
                stream.drain();
                ended.send(()).unwrap();
            });
            // The one that is waited for begins.
            thread::sleep(Duration::from_millis(20));
        }
        for _ in 0..2 {
            ends.recv_timeout(Duration::from_secs(20))
                .expect("neither stream stops the other");
        }
    }
}
