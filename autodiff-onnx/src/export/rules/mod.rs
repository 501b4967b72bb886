//! Each operation as operators of ONNX, in tables of families; and those that ONNX cannot say.
//!
//! | file | operations |
//! |---|---|
//! | `elementwise` | fill, copy, cast, functions of one and two numbers, comparisons, choices, integers |
//! | `region` | fused regions, by their formulas |
//! | `product` | products of matrices |
//! | `reduce` | sums, extremes, folds, running sums, sorting |
//! | `rows` | softmax, cross-entropy |
//! | `norm` | normalisation of rows and channels |
//! | `index` | entries that integers name |
//! | `image` | convolutions, pooling, resampling |
//! | `attention` | attention |
//! | `recurrent` | recurrent layers |
//! | `optim` | steps of optimisers |
//! | `fourier` | Fourier transforms |

mod attention;
mod elementwise;
mod fourier;
mod image;
mod index;
mod norm;
mod optim;
mod product;
mod recurrent;
mod reduce;
mod region;
mod rows;

use super::OnnxError;
use super::lower::Lower;
use autodiff_core::device::record::Node;

/// Writes the operators of a node.
type Rule = fn(&mut Lower<'_>, &Node) -> Result<(), OnnxError>;

/// The rules of a family.
type Rules = &'static [(&'static str, Rule)];

const RULES: [Rules; 12] = [
    attention::RULES,
    elementwise::RULES,
    fourier::RULES,
    image::RULES,
    index::RULES,
    norm::RULES,
    optim::RULES,
    product::RULES,
    recurrent::RULES,
    reduce::RULES,
    region::RULES,
    rows::RULES,
];

const DRAWN: &str = "ONNX has no generator with the same numbers; record the program in evaluation (`Ctx::eval()`), or draw outside of \
                     it and give the numbers as an input";
const STEPS: &str = "its derivative goes through the steps from the last to the first; write the layer without its gradient, or step by \
                     step with the operations of tensors";
const PRODUCTS: &str =
    "ONNX has no running products to differentiate; write the value without its gradient";
const FACTORS: &str = "ONNX has no factorisations of matrices; write the part of the program before or behind it, or use `det`";
const ALIGNED: &str = "ONNX has no sums over alignments; write the network without its loss";

/// What ONNX cannot say, and the way out.
const REFUSED: &[(&str, &str)] = &[
    ("random", DRAWN),
    ("dropout", DRAWN),
    ("ctc", ALIGNED),
    ("ctc_pullback", ALIGNED),
    ("recurrence_pullback", STEPS),
    ("recurrence_pushforward", STEPS),
    ("cumprod_pullback", PRODUCTS),
    ("cumprod_pushforward", PRODUCTS),
    ("lu", FACTORS),
    ("lu_solve", FACTORS),
    ("lu_determinant", FACTORS),
    ("cofactor", FACTORS),
    ("solve_triangular", FACTORS),
    ("cholesky", FACTORS),
    ("qr", FACTORS),
    ("eigh", FACTORS),
    ("svd", FACTORS),
    ("divide_gaps", FACTORS),
    ("matrix_exp", FACTORS),
    ("matrix_exp_derivative", FACTORS),
];

/// The names of the operations that have a rule, and of those that ONNX cannot say with the reasons.
pub fn table() -> (Vec<&'static str>, &'static [(&'static str, &'static str)]) {
    let rules = RULES.iter().flat_map(|r| r.iter());
    (rules.map(|r| r.0).collect(), REFUSED)
}

/// Writes the operators of a node.
pub fn lower(cx: &mut Lower<'_>, node: &Node) -> Result<(), OnnxError> {
    let operation = node.operation();
    let rule = RULES
        .iter()
        .flat_map(|r| r.iter())
        .find(|r| r.0 == operation);
    if let Some((_, rule)) = rule {
        return rule(cx, node);
    }
    let refused = REFUSED.iter().find(|r| r.0 == operation);
    let reason = refused.map_or(
        "it is an operation of the graph alone, and has no operator",
        |r| r.1,
    );
    Err(OnnxError::of(node, reason))
}

/// ONNX lacks a function.
fn lacks(node: &Node, what: &str) -> OnnxError {
    OnnxError::of(
        node,
        format!("ONNX has no operator for {what}; compute it outside of the model"),
    )
}
