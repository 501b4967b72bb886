//! Graphs: a sequence of work that is captured once and replayed.

use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::{Gpu, Work};
use crate::kernel::Plain;
use crate::memory::{Buffer, Memory, Place, Pool};
use cudarc::driver::sys::{CUgraph, CUgraphExec, CUstreamCaptureMode};
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{self, ThreadId};

/// What is noted while a graph is captured.
pub(crate) struct Capture {
    thread: ThreadId,
    pub(crate) pool: Arc<Pool>,
    /// Memory that the graph uses and that is not its own.
    held: Vec<Arc<Memory>>,
    /// The first thing that the graph cannot do, or another error.
    pub(crate) refused: Option<GpuError>,
    faults: bool,
    kernels: Vec<Arc<str>>,
}

impl Capture {
    /// Whether this thread captures.
    pub(crate) fn is_mine(&self) -> bool {
        self.thread == thread::current().id()
    }
}

impl Work {
    /// Keeps memory for as long as the graph that is captured.
    pub(crate) fn hold(&mut self, place: &Place<'_>) {
        if let Some(capture) = &mut self.capture {
            let memory = &place.buffer.memory;
            // What the graph's own pool hands out stays there, and may be used again within the graph.
            if !Arc::ptr_eq(&memory.pool, &capture.pool)
                && !capture.held.iter().any(|held| Arc::ptr_eq(held, memory))
            {
                capture.held.push(memory.clone());
            }
        }
    }

    /// Notes that a kernel may report an index.
    pub(crate) fn arm(&mut self) {
        match &mut self.capture {
            Some(capture) => capture.faults = true,
            None => self.faults = true,
        }
    }

    /// Notes a launch, for the message of an error that comes later.
    pub(crate) fn launched(&mut self, name: &Arc<str>) {
        const MOST: usize = 8;
        if let Some(capture) = &mut self.capture {
            capture.kernels.push(name.clone());
            return;
        }
        if self.recent.last().is_none_or(|last| last != name) {
            if self.recent.len() == MOST {
                self.recent.remove(0);
            }
            self.recent.push(name.clone());
        }
    }
}

/// Work that was captured. It can be replayed with other contents of the buffers outside it, and of [`Numbers`].
///
/// It keeps the buffers that it uses.
pub struct Graph {
    executable: CUgraphExec,
    faults: bool,
    kernels: Vec<Arc<str>>,
    _held: Vec<Arc<Memory>>,
    _pool: Arc<Pool>,
    gpu: Arc<Gpu>,
}

// SAFETY: a graph is launched under the lock of its device.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.gpu.context.bind().is_ok() {
            // SAFETY: instantiated by `capture`. The driver waits for what runs before it takes the memory back.
            unsafe { (self.gpu.driver().cuGraphExecDestroy)(self.executable) };
        }
    }
}

/// Ends a capture that a panic leaves.
struct Ending<'a> {
    gpu: &'a Gpu,
    ended: bool,
}

impl Ending<'_> {
    fn end(&mut self) -> (Option<Capture>, CUgraph, u32) {
        self.ended = true;
        let mut work = self.gpu.lock();
        let mut graph = null_mut();
        // SAFETY: this thread has begun the capture; there is a handle to write to.
        let code =
            unsafe { (self.gpu.driver().cuStreamEndCapture)(self.gpu.stream.raw, &mut graph) };
        let capture = work.capture.take();
        self.gpu.captured.notify_all();
        (capture, graph, code)
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if !self.ended {
            let (_, graph, _) = self.end();
            destroy(self.gpu, graph);
        }
    }
}

fn destroy(gpu: &Gpu, graph: CUgraph) {
    if !graph.is_null() {
        // SAFETY: from the end of a capture.
        unsafe { (gpu.driver().cuGraphDestroy)(graph) };
    }
}

impl Gpu {
    /// Captures what `f` queues from this thread; none of it runs now. Other threads that queue work wait meanwhile.
    ///
    /// `f` cannot read from the device, wait for it, or upload: these are errors there, and of the capture. Memory that it
    /// allocates belongs to the graph and keeps its address; a buffer that `f` returns has the results after each replay.
    pub fn capture<R>(self: &Arc<Self>, f: impl FnOnce() -> R) -> Result<(Graph, R), GpuError> {
        {
            let mut work = self.enter_outside_capture("a capture")?;
            if let Some(late) = work.late.take() {
                return Err(late);
            }
            let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
            // SAFETY: the stream is alive and belongs to this device.
            let code = unsafe { (self.driver().cuStreamBeginCapture_v2)(self.stream.raw, mode) };
            self.driver().check(code, "capturing a graph")?;
            work.capture = Some(Capture {
                thread: thread::current().id(),
                pool: Pool::new(
                    &self.context,
                    self.setup.memory,
                    true,
                    &self.memory_counters,
                ),
                held: Vec::new(),
                refused: None,
                faults: false,
                kernels: Vec::new(),
            });
        }
        let mut ending = Ending {
            gpu: self,
            ended: false,
        };
        let result = f();
        let (capture, graph, code) = ending.end();
        let made = self.instantiate(capture, graph, code);
        destroy(self, graph);
        Ok((made?, result))
    }

    fn instantiate(
        self: &Arc<Self>,
        capture: Option<Capture>,
        graph: CUgraph,
        code: u32,
    ) -> Result<Graph, GpuError> {
        let Some(capture) = capture else {
            return Err(GpuError::Capturing {
                what: "a second end",
            });
        };
        if let Some(refused) = capture.refused {
            return Err(refused);
        }
        self.driver().check(code, "capturing a graph")?;
        let mut executable = null_mut();
        // SAFETY: the graph is alive; there is a handle to write to.
        let code =
            unsafe { (self.driver().cuGraphInstantiateWithFlags)(&mut executable, graph, 0) };
        self.driver().check(code, "making a graph ready")?;
        Ok(Graph {
            executable,
            faults: capture.faults,
            kernels: capture.kernels,
            _held: capture.held,
            _pool: capture.pool,
            gpu: self.clone(),
        })
    }

    /// Keeps a buffer for as long as the graph that this thread captures, if it does. Launches do so for the buffers that
    /// they are given; this is for pointers within structs.
    pub fn hold(&self, buffer: &Buffer) {
        let mut work = self.lock();
        if work.capture.as_ref().is_some_and(Capture::is_mine) {
            work.hold(&buffer.into());
        }
    }
}

impl Graph {
    /// Runs it behind all that was queued. Errors come out of the next [`Gpu::download`] or [`Gpu::synchronise`].
    pub fn replay(&self) {
        self.gpu.queue(|work| {
            if let Some(capture) = &mut work.capture {
                let error = GpuError::Capturing { what: "a replay" };
                capture.refused.get_or_insert(error.clone());
                return Err(error);
            }
            work.faults |= self.faults;
            self.kernels.iter().for_each(|name| work.launched(name));
            add(&self.gpu.counters.replays, 1);
            self.gpu
                .counters
                .launches
                .fetch_add(self.kernels.len() as u64, Relaxed);
            // SAFETY: the graph and the stream are alive; the graph keeps the memory that it uses.
            let code =
                unsafe { (self.gpu.driver().cuGraphLaunch)(self.executable, self.gpu.stream.raw) };
            self.gpu.sort(work, code, "replaying a graph")
        });
    }

    /// How many kernels it launches, products and copies not counted.
    pub fn launches(&self) -> usize {
        self.kernels.len()
    }
}

/// Numbers on the device that change between replays: the rate, the step, the seed. Kernels take a pointer to them.
pub struct Numbers<T> {
    buffer: Buffer,
    of: PhantomData<fn(T)>,
}

impl<T> std::fmt::Debug for Numbers<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Numbers({:#x})", self.buffer.address())
    }
}

impl<T: Plain> Numbers<T> {
    /// Memory for the numbers, with their first values.
    pub fn new(gpu: &Arc<Gpu>, value: T) -> Result<Self, GpuError> {
        let numbers = Self {
            buffer: gpu.alloc(size_of::<T>())?,
            of: PhantomData,
        };
        numbers.set(value);
        Ok(numbers)
    }

    /// Writes them for what is queued from now on. What was queued before has the old ones.
    pub fn set(&self, value: T) {
        self.buffer.gpu().upload(&self.buffer, value.bytes());
    }

    /// Where they are.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}
