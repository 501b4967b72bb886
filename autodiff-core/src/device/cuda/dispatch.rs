//! Which method has a kernel, and what is done with the others.
//!
//! A method with a kernel stands in the table [`kernels`], behind the module that has a function of its name: under `all` if
//! its kernel is for numbers with tangents too, and else under `plain`. For every method without a line, and for numbers with
//! tangents under `plain`, the operands go to the host and back ([`host`](super::super::host)), which is counted.

use super::*;
use crate::device::backend::{implement_backend, methods_of_backend};
#[cfg(feature = "fft")]
use crate::device::fourier::methods_of_fourier;
use crate::device::images::methods_of_images;
#[cfg(feature = "linalg")]
use crate::device::linalg::methods_of_linalg;
use buffer::Store;
use launch::has_kernels;

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

/// By a kernel where the elements, `T`, have one.
macro_rules! kernel {
    (all $module:ident $this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {
        match has_kernels::<T>() {
            true => $module::$name($this, $($p,)* $($x),*),
            false => via_host!($this $name [$($p),*] [$($x),*]),
        }
    };
    (plain $module:ident $this:ident $name:ident [$($p:ident),*] [$($x:ident),*]) => {
        match T::DTYPE != DType::Dual {
            true => $module::$name($this, $($p,)* $($x),*),
            false => via_host!($this $name [$($p),*] [$($x),*]),
        }
    };
}

macro_rules! kernels {
    ($d:tt all { $($module:ident { $($name:ident)* })* } plain { $($plain_module:ident { $($plain:ident)* })* }) => {
        macro_rules! on_cuda {
            $($(($d this:ident $name $d p:tt $d x:tt) => { kernel!(all $module $d this $name $d p $d x) };)*)*
            $($(($d this:ident $plain $d p:tt $d x:tt) => { kernel!(plain $plain_module $d this $plain $d p $d x) };)*)*
            ($d this:ident copy [] [$d x:ident, $d out:ident]) => { copy($d this, $d x, $d out) };
            ($d this:ident cast [] [$d x:ident, $d out:ident]) => {
                match has_kernels::<T>() && has_kernels::<U>() {
                    true => elementwise::cast($d this, $d x, $d out),
                    false => via_host!($d this cast [] [$d x, $d out]),
                }
            };
            // Elements of one type.
            ($d this:ident count [] [$d x:ident, $d out:ident]) => { reduce::count($d this, $d x, $d out) };
            ($d this:ident integer_sum [] [$d x:ident, $d out:ident]) => { reduce::integer_sum($d this, $d x, $d out) };
            ($d this:ident $d name:ident $d p:tt $d x:tt) => { via_host!($d this $d name $d p $d x) };
        }
        /// The methods with a kernel.
        const WITH_KERNEL: &[&str] =
            &["copy", "cast", "count", "integer_sum", $($(stringify!($name),)*)* $($(stringify!($plain)),*),*];
        /// Those of them whose kernels are for plain numbers.
        const PLAIN: &[&str] = &[$($(stringify!($plain)),*),*];
    };
}

// The `$` is for the macro that this one writes.
kernels! { $
    all {
        elementwise { fill compare select add_scaled unary unary_pullback binary binary_pullback }
        product { gemm affine }
        region { region region_pullback region_sum region_along region_pushforward }
        reduce { reduce fold fold_pullback extreme_pullback arg_reduce }
        rows { softmax softmax_pullback cross_entropy cross_entropy_pullback }
        norm { norm norm_pullback norm_pushforward channel_affine channel_moments }
        index { gather select_axis take_along scatter_add add_axis add_along put_along }
        sequence { scan cumprod_pullback cumprod_pushforward triangle }
        images { pool pool_pullback pool_pushforward }
    }
    plain {
        random { random dropout }
        optim { sgd adam }
        sequence { argsort integer }
        images { conv conv_input conv_weight unfold_windows fold_windows resample resample_pullback }
        attention { attention attention_pullback attention_pushforward }
        recurrent { recurrence recurrence_pullback recurrence_pushforward }
    }
}

/// The names of methods.
macro_rules! names {
    ([] $($section:ident { $(
        $(#[$doc:meta])*
        fn $name:ident[$($g:tt)*]($($p:ident: $pt:ty),*; $($x:ident: $xt:ty),*) $(-> $ret:ty)?;
    )* })*) => { &[$($(stringify!($name)),*),*] };
}

impl Cuda {
    /// The operations without a kernel, by the names under which [`via_host`](Cuda::via_host) counts them.
    pub fn without_kernel() -> Vec<&'static str> {
        let methods: &[&[&'static str]] = &[
            methods_of_backend!(names []),
            methods_of_images!(names []),
            #[cfg(feature = "fft")]
            methods_of_fourier!(names []),
            #[cfg(feature = "linalg")]
            methods_of_linalg!(names []),
        ];
        let all = methods.iter().flat_map(|names| names.iter().copied());
        all.filter(|name| !WITH_KERNEL.contains(name)).collect()
    }

    /// The operations with a kernel for plain numbers alone: those of numbers with tangents go through the host, as those of
    /// [`without_kernel`](Cuda::without_kernel) do. All operations of [`Dual`](crate::ad::Dual)s with more than 72 bytes do.
    pub fn without_kernel_for_duals() -> &'static [&'static str] {
        PLAIN
    }
}

/// Numbers that stay with the host are copied where they are.
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
