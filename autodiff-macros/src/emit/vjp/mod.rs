//! Reverse mode: emits the body of `__vjp`.
//!
//! For `fn f(x: f64, y: f64) -> f64 { (x * y).sin() }` it emits
//!
//! ```text
//! let v0 = x * y;
//! let v1 = v0.sin();
//! (v1, move |ct, d_x, d_y| {
//!     let mut d_v1 = ad::Wit::<f64>(()).zero();
//!     ad::acc(&ad::Wit::<f64>(()), ct, &mut d_v1);
//!     let mut d_v0 = ad::Wit::<f64>(()).zero();
//!     ad::sin::pull(&v0, &d_v1, &mut d_v0);
//!     ad::mul::pull_l(&ad::Wit::<f64>(()), &y, &d_v0, &mut *d_x);
//!     ad::mul::pull_r(&x, &ad::Wit::<f64>(()), &d_v0, &mut *d_y);
//! })
//! ```
//!
//! The closure owns what it reads of the forward pass: the tape is the stack frame. A loop keeps
//! one tuple for each trip in a tape, an `if` one tuple for the branch taken.

pub mod around;
mod aside;
mod call;
mod checkpoint;
mod decided;
mod dies;
mod extremum;
pub mod fields;
mod first;
mod forward;
mod grown;
mod held;
pub mod lambda;
mod lanes;
mod literals;
mod loops;
mod record;
mod replaced;
mod reserve;
mod reverse;
mod rows;
mod rules;
mod shares;
mod straight;
mod windows;

pub use call::is_built;

use crate::code::{operator, project, Code, Side};
use crate::ir::Needs;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::names::{derived, ident};
use around::Around;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

#[derive(Clone, Copy)]
pub struct Vjp<'a> {
    pub f: &'a Func,
    pub needs: &'a Needs,
    pub callees: &'a dyn Resolve,
    /// Whether the code is to be one over any scalar: what is run again without a derivative then calls functions
    /// over the same scalar.
    pub over: bool,
    /// Whether values that die are moved (`dies`).
    pub moves: bool,
    pub around: &'a Around,
}

#[derive(Clone)]
pub struct Emitted {
    pub forward: TokenStream,
    pub value: TokenStream,
    /// What is kept of variables that may borrow from an argument, once there is the value.
    pub held: TokenStream,
    pub reverse: TokenStream,
}

/// A lens that another argument already borrows goes through a temporary.
struct Lenses {
    direct: Vec<bool>,
}

impl<'a> Vjp<'a> {
    fn emit_all(&self) -> Emitted {
        let f = self.f;
        let mut forward = TokenStream::new();
        let mut loops = Vec::new();
        self.tapes(&f.body, &mut loops);
        forward.extend(loops);
        for p in &f.params {
            let owned = p.by_mut || (!p.by_ref && !p.is_self);
            if owned && self.needs.witnesses.contains(&p.var) && !f.vars[p.var].ty.is_float() {
                forward.extend(self.define_witness(p.var));
            }
        }
        forward.extend(self.fwd_block(&f.body));
        let value = match &f.body.result {
            Some(o) => self.result_value(&f.body, o),
            None => quote!(()),
        };
        let given = match &f.body.result {
            Some(o @ Operand::Place { place, .. }) if f.vars[place.root].active => {
                let (w, lens) = (self.wit(o), self.lens(place));
                quote!(ad::acc(&#w, __ct, #lens);)
            }
            _ => quote!(let _ = __ct;),
        };
        let (asides, added) = self.asides();
        let reverse = self.reversed(&f.body, given);
        let reverse = quote!(#asides #reverse #added);
        let borrowing = self.borrowing(&reverse);
        let (held, lent) = (self.held(&borrowing), self.lend(&borrowing));
        let copied: Vec<_> = self.copied_in_the_end().collect();
        Emitted {
            forward,
            value,
            held: quote! {
                #(let #borrowing = #held;)*
                #(let #copied = ::std::borrow::ToOwned::to_owned(&#copied[..]);)*
            },
            reverse: quote!(#(let #copied = &#copied[..];)* #lent #reverse),
        }
    }

    /// The slices that the caller lends, and whose entries the reverse pass reads as they are in the end.
    pub fn copied_in_the_end(&self) -> impl Iterator<Item = &Ident> {
        let params = self.f.params.iter().map(|p| p.var);
        let copied = params.filter(|v| self.is_copied_in_the_end(*v));
        copied.map(|v| self.name(v))
    }

    pub fn is_copied_in_the_end(&self, v: VarId) -> bool {
        let param = self.f.vars[v].param.map(|i| &self.f.params[i]);
        param.is_some_and(|p| p.copied) && self.needs.values.contains(&v)
    }

    /// The companions of a call, or of a region.
    fn callee(&self, path: &syn::Path, args: usize) -> Callee {
        let region = self.f.region(path);
        region.unwrap_or_else(|| self.callees.callee(path, args))
    }

    fn keep(&self) -> impl Fn(VarId) -> bool + '_ {
        |v| {
            self.needs.values.contains(&v) && !self.needs.made_again.contains(&v)
                || self.f.lent.contains(&v)
                || self.f.vars[v].grows && !self.f.vars[v].dies
                || self.f.vars[v]
                    .param
                    .is_some_and(|i| self.f.params[i].is_self)
        }
    }

    /// The value of a block. What its own variables need is taken by then, so that they can move.
    fn result_value(&self, b: &Block, o: &Operand) -> TokenStream {
        let keep = |v: VarId| {
            let var = &self.f.vars[v];
            let own_param = var.param.is_some_and(|i| self.f.params[i].is_self);
            let grows = var.grows && !var.dies && var.defined.scope != b.scope;
            self.needs.values.contains(&v) || grows || own_param
        };
        Code {
            f: self.f,
            keep: &keep,
        }
        .operand(o)
    }

    fn with_code<R>(&self, g: impl FnOnce(&Code<'_>) -> R) -> R {
        let keep = self.keep();
        g(&Code {
            f: self.f,
            keep: &keep,
        })
    }

    /// The forward run alone.
    pub fn emit_value(&self) -> Emitted {
        let f = self.f;
        Emitted {
            forward: self.fwd_block(&f.body),
            value: match &f.body.result {
                Some(o) => self.result_value(&f.body, o),
                None => quote!(()),
            },
            held: TokenStream::new(),
            reverse: TokenStream::new(),
        }
    }

    // ---- names -----------------------------------------------------------------------------

    fn name(&self, v: VarId) -> &Ident {
        &self.f.vars[v].name
    }
    fn adj(&self, v: VarId) -> Ident {
        derived("d_", self.name(v))
    }
    fn witness_name(&self, v: VarId) -> Ident {
        derived("w_", self.name(v))
    }
    fn pullback(&self, v: VarId) -> Ident {
        derived("p_", self.name(v))
    }
    /// What an operator keeps whose operands' types are not known here.
    fn kept(&self, v: VarId) -> Ident {
        derived("kept_", self.name(v))
    }
    /// The same for `a += b`.
    fn kept_at(&self, s: &Stmt) -> Ident {
        ident(format!("kept{}", s.point.pos))
    }
    fn selection(&self, v: VarId) -> Ident {
        derived("sel_", self.name(v))
    }
    fn inactive_adj(&self, v: VarId, arg: usize) -> Ident {
        derived(&format!("z{arg}_"), self.name(v))
    }
    fn branch(&self, id: usize) -> Ident {
        ident(format!("branch{id}"))
    }
    /// How often a loop ran.
    fn trips(&self, id: usize) -> Ident {
        ident(format!("trips{id}"))
    }
    fn tape(&self, id: usize) -> Ident {
        ident(format!("tape{id}"))
    }
    /// The snapshots of a loop with `#[checkpoint]`.
    fn snapshots(&self, id: usize) -> Ident {
        ident(format!("snapshots{id}"))
    }
    /// Its range.
    fn range(&self, id: usize) -> Ident {
        ident(format!("range{id}"))
    }
    /// What such a loop reads as it was before the loop.
    fn entry(&self, id: usize) -> Ident {
        ident(format!("entry{id}"))
    }

    // ---- witnesses and lenses --------------------------------------------------------------

    /// The witness of an operand.
    fn wit(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) => {
                let e = &n.expr;
                match n.ty {
                    Ty::Unknown => quote!((#e).__wit()),
                    _ => {
                        let e = self.with_code(|c| c.native_ref(n));
                        quote!(ad::wit(#e))
                    }
                }
            }
            Operand::Place { place, .. } => match &place.ty {
                Ty::Float(f) => float_witness(f),
                _ if place.is_var() => self.var_witness(place.root),
                Ty::OpenFloat => {
                    let r = self.with_code(|c| c.reference(place));
                    quote!(ad::wit(#r))
                }
                _ => {
                    let p = self.with_code(|c| c.place(place));
                    quote!(#p.__wit())
                }
            },
        }
    }

    fn var_witness(&self, v: VarId) -> TokenStream {
        let var = &self.f.vars[v];
        if let Ty::Float(f) = var.ty {
            return float_witness(f);
        }
        let again = |i: usize| {
            let p = &self.f.params[i];
            !p.by_mut && (p.by_ref || p.is_self)
        };
        if var.param.is_some_and(again) {
            let n = &var.name;
            return quote!(#n.__wit());
        }
        let w = self.witness_name(v);
        quote!(#w)
    }

    fn define_witness(&self, v: VarId) -> TokenStream {
        let (w, n) = (self.witness_name(v), self.name(v));
        let mutable = self.f.vars[v].reassigned.then(|| quote!(mut));
        match self.f.vars[v].ty {
            Ty::Float(_) => TokenStream::new(),
            Ty::OpenFloat => quote!(let #w = ad::wit(&#n);),
            _ if self.copies_field(v) => quote!(let #w = ad::Placed(&#n).witness();),
            _ => quote!(let #mutable #w = #n.__wit();),
        }
    }

    /// The variable of which a place is the whole, if it has a witness that follows its value.
    fn followed(&self, p: &Place) -> Option<VarId> {
        let v = &self.f.vars[p.root];
        let follows = v.reassigned && !v.grows && self.needs.witnesses.contains(&p.root);
        (p.is_var() && follows).then_some(p.root)
    }

    /// `&mut` to the accumulator of a place.
    fn lens(&self, p: &Place) -> TokenStream {
        let fields = p
            .projections
            .iter()
            .filter(|p| matches!(p, Projection::Field(_)));
        let v = &self.f.vars[p.root];
        // What a closure captures is in a tuple.
        let captured = v.name == "__env";
        match fields.count() > 1 && !v.late && !captured {
            true => self.nested_lens(p),
            false => self.plain_lens(p),
        }
    }

    /// The same of one whose fields are not constant.
    fn plain_lens(&self, p: &Place) -> TokenStream {
        let d = self.adj(p.root);
        let place = project(Side::Adjoint, quote!(#d), p);
        if p.is_var() && self.f.vars[p.root].param.is_some() {
            quote!(&mut *#place)
        } else {
            quote!(&mut #place)
        }
    }

    fn place_active(&self, p: &Place) -> bool {
        self.f.vars[p.root].active
    }

    fn active_lens(&self, o: &Operand) -> Option<TokenStream> {
        let p = o.place()?;
        self.place_active(p).then(|| self.lens(p))
    }

    fn is_slice(&self, p: &Place) -> bool {
        match p.projections.last() {
            Some(Projection::Range(_)) => true,
            Some(_) => false,
            None => self.f.vars[p.root]
                .param
                .is_some_and(|i| self.f.params[i].slice_of.is_some()),
        }
    }
}

fn project_ref(d: Ident, p: &Place, f: &Func) -> TokenStream {
    let place = project(Side::Adjoint, quote!(#d), p);
    if p.is_var() && f.vars[p.root].param.is_some() {
        quote!(&*#place)
    } else {
        quote!(&#place)
    }
}

fn float_witness(f: &str) -> TokenStream {
    let name = format_ident!("{}", f.to_uppercase());
    quote!(ad::#name)
}

pub fn mode_name(i: usize) -> Ident {
    ident(format!("m{i}"))
}

/// An operation of floats that keeps which of its operands it took.
fn picks(rhs: &Rhs) -> Option<(Op, &[Operand])> {
    match rhs {
        Rhs::Op(op @ (Op::Select(_) | Op::Clamp), o) if operator(*op, o).is_none() => {
            Some((*op, o))
        }
        _ => None,
    }
}

/// The module of `ad` that holds the rule of an operation.
pub fn op_module(op: Op) -> Ident {
    let name = match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Neg => "neg",
        Op::Clamp => "clamp",
        Op::MulAdd => "mul",
        Op::UnaryOut(n) | Op::UnaryIn(n) | Op::Binary(n) | Op::Select(n) => n,
    };
    format_ident!("{name}")
}

/// Modes come first among explicit generic arguments, and are inferred.
fn turbofish(modes: usize, generics: Option<&TokenStream>) -> Option<TokenStream> {
    let generics = generics?;
    let modes = (0..modes).map(|_| quote!(_));
    Some(quote!(::<#(#modes,)* #generics>))
}
