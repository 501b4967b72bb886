//! Regions: operations on tensors, element by element, that run in one pass. `passes/fuse` makes them, and `emit/region`
//! writes them.

use crate::ir::{Arg, Block, Func, StmtKind};
use proc_macro2::{Ident, TokenStream};
use syn::Path;

/// Several elementwise operations in one.
#[derive(Clone, Debug)]
pub struct Region {
    pub name: Ident,
    /// Which operands have a derivative.
    pub active: Vec<bool>,
    /// Which operands nothing else reads: the result may be written in their place.
    pub last_use: Vec<bool>,
    pub nodes: Vec<Node>,
    /// It ends in sums, or in means.
    pub total: Option<Total>,
    /// The user's expression, for its type.
    pub probe: TokenStream,
}

/// One operation of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub function: Function,
    pub operands: Vec<Value>,
}

/// An operand of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Input(usize),
    Node(usize),
    Literal(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Function {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    MulAdd,
    /// A module of the core's table of rules, with fixed parameters.
    Rule(&'static str, Vec<Parameter>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    Float(f64),
    Int(i32),
}

/// What the values of a region are added up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total {
    pub mean: bool,
    /// Along one axis only.
    pub axis: Option<Axis>,
}

/// An axis, counted from the end if negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    pub index: i64,
    /// It stays with size 1.
    pub keepdim: bool,
}

impl Total {
    /// The sizes of the sums, of those of what is summed.
    pub fn shorten(&self, dims: &mut Vec<u64>) {
        let Some(axis) = self.axis else {
            return dims.clear();
        };
        let index = match axis.index {
            i @ ..0 => dims.len() as i64 + i,
            i => i,
        };
        // Anything else is an error of types.
        if let Ok(at) = usize::try_from(index) {
            if axis.keepdim && at < dims.len() {
                dims[at] = 1;
            } else if at < dims.len() {
                dims.remove(at);
            }
        }
    }
}

/// An operation on tensors that runs alone.
#[derive(Clone, Debug)]
pub struct Apart {
    /// As emitted.
    pub operation: TokenStream,
    pub why: String,
}

impl Func {
    /// The region that a path names.
    pub fn region_of(&self, path: &Path) -> Option<&Region> {
        let name = path.get_ident()?;
        self.regions.iter().find(|r| r.name == *name)
    }

    /// The function without what its derivatives need, if that has regions. What it is passed that is a
    /// function, it would differentiate.
    pub fn plain(&self) -> Option<Func> {
        let alone = !self.regions.is_empty() && !calls_functions(&self.body);
        alone.then(|| self.inactive())
    }
}

/// Whether a call in a block passes a function on.
fn calls_functions(b: &Block) -> bool {
    b.deep().any(|s| match &s.kind {
        StmtKind::Def(_, rhs) => rhs.arguments().into_iter().any(Arg::is_function),
        _ => false,
    })
}

impl Region {
    /// Whether the derivatives are computed with the value: of a sum of everything.
    pub fn has_slopes(&self) -> bool {
        self.total.is_some_and(|t| t.axis.is_none())
    }
}
