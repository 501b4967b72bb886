//! Modules of kernels, their arguments, and launches.

use super::*;
use crate::device::elem::Make;
use crate::device::symbolic::dual;
use core::any::TypeId;
use core::mem::Discriminant;
use differentiable_gpu::text::{BASE, FAULT};
use differentiable_gpu::{Arg, Launch, Place, Product, Source};

/// Threads of a block where a kernel does not ask for another number.
pub(super) const BLOCK: u32 = 256;

/// The operations that report an index, by which kernels number them.
const OPERATIONS: [&str; 9] = [
    "gather",
    "scatter_add",
    "take_along",
    "add_along",
    "put_along",
    "select_axis",
    "add_axis",
    "cross_entropy",
    "attention",
];

/// What kernels of whole numbers call a division by zero.
pub(super) const DIVISION: u32 = u32::MAX;

/// The operation of this number.
pub(super) fn operation(number: u32) -> &'static str {
    OPERATIONS
        .get(number as usize)
        .copied()
        .unwrap_or("an operation")
}

/// The number of an operation that reports an index.
pub(super) fn number_of(operation: &str) -> u32 {
    let at = OPERATIONS.iter().position(|o| *o == operation);
    at.expect("an operation that reports an index") as u32
}

/// What tells a module from all others, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The family of kernels.
    family: &'static str,
    of: Of,
    types: [Option<Make>; 2],
}

/// What a module is about, beside its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    /// There is one.
    All,
    /// A region, and which of its cotangents are wanted.
    Region(TypeId, u64),
    /// A function of one element, and the number that is a part of its kernel.
    Unary(Discriminant<UnaryOp>, i32),
    /// A function of two elements.
    Binary(BinaryOp, Option<Side>),
    /// One of several kinds.
    Kind(u64),
}

impl Key {
    /// Of elements of one type, `T`.
    pub fn new<T: Elem>(family: &'static str, of: Of) -> Self {
        Key {
            family,
            of,
            types: [Some(T::MAKE), None],
        }
    }

    /// Of elements of two types, `T` and `U`.
    pub fn pair<T: Elem, U: Elem>(family: &'static str, of: Of) -> Self {
        Key {
            family,
            of,
            types: [Some(T::MAKE), Some(U::MAKE)],
        }
    }

    fn source(&self, text: &str) -> Source {
        let mut whole = BASE.to_owned() + FAULT;
        let types = || self.types.into_iter().flatten();
        if types().any(|make| make.layers().count() > 0) {
            whole.push_str(dual());
        }
        for (name, make) in ["T", "U"].iter().zip(types()) {
            let c = c_type(make).expect("elements of kernels have a type in C++");
            whole.push_str(&format!("typedef {c} {name};\n"));
        }
        Source::new(self.family, whole + text)
    }
}

/// Whether elements of the type have kernels: of numbers with more bytes, the threads of a block would not have enough
/// shared memory. Those stay with the host.
pub(super) const fn has_kernels<T: Elem>() -> bool {
    size_of::<T>() <= 72 && !T::MAKE.deeper
}

/// A type of elements in C++.
fn c_type(make: Make) -> Option<String> {
    let number = match make.number {
        DType::F32 | DType::MixedBf16 | DType::MixedF16 => "float",
        DType::F64 => "double",
        DType::Bf16 => "bf16",
        DType::F16 => "f16",
        DType::I64 => "i64",
        DType::U32 => "u32",
        DType::U8 => "u8",
        DType::Bool => "bool",
        DType::Dual => return None,
    };
    let layer = |of: String, k| format!("Dual<{of}, {k}>");
    Some(make.layers().fold(number.to_owned(), layer))
}

/// The arguments of a launch in the order of the kernel's parameters, and the layouts of its operands in that of its nest.
#[derive(Default)]
pub(super) struct Args<'a> {
    args: Vec<Arg<'a>>,
    layouts: Vec<Layout>,
    nest: Option<(usize, Vec<u8>)>,
    /// Numbers with tangents, by their positions.
    values: Vec<(usize, Vec<u8>)>,
}

impl<'a> Args<'a> {
    /// Any argument.
    pub fn push(mut self, arg: impl Into<Arg<'a>>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// `i64`.
    pub fn size(self, n: usize) -> Self {
        self.push(n as i64)
    }

    /// `T`.
    pub fn value<T: Elem>(mut self, x: T) -> Self {
        let number = match T::DTYPE {
            DType::F32 | DType::MixedBf16 | DType::MixedF16 => Arg::F32(x.to_f64() as f32),
            DType::F64 => Arg::F64(x.to_f64()),
            DType::Bf16 => Arg::U16(half::bf16::from_f64(x.to_f64()).to_bits()),
            DType::F16 => Arg::U16(half::f16::from_f64(x.to_f64()).to_bits()),
            DType::I64 => Arg::I64(x.to_i64()),
            DType::U32 => Arg::U32(x.to_i64() as u32),
            DType::U8 | DType::Bool => Arg::U8(x.to_i64() as u8),
            DType::Dual => {
                let bytes = buffer::bytes(&[x]).to_vec();
                self.values.push((self.args.len(), bytes));
                Arg::Address(0)
            }
        };
        self.push(number)
    }

    /// `const u64 *`: what is added to seeds.
    pub fn shift(self, shift: Option<&'a Numbers<u64>>) -> Self {
        match shift {
            Some(shift) => self.push(shift.buffer()),
            None => self.push(Arg::Address(0)),
        }
    }

    /// `Fault *`.
    pub fn fault(self) -> Self {
        self.push(Arg::Fault)
    }

    /// `T *`: a whole buffer, from its first element.
    pub fn buffer<T: Elem>(self, buf: &'a CudaBuf<T>) -> Self {
        self.push(buf.memory())
    }

    /// `T *`: the first element of a dense operand.
    pub fn dense<T: Elem>(self, buf: &'a CudaBuf<T>, layout: &Layout) -> Self {
        assert!(layout.is_contiguous(), "this operand is dense");
        let at = layout.offset() * size_of::<T>();
        self.push(buf.memory().at(at))
    }

    /// `T *`: an operand of the nest.
    pub fn operand<T: Elem>(mut self, buf: &'a CudaBuf<T>, layout: Layout) -> Self {
        self.layouts.push(layout);
        self.buffer(buf)
    }

    /// `T *, T`: an operand of the nest, or one number; `out` is the result.
    pub fn element<T: Elem>(
        mut self,
        x: &Operand<'a, T, Cuda>,
        out: (&'a CudaBuf<T>, Layout),
    ) -> Self {
        let zero = T::default();
        match x {
            Operand::View(x) => self.operand(x.buf, x.layout).value(zero),
            Operand::Output => self.operand(out.0, out.1).value(zero),
            Operand::Scalar(x) => {
                self.layouts.push(Layout::dense(Dims::SCALAR));
                self.push(Arg::Address(0)).value(*x)
            }
        }
    }

    /// What was put off until now and is about these operands is done.
    fn settle(&self) {
        optim::settle(self.args.iter().filter_map(|arg| match arg {
            Arg::At(place) => Some(place.buffer.address()),
            _ => None,
        }));
    }

    /// `Nest<K>`: the loops over these sizes, with the operands until now. Once a launch.
    pub fn nest(mut self, dims: &Dims) -> Self {
        self.nest = Some((self.args.len(), nest::nest(dims, &self.layouts)));
        self.push(Arg::Address(0))
    }
}

impl Cuda {
    /// Multiplies matrices, behind what was put off.
    pub(super) fn product<'a>(
        &self,
        product: &Product,
        a: impl Into<Place<'a>>,
        b: impl Into<Place<'a>>,
        out: impl Into<Place<'a>>,
    ) {
        optim::settle_all();
        self.gpu.product(product, a, b, out);
    }

    /// Runs a kernel with so many threads, in blocks of [`BLOCK`]. `text` follows the types of the module; it is compiled once
    /// for a key.
    pub(super) fn run(
        &self,
        key: Key,
        kernel: &'static str,
        text: impl FnOnce() -> String,
        threads: usize,
        args: Args<'_>,
    ) {
        let blocks = threads.div_ceil(BLOCK as usize);
        self.run_blocks(key, kernel, text, [blocks.min(1 << 20), 1, 1], BLOCK, args);
    }

    /// The same with a grid of one's own.
    pub(super) fn run_blocks(
        &self,
        key: Key,
        kernel: &'static str,
        text: impl FnOnce() -> String,
        grid: [usize; 3],
        block: u32,
        args: Args<'_>,
    ) {
        if grid.contains(&0) {
            return;
        }
        args.settle();
        let Args {
            mut args,
            nest,
            values,
            ..
        } = args;
        for (at, bytes) in nest.iter().chain(&values) {
            args[*at] = Arg::Bytes(bytes);
        }
        let source = || key.source(&text());
        let module = self.gpu.module(differentiable_gpu::Key::of(key), source);
        let launch = Launch {
            grid: grid.map(|n| n as u32),
            block: [block, 1, 1],
            shared: 0,
        };
        match module.and_then(|m| m.kernel(kernel)) {
            // SAFETY: each operation has the arguments of its kernel beside the kernel's text, with operands that lie in their
            // buffers; a kernel touches what their layouts name.
            Ok(kernel) => unsafe { self.gpu.launch(&kernel, launch, &args) },
            Err(error) => self.fails(error),
        }
    }
}
