//! Blocks of device memory, handed out again in the order of the stream.
//!
//! A block that is given back may be handed out at once, although work that uses it is still queued: whatever uses it next is queued
//! behind that work.

use super::arena::{Arena, class, kind, segment};
use super::driver::DeviceMemory;
use crate::context::Context;
use crate::counters::MemoryCounters;
use crate::error::GpuError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How a pool gets its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryMode {
    /// Blocks are parts of large segments: fast.
    #[default]
    Segments,
    /// Each buffer is an allocation of its own, given back at the next wait: tools such as the emulator and
    /// compute-sanitizer then see what reads or writes beside a buffer. `DIFFERENTIABLE_MEMORY=exact` asks for it.
    Exact,
}

#[derive(Default)]
struct State {
    arena: Arena,
    /// Segments, or the allocations of single blocks.
    memory: HashMap<u64, DeviceMemory>,
    /// Single blocks that are given back and may still be in use by queued work.
    parting: Vec<DeviceMemory>,
}

pub(crate) struct Pool {
    context: Arc<Context>,
    mode: MemoryMode,
    /// The pool of a graph, which keeps its memory for the next replay.
    pub(crate) private: bool,
    counters: Arc<MemoryCounters>,
    state: Mutex<State>,
}

impl Pool {
    pub(crate) fn new(
        context: &Arc<Context>,
        mode: MemoryMode,
        private: bool,
        counters: &Arc<MemoryCounters>,
    ) -> Arc<Self> {
        let (context, counters) = (context.clone(), counters.clone());
        Arc::new(Self {
            context,
            mode,
            private,
            counters,
            state: Mutex::default(),
        })
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block of at least so many bytes. `None` if the driver has no more memory.
    pub(crate) fn take(&self, bytes: usize) -> Result<Option<Block>, GpuError> {
        let mut state = self.state();
        let (address, reserved) = match self.mode {
            MemoryMode::Exact => {
                let Some(memory) = self.allocate(bytes.max(1))? else {
                    return Ok(None);
                };
                let address = memory.address;
                state.memory.insert(address, memory);
                (address, bytes.max(1))
            }
            MemoryMode::Segments => {
                let class = class(bytes);
                let address = match state.arena.take(class) {
                    Some(address) => address,
                    None => {
                        // Rather a segment that fits than none.
                        let sizes = [segment(class), class.next_multiple_of(2 << 20)];
                        let mut found = None;
                        for size in sizes {
                            found = self.allocate(size)?;
                            if found.is_some() {
                                break;
                            }
                        }
                        let Some(memory) = found else { return Ok(None) };
                        state
                            .arena
                            .add_segment(memory.address, memory.bytes, kind(class));
                        state.memory.insert(memory.address, memory);
                        state.arena.take(class).unwrap_or_default()
                    }
                };
                (address, state.arena.bytes(address))
            }
        };
        self.counters.taken(reserved);
        Ok(Some(Block {
            address,
            bytes: reserved,
        }))
    }

    fn allocate(&self, bytes: usize) -> Result<Option<DeviceMemory>, GpuError> {
        let memory = DeviceMemory::new(&self.context, bytes)?;
        if memory.is_some() {
            self.counters.reserved(bytes);
        }
        Ok(memory)
    }

    pub(crate) fn give(&self, block: Block) {
        let mut state = self.state();
        self.counters.given(block.bytes);
        match self.mode {
            MemoryMode::Segments => state.arena.give(block.address),
            MemoryMode::Exact => {
                let memory = state.memory.remove(&block.address);
                state.parting.extend(memory);
            }
        }
    }

    fn release(&self, memory: Vec<DeviceMemory>) {
        memory
            .iter()
            .for_each(|memory| self.counters.released(memory.bytes));
    }

    /// Gives single blocks back to the driver, after a wait for all that was queued before they were given back.
    pub(crate) fn part(&self) {
        if !self.private {
            let parting = std::mem::take(&mut self.state().parting);
            self.release(parting);
        }
    }

    /// Gives all memory back that no block uses, after a wait for all that was queued. Says whether there was any.
    pub(crate) fn trim(&self) -> bool {
        let mut state = self.state();
        let mut free = std::mem::take(&mut state.parting);
        for address in state.arena.remove_free_segments() {
            free.extend(state.memory.remove(&address));
        }
        drop(state);
        let any = !free.is_empty();
        self.release(free);
        any
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Work may still use the blocks: the driver waits for the device before it takes memory back. To wait for the context
        // here would end the capture of another thread.
        let state = std::mem::take(self.state.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.release(state.memory.into_values().chain(state.parting).collect());
    }
}

/// A part of the device's memory.
pub(crate) struct Block {
    pub(crate) address: u64,
    pub(crate) bytes: usize,
}
