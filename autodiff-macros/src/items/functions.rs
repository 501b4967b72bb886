//! Functions that take functions, and the companions through which a function is passed on by its name:
//! code without an environment.

use super::*;
use crate::input::functions::code_name;

/// As many arguments as a function that is passed on can have.
const MOST: usize = 6;

impl Surface<'_> {
    /// A parameter as it is passed on to a companion.
    pub fn passed(&self, p: &ParamDecl) -> TokenStream {
        let n = self.name_of(p);
        match (&p.ident, &p.function) {
            (Some(f), Some(_)) => {
                let code = code_name(f);
                quote!(#n, #code)
            }
            _ => n,
        }
    }

    /// Whether a parameter is a function: then there is nothing for users to call.
    pub fn takes_functions(&self) -> bool {
        self.params.iter().any(|p| p.function.is_some())
    }

    /// Puts the two parts of the functions that are parameters together.
    pub fn callables(&self, mode: Mode) -> TokenStream {
        let kind = match mode {
            Mode::Reverse | Mode::Boxed => quote!(Callable),
            Mode::Forward => quote!(ForwardCallable),
        };
        let functions = self.params.iter().filter(|p| p.function.is_some());
        let functions = functions.filter_map(|p| p.ident.as_ref());
        functions
            .map(|f| {
                let code = code_name(f);
                quote!(let #f = &ad::#kind { env: #f, code: #code };)
            })
            .collect()
    }

    /// `__code` and `__forward_code`, in the form of `autodiff-core/src/ad/callable.rs`.
    pub fn item_companions(&self, forward: &Surface<'_>) -> TokenStream {
        let changes = self.params.iter().any(|p| p.by_mut);
        // Whoever is given the function could not tell that it loses a derivative.
        let constant = self.params.iter().any(|p| p.constant && !p.discrete);
        if changes
            || constant
            || self.takes_functions()
            || self.params.len() > MOST
            || self.is_unit()
        {
            return TokenStream::new();
        }
        let ad = quote!(::differentiable::__rt);
        let (output, allow) = (self.output(), allowed());
        let (mut names, mut types, mut accs, mut tangents) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut passed, mut again, mut pairs, mut bounds) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut ds, mut ts) = (Vec::new(), Vec::new());
        for (i, p) in self.params.iter().enumerate() {
            let (n, d, t) = (
                format_ident!("__a{i}"),
                format_ident!("__d{i}"),
                format_ident!("__t{i}"),
            );
            let ty = self.value_ty(p);
            match &p.slice_of {
                Some(e) => {
                    accs.push(quote!(&mut [#ad::Ct<#e>]));
                    tangents.push(quote!(&[<#e as #ad::Differentiable>::Tangent]));
                }
                None => {
                    accs.push(quote!(&mut #ad::Ct<#ty>));
                    tangents.push(quote!(&<#ty as #ad::Differentiable>::Tangent));
                }
            }
            if p.by_ref {
                passed.push(quote!(#n));
                again.push(quote!(#n));
                pairs.push(quote!(#n, #t));
            } else {
                passed.push(quote!(::core::clone::Clone::clone(#n)));
                pairs
                    .push(quote!(::core::clone::Clone::clone(#n), ::core::clone::Clone::clone(#t)));
                bounds.push(ty.clone());
            }
            types.push(quote!(&#ty));
            names.push(n);
            ds.push(d);
            ts.push(t);
        }
        let generic = self.sig.generics.type_params().next().is_some();
        let clones = generic.then(|| quote!(#(#bounds: ::core::clone::Clone,)*));
        let on: Vec<_> = names.iter().map(|_| quote!(#ad::On)).collect();
        let (generics, clause) = (self.generics(&[], &[]), self.where_clause(clones.clone()));
        let pass = self.pass_generics(Some(&on));
        let (forward_generics, forward_clause) =
            (forward.generics(&[], &[]), forward.where_clause(clones));
        let forward_pass = forward.pass_generics(None);
        // The edition of this token decides what the closure captures: types, no lifetimes.
        let opaque = quote_spanned!(Span::mixed_site()=> impl);
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __code #generics(_: &(), (#(#names,)*): (#(#types,)*)) -> (
                #output,
                #opaque FnOnce(#ad::Ct<#output>, &(), (#(#types,)*), &mut #ad::Ct<()>, (#(#accs,)*)) + ::core::clone::Clone,
            ) #clause {
                let (__value, __pullback) = Self::__vjp #pass((#(#on,)*), #(#passed),*);
                (__value, move |__ct, _: &(), (#(#names,)*): (#(#types,)*), _: &mut #ad::Ct<()>, (#(#ds,)*): (#(#accs,)*)| {
                    __pullback(__ct, #(#again,)* #(#ds),*)
                })
            }
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __forward_code #forward_generics(_: &(), _: &(), (#(#names,)*): (#(#types,)*), (#(#ts,)*): (#(#tangents,)*))
                -> (#output, <#output as #ad::Differentiable>::Tangent)
            #forward_clause
            {
                Self::__jvp #forward_pass(#(#pairs),*)
            }
        }
    }
}
