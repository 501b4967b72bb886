//! What a recorded formula is made of.

use super::record;
use super::sym::Sym;
use crate::device::{Real, Region};
use core::fmt;

/// A number of a formula: an input, what a step makes, or one of a few constants. The inputs are the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(u32);

/// The constants of [`Real`](crate::device::Real) are no steps: there is no run that they could belong to.
const CONSTANTS: [f64; 4] = [0.0, 1.0, f64::NAN, f64::INFINITY];

impl Value {
    pub(super) const ZERO: Value = Value(u32::MAX);
    pub(super) const ONE: Value = Value(u32::MAX - 1);
    pub(super) const NAN: Value = Value(u32::MAX - 2);
    pub(super) const INFINITY: Value = Value(u32::MAX - 3);

    pub(super) fn at(position: usize) -> Value {
        let at = u32::try_from(position).expect("a formula of fewer steps");
        assert!(at < u32::MAX - 3, "a formula of fewer steps");
        Value(at)
    }

    /// The number, where it is a constant without a step.
    pub fn constant(self) -> Option<f64> {
        CONSTANTS.get((u32::MAX - self.0) as usize).copied()
    }

    /// The position among the numbers of the formula; none of a constant.
    pub fn position(self) -> Option<usize> {
        self.constant().is_none().then_some(self.0 as usize)
    }
}

impl fmt::Display for Value {
    /// As CUDA C++.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant() {
            Some(c) => f.write_str(&super::cuda::number(c)),
            None => write!(f, "v{}", self.0),
        }
    }
}

/// One operation of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// `-a`.
    Neg,
    /// `aⁿ`.
    Powi(i32),
    /// A method of [`Real`](crate::device::Real) of one or two numbers, by its name.
    Method(&'static str),
    /// The distribution function of the normal distribution.
    NormalCdf,
    /// Its density.
    NormalDensity,
}

/// How two numbers are compared. A comparison with NaN is false, except `Ne`. Numbers with tangents are compared by their
/// values, except by `Still`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the operators
pub enum Order {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Equal, and the first carries no tangents that are not zero: where a derivative of a zero is one.
    Still,
}

impl Order {
    /// As Rust and C++ write it.
    pub const fn sign(self) -> &'static str {
        match self {
            Order::Eq | Order::Still => "==",
            Order::Ne => "!=",
            Order::Lt => "<",
            Order::Le => "<=",
            Order::Gt => ">",
            Order::Ge => ">=",
        }
    }

    /// Whether it holds of two numbers.
    #[inline(always)]
    pub fn holds<T: Real>(self, a: T, b: T) -> bool {
        match self {
            Order::Eq => a == b,
            Order::Ne => a != b,
            Order::Lt => a < b,
            Order::Le => a <= b,
            Order::Gt => a > b,
            Order::Ge => a >= b,
            Order::Still => a == b && (a - b).stays_zero(),
        }
    }
}

/// What makes a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A constant in single and in double precision.
    Number(f64, f64),
    /// An operation of earlier numbers.
    Apply(Operation, Vec<Value>),
    /// A call of the function of this position in [`Formula::functions`].
    Call(usize, Vec<Value>),
}

/// Steps, each with the number that it makes, and what follows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// In the order in which they run.
    pub steps: Vec<(Value, Step)>,
    /// What follows.
    pub end: End,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// With these values.
    Give(Vec<Value>),
    /// In one of two other blocks.
    If {
        /// How the two are compared.
        order: Order,
        /// The first number.
        left: Value,
        /// The second.
        right: Value,
        /// Where the comparison holds.
        then: Box<Block>,
        /// Where it does not.
        otherwise: Box<Block>,
    },
}

/// A named formula of several numbers with one value. Its inputs are its first values.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFormula {
    /// Its name, with its parameters where it has any: `clamp`.
    pub name: &'static str,
    /// The numbers that are a part of it.
    pub parameters: Vec<f64>,
    /// How many numbers it takes.
    pub inputs: usize,
    /// What it does.
    pub body: Block,
}

/// A recorded formula. Its inputs are its first values.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// Its name.
    pub name: String,
    /// How many numbers it takes.
    pub inputs: usize,
    /// How many it gives.
    pub outputs: usize,
    /// The named formulas that it is made of; each calls only those before it.
    pub functions: Vec<NamedFormula>,
    /// What it does.
    pub body: Block,
}

impl Formula {
    /// Records a formula of `N` numbers: runs it on symbols.
    ///
    /// # Panics
    ///
    /// Where the formula gives different numbers of values on different paths, or has more than
    /// [`MAX_PATHS`](super::MAX_PATHS) of them: give its parts names by [`Real::formula`](crate::device::Real::formula).
    pub fn record<const N: usize>(name: &str, formula: impl Fn([Sym; N]) -> Vec<Sym>) -> Formula {
        record::formula(name, N, &|inputs| {
            formula(inputs.try_into().expect("as many inputs"))
        })
    }
}

/// The three formulas of a region of `N` inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionFormulas {
    /// `N` inputs to the value.
    pub value: Formula,
    /// The inputs, the value and its cotangent to the `N` cotangents of the inputs.
    pub pullback: Formula,
    /// The inputs and their tangents to the tangent of the value.
    pub pushforward: Formula,
}

impl RegionFormulas {
    /// Records the formulas of a region.
    pub fn of<R: Region<N>, const N: usize>() -> RegionFormulas {
        let array = |x: &[Sym]| -> [Sym; N] { x.try_into().expect("as many inputs") };
        RegionFormulas {
            value: record::formula("value", N, &|x| vec![R::value::<Sym, false>(array(x))]),
            pullback: record::formula("pullback", N + 2, &|x| {
                R::pullback::<Sym, false>(array(&x[..N]), x[N], x[N + 1]).to_vec()
            }),
            pushforward: record::formula("pushforward", 2 * N, &|x| {
                vec![R::pushforward::<Sym, false>(array(&x[..N]), array(&x[N..]))]
            }),
        }
    }
}
