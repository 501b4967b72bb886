//! Pinned memory through which uploads go.

use super::driver::Pinned;
use crate::context::Context;
use crate::error::GpuError;
use crate::stream::{Event, Stream};
use std::sync::Arc;

/// The bytes of a stage.
pub(crate) const STAGE: usize = 4 << 20;

/// Two stages: one is filled while the device copies from the other. Small uploads share a stage.
#[derive(Default)]
pub(crate) struct Staging {
    stages: Vec<Stage>,
    current: usize,
    /// Bytes of the current stage in use.
    used: usize,
}

struct Stage {
    memory: Pinned,
    /// The copies from this stage before it was left.
    copied: Event,
}

impl Staging {
    /// Room for at most so many bytes, and how many these are. `waited` is called if the device has yet to copy what is there.
    pub(crate) fn room(
        &mut self,
        context: &Arc<Context>,
        stream: &Stream,
        bytes: usize,
        waited: &mut dyn FnMut(),
    ) -> Result<(*mut u8, usize), GpuError> {
        const ALIGNMENT: usize = 64;
        while self.stages.len() < 2 {
            self.stages.push(Stage {
                memory: Pinned::new(context, STAGE)?,
                copied: Event::new(context)?,
            });
        }
        // What does not fit whole begins a stage of its own.
        if self.used + bytes.min(STAGE) > STAGE {
            self.stages[self.current].copied.record(stream)?;
            self.current = 1 - self.current;
            self.used = 0;
            let copied = &self.stages[self.current].copied;
            if !copied.passed() {
                waited();
                context
                    .driver
                    .check(copied.wait()?, "waiting for an upload")?;
            }
        }
        let count = bytes.min(STAGE);
        // SAFETY: `used` is at most the length of the stage.
        let start = unsafe { self.stages[self.current].memory.start.add(self.used) };
        self.used = (self.used + count).next_multiple_of(ALIGNMENT).min(STAGE);
        Ok((start, count))
    }
}
