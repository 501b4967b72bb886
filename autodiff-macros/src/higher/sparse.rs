//! Sparse Jacobians and Hessians of a `higher_order` function: `sparsity`, `sparse_jacobian`, `sparse_hessian`,
//! and the dense Jacobian as a block, `jacobian_into`.

use super::named::Named;
use super::nested::{dual, Tangents};
use super::operators::{size, Parts};
use super::Higher;
use crate::input::signature::ParamDecl;
use crate::items::allowed;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Lifetime;

/// How many directions a run for a sparse matrix carries: `sparse::run::LANES` of the core.
const LANES: usize = 8;

/// What differs between Jacobians and Hessians.
struct Companion {
    /// `jacobian` or `hessian`.
    name: &'static str,
    plan: TokenStream,
    sparsity: TokenStream,
    /// The call of the core that finds the pattern, and the one that evaluates.
    find: TokenStream,
    evaluate: TokenStream,
}

impl Higher<'_> {
    pub(super) fn sparse(&self, parts: &Parts) -> TokenStream {
        let (surface, s) = (self.surface, self.scalar.ty());
        if parts.active.is_empty() || surface.is_unit() {
            return TokenStream::new();
        }
        let sparse = quote!(::differentiable::__rt::sparse);
        let output = surface.output();
        let over = |scalar: &TokenStream| {
            let (item, lifted) = self.over(scalar, &quote!(|__v| __seeds.seed(__v)));
            (item, quote!(|__seeds| (#(#lifted,)*)))
        };
        let traced = quote!(::differentiable::__rt::Traced<#s>);
        let wide = dual(&s, LANES);
        let ((traced_item, trace), (wide_item, seed)) = (over(&traced), over(&wide));
        let recycle = self.recycle(&wide);
        let recycle = quote!(|__args| { #recycle });
        let jacobian = Companion {
            name: "jacobian",
            plan: quote!(#sparse::JacobianPlan),
            sparsity: quote!(sparsity),
            find: quote!(#sparse::sparsity::<#traced_item, _, #output, #s>(#trace)),
            evaluate: quote!(#sparse::sparse_jacobian::<#wide_item, _, #output, #s>(__plan, __to, #seed, #recycle)),
        };
        if !surface.is_scalar(self.scalar) {
            let (all, dense) = (self.of_kind(parts, &jacobian), self.dense(parts));
            return quote!(#all #dense);
        }
        let (read_traced, read_wide) = (read(parts, &s, &traced), read(parts, &s, &wide));
        let hessian = Companion {
            name: "hessian",
            plan: quote!(#sparse::HessianPlan),
            sparsity: quote!(hessian_sparsity),
            find: quote!(#sparse::hessian_sparsity::<#traced_item, _, #s>(#trace, #read_traced)),
            evaluate: quote!(#sparse::sparse_hessian::<#wide_item, _, #s>(__plan, __to, #seed, #read_wide, #recycle)),
        };
        self.of_kind(parts, &hessian)
    }

    /// The companion over another scalar, and the arguments over it: `seed` makes the scalars of those that have
    /// a gradient.
    fn over(&self, scalar: &TokenStream, seed: &TokenStream) -> (TokenStream, Vec<TokenStream>) {
        let (surface, s) = (self.surface, self.scalar.ty());
        let name = &surface.sig.ident;
        let lifted = surface.params.iter().map(|p| {
            let value = surface.lent(p);
            match p.constant {
                true => surface.lifted_to(p, &s, scalar, &Tangents::None(&value)),
                false => surface.lifted_to(p, &s, scalar, &Tangents::Seeds(&value, seed)),
            }
        });
        let item = quote!(<#name as ::differentiable::__rt::Over<#scalar>>::Item);
        (item, lifted.collect())
    }

    /// `sparsity`.
    fn finder(&self, parts: &Parts, kind: &Companion) -> TokenStream {
        let Companion {
            name,
            sparsity,
            find,
            ..
        } = kind;
        let surface = self.surface;
        let (generics, clause) = (
            surface.generics(&[], &[]),
            surface.scalar_clause(self.scalar, None),
        );
        let (decls, f, allow) = (&parts.decls, &surface.sig.ident, allowed());
        let doc = format!("Which entries of the {name} of `{f}` can be other than zero, for the branches that are taken here. One run of the function on sets of inputs.");
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            pub fn #sparsity #generics(#(#decls),*) -> ::differentiable::__rt::sparse::Pattern #clause { #find }
        }
    }

    /// `sparsity`, the plan, and the matrix by it.
    fn of_kind(&self, parts: &Parts, kind: &Companion) -> TokenStream {
        let sparse = quote!(::differentiable::__rt::sparse);
        let (surface, s) = (self.surface, self.scalar.ty());
        let find = self.finder(parts, kind);
        let Companion {
            name,
            plan,
            sparsity,
            evaluate,
            ..
        } = kind;
        let [make, full, into] = ["sparse_{}_plan", "sparse_{}", "sparse_{}_into"]
            .map(|f| format_ident!("{}", f.replace("{}", name)));
        let make_plan = format_ident!("{name}_plan");
        let (generics, clause) = (
            surface.generics(&[], &[]),
            surface.scalar_clause(self.scalar, None),
        );
        let (decls, own) = (&parts.decls, surface.pass_generics(None));
        let names: Vec<_> = surface.params.iter().map(|p| surface.name_of(p)).collect();
        let (f, allow) = (&surface.sig.ident, allowed());
        let docs = [
            format!("The pattern of the {name} of `{f}` and directions that do for all its columns: found once, for many evaluations."),
            format!("The sparse {name} of `{f}`. An error if the pattern of the plan lacks an entry that is not zero here."),
            format!("The sparse {name} of `{f}`, into the memory of a matrix, whose pattern becomes that of the plan."),
        ];
        let [doc_plan, doc_full, doc_into] = &docs;
        quote! {
            #find
            #[doc = #doc_plan]
            #[inline]
            #[allow(#allow)]
            pub fn #make #generics(#(#decls),*) -> #plan #clause {
                #sparse::#make_plan(Self::#sparsity #own(#(#names),*))
            }
            #[doc = #doc_full]
            #[inline]
            #[allow(#allow)]
            pub fn #full #generics(__plan: &#plan, #(#decls),*)
                -> ::core::result::Result<#sparse::Csr<#s>, #sparse::SparsityError>
            #clause
            {
                let mut __to = ::core::default::Default::default();
                Self::#into #own(__plan, &mut __to, #(#names),*)?;
                ::core::result::Result::Ok(__to)
            }
            #[doc = #doc_into]
            #[inline]
            #[allow(#allow)]
            pub fn #into #generics(__plan: &#plan, __to: &mut #sparse::Csr<#s>, #(#decls),*)
                -> ::core::result::Result<(), #sparse::SparsityError>
            #clause
            { #evaluate }
        }
    }

    /// `jacobian_into`.
    fn dense(&self, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s, lanes) = (self.surface, self.scalar.ty(), self.lanes());
        let (name, output) = (&surface.sig.ident, surface.output());
        let z = Lifetime::new("'__z", Span::mixed_site());
        let of = quote!(#ad::JacobianOutput<#z, #name, <#output as #ad::Differentiable>::Tangent>);
        let (generics, clause) = (
            surface.generics(std::slice::from_ref(&z), &[]),
            surface.scalar_clause(self.scalar, Some(quote!(#output: #of))),
        );
        let own = surface.pass_generics(None);
        let named = Named::new(surface.sig, None);
        let fixed = |p: &ParamDecl| p.value_ty().is_some_and(|t| named.is_in(t));
        let names = surface.params.iter().map(|p| match !p.by_ref && fixed(p) {
            true => {
                let n = surface.name_of(p);
                quote!(::core::clone::Clone::clone(&#n))
            }
            false => surface.name_of(p),
        });
        let names: Vec<_> = names.collect();
        let count = parts
            .active
            .iter()
            .map(|(_, t, value)| quote!(#ad::scalars::<#s, #t>(#value)));
        let at_once = self.at_once(parts);
        let one = parts.active.len() == 1;
        let reads = parts.active.iter().enumerate().map(|(i, (nth, t, value))| {
            let i = syn::Index::from(i);
            let part = if one { quote!(__gradient) } else { quote!(&__gradient.#i) };
            if fixed(&surface.params[*nth]) {
                // Over its own scalar it is another type.
                return quote! {
                    let _ = <#t as #ad::Lift<#s, #s>>::lift_along(#value, #part, &mut |_, __x| {
                        *__places.next().expect("an entry for each scalar") = __x;
                        __x
                    });
                };
            }
            quote!(<#t as #ad::Lift<#s, #s>>::read(#part, &mut |__x| *__places.next().expect("an entry for each scalar") = __x);)
        });
        let (decls, lift) = (&parts.decls, parts.lift());
        let (allow, wide) = (allowed(), dual(&s, lanes));
        let doc = format!("The Jacobian of `{name}` into a slice, row by row: a block of a larger matrix. Columns are the scalars of the differentiable arguments, in order.\n\n# Panics\nIf the slice has another length than the Jacobian has entries.");
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            pub fn jacobian_into #generics(__to: &mut [#s], #(#decls),*) #clause {
                let __columns = 0 #(+ #count)*;
                #at_once
                // One run does for a few columns, before the number of rows is known.
                if __columns > #lanes && #ad::reverse_is_shorter(__to.len() / __columns, __columns) {
                    let (__value, __pullback) = Self::vjp #own(#(#names),*);
                    return #ad::dense_by_rows::<#name, #output, _, #s>(
                        __to,
                        &__value,
                        __pullback,
                        __columns,
                        |__gradient, __places| { #(#reads)* },
                    );
                }
                #ad::dense_by_columns::<<#name as #ad::Over<#wide>>::Item, _, #output, #s, #lanes>(
                    __to,
                    #lift,
                    __columns,
                )
            }
        }
    }
}

impl Higher<'_> {
    /// The Jacobian by one pullback for all rows, where the type of the output tells that there are a few.
    fn at_once(&self, parts: &Parts) -> Option<TokenStream> {
        let ad = quote!(::differentiable::__rt);
        let (surface, s) = (self.surface, self.scalar.ty());
        let output = surface.output();
        let output: syn::Type = syn::parse2(output).ok()?;
        let rows = size(&output, &s.to_string()).filter(|n| (2..=4).contains(n))?;
        let batch = quote!(#ad::Batch<#s, #rows>);
        let (item, args) = self.over(&batch, &quote!(<#batch as #ad::Extends<#s>>::constant));
        let (read, lanes) = (read(parts, &s, &batch), LANES);
        Some(quote! {
            // More columns than one run by columns does.
            if __columns > #lanes {
                return #ad::dense_at_once::<#item, _, <#output as #ad::Lift<#s, #batch>>::Lifted, #s, #rows>(
                    __to,
                    &(#(#args,)*),
                    __columns,
                    #read,
                );
            }
        })
    }
}

/// A closure that takes the entries out of a gradient over a scalar.
fn read(parts: &Parts, s: &TokenStream, scalar: &TokenStream) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let reads = parts.active.iter().map(|(i, t, _)| {
        let i = syn::Index::from(*i);
        quote!(<#t as #ad::Lift<#s, #scalar>>::read(&__gradient.#i, &mut |__d| __each(__d));)
    });
    quote!(|__gradient, __each| { #(#reads)* })
}
