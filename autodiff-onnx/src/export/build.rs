//! Operators with their rules of sizes, as functions of [`Tensor`]s.

use super::ir::{Attr, Id, Ir};
use crate::proto::{ElementType, TensorProto};
use autodiff_core::device::Elem;
use autodiff_core::prelude::{bf16, f16};

/// A value as an operand of sizes `dims`: the value's own sizes may lack leading axes and be 1 where elements repeat. So what
/// is repeated is not written out before an operator needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub id: Id,
    pub dims: Vec<usize>,
}

/// The sizes of two operands together.
pub fn joint(a: &[usize], b: &[usize]) -> Vec<usize> {
    let rank = a.len().max(b.len());
    let at = |x: &[usize], i: usize| (i + x.len()).checked_sub(rank).map_or(1, |i| x[i]);
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (1, n) => n,
            (n, _) => n,
        })
        .collect()
}

/// `dims` without leading sizes of 1.
pub fn trimmed(dims: &[usize]) -> &[usize] {
    let ones = dims.iter().take_while(|&&n| n == 1).count();
    &dims[ones..]
}

/// Numbers as a tensor of any type.
fn tensor(element: ElementType, dims: &[usize], x: &[f64]) -> TensorProto {
    fn of<T: Elem>(dims: &[usize], x: &[f64], as_t: fn(f64) -> T) -> TensorProto {
        let all: Vec<T> = x.iter().map(|&x| as_t(x)).collect();
        TensorProto::new("", dims, &all)
    }
    match element {
        ElementType::F64 => of(dims, x, |x| x),
        ElementType::F16 => of(dims, x, f16::from_f64),
        ElementType::Bf16 => of(dims, x, bf16::from_f64),
        ElementType::I64 => of(dims, x, |x| x as i64),
        ElementType::U32 => of(dims, x, |x| x as u32),
        ElementType::U8 => of(dims, x, |x| x as u8),
        ElementType::Bool => of(dims, x, |x| x != 0.0),
        _ => of(dims, x, |x| x as f32),
    }
}

/// Which arithmetic onnxruntime has for integers: of `i64` alone.
fn is_narrow(element: ElementType) -> bool {
    matches!(element, ElementType::U8 | ElementType::U32)
}

impl Ir {
    /// A result of an operator of one result.
    pub fn make(
        &mut self,
        operator: &'static str,
        inputs: &[Id],
        attributes: &[(&'static str, Attr)],
        element: ElementType,
        dims: &[usize],
    ) -> Id {
        let inputs: Vec<_> = inputs.iter().copied().map(Some).collect();
        self.node(operator, &inputs, attributes, &[(element, dims)])[0]
    }

    pub fn element(&self, x: &Tensor) -> ElementType {
        self.values[x.id].element
    }

    /// A value as it is.
    pub fn whole(&self, id: Id) -> Tensor {
        let dims = self.dims(id).to_vec();
        Tensor { id, dims }
    }

    /// A constant of these numbers.
    pub fn numbers(&mut self, element: ElementType, dims: &[usize], x: &[f64]) -> Tensor {
        let id = self.constant(tensor(element, dims, x));
        self.whole(id)
    }

    /// A number.
    pub fn scalar(&mut self, element: ElementType, x: f64) -> Tensor {
        self.numbers(element, &[], &[x])
    }

    /// Sizes, as an operand.
    pub fn sizes(&mut self, sizes: &[i64]) -> Id {
        self.constant(TensorProto::new("", &[sizes.len()], sizes))
    }

    pub fn sizes_of(&mut self, dims: &[usize]) -> Id {
        let sizes: Vec<i64> = dims.iter().map(|&n| n as i64).collect();
        self.sizes(&sizes)
    }

    /// The number that repeats in all of it.
    pub fn uniform(&self, x: &Tensor) -> Option<f64> {
        self.number(x.id)
    }

    /// A function of one element.
    pub fn unary(&mut self, operator: &'static str, x: &Tensor) -> Tensor {
        self.unary_with(operator, x, &[])
    }

    pub fn unary_with(
        &mut self,
        operator: &'static str,
        x: &Tensor,
        attributes: &[(&'static str, Attr)],
    ) -> Tensor {
        let (element, dims) = (self.element(x), self.dims(x.id).to_vec());
        if let (Some(n), "Neg") = (self.uniform(x), operator) {
            let negative = self.scalar(element, -n);
            return self.repeated(&negative, &x.dims);
        }
        let id = self.make(operator, &[x.id], attributes, element, &dims);
        Tensor {
            id,
            dims: x.dims.clone(),
        }
    }

    /// A function of two elements of a type, to `element`.
    fn binary_to(
        &mut self,
        operator: &'static str,
        a: &Tensor,
        b: &Tensor,
        element: ElementType,
        attributes: &[(&'static str, Attr)],
    ) -> Tensor {
        let own = joint(self.dims(a.id), self.dims(b.id));
        let id = self.make(operator, &[a.id, b.id], attributes, element, &own);
        Tensor {
            id,
            dims: joint(&a.dims, &b.dims),
        }
    }

    /// Arithmetic.
    pub fn binary(&mut self, operator: &'static str, a: &Tensor, b: &Tensor) -> Tensor {
        let element = self.element(a);
        let dims = joint(&a.dims, &b.dims);
        let known = (self.uniform(a), self.uniform(b));
        if let (Some(x), Some(y)) = known {
            let z = match operator {
                "Add" => x + y,
                "Sub" => x - y,
                "Mul" => x * y,
                "Div" if !matches!(element, ElementType::I64) => x / y,
                _ => f64::NAN,
            };
            // Small integers wrap around when they run.
            let exact = !is_narrow(element) && (element != ElementType::I64 || z.abs() < 9e15);
            if exact && !z.is_nan() {
                let z = self.scalar(element, z);
                return self.repeated(&z, &dims);
            }
        }
        match (operator, known) {
            ("Add", (Some(0.0), _)) | ("Mul", (Some(1.0), _)) => return self.repeated(b, &dims),
            ("Add" | "Sub", (_, Some(0.0))) | ("Mul" | "Div", (_, Some(1.0))) => {
                return self.repeated(a, &dims);
            }
            ("Mul", (Some(-1.0), _)) => {
                let b = self.repeated(b, &dims);
                return self.unary("Neg", &b);
            }
            ("Mul", (_, Some(-1.0))) => {
                let a = self.repeated(a, &dims);
                return self.unary("Neg", &a);
            }
            _ => {}
        }
        if is_narrow(element) {
            let [a, b] = [a, b].map(|x| self.cast(x, ElementType::I64));
            let wide = self.binary_to(operator, &a, &b, ElementType::I64, &[]);
            return self.cast(&wide, element);
        }
        self.binary_to(operator, a, b, element, &[])
    }

    pub fn add(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.binary("Add", a, b)
    }
    pub fn sub(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.binary("Sub", a, b)
    }
    pub fn mul(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.binary("Mul", a, b)
    }
    pub fn div(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        self.binary("Div", a, b)
    }
    /// `x` times a number.
    pub fn scaled(&mut self, x: &Tensor, by: f64) -> Tensor {
        let by = self.scalar(self.element(x), by);
        self.mul(x, &by)
    }
    /// `x` plus a number.
    pub fn plus(&mut self, x: &Tensor, y: f64) -> Tensor {
        let y = self.scalar(self.element(x), y);
        self.add(x, &y)
    }
    /// The remainder of a division: of floats with the sign of `a`, as in C.
    pub fn remainder(&mut self, a: &Tensor, b: &Tensor) -> Tensor {
        let element = self.element(a);
        let (a, b) = match is_narrow(element) {
            true => (
                self.cast(a, ElementType::I64),
                self.cast(b, ElementType::I64),
            ),
            false => (a.clone(), b.clone()),
        };
        let wide = self.element(&a);
        let rest = self.binary_to("Mod", &a, &b, wide, &[("fmod", Attr::Int(1))]);
        self.cast(&rest, element)
    }

    /// `Equal`, `Less`, `LessOrEqual`, `Greater` or `GreaterOrEqual`.
    pub fn compare(&mut self, operator: &'static str, a: &Tensor, b: &Tensor) -> Tensor {
        let to = match self.element(a) {
            ElementType::Bool if operator == "Equal" => ElementType::Bool,
            ElementType::Bool | ElementType::U8 | ElementType::U32 => ElementType::I64,
            ElementType::F16 | ElementType::Bf16 => ElementType::F32,
            other => other,
        };
        let [a, b] = [a, b].map(|x| self.cast(x, to));
        self.binary_to(operator, &a, &b, ElementType::Bool, &[])
    }

    pub fn not(&mut self, x: &Tensor) -> Tensor {
        self.unary("Not", x)
    }

    /// `if mask { a } else { b }`.
    pub fn choose(&mut self, mask: &Tensor, a: &Tensor, b: &Tensor) -> Tensor {
        if a == b {
            return a.clone();
        }
        let element = self.element(a);
        // Types that `Where` of onnxruntime has.
        let to = match element {
            ElementType::F32 | ElementType::F64 | ElementType::I64 | ElementType::U8 => element,
            ElementType::F16 | ElementType::Bf16 => ElementType::F32,
            _ => ElementType::I64,
        };
        let [a, b] = [a, b].map(|x| self.cast(x, to));
        let [m, x, y] = [mask, &a, &b].map(|x| self.dims(x.id).to_vec());
        let own = joint(&m, &joint(&x, &y));
        let id = self.make("Where", &[mask.id, a.id, b.id], &[], to, &own);
        let dims = joint(&mask.dims, &joint(&a.dims, &b.dims));
        self.cast(&Tensor { id, dims }, element)
    }

    /// Elements of another type.
    pub fn cast(&mut self, x: &Tensor, to: ElementType) -> Tensor {
        let from = self.element(x);
        if from == to {
            return x.clone();
        }
        if let Some(n) = self.uniform(x).filter(|n| n.abs() < 9e15) {
            let n = match (from.is_float(), to) {
                (_, to) if to == ElementType::Bool || to.is_float() => n,
                // Integers wrap around, floats go to the nearest end.
                (false, ElementType::U8) => f64::from(n as i64 as u8),
                (false, ElementType::U32) => f64::from(n as i64 as u32),
                _ => n.trunc(),
            };
            let n = self.scalar(to, n);
            return self.repeated(&n, &x.dims);
        }
        let dims = self.dims(x.id).to_vec();
        let attributes = [("to", Attr::Int(to.number()))];
        let id = self.make("Cast", &[x.id], &attributes, to, &dims);
        Tensor {
            id,
            dims: x.dims.clone(),
        }
    }
}
