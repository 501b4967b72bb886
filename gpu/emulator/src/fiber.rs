//! Fibers: one for each CUDA thread of a block, switched by hand.

use std::arch::naked_asm;
use std::ffi::c_void;

const STACK: usize = 256 << 10;
const PAGE: usize = 4096;

/// Saves this stack in `save` and goes on with the stack `load`.
///
/// # Safety
/// `load` comes from [`Stack::begin`] or from an earlier switch, and is used once.
#[unsafe(naked)]
pub unsafe extern "sysv64" fn switch(save: *mut *mut c_void, load: *mut c_void) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Pages for a stack; the lowest cannot be touched.
pub struct Stack(*mut c_void);

impl Stack {
    pub fn new() -> Self {
        let (write, private) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: new pages, of which the lowest is made untouchable.
        unsafe {
            let base = libc::mmap(
                std::ptr::null_mut(),
                STACK,
                write,
                private | libc::MAP_NORESERVE,
                -1,
                0,
            );
            assert!(
                base != libc::MAP_FAILED,
                "the emulator has no memory for the stack of a CUDA thread"
            );
            libc::mprotect(base, PAGE, libc::PROT_NONE);
            Self(base)
        }
    }

    /// What [`switch`] loads so that `entry` begins on this stack. It must not return.
    pub fn begin(&self, entry: extern "sysv64" fn()) -> *mut c_void {
        // SAFETY: the top of the stack, where nothing lives while its fiber does not run: six registers and the address
        // that `switch` returns to, and a word so that `entry` finds the alignment of a call.
        unsafe {
            let top = self.0.byte_add(STACK).cast::<*mut c_void>();
            for at in 1..=8 {
                top.sub(at).write(std::ptr::null_mut());
            }
            top.sub(2).write(entry as *mut c_void);
            top.sub(8).cast()
        }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: from `new`; the fiber has ended or is never entered again.
        unsafe { libc::munmap(self.0, STACK) };
    }
}
