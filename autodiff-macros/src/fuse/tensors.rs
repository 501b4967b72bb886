//! Which variables are tensors of floats, as far as signature and syntax tell.

use crate::ir::*;
use crate::signature::ParamDecl;
use proc_macro2::TokenTree;
use syn::{GenericArgument, PathArguments, Type};

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
    match ty {
        Type::Paren(p) => is_tensor(&p.elem),
        Type::Group(g) => is_tensor(&g.elem),
        Type::Macro(m)
            if m.mac
                .path
                .segments
                .last()
                .is_some_and(|s| s.ident == "Tensor") =>
        {
            let mut tokens = m.mac.tokens.clone().into_iter();
            match (tokens.next(), tokens.next()) {
                (Some(TokenTree::Ident(t)), Some(TokenTree::Punct(p))) if p.as_char() == ';' => {
                    is_float(&t.to_string())
                }
                _ => true,
            }
        }
        Type::Path(p) => p.path.segments.last().is_some_and(|s| {
            let PathArguments::AngleBracketed(a) = &s.arguments else {
                return false;
            };
            let element = match a.args.iter().nth(1) {
                None => true,
                Some(GenericArgument::Type(Type::Path(p))) => p
                    .path
                    .segments
                    .last()
                    .is_some_and(|s| is_float(&s.ident.to_string())),
                Some(_) => false,
            };
            s.ident == "Tensor" && element
        }),
        _ => false,
    }
}

/// `f32`, `f64` or a type parameter.
fn is_float(name: &str) -> bool {
    !matches!(name, "i64" | "u32" | "u8" | "bool" | "bf16" | "f16")
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
                        (elementwise || METHODS.contains(&name.as_str()))
                            && operand(&receiver.operand, known)
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
