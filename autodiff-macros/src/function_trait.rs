//! `DifferentiableFn` for a free function: how helpers such as `check_grads` reach it.

use crate::surface::{Kind, Surface, ALLOW};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::GenericParam;

impl Surface<'_> {
    /// The trait through which helpers such as `check_grads` reach a free function.
    pub fn function_trait(&self) -> TokenStream {
        if self.kind != Kind::Free || !self.written_lifetimes().is_empty() {
            return TokenStream::new();
        }
        let ad = quote!(::differentiable::__rt);
        let (name, output) = (&self.sig.ident, self.output());
        let (mut owned, mut call, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        for (i, p) in self.params.iter().enumerate() {
            let (i, t) = (syn::Index::from(i), self.value_ty(p));
            match (&p.slice_of, p.by_ref) {
                (Some(e), _) => owned.push(quote!(::std::vec::Vec<#e>)),
                (None, true) if t.to_string() == "str" => owned.push(quote!(::std::string::String)),
                (None, _) => owned.push(t.clone()),
            }
            if p.by_ref {
                call.push(quote!(&args.#i));
            } else {
                call.push(quote!(::core::clone::Clone::clone(&args.#i)));
                bounds.push(t);
            }
        }
        let all = quote!((#(#owned,)*)).to_string();
        let mentioned = |id: &Ident| {
            all.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|w| *id == w)
        };
        let constrained = self.sig.generics.params.iter().all(|p| match p {
            GenericParam::Type(t) => mentioned(&t.ident),
            GenericParam::Const(c) => mentioned(&c.ident),
            GenericParam::Lifetime(_) => false,
        });
        if !constrained || self.params.len() > 12 {
            return TokenStream::new();
        }
        let generic = !self.sig.generics.params.is_empty();
        let clones = generic.then(|| quote!(#(#bounds: ::core::clone::Clone,)*));
        let generics = self.generics(&[], &[]);
        let where_clause = self.where_clause(clones);
        let pieces = self.pieces();
        let pass = self.pass_generics(Some(&pieces.modes));
        let (modes, own) = (&pieces.modes, self.pass_generics(None));
        let allow: TokenStream = ALLOW.parse().expect("lint names");
        let mut setup = TokenStream::new();
        let (mut accs, mut again, mut finish) = (Vec::new(), Vec::new(), Vec::new());
        let mut jvp_args = Vec::new();
        let active = self.params.iter().map(|p| !p.constant || p.discrete);
        for (k, (p, c)) in self.params.iter().zip(&call).enumerate() {
            let (i, d, q, t) = (
                syn::Index::from(k),
                format_ident!("__d{k}"),
                format_ident!("__q{k}"),
                self.value_ty(p),
            );
            let r = if p.by_ref {
                c.clone()
            } else {
                quote!(&args.#i)
            };
            let r = if p.slice_of.is_some() {
                quote!((args.#i).as_slice())
            } else {
                r
            };
            setup.extend(if p.constant {
                finish.push(quote!(#ad::zero_tangent(#r)));
                quote!(let mut #d = #ad::no_adj(#r);)
            } else {
                finish.push(quote!(<#t as #ad::Differentiable>::finish(&#q, #d)));
                quote! {
                    let mut #d = #ad::Differentiable::zero_adj(#r, #ad::On);
                    let #q = #ad::Differentiable::proto(#r);
                }
            });
            accs.push(quote!(&mut #d));
            if p.by_ref {
                again.push(c.clone());
            }
            jvp_args.push(c.clone());
            jvp_args.push(if p.by_ref {
                quote!(&tangents.#i)
            } else {
                quote!(::core::clone::Clone::clone(&tangents.#i))
            });
        }
        quote! {
            #[allow(#allow)]
            impl #generics #ad::DifferentiableFn<(#(#owned,)*)> for #name #where_clause {
                const ACTIVE: &'static [bool] = &[#(#active),*];
                type Output = #output;
                fn call(args: &(#(#owned,)*)) -> #output {
                    #name #own(#(#call),*)
                }
                fn vjp(args: &(#(#owned,)*), ct: <#output as #ad::Differentiable>::Tangent)
                    -> <(#(#owned,)*) as #ad::Differentiable>::Tangent
                {
                    #setup
                    let (_, __pullback) = #name::__vjp #pass((#(#modes,)*), #(#call),*);
                    __pullback(<#output as #ad::Differentiable>::start(ct), #(#again,)* #(#accs),*);
                    (#(#finish,)*)
                }
                fn jvp(args: &(#(#owned,)*), tangents: &<(#(#owned,)*) as #ad::Differentiable>::Tangent)
                    -> (#output, <#output as #ad::Differentiable>::Tangent)
                {
                    #name::__jvp #own(#(#jvp_args),*)
                }
            }
        }
    }
}
