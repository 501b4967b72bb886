//! The representation as Rust: how a place, an operand and an operation read.

pub mod branch;
mod halves;
pub mod place;

use crate::ir::*;
use crate::knowledge::numbers::Op;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

pub use halves::lent_apart;
pub use place::{project, project_all, project_one, Side};

/// The name of an operator that may be one of the user's: the types of the operands are not known.
pub fn operator(op: Op, operands: &[Operand]) -> Option<&'static str> {
    let name = match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Neg => "neg",
        op => crate::knowledge::numbers::own(op)?,
    };
    let known = |o: &Operand| o.ty().is_float();
    (!operands.iter().all(known)).then_some(name)
}

/// The name of `+=` and `-=`, as [`operator`].
pub fn accumulator(op: AccumOp, place: &Place) -> Option<&'static str> {
    let name = match op {
        AccumOp::Add => "add_assign",
        AccumOp::Sub => "sub_assign",
    };
    (!place.ty.is_float()).then_some(name)
}

/// Writes places, operands and forward operations.
pub struct Code<'a> {
    pub f: &'a Func,
    /// Owned values that are read again later, so that a by-value use must leave them in place.
    pub keep: &'a dyn Fn(VarId) -> bool,
}

/// `&e`, in parentheses where the precedence asks for them.
fn reference_to(e: &syn::Expr) -> TokenStream {
    match e {
        syn::Expr::Lit(_)
        | syn::Expr::Path(_)
        | syn::Expr::MethodCall(_)
        | syn::Expr::Call(_)
        | syn::Expr::Paren(_)
        | syn::Expr::Field(_)
        | syn::Expr::Index(_)
        | syn::Expr::Macro(_) => quote!(&#e),
        _ => quote!(&(#e)),
    }
}

impl Code<'_> {
    pub fn name(&self, v: VarId) -> &Ident {
        &self.f.vars[v].name
    }

    pub fn place(&self, p: &Place) -> TokenStream {
        let p = p.value();
        let name = self.name(p.root);
        project(Side::Value, quote!(#name), p)
    }

    /// A place that is written.
    pub fn place_mut(&self, p: &Place) -> TokenStream {
        let name = self.name(p.root);
        // Fields and elements are reached through a reference as they are.
        let deref = matches!(p.projections.first(), None | Some(Projection::Variant(..)));
        let base = match self.f.vars[p.root].hold {
            Hold::Mut if deref => quote!((*#name)),
            _ => quote!(#name),
        };
        project(Side::ValueMut, base, p)
    }

    /// An argument, in the way that it is lent.
    pub fn argument(&self, a: &Arg) -> TokenStream {
        match a.changed() {
            Some(place) => {
                let place = self.place_mut(place);
                quote!(&mut #place)
            }
            None => self.operand(&a.operand),
        }
    }

    /// `&place`, whatever the variable holds.
    pub fn reference(&self, p: &Place) -> TokenStream {
        let p = p.value();
        let place = self.place(p);
        match self.f.vars[p.root].hold {
            Hold::Ref if p.is_var() => place,
            Hold::Mut if p.is_var() => quote!(&*#place),
            _ => quote!(&#place),
        }
    }

    /// The operand as the user wrote it.
    pub fn operand(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) => {
                let e = &n.expr;
                match e {
                    syn::Expr::Path(_) if self.moves_kept(n) => {
                        quote!(::core::clone::Clone::clone(&#e))
                    }
                    syn::Expr::Lit(_)
                    | syn::Expr::Path(_)
                    | syn::Expr::MethodCall(_)
                    | syn::Expr::Call(_)
                    | syn::Expr::Paren(_)
                    | syn::Expr::Field(_)
                    | syn::Expr::Index(_)
                    | syn::Expr::Reference(_)
                    | syn::Expr::Macro(_) => quote!(#e),
                    _ => quote!((#e)),
                }
            }
            Operand::Place { place, by_ref } => {
                let place = place.value();
                let v = &self.f.vars[place.root];
                if *by_ref {
                    return self.reference(place);
                }
                let tokens = self.place(place);
                let own = v.param.is_some_and(|i| self.f.params[i].is_self);
                if own && place.is_var() && v.hold == Hold::Value {
                    // A companion takes it by reference.
                    return quote!(::core::clone::Clone::clone(#tokens));
                }
                if let Some(moved) = self.taken_out(place) {
                    return moved;
                }
                let inside =
                    |p: &Projection| matches!(p, Projection::Variant(..) | Projection::Deref);
                if place.projections.iter().any(inside) && !place.ty.is_copy() {
                    return quote!(::core::clone::Clone::clone(&#tokens));
                }
                let lent = v.param.is_some_and(|i| self.f.params[i].lent);
                if lent && place.is_var() && !place.ty.is_copy() {
                    return quote_spanned!(place.span=> ad::by_value(#tokens));
                }
                if v.hold.is_reference() {
                    return if place.is_var() {
                        quote!((*#tokens))
                    } else {
                        tokens
                    };
                }
                if !place.ty.is_copy() && (self.keep)(place.root) {
                    quote!(::core::clone::Clone::clone(&#tokens))
                } else {
                    tokens
                }
            }
        }
    }

    /// Whether a by-value use of an inactive variable would move what is read again later.
    fn moves_kept(&self, n: &Native) -> bool {
        let &[v] = n.uses.as_slice() else {
            return false;
        };
        let var = &self.f.vars[v];
        var.hold == Hold::Value && !n.ty.is_copy() && !var.ty.is_copy() && (self.keep)(v)
    }

    /// `&value` of an inactive expression whose type is known; a reference is one already.
    pub fn native_ref(&self, n: &Native) -> TokenStream {
        let e = &n.expr;
        if is_reference(n, self.f) {
            return quote!(#e);
        }
        reference_to(e)
    }

    /// `&place`, seeing through references.
    pub fn place_value(&self, p: &Place) -> TokenStream {
        self.value_ref(&Operand::Place {
            place: p.clone(),
            by_ref: false,
        })
    }

    /// `&value`, seeing through references.
    pub fn value_ref(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) => {
                let e = &n.expr;
                match n.ty {
                    Ty::Unknown => quote!((#e).__v()),
                    _ => self.native_ref(n),
                }
            }
            Operand::Place { place, .. } if place.ty.is_float() => self.reference(place),
            Operand::Place { place, .. } => {
                let p = self.place(place);
                quote!(#p.__v())
            }
        }
    }

    /// The forward operation, in the user's own operators and methods.
    pub fn forward(&self, rhs: &Rhs, span: Span) -> TokenStream {
        match rhs {
            Rhs::Copy(o) => self.operand(o),
            Rhs::Borrow(p) => self.reference(p),
            Rhs::Snapshot(p) => self.snapshot(p),
            Rhs::Op(op, operands) => self.op(*op, operands, span),
            Rhs::Powi(x, n) => {
                let (x, n) = (self.receiver(x), &n.expr);
                quote_spanned!(span=> #x.powi(#n))
            }
            Rhs::Cast(o, ty) => {
                let o = self.operand(o);
                quote_spanned!(span=> #o as #ty)
            }
            Rhs::Tuple(v) => {
                let v = v.iter().map(|o| self.operand(o));
                quote!((#(#v,)*))
            }
            Rhs::Array(v) => {
                let v = v.iter().map(|o| self.operand(o));
                quote!([#(#v),*])
            }
            Rhs::VecList(v) => {
                let v = v.iter().map(|o| self.operand(o));
                quote!(::std::vec![#(#v),*])
            }
            Rhs::Repeat { value, len, vec } => {
                let (value, len) = (self.operand(value), &len.expr);
                if *vec {
                    quote!(::std::vec![#value; #len])
                } else {
                    quote!([#value; #len])
                }
            }
            Rhs::Struct(s) => {
                let path = &s.path;
                if s.tuple {
                    let values = s.fields.iter().map(|f| self.operand(&f.1));
                    return quote!(#path(#(#values),*));
                }
                let fields = s.fields.iter().map(|(m, o)| {
                    let o = self.operand(o);
                    quote!(#m: #o)
                });
                let base = s.base.as_ref().map(|o| self.operand(o));
                let base = base.map(|b| quote!(..#b));
                quote!(#path { #(#fields,)* #base })
            }
            Rhs::Native(n) => {
                let e = &n.expr;
                quote!(#e)
            }
            Rhs::Pop(p) => {
                let p = self.place_mut(p);
                quote_spanned!(span=> #p.pop())
            }
            Rhs::Witness(p) if p.may_be_constant() => {
                let p = self.place(p);
                quote!(ad::Placed(&#p).witness())
            }
            Rhs::Witness(p) => {
                let p = self.place(p);
                quote!(#p.__wit())
            }
            Rhs::GetLate(l) => {
                let l = self.name(*l);
                quote!(ad::late(&mut #l))
            }
            Rhs::Call { path, args } => match self.f.region_of(path) {
                // Without a derivative it is what the user wrote.
                Some(region) => {
                    let probe = &region.probe;
                    quote!({ #probe })
                }
                None => {
                    let tokens = args.iter().map(|a| self.argument(a));
                    lent_apart(args, quote!(#(#tokens),*), |args| quote!(#path(#args)))
                }
            },
            Rhs::Method {
                receiver,
                name,
                turbofish,
                args,
            } => {
                let recv = self.receiver(&receiver.operand);
                let turbofish = turbofish.as_ref().map(|t| quote!(::<#t>));
                let tokens = args.iter().map(|a| self.argument(a));
                lent_apart(
                    args,
                    quote!(#(#tokens),*),
                    |args| quote_spanned!(span=> #recv.#name #turbofish(#args)),
                )
            }
        }
    }

    pub fn snapshot(&self, p: &Place) -> TokenStream {
        if p.ty.is_copy() {
            return self.operand(&Operand::Place {
                place: p.clone(),
                by_ref: false,
            });
        }
        self.taken_out(p).unwrap_or_else(|| {
            let r = self.reference(p);
            quote!(::std::borrow::ToOwned::to_owned(#r))
        })
    }

    /// What a variant holds, moved out of a variable that nothing names afterwards.
    fn taken_out(&self, p: &Place) -> Option<TokenStream> {
        let var = &self.f.vars[p.root];
        match p.projections.as_slice() {
            [Projection::Variant(path, member)] if var.dies => {
                Some(place::taken_out(&var.name, path, member))
            }
            _ => None,
        }
    }

    /// A receiver: the method borrows it by itself.
    pub fn receiver(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) => {
                let e = &n.expr;
                match e {
                    syn::Expr::Lit(_)
                    | syn::Expr::Path(_)
                    | syn::Expr::MethodCall(_)
                    | syn::Expr::Call(_)
                    | syn::Expr::Field(_)
                    | syn::Expr::Index(_)
                    | syn::Expr::Paren(_) => quote!(#e),
                    _ => quote!((#e)),
                }
            }
            Operand::Place { place, .. } => self.place(place),
        }
    }

    /// The receiver of a companion, as one reference. A constant may be of a type without a derivative. Messages about the
    /// receiver are about the method at `span`.
    pub fn lent_receiver(
        &self,
        o: &Operand,
        span: Span,
        active: impl Fn(&Place) -> bool,
    ) -> TokenStream {
        let constant = match o {
            Operand::Native(n) => n.ty == Ty::Unknown,
            Operand::Place { place, .. } => place.ty == Ty::Unknown && !active(place),
        };
        if !constant {
            let receiver = self.receiver(o);
            return quote_spanned!(span=> #receiver.__v());
        }
        let lent = self.passed(o);
        quote!((&&&#lent).value())
    }

    /// An argument or a receiver that may be a constant of a type without a derivative.
    pub fn passed(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Native(n) if is_reference(n, self.f) => {
                let e = match &n.expr {
                    syn::Expr::Reference(r) => {
                        let e = &r.expr;
                        quote!(&#e)
                    }
                    e if n
                        .uses
                        .first()
                        .is_some_and(|v| self.f.vars[*v].hold == Hold::Mut) =>
                    {
                        quote!(&*#e)
                    }
                    e => quote!(#e),
                };
                quote!(ad::Anything(#e))
            }
            o => {
                let e = self.receiver(o);
                quote!(ad::Anything(&#e))
            }
        }
    }

    fn op(&self, op: Op, o: &[Operand], span: Span) -> TokenStream {
        let infix = |sign: TokenStream| {
            let (a, b) = (self.operand(&o[0]), self.operand(&o[1]));
            quote!(#a #sign #b)
        };
        match op {
            Op::Add => infix(quote_spanned!(span=> +)),
            Op::Sub => infix(quote_spanned!(span=> -)),
            Op::Mul => infix(quote_spanned!(span=> *)),
            Op::Div => infix(quote_spanned!(span=> /)),
            Op::Neg => {
                let a = self.operand(&o[0]);
                quote_spanned!(span=> -#a)
            }
            Op::Binary("rem") => infix(quote_spanned!(span=> %)),
            Op::UnaryOut(name) | Op::UnaryIn(name) | Op::Binary(name) | Op::Select(name) => {
                self.prim_call(name, o, span)
            }
            Op::Clamp => self.prim_call("clamp", o, span),
            Op::MulAdd => self.prim_call("mul_add", o, span),
        }
    }

    fn prim_call(&self, name: &str, o: &[Operand], span: Span) -> TokenStream {
        let name = format_ident!("{name}", span = span);
        let recv = self.receiver(&o[0]);
        let args = o[1..].iter().map(|o| self.operand(o));
        quote_spanned!(span=> #recv.#name(#(#args),*))
    }
}
