//! What users call on a `higher_order` function: `hvp`, `hessian`, `jacobian`, `linearize`.

use super::nested::Tangents;
use super::Higher;
use crate::ir::Ty;
use crate::items::{allowed, ByColumns};
use crate::syntax::names::{derived, one_or_tuple};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::{Lifetime, Type};

/// The parameters, as the operators take them.
pub(super) struct Parts {
    /// Each as it is declared.
    pub decls: Vec<TokenStream>,
    /// With its tangent, as `jvp` takes it.
    pairs: Vec<TokenStream>,
    /// With a length that both must have.
    checks: Vec<TokenStream>,
    /// Over duals with one tangent.
    along: Vec<TokenStream>,
    /// Over duals with unit tangents.
    seeded: Vec<TokenStream>,
    /// Which of them stay the same from one sweep to the next.
    constant: Vec<bool>,
    /// Number and type of those with a gradient, and the reference to the value.
    pub active: Vec<(usize, TokenStream, TokenStream)>,
}

impl Parts {
    /// What lifts the arguments for a sweep.
    pub fn lift(&self) -> TokenStream {
        lift(&self.seeded, &self.constant)
    }
}

/// What lifts arguments for one of several sweeps: constants are those of the sweep before.
pub(super) fn lift(seeded: &[TokenStream], constant: &[bool]) -> TokenStream {
    if !constant.contains(&true) {
        return quote!(|__seeds, _| (#(#seeded,)*));
    }
    let kept: Vec<_> = (0..seeded.len())
        .map(|i| format_ident!("__kept{i}"))
        .collect();
    let of = |chosen: bool| {
        let all = kept.iter().zip(constant);
        all.filter(move |(_, c)| **c == chosen).map(|(k, _)| k)
    };
    let (some, none) = (
        of(true),
        of(true).map(|_| quote!(::core::option::Option::None)),
    );
    let (names, dropped) = (of(true), of(false));
    let values = kept.iter().zip(seeded).zip(constant);
    let values = values.map(|((k, value), constant)| match constant {
        true => quote!(match #k { ::core::option::Option::Some(#k) => #k, ::core::option::Option::None => #value }),
        false => value.clone(),
    });
    quote! {
        |__seeds, __last| {
            let (#(#names,)*) = match __last {
                ::core::option::Option::Some((#(#kept,)*)) => {
                    #(::core::mem::drop(#dropped);)*
                    (#(::core::option::Option::Some(#some),)*)
                }
                ::core::option::Option::None => (#(#none,)*),
            };
            (#(#values,)*)
        }
    }
}

impl Higher<'_> {
    /// All of them; none for functions that change or call what they are given.
    pub fn operators(&self) -> TokenStream {
        let surface = self.surface;
        if surface.params.iter().any(|p| p.by_mut) || surface.takes_functions() {
            return TokenStream::new();
        }
        let parts = self.parts();
        // Of a type that need not be `Clone` there is no copy to keep.
        let kept = surface.params.iter().filter(|p| surface.taken(p).is_some());
        let mut kept = kept;
        let linear = kept
            .all(|p| !p.by_ref || surface.is_owned(p))
            .then(|| self.linearize(&parts));
        let hessians = match surface.is_loss(self.scalar) {
            true => self.hessians(&parts),
            false => self.no_hessians(),
        };
        let jacobians = (!surface.is_scalar(self.scalar)).then(|| self.jacobians(&parts));
        // Patterns are found by numbers that no kernel computes with.
        let sparse = (!self.tensors).then(|| self.sparse(&parts));
        quote!(#linear #hessians #jacobians #sparse)
    }

    pub(super) fn parts(&self) -> Parts {
        let (surface, s, lanes) = (self.surface, self.scalar.ty(), self.lanes());
        let mut parts = Parts {
            decls: surface.param_decls(),
            pairs: Vec::new(),
            checks: Vec::new(),
            along: Vec::new(),
            seeded: Vec::new(),
            constant: surface.params.iter().map(|p| p.constant).collect(),
            active: Vec::new(),
        };
        for (i, p) in surface.params.iter().enumerate() {
            let (n, t) = (surface.name_of(p), derived("t_", &surface.adj_base(p)));
            let (ty, tangent) = (&p.ty, surface.tangent_ty(p));
            let value = surface.lent(p);
            if p.constant {
                parts.pairs.push(quote!(#n: #ty));
                let lifted = |lanes| surface.lifted(p, &s, lanes, &Tangents::None(&value));
                parts.along.push(lifted(1));
                parts.seeded.push(lifted(lanes));
                continue;
            }
            parts.pairs.push(quote!((#n, #t): (#ty, #tangent)));
            if matches!(p.kind, Ty::Seq(_)) {
                let what = format!("the tangent of `{n}` has another length than `{n}`");
                let check = quote!(::core::assert_eq!(#n.len(), #t.len(), #what););
                parts.checks.push(check);
            }
            let t = if p.by_ref { quote!(#t) } else { quote!(&#t) };
            let along = surface.lifted(p, &s, 1, &Tangents::One(&value, &t));
            parts.along.push(along);
            let seed = quote!(|__v| __seeds.seed(__v));
            let seeded = surface.lifted(p, &s, lanes, &Tangents::Seeds(&value, &seed));
            parts.seeded.push(seeded);
            parts.active.push((i, surface.value_ty(p), value));
        }
        parts
    }

    /// Keeps the memory of arguments that are not needed any more.
    pub(super) fn recycle(&self, scalar: &TokenStream) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s) = (self.surface, self.scalar.ty());
        let lifted = surface.params.iter().enumerate();
        let calls = lifted.filter(|(_, p)| !p.unlifted && surface.taken(p).is_none());
        let calls = calls.map(|(i, p)| {
            let (i, t) = (syn::Index::from(i), surface.value_ty(p));
            quote!(<#t as #ad::Lift<#s, #scalar>>::recycle(__args.#i);)
        });
        quote!(#(#calls)*)
    }

    /// `hvp` and `hessian`.
    fn hessians(&self, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s) = (self.surface, self.scalar.ty());
        let (name, gradient_ty) = (&surface.sig.ident, surface.gradient_ty());
        let (generics, clause) = (
            surface.generics(&[], &[]),
            surface.scalar_clause(self.scalar, None),
        );
        let allow = allowed();
        let docs = [
            format!("The product of the Hessian of `{name}` with a vector, in the layout of the gradient: each differentiable argument is given as `(value, tangent)`."),
            format!("The gradient of `{name}` and what [`hvp`](Self::hvp) gives, from one run."),
            format!("The Hessian of `{name}`: its gradient, with a row in the place of each scalar, which has the layout of the gradient."),
        ];
        let [doc_hvp, doc_both, doc_hessian] = &docs;
        let Parts {
            decls,
            pairs,
            checks,
            along,
            ..
        } = parts;
        let values = parts.active.iter().map(|(i, t, _)| {
            let i = syn::Index::from(*i);
            quote!(#ad::value_part::<#s, #t>(&__gradient.#i))
        });
        let values = one_or_tuple(values);
        let product = self.part_of_gradient(parts, &quote!(0), 1);
        let (layout, rows) = self.hessian_of(parts);
        let hessian = quote! {
            #[doc = #doc_hessian]
            #[inline]
            #[allow(#allow)]
            pub fn hessian #generics(#(#decls),*) -> #layout #clause { #rows }
        };
        let recycle = self.recycle(&quote!(#ad::Dual<#s>));
        let run = |product: TokenStream, result: TokenStream| {
            quote! {
                #(#checks)*
                let __args = (#(#along,)*);
                let #result = #ad::#product::<<#name as #ad::Over<#ad::Dual<#s>>>::Item, _, #s, 1>(
                    &__args,
                    <#ad::Dual<#s> as #ad::Scalar>::ONE,
                );
                #recycle
            }
        };
        let both = run(quote!(product), quote!(__gradient));
        // Of tensors the values of a gradient are not computed where nobody asks for them.
        let alone = match self.tensors {
            true => {
                let run = run(quote!(product_open), quote!((__protos, __cts)));
                let along = parts.active.iter().map(|(i, t, _)| {
                    let i = syn::Index::from(*i);
                    quote!(#ad::along::<#s, #t>(&__protos.#i, __cts.#i))
                });
                let along = one_or_tuple(along);
                quote!(#run #along)
            }
            false => quote!(#both #product),
        };
        quote! {
            #[doc = #doc_hvp]
            #[inline]
            #[allow(#allow)]
            pub fn hvp #generics(#(#pairs),*) -> #gradient_ty #clause {
                #alone
            }
            #[doc = #doc_both]
            #[inline]
            #[allow(#allow)]
            pub fn grad_and_hvp #generics(#(#pairs),*) -> (#gradient_ty, #gradient_ty) #clause {
                #both
                (#values, #product)
            }
            #hessian
        }
    }

    /// The type of the Hessian, and what computes it.
    pub(super) fn hessian_of(&self, parts: &Parts) -> (TokenStream, TokenStream) {
        let (ad, s, lanes) = (
            quote!(::differentiable::__rt),
            self.scalar.ty(),
            self.lanes(),
        );
        let (name, gradient_ty) = (&self.surface.sig.ident, self.surface.gradient_ty());
        let layout = parts
            .active
            .iter()
            .map(|(_, t, _)| quote!(<#t as #ad::Layout>::With<#gradient_ty>));
        let rows = parts.active.iter().map(|(_, t, value)| {
            quote!(<#t as #ad::Layout>::with(#value, &mut || __rows.next().expect("a row for each scalar")))
        });
        let (layout, rows) = (one_or_tuple(layout), one_or_tuple(rows));
        let (lift, row) = (
            parts.lift(),
            self.part_of_gradient(parts, &quote!(__k), lanes),
        );
        let body = quote! {
            let mut __rows = #ad::hessian::<<#name as #ad::Over<#ad::Dual<#s, #lanes>>>::Item, _, _, #s, #lanes>(
                #lift,
                |__gradient, __k| #row,
            ).into_iter();
            #rows
        };
        (layout, body)
    }

    /// A gradient over duals along one of the directions.
    fn part_of_gradient(&self, parts: &Parts, k: &TokenStream, lanes: usize) -> TokenStream {
        let (ad, s) = (quote!(::differentiable::__rt), self.scalar.ty());
        one_or_tuple(parts.active.iter().map(|(i, t, _)| {
            let i = syn::Index::from(*i);
            quote!(#ad::part::<#s, #lanes, #t>(&__gradient.#i, #k))
        }))
    }

    /// How many tangents are carried at once: eight, or as many as there are scalars where the types of
    /// the parameters tell.
    pub(super) fn lanes(&self) -> usize {
        let sizes = self.surface.active().map(|(_, p)| {
            let ty = p.value_ty()?;
            size(ty, &self.scalar.ty().to_string())
        });
        let all: Option<usize> = sizes.sum();
        all.unwrap_or(8).clamp(1, 8)
    }

    /// `jacobian`, `jacobian_fwd` and `jacobian_rev`.
    fn jacobians(&self, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s) = (self.surface, self.scalar.ty());
        if surface.is_unit() {
            return TokenStream::new();
        }
        let (name, output) = (&surface.sig.ident, surface.output());
        let gradient_ty = surface.gradient_ty();
        let z = Lifetime::new("'__z", Span::mixed_site());
        let of = surface.rows_of_output(&quote!(#name), &z);
        let lanes = self.lanes();
        let lifted = quote!(<#output as #ad::Lift<#s, #ad::Dual<#s, #lanes>>>::Lifted);
        let rows = quote!(#output: #of + #ad::Lower<#z, #lifted>);
        let (generics, clause) = (
            surface.generics(std::slice::from_ref(&z), &[]),
            surface.scalar_clause(self.scalar, Some(rows)),
        );
        let rows_ty = quote!(<#output as #of>::Rows<#gradient_ty>);
        let (own, names) = (
            surface.pass_generics(None),
            surface
                .params
                .iter()
                .map(|p| surface.name_of(p))
                .collect::<Vec<_>>(),
        );
        let (decls, lift) = (&parts.decls, parts.lift());
        let copies = surface.params.iter().map(|p| {
            let n = surface.name_of(p);
            match p.by_ref {
                true => n,
                false => quote!(::core::clone::Clone::clone(&#n)),
            }
        });
        let copies: Vec<_> = copies.collect();
        let fill = super::matrices::fill_row(parts, &s);
        let count = parts
            .active
            .iter()
            .map(|(_, t, value)| quote!(#ad::scalars::<#s, #t>(#value)));
        let count: Vec<_> = count.collect();
        // One run does for a few columns, before the number of rows is known.
        let by_rows = quote!({
            let __columns = 0 #(+ #count)*;
            __columns > #lanes && {
                let __value = #name #own(#(#copies),*);
                let __rows = #ad::JacobianOutput::<#name, _>::count(&__value);
                #ad::reverse_is_shorter(__rows, __columns)
            }
        });
        let over = quote!(<#name as #ad::Over<#ad::Dual<#s, #lanes>>>::Item);
        // Of tensors rows are gradients.
        let forward = (!self.tensors).then(|| {
            let forward =
                quote!(#ad::matrix_by_columns::<#name, #over, _, #output, #s, #lanes>(#lift));
            (by_rows.clone(), forward)
        });
        let matrix =
            surface.jacobian_matrix(&quote!(#name), &z, &clause, ByColumns::OrRows(forward));
        let allow = allowed();
        let doc = |how: &str| {
            format!("The Jacobian of `{name}`: its value, with a gradient in the place of each scalar; {how}.")
        };
        let (doc, doc_fwd, doc_rev) = (
            doc("by forward or reverse mode, whichever is less work for its shape"),
            doc("by forward mode, several columns in one run"),
            doc("by reverse mode, row by row"),
        );
        quote! {
            #[doc = #doc_fwd]
            #[inline]
            #[allow(#allow)]
            pub fn jacobian_fwd #generics(#(#decls),*) -> #rows_ty #clause {
                #ad::jacobian_by_columns::<#name, #over, _, #output, #gradient_ty, #s, #lanes>(
                    #lift,
                    |__row| #fill,
                )
            }
            #[doc = #doc_rev]
            #[inline]
            #[allow(#allow)]
            pub fn jacobian_rev #generics(#(#decls),*) -> #rows_ty #clause {
                let (__value, __pullback) = Self::vjp #own(#(#names),*);
                #ad::jacobian::<#name, #output, _>(&__value, __pullback)
            }
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            pub fn jacobian #generics(#(#decls),*) -> #rows_ty #clause {
                match #by_rows {
                    true => Self::jacobian_rev #own(#(#names),*),
                    false => Self::jacobian_fwd #own(#(#names),*),
                }
            }
            #matrix
        }
    }

    /// Where the value is no scalar, `hvp` and `hessian` say so.
    fn no_hessians(&self) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let name = &self.surface.sig.ident;
        let args = (0..self.surface.params.len()).map(|i| format_ident!("__A{i}"));
        let args: Vec<_> = args.collect();
        let functions = ["hvp", "grad_and_hvp", "hessian"].map(|f| {
            let f = format_ident!("{f}");
            quote! {
                #[doc(hidden)]
                #[allow(unused, clippy::all)]
                pub fn #f<'__z, #(#args),*>(#(_: #args),*)
                where
                    #name: #ad::HasHessian<'__z>,
                {
                    ::core::unreachable!()
                }
            }
        });
        quote!(#(#functions)*)
    }

    /// `linearize`.
    fn linearize(&self, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let surface = self.surface;
        let (name, output) = (&surface.sig.ident, surface.output());
        let doc = format!("The value of `{name}` and its derivative there, a linear map from the tangents of the differentiable arguments to that of the value. Each use runs the function with its tangents.");
        // That a constant can be copied is asked at the call.
        let z = Lifetime::new("'__z", Span::mixed_site());
        let open = surface.params.iter().filter(|p| surface.taken(p).is_some());
        let copied = surface.copied(open, &z);
        let lifetimes = if copied.is_empty() { vec![] } else { vec![z] };
        let (generics, clause) = (
            surface.generics(&lifetimes, &[]),
            surface.scalar_clause(self.scalar, Some(copied).filter(|c| !c.is_empty())),
        );
        let (own, captures) = (surface.pass_generics(None), surface.captured_lifetimes(&[]));
        let (mut kept, mut again, mut tangents, mut types) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for p in surface.params {
            let (n, t, ty) = (
                surface.name_of(p),
                derived("t_", &surface.adj_base(p)),
                surface.tangent_ty(p),
            );
            let open = surface.taken(p).is_some();
            kept.push(match p.by_ref {
                true if open => {
                    let own = surface.own(p);
                    quote!(let #n = #own(#n);)
                }
                true => {
                    let of = surface.value_ty(p);
                    quote!(let #n = <#of as ::std::borrow::ToOwned>::to_owned(#n);)
                }
                false => quote!(let #n = ::core::clone::Clone::clone(&#n);),
            });
            again.push(match p.by_ref {
                true => quote!(&#n),
                false => quote!(::core::clone::Clone::clone(&#n)),
            });
            let zero = quote!(#ad::Differentiable::zero_tangent(&#n));
            again.push(match (p.constant, p.by_ref) {
                _ if open => quote!(()),
                (false, _) => quote!(#t),
                (true, true) => quote!(&#zero),
                (true, false) => zero,
            });
            if !p.constant {
                tangents.push(quote!(#t: #ty));
                types.push(ty);
            }
        }
        let names = surface.params.iter().map(|p| surface.name_of(p));
        let allow = allowed();
        let opaque = quote_spanned!(Span::mixed_site()=> impl);
        let decls = &parts.decls;
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            pub fn linearize #generics(#(#decls),*)
                -> (#output, #opaque Fn(#(#types),*) -> <#output as #ad::Differentiable>::Tangent + ::core::clone::Clone #captures)
            #clause
            {
                let __map = {
                    #(#kept)*
                    move |#(#tangents),*| Self::__jvp #own(#(#again),*).1
                };
                (#name #own(#(#names),*), __map)
            }
        }
    }
}

/// How many scalars a value of the type has, where it tells.
pub(super) fn size(ty: &Type, scalar: &str) -> Option<usize> {
    match ty {
        Type::Path(_) if ty.to_token_stream().to_string() == scalar => Some(1),
        Type::Paren(p) => size(&p.elem, scalar),
        Type::Group(g) => size(&g.elem, scalar),
        Type::Tuple(t) => t.elems.iter().map(|t| size(t, scalar)).sum(),
        Type::Array(a) => Some(written(&a.len)? * size(&a.elem, scalar)?),
        _ => None,
    }
}

/// A number that is written out; that of a macro stands in a group.
fn written(e: &syn::Expr) -> Option<usize> {
    match e {
        syn::Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        syn::Expr::Group(g) => written(&g.expr),
        syn::Expr::Paren(p) => written(&p.expr),
        _ => None,
    }
}
