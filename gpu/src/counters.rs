//! What has been done and what is in use: tests compare these numbers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Numbers that count.
macro_rules! counters {
    ($(#[$doc:meta])* $snapshot:ident, $(#[$inner_doc:meta])* $atomics:ident { $($(#[$field_doc:meta])* $name:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $snapshot { $($(#[$field_doc])* pub $name: u64,)* }

        $(#[$inner_doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $atomics { $(pub(crate) $name: AtomicU64,)* }

        impl $atomics {
            pub(crate) fn snapshot(&self) -> $snapshot {
                $snapshot { $($name: self.$name.load(Relaxed),)* }
            }
        }
    };
}

counters! {
    /// What a device has been asked to do since it was opened.
    Counters,
    /// The same, as it goes on.
    WorkCounters {
        /// Launches of kernels, those in replayed graphs included, products not.
        launches,
        /// Products of matrices, those in replayed graphs not included.
        products,
        /// Calls of `upload`.
        uploads,
        /// Bytes that went to the device.
        uploaded_bytes,
        /// Calls of `download`.
        downloads,
        /// Bytes that came from the device.
        downloaded_bytes,
        /// Copies on the device.
        copies,
        /// Fills.
        fills,
        /// Waits of the host for the device.
        host_waits,
        /// Replays of graphs.
        replays,
        /// Modules that were compiled.
        compiled,
        /// Modules that the cache on disk had.
        cached,
    }
}

counters! {
    /// The memory of a device that its buffers and pools use.
    MemoryUse,
    /// The same, as it changes.
    MemoryCounters {
        /// Buffers.
        buffers,
        /// Bytes of the buffers, rounded up as the pool does.
        bytes,
        /// The most that `bytes` has been.
        peak_bytes,
        /// Allocations that the driver has made for the pools.
        segments,
        /// Their bytes.
        segment_bytes,
    }
}

pub(crate) fn add(counter: &AtomicU64, n: usize) {
    counter.fetch_add(n as u64, Relaxed);
}

impl MemoryCounters {
    pub(crate) fn taken(&self, bytes: usize) {
        self.buffers.fetch_add(1, Relaxed);
        let now = self.bytes.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        self.peak_bytes.fetch_max(now, Relaxed);
    }
    pub(crate) fn given(&self, bytes: usize) {
        self.buffers.fetch_sub(1, Relaxed);
        self.bytes.fetch_sub(bytes as u64, Relaxed);
    }
    pub(crate) fn reserved(&self, bytes: usize) {
        self.segments.fetch_add(1, Relaxed);
        self.segment_bytes.fetch_add(bytes as u64, Relaxed);
    }
    pub(crate) fn released(&self, bytes: usize) {
        self.segments.fetch_sub(1, Relaxed);
        self.segment_bytes.fetch_sub(bytes as u64, Relaxed);
    }
}
