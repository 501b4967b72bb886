//! The vocabulary of the device seam: operations as plain values.

pub use autodiff_vocabulary::Saves;

macro_rules! unary_op {
    ({}
        [$($(#[$doc:meta])* $name:ident $Op:tt $Rule:tt $reads:ident ($cost:literal $pull_cost:literal) $domain:tt;)*]
    ) => {
        /// A function of one element.
        ///
        /// The pullback of an operation needs one saved value: its output where the derivative is cheap
        /// in terms of it, else its input; see [`UnaryOp::saves`].
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs)] // the names are the functions
        pub enum UnaryOp {
            $($Op,)*
            Neg,
            /// `x` above 0, `α(e^x − 1)` below.
            Elu(f64),
            /// `x` above 0, `α(e^(x/α) − 1)` below.
            Celu(f64),
            /// The derivative of `Celu` by `α`; it has no pullback.
            CeluByAlpha(f64),
            /// `x` above 0, `s·x` below.
            LeakyRelu(f64),
            /// `x^n`.
            Powi(i32),
            /// `x^p`.
            Powf(f64),
            /// `a·x + b`.
            Affine(f64, f64),
            /// Between the two bounds.
            Clamp(f64, f64),
        }

        impl UnaryOp {
            /// The numbers that are a part of it; 0 where it has fewer than two.
            pub fn numbers(self) -> [f64; 2] {
                use UnaryOp::*;
                match self {
                    Elu(a) | Celu(a) | CeluByAlpha(a) | LeakyRelu(a) | Powf(a) => [a, 0.0],
                    Powi(n) => [f64::from(n), 0.0],
                    Affine(a, b) | Clamp(a, b) => [a, b],
                    Neg $(| $Op)* => [0.0; 2],
                }
            }

            /// What [`Backend::unary_pullback`](super::Backend::unary_pullback) expects as `saved`.
            pub fn saves(self) -> Saves {
                use UnaryOp::*;
                match self {
                    $($Op => autodiff_vocabulary::saves!($reads),)*
                    Neg | Affine(..) => Saves::Nothing,
                    Elu(_) | Celu(_) | CeluByAlpha(_) | LeakyRelu(_) | Powi(_) | Powf(_) | Clamp(..) => Saves::Input,
                }
            }
        }
    };
}

autodiff_vocabulary::functions!(short unary_op, {} [numbers turns shifts activations elements apart flat flat_elements]);

/// A function of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the functions
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Powf,
    Atan2,
    Hypot,
    /// The remainder of the division rounded towards zero.
    Rem,
    /// The larger; NaN loses, as with `f64::max`.
    Max,
    /// The smaller; NaN loses.
    Min,
}

/// An operand of a binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// A comparison of two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the operators
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How several elements become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReduceOp {
    /// The sum, in blocks, so that the error grows with the logarithm of the count.
    Sum,
    /// The sum divided by the count; NaN where there is nothing to average.
    Mean,
    /// The largest; NaN where there is one.
    Max,
    /// The smallest; NaN where there is one.
    Min,
}

/// How several elements become one, by more than joining them two by two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FoldOp {
    /// The product.
    Prod,
    /// The variance: squared distances from the mean, divided by the count less a correction.
    Var(f64),
    /// The square root of the variance with that correction.
    Std(f64),
    /// `(Σ |x|^p)^(1/p)`.
    Norm(f64),
    /// `ln Σ exp(x)`.
    LogSumExp,
}

/// Results for each beginning of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOp {
    /// The sum up to each element.
    Sum,
    /// The sum from each element on.
    SumFromEnd,
    /// The product up to each element.
    Prod,
}

/// Which way [`Backend::argsort`](super::Backend::argsort) sorts; a NaN counts as the largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortOrder {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

/// Which end [`Backend::arg_reduce`](super::Backend::arg_reduce) looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgOp {
    /// The first largest; a NaN counts as larger than all.
    Max,
    /// The first smallest; a NaN counts as smaller than all.
    Min,
}

/// Normalised exponentials of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoftmaxOp {
    /// `exp(x) / Σ exp(x)`.
    Softmax,
    /// `x − ln Σ exp(x)`.
    LogSoftmax,
}

/// What happens to the previous contents of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// They are replaced.
    Set,
    /// The result is added to them.
    Add,
}

/// A distribution to draw from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Random {
    /// Uniform in `[low, high)`.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        std: f64,
    },
}

/// Stochastic gradient descent: `g ← grad + weight_decay·p`, `v ← momentum·v + (1 − dampening)·g`,
/// `p ← p − lr·(g + momentum·v)` with Nesterov's correction, else `p ← p − lr·v`.
///
/// Without momentum `v` is not used and `p ← p − lr·g`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SgdStep {
    /// Learning rate.
    pub lr: f64,
    /// Momentum; 0 for none.
    pub momentum: f64,
    /// Dampening of the momentum.
    pub dampening: f64,
    /// Coefficient of the L2 penalty.
    pub weight_decay: f64,
    /// Nesterov's correction.
    pub nesterov: bool,
}

/// How weight decay enters [`AdamStep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decay {
    /// Added to the gradient (Adam).
    Coupled,
    /// Applied to the parameter, `p ← p·(1 − lr·weight_decay)` (AdamW).
    Decoupled,
}

/// Adam: `m ← β₁m + (1−β₁)g`, `v ← β₂v + (1−β₂)g²`,
/// `p ← p − lr · (m/(1−β₁ᵗ)) / (√(v/(1−β₂ᵗ)) + ε)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamStep {
    /// Learning rate.
    pub lr: f64,
    /// Decay of the first moment.
    pub beta1: f64,
    /// Decay of the second moment.
    pub beta2: f64,
    /// Added to the denominator.
    pub eps: f64,
    /// Coefficient of weight decay.
    pub weight_decay: f64,
    /// Kind of weight decay.
    pub decay: Decay,
    /// The number of this step, from 1.
    pub step: u64,
}

/// Rows that are normalised, and the channels of their entries.
///
/// Entry `i` of row `r` has the channel `(r mod groups)·per_group + i / inner`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormShape {
    /// The number of rows.
    pub rows: usize,
    /// Entries of a row, `per_group · inner`.
    pub width: usize,
    /// Kinds of rows.
    pub groups: usize,
    /// Channels of a row.
    pub per_group: usize,
    /// Neighbouring entries of one channel.
    pub inner: usize,
    /// Added to the variance.
    pub eps: f64,
    /// Whether the mean is taken off.
    pub centred: bool,
}

impl NormShape {
    /// Numbers that [`Backend::norm`](super::Backend::norm) keeps of each row.
    pub const STATS: usize = 3;
}
