//! `DifferentiableFn` for a free function: how helpers such as `check_grads` reach it.

use crate::input::signature::{inner_reference, is_inner, ParamDecl};
use crate::ir::Ty;
use crate::items::taken::Taken;
use crate::items::unlifted::{of_numbers, over_base};
use crate::items::{allowed, FunctionKind, Surface};
use crate::syntax::names;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::GenericParam;

/// Who calls a function through the trait.
#[derive(Clone, Copy, PartialEq)]
pub enum Caller {
    /// Helpers such as `check_grads`, which go by the functions of users where they are there and do.
    Helpers,
    /// Derivatives of higher order.
    Higher,
    /// Those of tensors: of their gradients only parts are asked for.
    HigherOfTensors,
}

impl Surface<'_> {
    /// Whether the types of the arguments tell the generics, as a trait of the arguments must.
    pub fn is_reached_by_arguments(&self) -> bool {
        let types = self.params.iter().map(|p| self.value_ty(p));
        let all = quote!((#(#types,)*)).to_string();
        let mentioned = |id: &Ident| {
            all.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|w| *id == w)
        };
        self.sig.generics.params.iter().all(|p| match p {
            GenericParam::Type(t) => mentioned(&t.ident),
            GenericParam::Const(c) => mentioned(&c.ident),
            GenericParam::Lifetime(l) => is_inner(&l.lifetime),
        })
    }

    /// The trait through which `caller` reaches a free function.
    pub fn function_trait(&self, caller: Caller) -> TokenStream {
        let gives_others = self.checked.is_some_and(|c| c.is_in(self));
        if gives_others && !matches!(self.vis, syn::Visibility::Inherited) {
            // rustc counts a type that is an error on condition as public, but not in what an `impl` gives: a private
            // type of the user's would be refused there (E0446).
            let params: Vec<_> = self.params.iter().map(ParamDecl::as_written).collect();
            let plain = Surface {
                params: &params,
                checked: None,
                ..*self
            };
            return plain.function_trait(caller);
        }
        let user = caller == Caller::Helpers;
        let inner = |p: &ParamDecl| inner_reference(p.ty.as_ref()?).map(|_| ());
        let inner = self.params.iter().find_map(inner).is_some();
        let lifetimes = self.written_lifetimes();
        // Over another scalar a constant with references in it is lent.
        let owned = user || !lifetimes.iter().all(is_inner);
        let unowned = owned && (inner || !lifetimes.is_empty()) || self.takes_functions();
        if self.kind != FunctionKind::Free || unowned {
            return TokenStream::new();
        }
        let ad = quote!(::differentiable::__rt);
        let (name, output) = (&self.sig.ident, self.output());
        let (mut owned, mut call, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        let (mut opened, mut same, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut lent = false;
        for (i, p) in self.params.iter().enumerate() {
            let (i, t) = (syn::Index::from(i), self.value_ty(p));
            match (&p.slice_of, p.by_ref) {
                _ if p.unlifted => {
                    let t = over_base(&t);
                    owned.push(quote!(#ad::Unlifted<'__c, #t>));
                }
                (Some(e), _) => owned.push(quote!(::std::vec::Vec<#e>)),
                (None, true) if t.to_string() == "str" => owned.push(quote!(::std::string::String)),
                (None, _) => owned.push(t.clone()),
            }
            // Constants are of any type. A function of one without a derivative is none for the trait: a bound on the
            // type itself would be an error here, or hide what its derivative is from the compiler (rustc 1.95 then
            // stops with an internal error when it optimises). So the argument has a type of its own, which is this one.
            let mut arg = quote!(&args.#i);
            let any_scalar = || crate::syntax::scalar_parameters(&self.sig.generics).is_empty();
            if self.taken(p) == Some(Taken::Whole) && !user {
                let t = p.value_ty();
                owned[i.index as usize] = quote!(#ad::Unlifted<'__c, #t>);
                arg = quote!(args.#i.0);
                lent = true;
            } else if self.taken(p).is_some() && !(user && any_scalar()) {
                // Over another scalar it may be lent.
                let open = format_ident!("__C{}", i.index);
                let t = p.value_ty();
                owned[i.index as usize] = quote!(#open);
                arg = quote!(<#open as #ad::Lends<#t>>::__lent(#arg));
                same.push(
                    quote!(#open: #ad::Lends<#t> + #ad::Differentiable + ::core::clone::Clone),
                );
                opened.push(quote!(#open));
            } else if open_constant(p) {
                let open = format_ident!("__C{}", i.index);
                let written = std::mem::replace(&mut owned[i.index as usize], quote!(#open));
                arg = quote!(<#open as #ad::Is>::__same(#arg));
                same.push(
                    quote!(#open: #ad::Is<This = #written> + #ad::Differentiable + ::core::clone::Clone),
                );
                opened.push(quote!(#open));
            }
            starts.push(arg.clone());
            if p.by_mut {
                let own = format_ident!("__own{}", i.index);
                call.push(match &p.slice_of {
                    Some(_) => quote!(&mut #own[..]),
                    None => quote!(&mut #own),
                });
            } else if p.unlifted {
                call.push(quote!(args.#i.0));
            } else if p.by_ref {
                call.push(arg);
            } else {
                call.push(quote!(::core::clone::Clone::clone(#arg)));
                bounds.push(p.value_ty().map_or(t, ToTokens::to_token_stream));
            }
        }
        if !self.is_reached_by_arguments() || self.params.len() > 12 {
            return TokenStream::new();
        }
        let generic = !self.sig.generics.params.is_empty();
        let clones = generic.then(|| quote!(#(#bounds: ::core::clone::Clone,)*));
        let unlifted = lent || self.params.iter().any(|p| p.unlifted);
        let lifetime = unlifted.then(|| syn::Lifetime::new("'__c", Span::call_site()));
        let generics = self.generics(lifetime.as_slice(), &opened);
        let extra = (generic || !same.is_empty()).then(|| quote!(#clones #(#same,)*));
        let where_clause = self.where_clause(extra);
        let pieces = self.pieces();
        let pass = self.pass_generics(Some(&pieces.modes));
        let (modes, own) = (&pieces.modes, self.pass_generics(None));
        let allow = allowed();
        let mut setup = TokenStream::new();
        let (mut accs, mut again, mut finish) = (Vec::new(), Vec::new(), Vec::new());
        let mut jvp_args = Vec::new();
        // Of the pullback: accumulators of its own, those of its caller, what of the former is added to the latter.
        let (mut unkept, mut kept, mut added) =
            (TokenStream::new(), Vec::new(), TokenStream::new());
        // Arguments that the call changes, owned; those with a derivative are results.
        let (mut owned_args, mut owned_tangents, mut start, mut results) = (
            TokenStream::new(),
            TokenStream::new(),
            TokenStream::new(),
            Vec::new(),
        );
        let active = self.params.iter().map(|p| !p.constant || p.discrete);
        for (k, (p, c)) in self.params.iter().zip(&call).enumerate() {
            let (i, d, q, t) = (
                syn::Index::from(k),
                format_ident!("__d{k}"),
                format_ident!("__q{k}"),
                self.value_ty(p),
            );
            if p.by_mut {
                let own = format_ident!("__own{k}");
                jvp_args.push(c.clone());
                let t_own = format_ident!("__t{k}");
                jvp_args.push(quote!(&mut #t_own));
                owned_tangents
                    .extend(quote!(let mut #t_own = ::core::clone::Clone::clone(&tangents.#i);));
                let given = &starts[k];
                owned_args.extend(quote!(let mut #own = ::core::clone::Clone::clone(#given);));
                again.push(quote!(#ad::Gone));
                accs.push(quote!(&mut #d));
                let o = &owned[k];
                kept.push(quote!(&mut #d));
                if p.constant {
                    let none = match p.unread() {
                        true => quote!(let mut #d = #ad::NoGrad;),
                        false => quote!(let mut #d = #ad::no_adj(&args.#i);),
                    };
                    setup.extend(none.clone());
                    unkept.extend(none);
                    finish.push(quote!(#ad::zero_tangent(&args.#i)));
                } else {
                    setup.extend(quote!(let #q = #ad::Differentiable::proto(&args.#i);));
                    start.extend(quote!(let mut #d = <#o as #ad::Differentiable>::start(#t_own);));
                    unkept.extend(quote!(let mut #d = #t_own;));
                    added.extend(quote!(#ad::Acc::<#o>::acc(&mut __sums.#i, #d);));
                    finish.push(quote!(<#o as #ad::Differentiable>::finish(&#q, #d)));
                    results.push((own, o.clone(), t_own));
                }
                continue;
            }
            let r = if p.by_ref {
                c.clone()
            } else {
                quote!(&args.#i)
            };
            let r = if p.slice_of.is_some() && !p.unlifted {
                quote!((args.#i).as_slice())
            } else {
                r
            };
            setup.extend(if p.constant {
                finish.push(
                    match (p.unlifted, open_constant(p) || self.taken(p).is_some()) {
                        (true, _) => quote!(()),
                        (_, true) => quote!(#ad::zero_tangent(&args.#i)),
                        _ => quote!(#ad::zero_tangent(#r)),
                    },
                );
                let none = match p.unread() {
                    true => quote!(let mut #d = #ad::NoGrad;),
                    false => quote!(let mut #d = #ad::no_adj(#r);),
                };
                kept.push(quote!(&mut #d));
                unkept.extend(none.clone());
                none
            } else {
                kept.push(quote!(&mut __sums.#i));
                finish.push(quote!(<#t as #ad::Differentiable>::finish(&#q, #d)));
                quote! {
                    let mut #d = <#t as #ad::Differentiable>::zero_adj(#r, #ad::On);
                    let #q = <#t as #ad::Differentiable>::proto(#r);
                }
            });
            accs.push(quote!(&mut #d));
            if p.by_ref {
                again.push(c.clone());
            }
            jvp_args.push(c.clone());
            jvp_args.push(if p.unread() {
                quote!(())
            } else if p.unlifted {
                // Nothing reads it.
                quote!(&#ad::Differentiable::zero_tangent(args.#i.0))
            } else if p.by_ref {
                quote!(&tangents.#i)
            } else {
                quote!(::core::clone::Clone::clone(&tangents.#i))
            });
        }
        let value = (
            format_ident!("__value"),
            output.clone(),
            format_ident!("__tangent"),
        );
        let no_value = self.is_unit() && !results.is_empty();
        let discarded = no_value.then(|| quote!(let __tangent = ();));
        let all: Vec<_> = (!no_value)
            .then_some(value)
            .into_iter()
            .chain(results)
            .collect();
        // Where every argument has a gradient, that of users is this one.
        let plain = user && self.params.iter().all(|p| !p.constant && !p.by_ref);
        let tangents = names::one_or_tuple(all.iter().map(|r| &r.2));
        // From `args` and `ct` to the accumulators.
        let run = quote! {
            #setup
            #owned_args
            let (_, __pullback) = #name::__vjp #pass((#(#modes,)*), #(#call),*);
            let #tangents = ct;
            #discarded
            #start
            __pullback(<#output as #ad::Differentiable>::start(__tangent), #(#again,)* #(#accs),*);
        };
        let reverse = match plain {
            true => {
                let one = (self.params.len() == 1).then(|| quote!(,));
                quote! {
                    let (_, __pullback) = #name::vjp #own(#(#call),*);
                    (__pullback(ct) #one)
                }
            }
            false => quote!(#run (#(#finish,)*)),
        };
        let names = names::one_or_tuple(all.iter().map(|r| &r.0));
        let types = names::one_or_tuple(all.iter().map(|r| &r.1));
        // Over another scalar the compiler may see what the lanes of a batch have in common.
        let vjp = quote! {
            (args: &(#(#owned,)*), ct: <#types as #ad::Differentiable>::Tangent)
                -> <(#(#owned,)*) as #ad::Differentiable>::Tangent
        };
        let open = caller == Caller::HigherOfTensors && self.params.iter().all(|p| !p.by_mut);
        let open = open.then(|| {
            let (mut protos, mut cts) = (Vec::new(), Vec::new());
            for (k, p) in self.params.iter().enumerate() {
                if p.constant {
                    let (i, o) = (syn::Index::from(k), &owned[k]);
                    let proto = quote!(#ad::Differentiable::proto(&args.#i));
                    cts.push(quote!(<#o as #ad::Differentiable>::zero_ct(&#proto)));
                    protos.push(proto);
                } else {
                    let (d, q) = (format_ident!("__d{k}"), format_ident!("__q{k}"));
                    cts.push(quote!(#d));
                    protos.push(quote!(#q));
                }
            }
            quote! {
                fn cotangents(args: &(#(#owned,)*), ct: <#types as #ad::Differentiable>::Tangent) -> (
                    <(#(#owned,)*) as #ad::Differentiable>::Proto,
                    #ad::Ct<(#(#owned,)*)>,
                ) {
                    #run
                    ((#(#protos,)*), (#(#cts,)*))
                }
            }
        });
        let vjp = match user {
            true => quote!(fn vjp #vjp { #reverse }),
            false => quote! {
                fn vjp #vjp { Self::vjp_inlined(args, ct) }
                #[inline(always)]
                fn vjp_inlined #vjp { #reverse }
            },
        };
        // What only helpers ask for is not written twice.
        let pullback = user.then(|| {
            let own = self.sig.generics.params.iter();
            let (lifetimes, own): (Vec<_>, Vec<_>) =
                own.partition(|p| matches!(p, GenericParam::Lifetime(_)));
            let lifetimes = lifetimes.into_iter().map(parameter).chain(lifetime.iter().map(ToTokens::to_token_stream));
            let own = own.into_iter().map(parameter);
            let captured = quote!(#(#lifetimes,)* #(#opened,)* #(#own,)*);
            let args = quote!((#(#owned,)*));
            let no_value = no_value.then(|| quote!(let __tangent = <#output as #ad::Differentiable>::start(());));
            quote! {
                fn pullback(args: &#args) -> (
                    #types,
                    impl FnOnce(&#args, #ad::Ct<#types>, &mut #ad::Ct<#args>) + use<#captured>,
                ) {
                    #owned_args
                    let (__value, __pullback) = #name::__vjp #pass((#(#modes,)*), #(#call),*);
                    (#names, move |args: &#args, #tangents: #ad::Ct<#types>, __sums: &mut #ad::Ct<#args>| {
                        #unkept
                        #no_value
                        __pullback(__tangent, #(#again,)* #(#kept),*);
                        #added
                    })
                }
            }
        });
        quote! {
            #[allow(#allow)]
            impl #generics #ad::DifferentiableFn<(#(#owned,)*)> for #name #where_clause {
                const ACTIVE: &'static [bool] = &[#(#active),*];
                type Output = #types;
                fn call(args: &(#(#owned,)*)) -> #types {
                    #owned_args
                    let __value = #name #own(#(#call),*);
                    #names
                }
                #vjp
                #open
                #pullback
                fn jvp(args: &(#(#owned,)*), tangents: &<(#(#owned,)*) as #ad::Differentiable>::Tangent)
                    -> (#types, <#types as #ad::Differentiable>::Tangent)
                {
                    #owned_args
                    #owned_tangents
                    let (__value, __tangent) = #name::__jvp #own(#(#jvp_args),*);
                    (#names, #tangents)
                }
            }
        }
    }
}

/// A generic parameter as `use<..>` names it.
fn parameter(p: &GenericParam) -> TokenStream {
    match p {
        GenericParam::Type(t) => t.ident.to_token_stream(),
        GenericParam::Const(c) => c.ident.to_token_stream(),
        GenericParam::Lifetime(l) => l.lifetime.to_token_stream(),
    }
}

/// Whether a constant may be of a type without a derivative.
fn open_constant(p: &ParamDecl) -> bool {
    fn is_open(t: &Ty) -> bool {
        match t {
            Ty::Seq(t) => is_open(t),
            t => *t == Ty::Unknown,
        }
    }
    let numbers = p.value_ty().is_some_and(of_numbers);
    p.unread() && !p.unlifted && is_open(&p.kind) && !numbers
}
