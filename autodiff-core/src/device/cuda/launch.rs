//! Modules of kernels, their arguments, and launches.

use super::*;
use core::any::TypeId;
use core::mem::Discriminant;
use differentiable_gpu::{Arg, source};

/// Threads of a block where a kernel does not ask for another number.
pub(super) const BLOCK: u32 = 256;

/// What tells a module from all others, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The family of kernels.
    family: &'static str,
    of: Of,
    types: [Option<DType>; 2],
}

/// What a module is about, beside its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Of {
    /// There is one.
    All,
    /// A region, and which of its cotangents are wanted.
    Region(TypeId, u64),
    /// A function of one element with its numbers.
    Unary(Discriminant<UnaryOp>, [u64; 2]),
    /// A function of two elements.
    Binary(BinaryOp, Option<Side>),
    /// Something of a number of kinds.
    Kind(u64),
}

impl Key {
    /// Of elements of one type.
    pub fn new<T: Elem>(family: &'static str, of: Of) -> Self {
        Key { family, of, types: [Some(T::DTYPE), None] }
    }

    /// Of elements of two types, `T` and `U`.
    pub fn pair<T: Elem, U: Elem>(family: &'static str, of: Of) -> Self {
        Key { family, of, types: [Some(T::DTYPE), Some(U::DTYPE)] }
    }

    /// What the text of the module begins with.
    fn head(&self) -> String {
        let mut text = source::BASE.to_owned();
        for (name, dtype) in ["T", "U"].iter().zip(self.types) {
            if let Some(c) = dtype.and_then(c_type) {
                text.push_str(&format!("typedef {c} {name};\n"));
            }
        }
        text
    }
}

/// A type of elements in C++; none of numbers with tangents, which stay with the host.
pub(super) fn c_type(dtype: DType) -> Option<&'static str> {
    Some(match dtype {
        DType::F32 | DType::MixedBf16 | DType::MixedF16 => "float",
        DType::F64 => "double",
        DType::Bf16 => "bf16",
        DType::F16 => "f16",
        DType::I64 => "i64",
        DType::U32 => "u32",
        DType::U8 => "u8",
        DType::Bool => "bool",
        DType::Dual => return None,
    })
}

/// The arguments of a launch, and the layouts of its operands in the order of the nest.
#[derive(Default)]
pub(super) struct Args {
    args: Vec<Arg>,
    layouts: Vec<Layout>,
}

impl Args {
    pub fn number(&mut self, n: usize) -> &mut Self {
        self.push(Arg::I64(n as i64))
    }

    pub fn push(&mut self, arg: Arg) -> &mut Self {
        self.args.push(arg);
        self
    }

    /// A buffer that is read.
    pub fn input<T: Elem>(&mut self, x: &View<'_, T, Cuda>) -> &mut Self {
        self.layouts.push(x.layout);
        self.push(Arg::Pointer(x.buf.address()))
    }

    /// A buffer that is written.
    pub fn output<T: Elem>(&mut self, out: &ViewMut<'_, T, Cuda>) -> &mut Self {
        self.layouts.push(out.layout);
        self.push(Arg::Pointer(out.buf.address()))
    }

    /// `Operand<T>`: an operand of an elementwise operation with this result.
    pub fn operand<T: Elem>(&mut self, x: &Operand<'_, T, Cuda>, out: (u64, Layout)) -> &mut Self {
        let (address, layout, number) = match x {
            Operand::View(x) => (x.buf.address(), x.layout, None),
            Operand::Scalar(x) => (0, Layout::dense(Dims::SCALAR), Some(*x)),
            Operand::Output => (out.0, out.1, None),
        };
        self.layouts.push(layout);
        let mut bytes = address.to_ne_bytes().to_vec();
        let size = size_of::<T>().max(8);
        bytes.resize(8 + size, 0);
        if let Some(x) = number {
            value_bytes(x, &mut bytes[8..]);
        }
        self.push(Arg::Bytes(bytes))
    }

    /// `T`: a number.
    pub fn value<T: Elem>(&mut self, x: T) -> &mut Self {
        let mut bytes = vec![0; size_of::<T>()];
        value_bytes(x, &mut bytes);
        self.push(Arg::Bytes(bytes))
    }

    /// `Nest<K>`: the loops over these sizes with all operands until now.
    pub fn nest(&mut self, dims: &Dims) -> &mut Self {
        let bytes = nest::nest(dims, &self.layouts);
        self.push(Arg::Bytes(bytes))
    }
}

/// The bytes of a number as C++ has it.
fn value_bytes<T: Elem>(x: T, to: &mut [u8]) {
    let mut put = |bytes: &[u8]| to[..bytes.len()].copy_from_slice(bytes);
    match T::DTYPE {
        DType::F32 | DType::MixedBf16 | DType::MixedF16 => put(&(x.to_f64() as f32).to_ne_bytes()),
        DType::F64 => put(&x.to_f64().to_ne_bytes()),
        DType::Bf16 => put(&half::bf16::from_f64(x.to_f64()).to_bits().to_ne_bytes()),
        DType::F16 => put(&half::f16::from_f64(x.to_f64()).to_bits().to_ne_bytes()),
        DType::I64 => put(&x.to_i64().to_ne_bytes()),
        DType::U32 => put(&(x.to_i64() as u32).to_ne_bytes()),
        DType::U8 | DType::Bool => put(&[x.to_i64() as u8]),
        DType::Dual => unreachable!("numbers with tangents stay with the host"),
    }
}

impl Cuda {
    /// Blocks for so many threads. A kernel goes on with the grid's step, so there need not be more than the machine can hold.
    pub(super) fn grid(&self, threads: usize) -> [u32; 3] {
        let blocks = threads.div_ceil(BLOCK as usize).clamp(1, 1 << 16);
        [blocks as u32, 1, 1]
    }

    /// Runs a kernel. `text` is what follows the types of the module; it is compiled once for a key.
    pub(super) fn launch(
        &self,
        key: Key,
        kernel: &'static str,
        text: impl FnOnce() -> String,
        grid: [u32; 3],
        block: u32,
        args: &Args,
    ) {
        let module = self.gpu.module(key, || key.head() + &text());
        let ran = module.and_then(|m| self.gpu.launch(&m, kernel, grid, block, 0, &args.args));
        if let Err(error) = ran {
            self.fails(DeviceError::Gpu(error));
        }
    }
}
