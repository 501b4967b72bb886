//! Which variables are tensors of floats, as far as signature and syntax tell.

use crate::input::signature::ParamDecl;
use crate::ir::*;
use crate::knowledge::tensors::{self as operations, Gives};
use crate::syntax::ty_of;
use quote::ToTokens;
use syn::{GenericArgument, Path, PathArguments, Type};

/// Whether a method of this name computes a tensor of floats, and only that.
pub fn is_method(name: &str) -> bool {
    operations::gives(name) == Some(Gives::Tensor)
}

/// What is known of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// It is a tensor of floats.
    pub tensor: bool,
    /// Its fields or elements are.
    parts: bool,
    /// It has one element, or is a number.
    pub one: bool,
}

/// For each variable whether it is one.
pub fn known(f: &Func, params: &[ParamDecl]) -> Vec<bool> {
    let all = all(f, params).into_iter();
    all.map(|k| k.tensor).collect()
}

/// What is known of each variable.
pub fn all(f: &Func, params: &[ParamDecl]) -> Vec<Known> {
    let mut known = vec![Known::default(); f.vars.len()];
    for (p, declared) in f.params.iter().zip(params) {
        known[p.var] = declared.value_ty().map(of_type).unwrap_or_default();
    }
    for (v, var) in f.vars.iter().enumerate() {
        if let Some(written) = &var.written {
            known[v] = of_type(written);
        }
    }
    loop {
        let before = known.clone();
        block(f, &f.body, &mut known);
        if known == before {
            return known;
        }
    }
}

/// A tensor, or a tuple or an array of nothing else.
fn of_type(ty: &Type) -> Known {
    let all = |mut types: syn::punctuated::Iter<'_, Type>| types.all(is_tensor);
    let parts = match ty {
        Type::Tuple(t) => !t.elems.is_empty() && all(t.elems.iter()),
        Type::Array(a) => is_tensor(&a.elem),
        _ => false,
    };
    Known {
        tensor: is_tensor(ty),
        parts,
        ..Known::default()
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

fn place(p: &Place, known: &[Known]) -> Known {
    match &p.projections[..] {
        [] => known[p.root],
        [Projection::Field(_) | Projection::Index(_)] => Known {
            tensor: known[p.root].parts,
            ..Known::default()
        },
        _ => Known::default(),
    }
}

fn operand(o: &Operand, known: &[Known]) -> Known {
    match o {
        Operand::Place { place: p, .. } => place(p, known),
        Operand::Native(n) => super::variable(n).map_or(Known::default(), |v| known[v]),
    }
}

/// What an operation gives.
fn result(f: &Func, rhs: &Rhs, known: &[Known]) -> Known {
    let tensor = |tensor| Known {
        tensor,
        ..Known::default()
    };
    let one = Known {
        one: true,
        ..Known::default()
    };
    let is = |o: &Operand| operand(o, known).tensor;
    match rhs {
        Rhs::Copy(o) | Rhs::Powi(o, _) => operand(o, known),
        Rhs::Borrow(p) | Rhs::Snapshot(p) => place(p, known),
        Rhs::Op(_, o) if o.iter().any(is) => tensor(true),
        Rhs::Op(_, o) => Known {
            one: o.iter().any(|o| operand(o, known).one),
            ..Known::default()
        },
        Rhs::Tuple(o) | Rhs::Array(o) => Known {
            parts: !o.is_empty() && o.iter().all(is),
            ..Known::default()
        },
        Rhs::Native(n) => super::variable(n).map_or(Known::default(), |v| known[v]),
        Rhs::Method {
            receiver,
            name,
            turbofish,
            args,
        } => {
            let on = is(&receiver.operand);
            let name = name.to_string();
            if super::element::of(rhs).is_some() && args.len() < 2 {
                return tensor(on);
            }
            match operations::gives(&name) {
                // A copy of several is several.
                _ if name == "clone" => operand(&receiver.operand, known),
                Some(Gives::Element | Gives::ElementWithNumbers | Gives::Tensor) => tensor(on),
                Some(Gives::Tensors) => Known {
                    parts: on,
                    ..Known::default()
                },
                Some(Gives::Arguments) => tensor(args.iter().any(|a| is(&a.operand))),
                Some(Gives::Named) => tensor(on && turbofish.as_ref().is_some_and(names_float)),
                Some(Gives::One) if on => one,
                Some(Gives::One | Gives::Other) | None => Known::default(),
            }
        }
        Rhs::Call { path, args } => {
            if let Some(region) = f.region_of(path) {
                return match region.has_slopes() {
                    true => one,
                    false => tensor(true),
                };
            }
            // `Tensor::stack(&[a, b])`
            let mut last = path.segments.iter().rev();
            let name = last.next().map(|s| s.ident.to_string()).unwrap_or_default();
            let of_tensors = last.next().is_some_and(|s| s.ident == "Tensor")
                && args.iter().any(|a| operand(&a.operand, known).parts);
            tensor(of_tensors && is_method(&name))
        }
        _ => Known::default(),
    }
}

/// `::<f32>`.
fn names_float(turbofish: &proc_macro2::TokenStream) -> bool {
    matches!(turbofish.to_string().trim_end_matches(','), "f32" | "f64")
}

fn block(f: &Func, b: &Block, known: &mut [Known]) {
    let add = |v: VarId, found: Known, known: &mut [Known]| {
        known[v].tensor |= found.tensor;
        known[v].parts |= found.parts;
        known[v].one |= found.one;
    };
    for s in &b.stmts {
        let inside = s.blocks().into_iter();
        inside.for_each(|b| block(f, b, known));
        match &s.kind {
            StmtKind::Def(v, rhs) => add(*v, result(f, rhs, known), known),
            StmtKind::Branch {
                arms, out: Some(v), ..
            } => {
                let ends = || arms.iter().filter_map(|a| a.block.result.as_ref());
                let some = ends().any(|o| !o.diverges());
                let all = |is: fn(Known) -> bool| {
                    let each = |a: &Arm| match &a.block.result {
                        Some(o) => o.diverges() || is(operand(o, known)),
                        None => false,
                    };
                    some && arms.iter().all(each)
                };
                let found = Known {
                    tensor: all(|k| k.tensor),
                    parts: all(|k| k.parts),
                    one: all(|k| k.one),
                };
                add(*v, found, known);
            }
            // Nothing else gives a variable its value.
            _ => {}
        }
    }
}
