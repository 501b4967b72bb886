//! Which variables are tensors of floats, as far as signature and syntax tell.

use crate::ir::*;
use crate::signature::ParamDecl;
use crate::syntax::ty_of;
use quote::ToTokens;
use syn::{GenericArgument, Path, PathArguments, Type};

/// Methods of a tensor of floats that yield one, beside the elementwise ones.
const METHODS: &[&str] = &[
    "matmul",
    "affine",
    "linear",
    "transpose",
    "t",
    "permute",
    "reshape",
    "flatten",
    "squeeze",
    "unsqueeze",
    "expand",
    "slice",
    "narrow",
    "flip",
    "roll",
    "pad",
    "softmax",
    "log_softmax",
    "sum_axis",
    "mean_axis",
    "max_axis",
    "min_axis",
    "sum_axis_keepdim",
    "mean_axis_keepdim",
    "sum_axes",
    "mean_axes",
    "layer_norm",
    "rms_norm",
    "group_norm",
    "instance_norm",
    "batch_norm_inference",
    "dropout",
    "conv1d",
    "conv2d",
    "conv3d",
    "max_pool2d",
    "avg_pool2d",
    "embedding",
    "gather",
    "index_select",
    "masked_fill",
    "cumsum",
    "attention",
    "merge_last",
    "split_last",
    "triu",
    "tril",
    "leaky_relu",
    "elu",
    "celu",
    "clone",
    "powf",
    "pow",
    "maximum",
    "minimum",
];

/// Whether a method of this name computes a tensor of floats, and only that.
pub fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// For each variable whether it is one.
pub fn known(f: &Func, params: &[ParamDecl]) -> Vec<bool> {
    let mut known = vec![false; f.vars.len()];
    for (p, declared) in f.params.iter().zip(params) {
        known[p.var] = declared.value_ty().is_some_and(is_tensor);
    }
    loop {
        let before = known.clone();
        block(&f.body, &mut known);
        if known == before {
            return known;
        }
    }
}

/// `Tensor![…]` or `Tensor<…>` with elements that are floats.
fn is_tensor(ty: &Type) -> bool {
    let named = |p: &Path| p.segments.last().is_some_and(|s| s.ident == "Tensor");
    let tensor = match ty {
        Type::Paren(p) => return is_tensor(&p.elem),
        Type::Group(g) => return is_tensor(&g.elem),
        Type::Macro(m) => named(&m.mac.path),
        Type::Path(p) => named(&p.path) && has_shape(&p.path),
        _ => false,
    };
    // Half precision is cast first.
    let text = ty.to_token_stream().to_string();
    let half = text
        .split(|c: char| !c.is_alphanumeric())
        .any(|w| matches!(w, "bf16" | "f16"));
    tensor && !half && !ty_of(ty).is_discrete()
}

/// Whether the first generic argument may be a shape: of another type of this name it may be the element.
fn has_shape(path: &Path) -> bool {
    let last = path.segments.last().map(|s| &s.arguments);
    let Some(PathArguments::AngleBracketed(a)) = last else {
        return false;
    };
    matches!(a.args.first(), Some(GenericArgument::Type(shape)) if ty_of(shape) == Ty::Unknown)
}

fn operand(o: &Operand, known: &[bool]) -> bool {
    match o {
        Operand::Place { place, .. } => place.is_var() && known[place.root],
        Operand::Native(n) => super::variable(n).is_some_and(|v| known[v]),
    }
}

fn block(b: &Block, known: &mut [bool]) {
    for s in &b.stmts {
        match &s.kind {
            StmtKind::Def(v, rhs) => {
                let tensor = match rhs {
                    Rhs::Copy(o) | Rhs::Powi(o, _) => operand(o, known),
                    Rhs::Borrow(p) | Rhs::Snapshot(p) => p.is_var() && known[p.root],
                    Rhs::Op(_, o) => o.iter().any(|o| operand(o, known)),
                    Rhs::Native(n) => super::variable(n).is_some_and(|v| known[v]),
                    Rhs::Method {
                        receiver,
                        name,
                        args,
                        ..
                    } => {
                        let name = name.to_string();
                        let elementwise = super::element::of(rhs).is_some() && args.len() < 2;
                        (elementwise || is_method(&name)) && operand(&receiver.operand, known)
                    }
                    _ => false,
                };
                known[*v] |= tensor;
            }
            StmtKind::Branch { arms, out, .. } => {
                arms.iter().for_each(|a| block(&a.block, known));
                let all = |o: &Option<Operand>| {
                    o.as_ref()
                        .is_some_and(|o| operand(o, known) || o.diverges())
                };
                if let Some(v) = out {
                    let tensor = arms.iter().all(|a| all(&a.block.result));
                    known[*v] |= tensor;
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => block(body, known),
            _ => {}
        }
    }
}
