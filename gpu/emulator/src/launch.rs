//! Launches.

use crate::device::{Code, Handle, INVALID, INVALID_HANDLE, code, fail};
use crate::machine::{Launch, run};
use crate::modules::function;
use crate::settings::order;
use crate::streams::find;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

static LAUNCHES: AtomicU64 = AtomicU64::new(0);

#[unsafe(no_mangle)]
unsafe extern "C" fn cuLaunchKernel(
    handle: Handle,
    grid_x: u32,
    grid_y: u32,
    grid_z: u32,
    block_x: u32,
    block_y: u32,
    block_z: u32,
    shared: u32,
    stream: Handle,
    arguments: *mut *mut u8,
    _: *mut Handle,
) -> Code {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let threads = block.iter().map(|n| u64::from(*n)).product::<u64>();
    if grid.contains(&0)
        || grid_y > 65535
        || grid_z > 65535
        || threads == 0
        || threads > 1024
        || shared > 227 << 10
    {
        return INVALID;
    }
    let Some(kernel) = function(handle) else {
        return INVALID_HANDLE;
    };
    let on = match find(stream) {
        Ok(stream) => stream,
        Err(code) => return code,
    };
    // The arguments are read now, as on a card.
    let values = kernel.sizes.iter().enumerate().map(|(at, bytes)| {
        let mut words = vec![0u128; bytes.div_ceil(16).max(1)];
        // SAFETY: the caller passes an address for each parameter, with as many bytes as the parameter has.
        unsafe {
            std::ptr::copy_nonoverlapping(*arguments.add(at), words.as_mut_ptr().cast(), *bytes)
        };
        words
    });
    let values: Vec<Vec<u128>> = values.collect();
    let device = on.device;
    code(on.enqueue(Arc::new(move || {
        let launch = Launch {
            body: kernel.enter,
            bind: kernel.bind,
            grid,
            block,
            shared: shared as usize,
            statics: (kernel.statics.0 as *mut u8, kernel.statics.1),
            order: order(),
            seed: LAUNCHES
                .fetch_add(1, SeqCst)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let mut pointers: Vec<Handle> = values
            .iter()
            .map(|words| words.as_ptr() as Handle)
            .collect();
        let _alone = crate::device::lock(&kernel.alone);
        // SAFETY: values of the sizes that the kernel declares; the lock keeps other launches of the module away.
        if let Err(text) = unsafe { run(&launch, &mut pointers) } {
            fail(device, &format!("kernel `{}`, {text}", kernel.name));
        }
    })))
}
