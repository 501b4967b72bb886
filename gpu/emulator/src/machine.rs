//! The multiprocessor: runs one block of a launch at a time, a fiber for each thread.
//!
//! Threads run until they wait, one after the other. When all wait, warps whose threads have met go on, and if there is none, the
//! block whose threads have all come to one barrier. Otherwise they wait for good, and the launch fails.

use crate::fiber::{Stack, switch};
use crate::settings::Order;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const MOST: usize = 1024;
const WARP: usize = 32;

/// What kernels see of the machine: `Machine` in `shim.h`.
#[repr(C)]
pub struct Shared {
    thread: Cell<[u32; 3]>,
    block: Cell<[u32; 3]>,
    block_dim: Cell<[u32; 3]>,
    grid_dim: Cell<[u32; 3]>,
    dynamic: Cell<*mut u8>,
    barrier: extern "sysv64" fn(*const Shared, u32, u32) -> u32,
    warp: extern "sysv64" fn(*const Shared, u32, u32, u64, u32) -> u64,
    lane: Cell<u32>,
}

/// What a warp does together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    Shuffle,
    Vote,
    Wait,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready,
    /// At a barrier of the block in this line.
    Barrier(u32),
    /// At an operation of these lanes of its warp.
    Warp(Meeting, u32),
    Done,
}

#[derive(Clone, Copy)]
struct Thread {
    stack: *mut c_void,
    state: State,
    value: u64,
    from: u32,
    result: u64,
}

const READY: Thread = Thread {
    stack: null_mut(),
    state: State::Ready,
    value: 0,
    from: 0,
    result: 0,
};

/// Fibers and the scheduler share it: all of it is in cells.
pub struct Machine {
    shared: Shared,
    threads: Box<[Cell<Thread>]>,
    count: Cell<usize>,
    stacks: RefCell<Vec<Stack>>,
    current: Cell<usize>,
    home: Cell<*mut c_void>,
    body: Cell<unsafe extern "C" fn(*mut *mut c_void)>,
    arguments: Cell<*mut *mut c_void>,
}

thread_local! {
    static MACHINE: Machine = Machine::new();
    /// The machine whose fibers run.
    static RUNNING: Cell<*const Machine> = const { Cell::new(null()) };
}

/// A launch: what runs, on which sizes.
pub struct Launch {
    pub body: unsafe extern "C" fn(*mut *mut c_void),
    /// Tells the kernel's module where the machine is.
    pub bind: unsafe extern "C" fn(*const Shared),
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: usize,
    /// The static shared memory of the kernel's module.
    pub statics: (*mut u8, usize),
    pub order: Order,
    pub seed: u64,
}

/// Runs all blocks. The error says what went wrong.
///
/// # Safety
/// The arguments are those of the kernel, and nobody else runs a kernel of its module.
pub unsafe fn run(launch: &Launch, arguments: &mut [*mut c_void]) -> Result<(), String> {
    let mut run_on = |machine: &Machine| {
        RUNNING.set(machine);
        // SAFETY: the caller's promise.
        let result = unsafe { machine.run(launch, arguments) };
        RUNNING.set(null());
        result
    };
    // A thread that ends may still wait for its work, after its own machine is gone: its device is dropped then.
    MACHINE
        .try_with(&mut run_on)
        .unwrap_or_else(|_| run_on(&Machine::new()))
}

/// The machine of the fiber that asks.
fn running<'a>() -> &'a Machine {
    // SAFETY: fibers run only inside `Machine::run`, which has set the pointer.
    unsafe { &*RUNNING.get() }
}

extern "sysv64" fn entry() {
    let machine = running();
    // SAFETY: the kernel's entry, and the arguments that `run` was given.
    unsafe { (machine.body.get())(machine.arguments.get()) };
    machine.leave(State::Done);
    unreachable!("a thread that has ended is not run again");
}

extern "sysv64" fn barrier(_: *const Shared, line: u32, vote: u32) -> u32 {
    let machine = running();
    machine.change(machine.current.get(), |thread| {
        thread.value = u64::from(vote)
    });
    machine.leave(State::Barrier(line));
    machine.threads[machine.current.get()].get().result as u32
}

extern "sysv64" fn warp(_: *const Shared, kind: u32, mask: u32, value: u64, from: u32) -> u64 {
    let meeting = [Meeting::Shuffle, Meeting::Vote, Meeting::Wait][kind as usize];
    let machine = running();
    machine.change(machine.current.get(), |thread| {
        (thread.value, thread.from) = (value, from)
    });
    machine.leave(State::Warp(meeting, mask));
    machine.threads[machine.current.get()].get().result
}

impl Machine {
    fn new() -> Self {
        extern "C" fn nothing(_: *mut *mut c_void) {}
        let sizes = || Cell::new([1; 3]);
        let shared = Shared {
            thread: sizes(),
            block: sizes(),
            block_dim: sizes(),
            grid_dim: sizes(),
            dynamic: Cell::new(null_mut()),
            barrier,
            warp,
            lane: Cell::new(0),
        };
        Self {
            shared,
            threads: vec![Cell::new(READY); MOST].into(),
            count: Cell::new(0),
            stacks: RefCell::default(),
            current: Cell::new(0),
            home: Cell::new(null_mut()),
            body: Cell::new(nothing),
            arguments: Cell::new(null_mut()),
        }
    }

    /// The threads of the block.
    fn threads(&self) -> &[Cell<Thread>] {
        &self.threads[..self.count.get()]
    }

    fn change(&self, thread: usize, f: impl FnOnce(&mut Thread)) {
        let mut changed = self.threads[thread].get();
        f(&mut changed);
        self.threads[thread].set(changed);
    }

    /// Goes back to the scheduler until this thread may go on.
    fn leave(&self, state: State) {
        let current = &self.threads[self.current.get()];
        self.change(self.current.get(), |thread| thread.state = state);
        // SAFETY: `home` was saved by the scheduler when it entered this fiber; the first field is the saved stack.
        unsafe { switch(&raw mut (*current.as_ptr()).stack, self.home.get()) };
    }

    unsafe fn run(&self, launch: &Launch, arguments: &mut [*mut c_void]) -> Result<(), String> {
        let count = launch.block.iter().product::<u32>() as usize;
        let blocks = launch.grid.iter().map(|n| *n as usize).product::<usize>();
        assert!(count <= MOST, "checked at the launch");
        self.count.set(count);
        self.body.set(launch.body);
        self.arguments.set(arguments.as_mut_ptr());
        self.shared.block_dim.set(launch.block);
        self.shared.grid_dim.set(launch.grid);
        let mut stacks = self.stacks.borrow_mut();
        while stacks.len() < count {
            stacks.push(Stack::new());
        }
        let mut random = launch.seed | 1;
        let order = permutation(count, launch.order, &mut random);
        let mut dynamic = vec![0u128; launch.shared.div_ceil(16)];
        self.shared.dynamic.set(dynamic.as_mut_ptr().cast());
        // SAFETY: the module's function takes the machine that its kernels are to see.
        unsafe { (launch.bind)(&self.shared) };
        for block in permutation(blocks, launch.order, &mut random) {
            self.shared.block.set(place(block, launch.grid));
            // SAFETY: the shared memory of the launch and of the module, which only this launch uses.
            unsafe {
                std::ptr::write_bytes(self.shared.dynamic.get(), 0xff, dynamic.len() * 16);
                std::ptr::write_bytes(launch.statics.0, 0xff, launch.statics.1);
            }
            for (thread, stack) in self.threads().iter().zip(stacks.iter()) {
                thread.set(Thread {
                    stack: stack.begin(entry),
                    ..READY
                });
            }
            self.run_block(&order)
                .map_err(|text| format!("block {:?}: {text}", self.shared.block.get()))?;
        }
        drop(dynamic);
        Ok(())
    }

    fn run_block(&self, order: &[usize]) -> Result<(), String> {
        loop {
            for &thread in order {
                if self.threads[thread].get().state == State::Ready {
                    self.resume(thread);
                }
            }
            if self
                .threads()
                .iter()
                .all(|thread| thread.get().state == State::Done)
            {
                return Ok(());
            }
            let met = self
                .threads()
                .chunks(WARP)
                .fold(false, |met, lanes| meet(lanes) | met);
            if !met && !self.pass_barrier() {
                return Err(self.stuck());
            }
        }
    }

    fn resume(&self, thread: usize) {
        self.current.set(thread);
        self.shared
            .thread
            .set(place(thread, self.shared.block_dim.get()));
        self.shared.lane.set((thread % WARP) as u32);
        // SAFETY: the thread is ready: its stack was begun, or saved by `leave`.
        unsafe { switch(self.home.as_ptr(), self.threads[thread].get().stack) };
    }

    /// Lets the block go on if all its threads that have not ended wait at one barrier.
    fn pass_barrier(&self) -> bool {
        let alive = || {
            self.threads()
                .iter()
                .filter(|thread| thread.get().state != State::Done)
        };
        let first = alive().next().map(|thread| thread.get().state);
        if !matches!(first, Some(State::Barrier(_)))
            || alive().any(|thread| Some(thread.get().state) != first)
        {
            return false;
        }
        let votes = alive().filter(|thread| thread.get().value != 0).count() as u64;
        alive().for_each(|thread| {
            thread.set(Thread {
                state: State::Ready,
                result: votes,
                ..thread.get()
            })
        });
        true
    }

    /// Where threads wait for good.
    fn stuck(&self) -> String {
        let mut places: Vec<(String, usize)> = Vec::new();
        for thread in self.threads() {
            let text = match thread.get().state {
                State::Barrier(line) => format!("wait at the barrier in line {line}"),
                State::Warp(meeting, mask) => {
                    format!("wait for their warp ({meeting:?}, lanes {mask:08x})")
                }
                State::Done => "have ended".to_owned(),
                State::Ready => continue,
            };
            match places.iter_mut().find(|place| place.0 == text) {
                Some(place) => place.1 += 1,
                None => places.push((text, 1)),
            }
        }
        let places: Vec<String> = places
            .iter()
            .map(|(text, count)| format!("{count} {text}"))
            .collect();
        format!("threads wait for each other: {}", places.join(", "))
    }
}

/// Lets the lanes of a warp go on that wait for each other and are all there.
fn meet(lanes: &[Cell<Thread>]) -> bool {
    let mut met = false;
    for leader in 0..lanes.len() {
        let State::Warp(meeting, mask) = lanes[leader].get().state else {
            continue;
        };
        let state = |lane: usize| lanes[lane].get().state;
        let inside = |lane: usize| mask >> lane & 1 == 1;
        let arrived = (0..lanes.len())
            .filter(|lane| inside(*lane) && state(*lane) != State::Done)
            .all(|lane| state(lane) == State::Warp(meeting, mask));
        if !arrived || !inside(leader) {
            continue;
        }
        met = true;
        let mut together = 0u32;
        let mut votes = 0u64;
        let mut values = [u64::MAX; WARP];
        for (lane, thread) in lanes
            .iter()
            .enumerate()
            .filter(|(lane, _)| state(*lane) == State::Warp(meeting, mask))
        {
            together |= 1 << lane;
            votes |= u64::from(thread.get().value != 0) << lane;
            // A lane that takes no part gives NaN.
            values[lane] = thread.get().value;
        }
        for (_, thread) in lanes
            .iter()
            .enumerate()
            .filter(|(lane, _)| together >> lane & 1 == 1)
        {
            let mut next = thread.get();
            next.state = State::Ready;
            next.result = match meeting {
                Meeting::Vote => votes,
                Meeting::Wait => 0,
                Meeting::Shuffle => values[next.from as usize % WARP],
            };
            thread.set(next);
        }
    }
    met
}

fn place(at: usize, sizes: [u32; 3]) -> [u32; 3] {
    let at = at as u32;
    [
        at % sizes[0],
        at / sizes[0] % sizes[1],
        at / sizes[0] / sizes[1],
    ]
}

fn permutation(count: usize, order: Order, random: &mut u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    match order {
        Order::Forward => {}
        Order::Reverse => all.reverse(),
        Order::Shuffle => {
            for at in (1..count).rev() {
                *random ^= *random << 13;
                *random ^= *random >> 7;
                *random ^= *random << 17;
                all.swap(at, (*random % (at as u64 + 1)) as usize);
            }
        }
    }
    all
}
