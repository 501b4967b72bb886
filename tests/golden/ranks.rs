//! Compares tensor operations with the golden cases, through the interface that users have.
//!
//! The reverse mode is compared with JAX's gradient; the forward mode with the same gradient through
//! ⟨cotangent, jvp(x)·x⟩ = ⟨gradient, x⟩.

use crate::values::{difference, numbers, read};
use differentiable::prelude::*;
use serde_json::Value;

/// Relative to the larger of 1 and the expected entry.
const TOLERANCE: f64 = 1e-10;

// The sizes are known at run time only, so that one instantiation of a subject serves all cases of
// its rank.
dim!(pub A0, pub A1, pub A2, pub A3);

/// A dimension made from the size in a golden case.
pub trait GoldenDim: Dim {
    fn of(size: usize) -> Self;
}

macro_rules! golden_dim {
    ($($name:ident),*) => {$(
        impl GoldenDim for $name {
            fn of(size: usize) -> Self {
                $name(size)
            }
        }
    )*};
}

golden_dim!(A0, A1, A2, A3);

impl<const N: usize> GoldenDim for Sz<N> {
    fn of(size: usize) -> Self {
        assert_eq!(size, N);
        Sz
    }
}

/// A shape made from the sizes in a golden case.
pub trait GoldenShape: Shape {
    /// Whether the rank and the static sizes are these.
    fn fits(sizes: &[usize]) -> bool;
    fn of(sizes: &[usize]) -> Self;
}

macro_rules! golden_shape {
    ($($d:ident),*) => {
        impl<$($d: GoldenDim),*> GoldenShape for ($($d,)*) {
            fn fits(sizes: &[usize]) -> bool {
                let own: &[Option<usize>] = &[$($d::STATIC),*];
                own.len() == sizes.len()
                    && own.iter().zip(sizes).all(|(own, size)| own.is_none_or(|n| n == *size))
            }
            fn of(sizes: &[usize]) -> Self {
                let mut sizes = sizes.iter().copied();
                let shape = ($($d::of(sizes.next().expect("a size of each axis")),)*);
                assert_eq!(sizes.next(), None);
                shape
            }
        }
    };
}

golden_shape!();
golden_shape!(A);
golden_shape!(A, B);
golden_shape!(A, B, C);
golden_shape!(A, B, C, D);

/// An array as the golden files hold it.
#[derive(Clone, Debug)]
pub struct Array {
    /// The sizes of its axes.
    pub shape: Vec<usize>,
    /// Its entries in row-major order.
    pub data: Vec<f64>,
}

impl Array {
    /// Reads an array.
    pub fn new(value: &Value) -> Self {
        let shape = numbers(&value["shape"])
            .into_iter()
            .map(|size| size as usize)
            .collect();
        Array {
            shape,
            data: numbers(&value["data"]),
        }
    }

    /// Reads a list of arrays; none if the case has no such list.
    pub fn list(value: &Value) -> Vec<Self> {
        value
            .as_array()
            .map_or(Vec::new(), |list| list.iter().map(Array::new).collect())
    }
}

/// One case of the golden file.
pub struct Case {
    op: String,
    pub inputs: Vec<Array>,
    pub indices: Vec<Array>,
    pub output: Array,
    pub cotangent: Vec<f64>,
    gradients: Vec<Array>,
}

/// The golden cases; those that were compared are taken out.
pub struct Golden {
    cases: Vec<Case>,
    failures: Vec<String>,
}

impl Golden {
    pub fn read() -> Self {
        let cases = read(include_str!("tensor.json"))
            .into_iter()
            .map(|case| Case {
                op: case["op"]
                    .as_str()
                    .expect("the name of an operation")
                    .to_owned(),
                inputs: Array::list(&case["inputs"]),
                indices: Array::list(&case["indices"]),
                output: Array::new(&case["output"]),
                cotangent: case
                    .get("cotangent")
                    .map_or(Vec::new(), |ct| Array::new(ct).data),
                gradients: Array::list(&case["gradients"]),
            });
        Golden {
            cases: cases.collect(),
            failures: Vec::new(),
        }
    }

    /// All cases of an operation whose inputs have shapes that the types admit.
    pub fn take(&mut self, op: &str, fits: &[fn(&[usize]) -> bool]) -> Vec<Case> {
        let admitted = |case: &mut Case| {
            case.op == op
                && case.inputs.len() == fits.len()
                && case.inputs.iter().zip(fits).all(|(x, fits)| fits(&x.shape))
        };
        let taken: Vec<_> = self.cases.extract_if(.., admitted).collect();
        assert!(!taken.is_empty(), "no golden case is left for {op}");
        taken
    }

    pub fn compare(&mut self, case: &Case, what: &str, found: &[f64], expected: &[f64]) {
        if let Some(text) = difference(found, expected, TOLERANCE) {
            let shapes: Vec<_> = case.inputs.iter().map(|x| &x.shape).collect();
            self.failures
                .push(format!("{} of {shapes:?}, {what}: {text}", case.op));
        }
    }

    pub fn compare_all(
        &mut self,
        case: &Case,
        value: &[f64],
        gradients: &[Vec<f64>],
        tangent: &[f64],
    ) {
        self.compare(case, "value", value, &case.output.data);
        for (index, (found, expected)) in gradients.iter().zip(&case.gradients).enumerate() {
            self.compare(case, &format!("gradient {index}"), found, &expected.data);
        }
        let pairs = case.gradients.iter().zip(&case.inputs);
        let expected = pairs
            .map(|(gradient, x)| dot(&gradient.data, &x.data))
            .sum();
        self.compare(
            case,
            "forward mode",
            &[dot(&case.cotangent, tangent)],
            &[expected],
        );
    }

    pub fn finish(self) {
        let left: Vec<_> = self.cases.iter().map(|case| case.op.as_str()).collect();
        assert!(
            left.is_empty(),
            "golden cases that nothing compares: {left:?}"
        );
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A tensor of floats from a golden array.
pub fn tensor_of<S: GoldenShape>(array: &Array) -> Tensor<S, f64> {
    with_shape(S::of(&array.shape), &array.data)
}

/// A tensor of floats with the shape of another.
pub fn with_shape<S: Shape>(shape: S, data: &[f64]) -> Tensor<S, f64> {
    Tensor::from_slice_with(shape, data).expect("the golden shape is the typed one")
}

/// A tensor of indices from a golden array.
pub fn indices_of<S: GoldenShape>(array: &Array) -> Tensor<S, i64> {
    let data: Vec<i64> = array.data.iter().map(|index| *index as i64).collect();
    Tensor::from_slice_with(S::of(&array.shape), &data).expect("the golden shape is the typed one")
}

/// The gradients of one, two or three tensors, as `f::vjp` returns them.
pub trait Gradients {
    fn entries(&self) -> Vec<Vec<f64>>;
}

impl<S: Shape> Gradients for Tensor<S, f64> {
    fn entries(&self) -> Vec<Vec<f64>> {
        vec![self.to_vec()]
    }
}

impl<S: Shape, R: Shape> Gradients for (Tensor<S, f64>, Tensor<R, f64>) {
    fn entries(&self) -> Vec<Vec<f64>> {
        vec![self.0.to_vec(), self.1.to_vec()]
    }
}

impl<S: Shape, R: Shape, Q: Shape> Gradients for (Tensor<S, f64>, Tensor<R, f64>, Tensor<Q, f64>) {
    fn entries(&self) -> Vec<Vec<f64>> {
        vec![self.0.to_vec(), self.1.to_vec(), self.2.to_vec()]
    }
}

/// Compares functions of one tensor that keep its shape.
macro_rules! unary {
    ($golden:ident; $($op:literal: |$x:ident| $body:expr;)+) => {$({
        #[differentiable]
        fn subject<S: Shape>($x: &Tensor<S, f64>) -> Tensor<S, f64> {
            $body
        }
        unary!(@shapes $golden $op subject [A0], [A0, A1], [A0, A1, A2]);
    })+};
    (@shapes $golden:ident $op:literal $subject:ident $([$($n:tt),*]),+) => {$(
        for case in $golden.take($op, &[<shape![$($n),*]>::fits]) {
            let x: Tensor![f64; $($n),*] = tensor_of(&case.inputs[0]);
            let (value, pullback) = $subject::vjp(&x);
            let gradient = pullback(with_shape(value.shape(), &case.cotangent));
            let (_, tangent) = $subject::jvp((&x, &x));
            $golden.compare_all(&case, &value.to_vec(), &gradient.entries(), &tangent.to_vec());
        }
    )+};
}

/// Compares functions of tensors with stated shapes; index arguments come after a `;`.
macro_rules! check {
    ($golden:ident; $($op:expr, ($($x:ident: [$($n:tt),*]),+ $(; $i:ident: [$($m:tt),*])?)
        -> [$($o:tt),*] => $body:expr;)+) => {$({
        #[differentiable]
        fn subject(
            $($x: &Tensor![f64; $($n),*],)+
            $(#[constant] $i: &Tensor![i64; $($m),*],)?
        ) -> Tensor![f64; $($o),*] {
            $body
        }
        for case in $golden.take($op, &[$(<shape![$($n),*]>::fits),+]) {
            let mut inputs = case.inputs.iter();
            $(let $x: Tensor![f64; $($n),*] = tensor_of(inputs.next().expect("an input"));)+
            $(let $i: Tensor![i64; $($m),*] = indices_of(&case.indices[0]);)?
            let (value, pullback) = subject::vjp($(&$x,)+ $(&$i)?);
            let gradients = pullback(with_shape(value.shape(), &case.cotangent));
            let (_, tangent) = subject::jvp($((&$x, &$x),)+ $(&$i)?);
            $golden.compare_all(&case, &value.to_vec(), &gradients.entries(), &tangent.to_vec());
        }
    })+};
}

/// Compares operations whose result is discrete.
macro_rules! discrete {
    ($golden:ident; $($op:literal: [$($n:tt),*] |$x:ident| $body:expr;)+) => {$(
        for case in $golden.take($op, &[<shape![$($n),*]>::fits]) {
            let $x: Tensor![f64; $($n),*] = tensor_of(&case.inputs[0]);
            let found: Vec<f64> = $body.to_vec().into_iter().map(|index| index as f64).collect();
            $golden.compare(&case, "value", &found, &case.output.data);
        }
    )+};
}
