//! The primitive operations the transformation knows by name, and what each pullback needs.
//!
//! Functions of one number are those of the table in the crate `autodiff-vocabulary`. The rules are in the core, in the
//! module of the same name.

use autodiff_vocabulary::{function, FunctionRow, Saves, Section};

/// A primitive operation with one, two or three operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    /// A method of one operand whose pullback needs its result.
    UnaryOut(&'static str),
    /// A method of one operand whose pullback needs its input.
    UnaryIn(&'static str),
    /// `atan2 hypot powf …`: the pullback needs operands and result.
    Binary(&'static str),
    /// `max min`: the pullback needs which operand was taken.
    Select(&'static str),
    Clamp,
    MulAdd,
}

const BINARY: &[&str] = &[
    "atan2",
    "hypot",
    "powf",
    "copysign",
    "rem_euclid",
    "midpoint",
    "abs_sub",
];
const SELECT: &[&str] = &["max", "min"];

/// Methods whose derivative is zero wherever it exists, and queries with a discrete result.
const DISCRETE: &[&str] = &[
    "len",
    "is_empty",
    "shape",
    "dims",
    "nrows",
    "ncols",
    "rank",
    "argmax",
    "argmin",
    "argmax_keepdim",
    "argmin_keepdim",
    "argmax_all",
    "argmin_all",
    "argsort",
    "argsort_descending",
    "any_axis",
    "all_axis",
    "count_axis",
    "any_axis_keepdim",
    "all_axis_keepdim",
    "count_axis_keepdim",
    "any_axes",
    "all_axes",
    "count_axes",
    "any_axes_keepdim",
    "all_axes_keepdim",
    "count_axes_keepdim",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "is_nan",
    "is_finite",
    "is_infinite",
    "is_sign_positive",
    "is_sign_negative",
    "is_normal",
    "is_subnormal",
    "classify",
    "div_euclid",
    "any",
    "all",
    "count",
    "position",
    "is_some_and",
    "is_none_or",
    "is_ok_and",
    "is_err_and",
    "total_cmp",
    "partial_cmp",
    "cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "contains",
    "capacity",
    "numel",
    "batch_examples",
    "batch_same",
    "batch_dim",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "is_sorted",
    "is_sorted_by",
    "partition_point",
];

/// Methods that integers have, or what such a method returns, and floats have not.
const OF_INTEGERS: &[&str] = &[
    "abs_diff",
    "cast_signed",
    "cast_unsigned",
    "count_ones",
    "count_zeros",
    "div_ceil",
    "ilog",
    "ilog10",
    "ilog2",
    "is_multiple_of",
    "is_negative",
    "is_positive",
    "is_power_of_two",
    "isqrt",
    "leading_ones",
    "leading_zeros",
    "next_multiple_of",
    "next_power_of_two",
    "reverse_bits",
    "swap_bytes",
    "trailing_ones",
    "trailing_zeros",
    "unsigned_abs",
];

/// What the names of more methods of integers start with: `wrapping_add`, `checked_sub`, ….
const OF_INTEGERS_PREFIXES: &[&str] = &[
    "carrying_",
    "checked_",
    "overflowing_",
    "saturating_",
    "unbounded_",
    "wrapping_",
];

/// Those that a type of the user's may have as methods of its own, and what the trait of such a method calls them.
const OWN: &[(&str, &str)] = &[
    ("exp", "Exp"),
    ("sqrt", "Sqrt"),
    ("recip", "Recip"),
    ("tan", "Tan"),
    ("tanh", "Tanh"),
    ("ln", "Ln"),
    ("sin", "Sin"),
    ("cos", "Cos"),
    ("sinh", "Sinh"),
    ("cosh", "Cosh"),
    ("abs", "Abs"),
    ("fract", "Fract"),
    ("max", "Max"),
    ("min", "Min"),
];

/// What the trait of a type's own method calls it, if the method is named like one of floats.
pub fn own_method(name: &str, args: usize) -> Option<&'static str> {
    let op = method(name, args)?;
    own(op).and_then(|name| OWN.iter().find(|(n, _)| *n == name).map(|(_, op)| *op))
}

/// The method that an operation may be of a type of the user's.
pub fn own(op: Op) -> Option<&'static str> {
    let name = match op {
        Op::UnaryOut(name) | Op::UnaryIn(name) | Op::Select(name) => name,
        _ => return None,
    };
    OWN.iter().any(|(n, _)| *n == name).then_some(name)
}

/// Whether emitted code calls the rule of the function, and not its companions.
fn has_rule(f: &&'static FunctionRow) -> bool {
    use Section::*;
    matches!(
        f.section,
        Numbers | Turns | Shifts | Scales | Scalars | Activations
    )
}

fn find(list: &'static [&'static str], name: &str) -> Option<&'static str> {
    list.iter().find(|n| **n == name).copied()
}

/// The operation behind `receiver.name(args…)`.
pub fn method(name: &str, args: usize) -> Option<Op> {
    match args {
        0 => function(name).filter(has_rule).map(|f| match f.saves {
            Saves::Output => Op::UnaryOut(f.name),
            Saves::Input | Saves::Nothing => Op::UnaryIn(f.name),
        }),
        1 => find(BINARY, name)
            .map(Op::Binary)
            .or_else(|| find(SELECT, name).map(Op::Select)),
        2 if name == "clamp" => Some(Op::Clamp),
        2 if name == "mul_add" => Some(Op::MulAdd),
        _ => None,
    }
}

/// Whether the result of the method carries no derivative.
fn is_discrete_method(name: &str) -> bool {
    DISCRETE.contains(&name)
        || is_flat_method(name)
        || OF_INTEGERS.contains(&name)
        || OF_INTEGERS_PREFIXES.iter().any(|p| name.starts_with(p))
}

/// Whether the result of a call carries no derivative.
pub fn is_query(m: &syn::ExprMethodCall) -> bool {
    is_discrete_method(&m.method.to_string()) && !is_place(m)
}

/// `orbit.position(t)`, where something is, and not `v.iter().position(f)`, the index of an item.
fn is_place(m: &syn::ExprMethodCall) -> bool {
    let closure = matches!(m.args.first(), Some(syn::Expr::Closure(_)));
    let of_items =
        closure || matches!(&*m.receiver, syn::Expr::MethodCall(_) | syn::Expr::Paren(_));
    m.method == "position" && !(m.args.len() == 1 && of_items)
}

/// Whether the result is a tensor of integers or truth values: of these queries only tensors have
/// those with an axis.
pub fn is_tensor_query(name: &str, axis: bool) -> bool {
    is_discrete_method(name)
        && (axis
            || name.starts_with("logical_")
            || name.starts_with("argm")
            || name.contains("_ax"))
}

/// Whether the method has a float result with derivative zero.
pub fn is_flat_method(name: &str) -> bool {
    let flat = |f: &FunctionRow| f.is_flat() && f.section != Section::FlatElements;
    name == "div_euclid" || function(name).is_some_and(flat)
}

impl Op {
    /// Whether the pullback reads the value of operand `i`, given which operands are active.
    pub fn needs_operand(self, i: usize, active: &[bool]) -> bool {
        match self {
            Op::Add | Op::Sub | Op::Neg | Op::UnaryOut(_) | Op::Select(_) | Op::Clamp => false,
            Op::Mul => active[1 - i],
            Op::Div => i == 1,
            Op::UnaryIn(_) | Op::Binary(_) => true,
            Op::MulAdd => i < 2 && active[1 - i],
        }
    }

    /// Whether the pullback reads the result.
    pub fn needs_result(self, active: &[bool]) -> bool {
        match self {
            Op::UnaryOut(_) | Op::Binary(_) => true,
            Op::Div => active[1],
            _ => false,
        }
    }

    /// Whether computing it again is cheaper than keeping the result in a tape.
    pub fn is_cheap(self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Mul | Op::Neg)
    }

    /// Whether it is in loops inside loops, whose trips fill more memory than the caches have: what takes some ten cycles.
    pub fn is_cheap_in_nests(self) -> bool {
        self.is_cheap() || matches!(self, Op::Div | Op::UnaryOut("sqrt" | "recip"))
    }
}
