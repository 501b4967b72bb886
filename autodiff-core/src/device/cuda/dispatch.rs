//! Which method has a kernel, and what is done with the others.
//!
//! A method with a kernel has a line in [`on_cuda`], and a function of its name in one of the modules here. Where the elements
//! are numbers with tangents, and for every method without a line, the operands go to the host and back
//! ([`host`](super::super::host)), which is counted; those that can be composed of others are.

use super::*;
use crate::device::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use crate::device::fourier::methods_of_fourier;
use crate::device::images::methods_of_images;
#[cfg(feature = "linalg")]
use crate::device::linalg::methods_of_linalg;
use launch::c_type;

/// Through the host.
macro_rules! via_host {
    ($this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {{
        *$this.state().via_host.entry(stringify!($name)).or_default() += 1;
        $( let mut $x = Staged::<Cuda>::stage($x, $this); )*
        let result = Cpu.$name($($p,)* $(OnHost::<Cuda>::lend(&mut $x)),*);
        $( OnHost::<Cuda>::settle($x, $this); )*
        result
    }};
}

macro_rules! on_cuda {
    // Where the elements are `T`s.
    (@kernel $module:ident; $this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {
        if c_type(T::DTYPE).is_some() {
            $module::$name($this, $($p,)* $($x),*)
        } else {
            via_host!($this $name [$($p),*] [$($x),*])
        }
    };
    ($this:ident fill $p:tt $x:tt) => { on_cuda!(@kernel elementwise; $this fill $p $x) };
    ($this:ident $name:ident $p:tt $x:tt) => { via_host!($this $name $p $x) };
}
