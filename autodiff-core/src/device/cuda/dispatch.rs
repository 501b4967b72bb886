//! Which method has a kernel, and what is done with the others.
//!
//! A method with a kernel has a line in [`on_cuda`], and a function of its name in one of the modules here. Where the elements
//! are numbers with tangents, and for every method without a line, the operands go to the host and back
//! ([`host`](super::super::host)), which is counted.

use super::*;
use crate::device::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use crate::device::fourier::methods_of_fourier;
use crate::device::images::methods_of_images;
#[cfg(feature = "linalg")]
use crate::device::linalg::methods_of_linalg;
use buffer::Store;
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

/// By a kernel where the elements, `T`, have a type in C++.
macro_rules! kernel {
    ($module:ident $this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {
        match c_type(T::DTYPE) {
            Some(_) => $module::$name($this, $($p,)* $($x),*),
            None => via_host!($this $name [$($p),*] [$($x),*]),
        }
    };
}

macro_rules! on_cuda {
    ($this:ident fill $p:tt $x:tt) => { kernel!(elementwise $this fill $p $x) };
    ($this:ident compare $p:tt $x:tt) => { kernel!(elementwise $this compare $p $x) };
    ($this:ident select $p:tt $x:tt) => { kernel!(elementwise $this select $p $x) };
    ($this:ident add_scaled $p:tt $x:tt) => { kernel!(elementwise $this add_scaled $p $x) };
    ($this:ident unary $p:tt $x:tt) => { kernel!(elementwise $this unary $p $x) };
    ($this:ident unary_pullback $p:tt $x:tt) => { kernel!(elementwise $this unary_pullback $p $x) };
    ($this:ident binary $p:tt $x:tt) => { kernel!(elementwise $this binary $p $x) };
    ($this:ident binary_pullback $p:tt $x:tt) => { kernel!(elementwise $this binary_pullback $p $x) };
    ($this:ident gemm $p:tt $x:tt) => { kernel!(product $this gemm $p $x) };
    ($this:ident region $p:tt $x:tt) => { kernel!(region $this region $p $x) };
    ($this:ident region_pullback $p:tt $x:tt) => { kernel!(region $this region_pullback $p $x) };
    ($this:ident region_sum $p:tt $x:tt) => { kernel!(region $this region_sum $p $x) };
    ($this:ident region_along $p:tt $x:tt) => { kernel!(region $this region_along $p $x) };
    ($this:ident region_pushforward $p:tt $x:tt) => { kernel!(region $this region_pushforward $p $x) };
    ($this:ident reduce $p:tt $x:tt) => { kernel!(reduce $this reduce $p $x) };
    ($this:ident fold $p:tt $x:tt) => { kernel!(reduce $this fold $p $x) };
    ($this:ident fold_pullback $p:tt $x:tt) => { kernel!(reduce $this fold_pullback $p $x) };
    ($this:ident extreme_pullback $p:tt $x:tt) => { kernel!(reduce $this extreme_pullback $p $x) };
    ($this:ident arg_reduce $p:tt $x:tt) => { kernel!(reduce $this arg_reduce $p $x) };
    ($this:ident softmax $p:tt $x:tt) => { kernel!(rows $this softmax $p $x) };
    ($this:ident softmax_pullback $p:tt $x:tt) => { kernel!(rows $this softmax_pullback $p $x) };
    ($this:ident cross_entropy $p:tt $x:tt) => { kernel!(rows $this cross_entropy $p $x) };
    ($this:ident cross_entropy_pullback $p:tt $x:tt) => { kernel!(rows $this cross_entropy_pullback $p $x) };
    ($this:ident norm $p:tt $x:tt) => { kernel!(norm $this norm $p $x) };
    ($this:ident norm_pullback $p:tt $x:tt) => { kernel!(norm $this norm_pullback $p $x) };
    ($this:ident norm_pushforward $p:tt $x:tt) => { kernel!(norm $this norm_pushforward $p $x) };
    ($this:ident channel_affine $p:tt $x:tt) => { kernel!(norm $this channel_affine $p $x) };
    ($this:ident channel_moments $p:tt $x:tt) => { kernel!(norm $this channel_moments $p $x) };
    ($this:ident gather $p:tt $x:tt) => { kernel!(index $this gather $p $x) };
    ($this:ident select_axis $p:tt $x:tt) => { kernel!(index $this select_axis $p $x) };
    ($this:ident take_along $p:tt $x:tt) => { kernel!(index $this take_along $p $x) };
    ($this:ident scatter_add $p:tt $x:tt) => { kernel!(index $this scatter_add $p $x) };
    ($this:ident add_axis $p:tt $x:tt) => { kernel!(index $this add_axis $p $x) };
    ($this:ident add_along $p:tt $x:tt) => { kernel!(index $this add_along $p $x) };
    ($this:ident put_along $p:tt $x:tt) => { kernel!(index $this put_along $p $x) };
    ($this:ident random $p:tt $x:tt) => { kernel!(random $this random $p $x) };
    ($this:ident dropout $p:tt $x:tt) => { kernel!(random $this dropout $p $x) };
    ($this:ident sgd $p:tt $x:tt) => { kernel!(optim $this sgd $p $x) };
    ($this:ident adam $p:tt $x:tt) => { kernel!(optim $this adam $p $x) };
    ($this:ident scan $p:tt $x:tt) => { kernel!(sequence $this scan $p $x) };
    ($this:ident cumprod_pullback $p:tt $x:tt) => { kernel!(sequence $this cumprod_pullback $p $x) };
    ($this:ident cumprod_pushforward $p:tt $x:tt) => { kernel!(sequence $this cumprod_pushforward $p $x) };
    ($this:ident argsort $p:tt $x:tt) => { kernel!(sequence $this argsort $p $x) };
    ($this:ident triangle $p:tt $x:tt) => { kernel!(sequence $this triangle $p $x) };
    ($this:ident integer $p:tt $x:tt) => { kernel!(sequence $this integer $p $x) };
    ($this:ident conv $p:tt $x:tt) => { kernel!(images $this conv $p $x) };
    ($this:ident conv_input $p:tt $x:tt) => { kernel!(images $this conv_input $p $x) };
    ($this:ident conv_weight $p:tt $x:tt) => { kernel!(images $this conv_weight $p $x) };
    ($this:ident unfold_windows $p:tt $x:tt) => { kernel!(images $this unfold_windows $p $x) };
    ($this:ident fold_windows $p:tt $x:tt) => { kernel!(images $this fold_windows $p $x) };
    ($this:ident pool $p:tt $x:tt) => { kernel!(images $this pool $p $x) };
    ($this:ident pool_pullback $p:tt $x:tt) => { kernel!(images $this pool_pullback $p $x) };
    ($this:ident pool_pushforward $p:tt $x:tt) => { kernel!(images $this pool_pushforward $p $x) };
    ($this:ident resample $p:tt $x:tt) => { kernel!(images $this resample $p $x) };
    ($this:ident resample_pullback $p:tt $x:tt) => { kernel!(images $this resample_pullback $p $x) };
    ($this:ident attention $p:tt $x:tt) => { kernel!(attention $this attention $p $x) };
    ($this:ident attention_pullback $p:tt $x:tt) => { kernel!(attention $this attention_pullback $p $x) };
    ($this:ident attention_pushforward $p:tt $x:tt) => { kernel!(attention $this attention_pushforward $p $x) };
    ($this:ident recurrence $p:tt $x:tt) => { kernel!(recurrent $this recurrence $p $x) };
    ($this:ident recurrence_pullback $p:tt $x:tt) => { kernel!(recurrent $this recurrence_pullback $p $x) };
    ($this:ident recurrence_pushforward $p:tt $x:tt) => { kernel!(recurrent $this recurrence_pushforward $p $x) };
    ($this:ident copy [] [$x:ident, $out:ident]) => { copy($this, $x, $out) };
    ($this:ident cast [] [$x:ident, $out:ident]) => {
        match c_type(T::DTYPE).and(c_type(U::DTYPE)) {
            Some(_) => elementwise::cast($this, $x, $out),
            None => via_host!($this cast [] [$x, $out]),
        }
    };
    // Elements of one type.
    ($this:ident count [] [$x:ident, $out:ident]) => { reduce::count($this, $x, $out) };
    ($this:ident integer_sum [] [$x:ident, $out:ident]) => { reduce::integer_sum($this, $x, $out) };
    ($this:ident $name:ident $p:tt $x:tt) => { via_host!($this $name $p $x) };
}

/// Numbers with tangents are copied where they are.
fn copy<T: Elem>(cuda: &Cuda, x: View<'_, T, Cuda>, out: ViewMut<'_, T, Cuda>) {
    match (&x.buf.store, &mut out.buf.store) {
        (Store::Host(from), Store::Host(to)) => {
            let (x, out) = (
                View {
                    buf: from,
                    layout: x.layout,
                },
                ViewMut {
                    buf: to,
                    layout: out.layout,
                },
            );
            Cpu.copy(x, out);
        }
        _ => elementwise::copy(cuda, x, out),
    }
}

methods_of_backend!(implement_backend [Backend for Cuda: on_cuda {
    type Buf<T: Elem> = CudaBuf<T>;

    fn current() -> Self {
        match Device::current() {
            Device::Cuda(cuda) => cuda,
            _ => Cuda::open(0).unwrap_or_else(|e| panic!("{e}")),
        }
    }
    fn alloc<T: Elem>(&self, len: usize) -> CudaBuf<T> {
        CudaBuf::new(self, len)
    }
    fn len<T: Elem>(buf: &CudaBuf<T>) -> usize {
        buf.len()
    }
    fn upload<T: Elem>(&self, data: &[T]) -> CudaBuf<T> {
        CudaBuf::uploaded(self, data)
    }
    #[track_caller]
    fn download<T: Elem>(&self, x: View<'_, T, Self>) -> Result<Vec<T>, DeviceError> {
        let whole = x.layout.is_contiguous() && x.layout.offset() == 0 && x.layout.numel() == x.buf.len();
        if whole {
            return x.buf.to_host();
        }
        let dense = Layout::dense(*x.layout.dims());
        let mut out = self.alloc(x.layout.numel());
        self.copy(x, ViewMut { buf: &mut out, layout: dense });
        out.to_host()
    }
    #[track_caller]
    fn mirror<'b, T: Elem>(&self, buf: &'b CudaBuf<T>) -> Option<Result<&'b [T], DeviceError>> {
        if buf.mirror.get().is_none() {
            match buf.to_host() {
                Ok(data) => drop(buf.mirror.set(data)),
                Err(e) => return Some(Err(e)),
            }
        }
        buf.mirror.get().map(|data| Ok(&data[..]))
    }
    #[track_caller]
    fn synchronise(&self) -> Result<(), DeviceError> {
        self.fault()?;
        self.gpu.synchronise().map_err(|e| self.error(e))
    }
}]);
methods_of_images!(implement_backend[Images for Cuda: on_cuda {}]);
#[cfg(feature = "linalg")]
methods_of_linalg!(implement_backend[Linalg for Cuda: on_cuda {}]);
#[cfg(feature = "fft")]
methods_of_fourier!(implement_backend[Fourier for Cuda: on_cuda {}]);
